"""OData filters as Azure reads them: what each names and compares, and where one stops being a filter.

Source: D:search-query-odata-syntax-reference, comparison operators and collection filters of the service's pages.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

COMPARISONS: Final = ("eq", "ne", "gt", "ge", "lt", "le")
ORDERED: Final = ("gt", "ge", "lt", "le")
FUNCTIONS: Final = ("search.in", "search.ismatch", "search.ismatchscoring", "geo.distance", "geo.intersects")
DEEPEST: Final = 50

_TOKENS = re.compile(
    r"\s*(?:(?P<geo>geography'(?:[^']|'')*')|(?P<text>'(?:[^']|'')*')"
    r"|(?P<time>\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))"
    r"|(?P<number>[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?P<infinite>[+-]?INF\b|NaN\b)"
    r"|(?P<name>[A-Za-z_]\w*(?:[./][A-Za-z_]\w*)*)|(?P<mark>[(),:])|(?P<end>$))"
)
_LITERALS: Final = {
    "geo": "place", "text": "text", "time": "time", "number": "number", "infinite": "number",
}  # fmt: skip
_WORDS: Final = {"true": "boolean", "false": "boolean", "null": "null"}


class FilterError(ValueError):
    """The filter stops being one; the message says where."""


@dataclass(frozen=True, slots=True)
class Use:
    """A field that a filter names: `path` from the root, `comparison` and the kind of `literal` where it is compared.

    `loop` is "any" or "all" where the path is the loop's own variable, `negated` whether a `not` stands around it.
    `function` is the function that takes it.
    """

    path: str
    comparison: str = ""
    literal: str = ""
    loop: str = ""
    negated: bool = False
    function: str = ""


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    at: int


@dataclass(frozen=True, slots=True)
class _Operand:
    path: str = ""
    literal: str = ""
    function: str = ""
    loop: str = ""


def fields_used(filter_text: str) -> tuple[Use, ...]:
    """The fields that a filter names, in order; FilterError where it is no filter."""
    return _Reader(filter_text).read()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = list(self._split())
        self._place = 0
        self._uses: list[Use] = []
        self._loops: dict[str, tuple[str, str]] = {}

    def read(self) -> tuple[Use, ...]:
        """All of it."""
        self._either(0, negated=False)
        if self._next.kind != "end":
            raise self._stop(f"{self._next.text!r} stands where the filter should end")
        return tuple(self._uses)

    def _split(self) -> list[_Token]:
        found: list[_Token] = []
        at = 0
        while True:
            match = _TOKENS.match(self._text, at)
            if match is None or match.lastgroup is None:
                rest = self._text[at:].strip()
                what = "a quote is not closed" if rest.startswith("'") else f"{rest[:10]!r} is not part of the language"
                raise FilterError(f"{what} (at character {at + 1})")
            found.append(_Token(match.lastgroup, match[match.lastgroup], match.start(match.lastgroup)))
            if match.lastgroup == "end":
                return found
            at = match.end()

    @property
    def _next(self) -> _Token:
        return self._tokens[self._place]

    def _take(self) -> _Token:
        token = self._next
        self._place += token.kind != "end"
        return token

    def _expect(self, mark: str) -> None:
        token = self._take()
        if token.text != mark or token.kind != "mark":
            raise FilterError(f"{mark!r} is missing (at character {token.at + 1})")

    def _stop(self, why: str) -> FilterError:
        return FilterError(f"{why} (at character {self._next.at + 1})")

    def _either(self, depth: int, *, negated: bool) -> None:
        if depth > DEEPEST:
            raise self._stop("it is nested too deeply")
        self._one(depth, negated=negated)
        while self._next.kind == "name" and self._next.text in ("and", "or"):
            self._take()
            self._one(depth, negated=negated)

    def _one(self, depth: int, *, negated: bool) -> None:
        token = self._next
        while token.text == "not" and token.kind == "name":
            self._take()
            negated, token = not negated, self._next
        if token.text == "(" and token.kind == "mark":
            self._take()
            self._either(depth + 1, negated=negated)
            self._expect(")")
            return
        left = self._operand(depth)
        comparison = ""
        if self._next.kind == "name" and self._next.text in COMPARISONS:
            comparison = self._take().text
            right = self._operand(depth)
            if not left.literal and not right.literal:
                raise self._stop("a comparison needs a constant on one side")
            if left.literal and right.literal:
                raise self._stop("a comparison needs a field on one side")
            left, right = (left, right) if right.literal else (right, left)
            self._note(left, comparison, right.literal, negated)
        elif left.literal and left.literal != "boolean":
            raise self._stop("a constant alone is no condition")
        elif left.path:
            self._note(left, "", "", negated)

    def _note(self, operand: _Operand, comparison: str, literal: str, negated: bool) -> None:
        if operand.path:
            use = Use(operand.path, comparison, literal, operand.loop, negated, operand.function)
            self._uses.append(use)

    def _operand(self, depth: int) -> _Operand:
        token = self._take()
        if token.kind in _LITERALS:
            return _Operand(literal=_LITERALS[token.kind])
        if token.kind != "name":
            what = repr(token.text) if token.text else "nothing"
            raise FilterError(f"a field or a constant is missing, there is {what} (at character {token.at + 1})")
        if token.text in _WORDS:
            return _Operand(literal=_WORDS[token.text])
        head, _, last = token.text.rpartition("/")
        called = self._next.text == "(" and self._next.kind == "mark"
        if called and head and last in ("any", "all"):
            self._loop(head, last, depth)
            return _Operand()
        if called:
            if token.text not in FUNCTIONS:
                raise FilterError(f"there is no function {token.text} (at character {token.at + 1})")
            return self._function(token.text, depth)
        if "." in token.text:
            raise FilterError(f"{token.text} is no field; parts are joined by / (at character {token.at + 1})")
        return self._path(token.text)

    def _path(self, path: str) -> _Operand:
        first, _, rest = path.partition("/")
        if first in self._loops:
            base, kind = self._loops[first]
            return _Operand(path=f"{base}/{rest}" if rest else base, loop="" if rest else kind)
        if self._loops:
            raise self._stop(f"inside any and all only the loop's variable may be used, not {path}")
        return _Operand(path=path)

    def _loop(self, collection: str, kind: str, depth: int) -> None:
        base = self._path(collection).path
        self._expect("(")
        if self._next.text == ")":
            self._take()
            if kind == "all":
                raise self._stop("all() needs a condition")
            self._uses.append(Use(base, function="any"))
            return
        variable = self._take()
        self._expect(":")
        outer = self._loops
        # Only the innermost variable is bound
        self._loops = {variable.text: (base, kind)}
        self._either(depth + 1, negated=False)
        self._loops = outer
        self._expect(")")
        self._uses.append(Use(base, function="any"))

    def _function(self, name: str, depth: int) -> _Operand:
        if name.startswith("search.ismatch") and self._loops:
            raise self._stop(f"{name} may not stand inside any or all")
        self._expect("(")
        given: list[_Operand] = []
        while True:
            given.append(self._operand(depth))
            if self._next.text != ",":
                break
            self._take()
        self._expect(")")
        wanted = {"search.in": (2, 3), "geo.distance": (2,), "geo.intersects": (2,)}.get(name, (1, 2, 4))
        if len(given) not in wanted:
            raise self._stop(f"{name} takes {' or '.join(map(str, wanted))} arguments, not {len(given)}")
        for operand in given:
            if operand.path:
                self._uses.append(Use(operand.path, loop=operand.loop, function=name))
        return _Operand(function=name)
