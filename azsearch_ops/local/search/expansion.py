"""A piece of search text as a query over the searched fields, through the analyzer of each."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product

from azsearch_ops.local.errors import ServiceFault, invalid_request, not_supported_here
from azsearch_ops.local.search.analysis.analyzers import Token, analyzer
from azsearch_ops.local.search.automaton import Automaton, RegexError, UnsupportedRegexError
from azsearch_ops.local.search.query import (
    Boolean,
    Boosted,
    Clause,
    Fuzzy,
    Leaf,
    Occur,
    Phrase,
    Prefix,
    Query,
    Regex,
    Synonym,
    Term,
    Wildcard,
)
from azsearch_ops.local.search.schema import Field
from azsearch_ops.local.search.synonyms import Piece, Synonyms

MAX_CLAUSES = 3000
MAX_PREFIX_LENGTH = 1000


class FieldExpansion:
    """Terms are joined by or over the fields; what one analyzer makes several terms of is joined by `default`.

    Raises ServiceFault when terms times fields exceed the limit of the service.
    """

    def __init__(
        self,
        fields: Sequence[Field],
        default: Occur,
        others: Sequence[Field] = (),
        weights: Mapping[str, float] | None = None,
        synonyms: Mapping[str, Synonyms] | None = None,
    ) -> None:
        self._fields = [(field.path, analyzer(field.search_analyzer)) for field in fields]
        self._synonyms = synonyms or {}
        self._default = default
        self._others = others
        self._weights = weights or {}
        self._clauses = Counter[str]()

    def of_field(self, path: str) -> FieldExpansion:
        """The same over one field that the query names, counted together; any of `others` may be named."""
        field = next((field for field in self._others if field.path == path), None)
        if field is None:
            raise invalid_request(
                f"The field '{path}' in the search text does not exist or is not searchable.",
                "InvalidSearchSyntax",
                "search",
            )
        made = FieldExpansion((field,), self._default, self._others, self._weights, self._synonyms)
        made._clauses = self._clauses
        return made

    def words(self, text: str) -> Query | None:
        """A term without operators."""
        return self._over_fields([self._joined(path, list(found.tokens(text))) for path, found in self._fields])

    def phrase(self, text: str, slop: int = 0) -> Query | None:
        """Words next to each other, or as near as `slop` says."""
        return self._over_fields([self._phrase(path, list(found.tokens(text)), slop) for path, found in self._fields])

    def prefix(self, text: str) -> Query | None:
        """The beginning of a term: not analyzed, only brought into the analyzer's case."""
        if len(text) > MAX_PREFIX_LENGTH:
            raise invalid_request(
                f"A prefix in the search text has {len(text)} characters; the maximum is {MAX_PREFIX_LENGTH}.",
                "InvalidSearchSyntax",
                "search",
            )
        return self._over_fields([self._leaf(Prefix(path, found.normal(text))) for path, found in self._fields])

    def wildcard(self, text: str) -> Query | None:
        """A term with * and ?, where a backslash takes their meaning away."""
        return self._over_fields([self._leaf(Wildcard(path, found.normal(text))) for path, found in self._fields])

    def fuzzy(self, text: str, edits: int) -> Query | None:
        """A term and what looks like it: not analyzed, only brought into the analyzer's case."""
        return self._over_fields([self._leaf(Fuzzy(path, found.normal(text), edits)) for path, found in self._fields])

    def regex(self, text: str) -> Query | None:
        """Terms that an expression matches."""
        if len(text) > MAX_PREFIX_LENGTH:
            raise _regex_fault()
        try:
            automaton = Automaton(text)
        except RegexError:
            raise _regex_fault() from None
        except UnsupportedRegexError as operator:
            raise not_supported_here(f"the operator {operator} of regular expressions", "search") from None
        return self._over_fields([self._leaf(Regex(path, automaton)) for path, _ in self._fields])

    def _joined(self, path: str, tokens: list[Token]) -> Query | None:
        queries = [self._any_of(path, piece) for piece in self._pieces(path, tokens)]
        if len(queries) < 2:
            return queries[0] if queries else None
        return Boolean(tuple(Clause(self._default, query) for query in queries))

    def _phrase(self, path: str, tokens: list[Token], slop: int) -> Query | None:
        pieces = self._pieces(path, tokens)
        if len(pieces) < 2:
            return self._any_of(path, pieces[0]) if pieces else None
        if math.prod(len(piece.alternatives) for piece in pieces) > MAX_CLAUSES:
            raise _too_many_clauses()
        phrases = [self._in_a_row(path, pieces, chosen, slop) for chosen in product(*(p.alternatives for p in pieces))]
        return phrases[0] if len(phrases) == 1 else _either(phrases)

    def _pieces(self, path: str, tokens: list[Token]) -> list[Piece]:
        found = self._synonyms.get(path)
        return found.pieces(tokens) if found else [Piece(((token.term,),), token.position) for token in tokens]

    def _any_of(self, path: str, piece: Piece) -> Query:
        """One place of the query: single words count as one term, several in a row are a phrase of their own."""
        single = tuple(terms[0] for terms in piece.alternatives if len(terms) == 1)
        found: list[Query] = []
        if single:
            found.append(self._leaf(Term(path, single[0]) if len(single) == 1 else Synonym(path, single)))
        for terms in piece.alternatives:
            if len(terms) > 1:
                found.append(self._leaf(Phrase(path, tuple(zip(terms, range(len(terms)), strict=True)))))
        return found[0] if len(found) == 1 else _either(found)

    def _in_a_row(self, path: str, pieces: list[Piece], chosen: Sequence[tuple[str, ...]], slop: int) -> Query:
        """A phrase of one alternative for each piece; one that is longer or shorter than its piece moves the rest."""
        placed: list[tuple[str, int]] = []
        shift = -pieces[0].position
        for piece, terms in zip(pieces, chosen, strict=True):
            placed += [(term, piece.position + shift + place) for place, term in enumerate(terms)]
            shift += len(terms) - piece.width
        if slop and len({term for term, _ in placed}) < len(placed):
            raise not_supported_here("phrases that repeat a word and allow a distance", "search")
        return self._leaf(Phrase(path, tuple(placed), slop))

    def _leaf(self, query: Leaf) -> Query:
        self._clauses["all"] += len(query.terms) if isinstance(query, Phrase | Synonym) else 1
        if self._clauses["all"] > MAX_CLAUSES:
            raise _too_many_clauses()
        return query

    def _over_fields(self, queries: list[Query | None]) -> Query | None:
        found: list[Query] = []
        for (path, _), query in zip(self._fields, queries, strict=True):
            if query is not None:
                weight = self._weights.get(path, 1.0)
                found.append(query if weight == 1 else Boosted(query, weight))
        if len(found) < 2:
            return found[0] if found else None
        return Boolean(tuple(Clause(Occur.SHOULD, query) for query in found))


def _either(queries: Sequence[Query]) -> Query:
    return Boolean(tuple(Clause(Occur.SHOULD, query) for query in queries))


def _too_many_clauses() -> ServiceFault:
    return ServiceFault(
        400,
        "ClauseLimitExceeded",
        f"Failed to execute query because it exceeded the maximum clause limit of {MAX_CLAUSES}. This can happen when "
        f"the query terms multiplied by fields specified in the query exceeds {MAX_CLAUSES}. If fields are not "
        "explicitly specified, all searchable fields in the index are used. Please limit the number of terms or fields "
        "in the query.",
    )


def _regex_fault() -> ServiceFault:
    return invalid_request(
        "Failed to parse regex expression. See https://aka.ms/azure-search-full-query-regex for supported expressions.",
        "InvalidSearchSyntax",
    )
