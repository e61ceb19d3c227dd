"""The full query language: Lucene's classic syntax as the service takes it.

Operators have no precedence: AND makes its two neighbours required, and with AND as default OR makes both optional.
What stands between white space is analyzed by itself. Ranges belong to filters and are refused, as are queries that
only exclude: the documentation forbids them without saying how the service answers.
"""

from __future__ import annotations

from dataclasses import dataclass

from azsearch_ops.local.errors import ServiceFault, invalid_request, not_supported_here
from azsearch_ops.local.search.expansion import FieldExpansion
from azsearch_ops.local.search.full_tokens import Token, full_tokens, unescaped
from azsearch_ops.local.search.query import Boolean, Boosted, Clause, MatchAll, MatchNone, Occur, Query

MAX_DEPTH = 100


def parse_full(text: str, expand: FieldExpansion, default: Occur) -> Query:
    """The query of a search text; ServiceFault 400 for one that is malformed."""
    if text.strip() in ("", "*", "*:*"):
        return MatchAll()
    found = _Parser(text, expand, default).whole()
    return MatchNone() if found is None else found


@dataclass(slots=True)
class _Clause:
    occur: Occur
    query: Query


class _Parser:
    def __init__(self, text: str, expand: FieldExpansion, default: Occur) -> None:
        self._tokens = full_tokens(text)
        self._at = 0
        self._expand = expand
        self._default = default
        self._depth = 0

    def whole(self) -> Query | None:
        """Everything up to the end."""
        found = self._query(self._expand)
        if self._next.kind != "end":
            raise syntax_fault(self._next.column)
        return found

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def _take(self, kind: str) -> Token | None:
        token = self._next
        if token.kind != kind:
            return None
        self._at += 1
        return token

    def _query(self, expand: FieldExpansion) -> Query | None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise syntax_fault(self._next.column)
        clauses: list[_Clause] = []
        conjunction = ""
        while True:
            modifier = next((kind for kind in ("+", "-", "not") if self._take(kind)), "")
            query = self._clause(expand)
            self._add(clauses, conjunction, modifier, query)
            if self._next.kind in ("end", ")"):
                break
            conjunction = next((kind for kind in ("and", "or") if self._take(kind)), "")
        self._depth -= 1
        if not clauses:
            return None
        if all(clause.occur is Occur.MUST_NOT for clause in clauses):
            raise not_supported_here("full queries that only exclude", "search")
        if len(clauses) == 1 and clauses[0].occur is not Occur.MUST_NOT:
            return clauses[0].query
        return Boolean(tuple(Clause(clause.occur, clause.query) for clause in clauses))

    def _add(self, clauses: list[_Clause], conjunction: str, modifier: str, query: Query | None) -> None:
        strict = self._default is Occur.MUST
        if clauses and clauses[-1].occur is not Occur.MUST_NOT:
            if conjunction == "and":
                clauses[-1].occur = Occur.MUST
            elif conjunction == "or" and strict:
                clauses[-1].occur = Occur.SHOULD
        if query is None:
            return
        if modifier in ("-", "not"):
            occur = Occur.MUST_NOT
        elif strict:
            occur = Occur.SHOULD if conjunction == "or" else Occur.MUST
        else:
            occur = Occur.MUST if modifier == "+" or conjunction == "and" else Occur.SHOULD
        clauses.append(_Clause(occur, query))

    def _clause(self, expand: FieldExpansion) -> Query | None:
        field = self._take("field")
        if field is not None:
            expand = expand.of_field(field.text)
        token = self._next
        self._at += 1
        if token.kind == "(":
            inner = self._query(expand)
            if self._take(")") is None:
                raise syntax_fault(self._next.column)
            return self._boosted(inner)
        if token.kind == "quoted":
            slop = self._take("~")
            found = expand.phrase(unescaped(token.text[1:-1]), int(float(slop.text or 0)) if slop else 0)
            return self._boosted(found)
        if token.kind == "regex":
            return self._boosted(expand.regex(token.text[1:-1].replace("\\/", "/")))
        if token.kind == "range":
            raise not_supported_here("ranges in the search text, nor does the service: use a filter", "search")
        if token.kind != "term":
            raise syntax_fault(token.column)
        return self._boosted(self._term(token, expand))

    def _term(self, token: Token, expand: FieldExpansion) -> Query | None:
        if token.wild:
            if token.text[0] in "*?":
                if token.text == "*":
                    raise not_supported_here("'*' as a part of a full query", "search")
                raise syntax_fault(token.column)
            return expand.wildcard(token.text)
        fuzzy = self._take("~")
        if fuzzy is None:
            return expand.words(unescaped(token.text))
        return expand.fuzzy(unescaped(token.text), _edits(fuzzy, len(unescaped(token.text))))

    def _boosted(self, query: Query | None) -> Query | None:
        boost = self._take("^")
        if boost is None or query is None:
            return query
        return Boosted(query, float(boost.text))


def _edits(fuzzy: Token, length: int) -> int:
    if not fuzzy.text:
        return 2
    value = float(fuzzy.text)
    if value >= 1:
        if value != int(value):
            raise syntax_fault(fuzzy.column)
        return min(int(value), 2)
    return 0 if value == 0 else min(int((1 - value) * length), 2)


def syntax_fault(column: int) -> ServiceFault:
    """400 with the 1-based column of what does not fit, in the recorded words."""
    return invalid_request(
        f"Failed to parse query string at line 1, column {column}. See https://aka.ms/azure-search-full-query for "
        "supported syntax.",
        "InvalidSearchSyntax",
    )
