"""Filters and orders to syntax trees, by the grammar that the service documents.

Precedence: not, comparisons, and, or. https://learn.microsoft.com/azure/search/search-query-odata-syntax-reference
"""

from __future__ import annotations

import math
from typing import get_args

from azsearch_ops.local.errors import ServiceFault
from azsearch_ops.local.search.odata.points import PointError, point_of, polygon_of
from azsearch_ops.local.search.odata.syntax import (
    And,
    Call,
    Comparison,
    Constant,
    Expression,
    Lambda,
    Not,
    Operator,
    Or,
    Ordering,
    Path,
)
from azsearch_ops.local.search.odata.tokens import Token, expression_fault, syntax_fault, tokenise
from azsearch_ops.local.search.values import ticks

MAX_DEPTH = 80
MAX_ORDER_CLAUSES = 32
_OPERATORS: dict[str, Operator] = {word: word for word in get_args(Operator)}
_WORDS: dict[str, tuple[str, object]] = {
    "true": ("Edm.Boolean", True),
    "false": ("Edm.Boolean", False),
    "null": ("Null", None),
    "NaN": ("Edm.Double", math.nan),
    "INF": ("Edm.Double", math.inf),
}


def parse_filter(text: str, parameter: str = "$filter") -> Expression:
    """The tree of a filter; ServiceFault with Azure's words for one that is malformed."""
    parser = _Parser(text, parameter)
    found = parser.disjunction()
    parser.expect_end()
    return found


def parse_orderby(text: str) -> tuple[Ordering, ...]:
    """The clauses of an order."""
    parser = _Parser(text, "$orderby")
    clauses = [parser.ordering()]
    while parser.take("mark", ","):
        clauses.append(parser.ordering())
    parser.expect_end()
    if len(clauses) > MAX_ORDER_CLAUSES:
        raise expression_fault(f"There are more than {MAX_ORDER_CLAUSES} clauses.", "$orderby")
    return tuple(clauses)


def parse_select(text: str) -> tuple[str, ...]:
    """The paths of a selection; `*` alone is everything."""
    parser = _Parser(text, "$select")
    paths = [parser.selected()]
    while parser.take("mark", ","):
        paths.append(parser.selected())
    parser.expect_end()
    return tuple(paths)


class _Parser:
    def __init__(self, text: str, parameter: str) -> None:
        self._text = text
        self._parameter = parameter
        self._tokens = tokenise(text)
        self._at = 0
        self._depth = 0

    @property
    def _next(self) -> Token:
        return self._tokens[self._at]

    def take(self, kind: str, text: str | None = None) -> Token | None:
        """The next token if it is this one."""
        token = self._next
        if token.kind != kind or (text is not None and token.text != text):
            return None
        self._at += 1
        return token

    def need(self, kind: str, text: str | None = None) -> Token:
        """The next token, which must be this one."""
        found = self.take(kind, text)
        if found is None:
            raise self._unexpected(self._next)
        return found

    def expect_end(self) -> None:
        """Nothing may be left."""
        self.need("end")

    def disjunction(self) -> Expression:
        """A whole Boolean expression."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise expression_fault("Recursion depth exceeded allowed limit.", self._parameter)
        operands = [self._conjunction()]
        while self.take("name", "or"):
            operands.append(self._conjunction())
        self._depth -= 1
        return operands[0] if len(operands) == 1 else Or(tuple(operands))

    def ordering(self) -> Ordering:
        """A path or function with its direction."""
        key = self._primary()
        if not isinstance(key, Path | Call):
            raise self._unexpected(self._tokens[self._at - 1])
        descending = bool(self.take("name", "desc"))
        if not descending:
            self.take("name", "asc")
        return Ordering(key, descending)

    def selected(self) -> str:
        """A path or `*`."""
        return "*" if self.take("mark", "*") else "/".join(self._path(self.need("name").text))

    def _unexpected(self, token: Token) -> ServiceFault:
        if token.kind == "unterminated":
            message = f"There is an unterminated string literal at position {len(self._text)} in '{self._text}'."
            return expression_fault(message, self._parameter)
        return syntax_fault(self._text, token.end, self._parameter)

    def _conjunction(self) -> Expression:
        operands = [self._comparison()]
        while self.take("name", "and"):
            operands.append(self._comparison())
        return operands[0] if len(operands) == 1 else And(tuple(operands))

    def _comparison(self) -> Expression:
        left = self._unary()
        operator = _OPERATORS.get(self._next.text)
        if self._next.kind != "name" or operator is None:
            return left
        self._at += 1
        return Comparison(operator, left, self._unary())

    def _unary(self) -> Expression:
        negations = 0
        while self.take("name", "not"):
            negations += 1
        found = self._primary()
        if negations > 1:
            # Two cancel each other, but what is negated must still be a truth value
            negations = 2 - negations % 2
        for _ in range(negations):
            found = Not(found)
        return found

    def _primary(self) -> Expression:
        token = self._next
        self._at += 1
        if token.kind == "mark" and token.text == "(":
            inner = self.disjunction()
            self.need("mark", ")")
            return inner
        if token.kind == "name":
            return self._named(token)
        return self._literal(token)

    def _named(self, token: Token) -> Expression:
        if token.text in _WORDS and self._next.text != "/":
            edm, value = _WORDS[token.text]
            return Constant(edm, value, token.text)
        if token.text in {*_OPERATORS, "and", "or"}:
            raise self._unexpected(token)
        if self._next.text == "(" and self._next.kind == "mark":
            return self._call(token.text)
        if "." in token.text:
            raise self._unexpected(token)
        names = self._path(token.text)
        if names[-1] in ("any", "all") and len(names) > 1 and self.take("mark", "("):
            return self._lambda(Path(names[:-1]), names[-1])
        return Path(names)

    def _path(self, first: str) -> tuple[str, ...]:
        names = [first]
        while self.take("mark", "/"):
            names.append(self.need("name").text)
        return tuple(names)

    def _lambda(self, path: Path, kind: str) -> Expression:
        if self.take("mark", ")"):
            if kind == "all":
                raise self._unexpected(self._tokens[self._at - 1])
            return Lambda("any", path, "", None)
        variable = self.need("name").text
        self.need("mark", ":")
        body = self.disjunction()
        self.need("mark", ")")
        return Lambda("any" if kind == "any" else "all", path, variable, body)

    def _call(self, name: str) -> Call:
        self.need("mark", "(")
        arguments: list[Expression] = []
        if not self.take("mark", ")"):
            arguments.append(self.disjunction())
            while self.take("mark", ","):
                arguments.append(self.disjunction())
            self.need("mark", ")")
        return Call(name, tuple(arguments))

    def _literal(self, token: Token) -> Constant:
        text = token.text
        try:
            if token.kind == "string":
                return Constant("Edm.String", text[1:-1].replace("''", "'"), text)
            if token.kind == "date":
                return Constant("Edm.DateTimeOffset", ticks(text), text)
            if token.kind == "geography":
                inner = text[len("geography'") : -1]
                if inner.lstrip().upper().startswith("POLYGON"):
                    return Constant("Edm.GeographyPolygon", polygon_of(inner), text)
                return Constant("Edm.GeographyPoint", point_of(inner), text)
            if token.kind == "number":
                return _number(text)
        except (ValueError, PointError):
            pass
        raise self._unexpected(token)


def _number(text: str) -> Constant:
    if text.lstrip("+-").isdigit():
        whole = int(text)
        if -(2**63) <= whole < 2**63:
            return Constant("Edm.Int32" if -(2**31) <= whole < 2**31 else "Edm.Int64", whole, text)
    return Constant("Edm.Double", -math.inf if text == "-INF" else float(text), text)
