"""A piece of search text as a query over the searched fields, through the analyzer of each."""

from __future__ import annotations

from collections.abc import Sequence

from azsearch_ops.local.errors import ServiceFault, invalid_request
from azsearch_ops.local.search.analysis.analyzers import Token, analyzer
from azsearch_ops.local.search.query import Boolean, Clause, Occur, Phrase, Prefix, Query, Term
from azsearch_ops.local.search.schema import Field

MAX_CLAUSES = 3000
MAX_PREFIX_LENGTH = 1000


class FieldExpansion:
    """Terms are joined by or over the fields; what one analyzer makes several terms of is joined by `default`.

    Raises ServiceFault when terms times fields exceed the limit of the service.
    """

    def __init__(self, fields: Sequence[Field], default: Occur) -> None:
        self._fields = [(field.path, analyzer(field.search_analyzer)) for field in fields]
        self._default = default
        self._clauses = 0

    def words(self, text: str) -> Query | None:
        """A term without operators."""
        return self._over_fields([self._joined(path, list(found.tokens(text))) for path, found in self._fields])

    def phrase(self, text: str) -> Query | None:
        """Words next to each other."""
        return self._over_fields([self._phrase(path, list(found.tokens(text))) for path, found in self._fields])

    def prefix(self, text: str) -> Query | None:
        """The beginning of a term: not analyzed, only brought into the analyzer's case."""
        if len(text) > MAX_PREFIX_LENGTH:
            raise invalid_request(
                f"A prefix in the search text has {len(text)} characters; the maximum is {MAX_PREFIX_LENGTH}.",
                "InvalidSearchSyntax",
                "search",
            )
        return self._over_fields([self._leaf(Prefix(path, found.normal(text))) for path, found in self._fields])

    def _joined(self, path: str, tokens: list[Token]) -> Query | None:
        queries = [self._leaf(Term(path, token.term)) for token in tokens]
        if len(queries) < 2:
            return queries[0] if queries else None
        return Boolean(tuple(Clause(self._default, query) for query in queries))

    def _phrase(self, path: str, tokens: list[Token]) -> Query | None:
        if len(tokens) < 2:
            return self._joined(path, tokens)
        first = tokens[0].position
        return self._leaf(Phrase(path, tuple((token.term, token.position - first) for token in tokens)))

    def _leaf(self, query: Term | Phrase | Prefix) -> Query:
        self._clauses += len(query.terms) if isinstance(query, Phrase) else 1
        if self._clauses > MAX_CLAUSES:
            raise ServiceFault(
                400,
                "ClauseLimitExceeded",
                f"Failed to execute query because it exceeded the maximum clause limit of {MAX_CLAUSES}. This can "
                "happen when the query terms multiplied by fields specified in the query exceeds "
                f"{MAX_CLAUSES}. If fields are not explicitly specified, all searchable fields in the index are "
                "used. Please limit the number of terms or fields in the query.",
            )
        return query

    def _over_fields(self, queries: list[Query | None]) -> Query | None:
        found = [query for query in queries if query is not None]
        if len(found) < 2:
            return found[0] if found else None
        return Boolean(tuple(Clause(Occur.SHOULD, query) for query in found))
