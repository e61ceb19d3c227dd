"""Lengths of text in the units that Text Split counts: UTF-16 code units (.NET `String.Length`) or model tokens."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Protocol

_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


class Ruler(Protocol):
    """Measures spans of one text. Positions are code point offsets, amounts are units."""

    def forward(self, start: int, amount: int) -> int:
        """The furthest end such that `start` to end holds at most `amount` units."""
        ...

    def backward(self, end: int, amount: int) -> int:
        """The earliest start such that start to `end` holds at most `amount` units."""
        ...

    def align(self, position: int) -> int:
        """The last place at or before `position` where no unit is cut in two."""
        ...


class CodePoints:
    """UTF-16 units of a text without characters beyond the basic plane: one a code point."""

    def __init__(self, size: int) -> None:
        self._size = size

    def forward(self, start: int, amount: int) -> int:
        return min(self._size, start + amount)

    def backward(self, end: int, amount: int) -> int:
        return max(0, end - amount)

    def align(self, position: int) -> int:
        return position


class Utf16:
    """UTF-16 units of any text; `astral` are the offsets of the characters that take two."""

    def __init__(self, size: int, astral: Sequence[int]) -> None:
        self._size = size
        self._astral = astral
        self._units = [position + index for index, position in enumerate(astral)]

    def forward(self, start: int, amount: int) -> int:
        unit = start + bisect_left(self._astral, start) + amount
        return min(self._size, unit - bisect_left(self._units, unit))

    def backward(self, end: int, amount: int) -> int:
        unit = end + bisect_left(self._astral, end) - amount
        if unit <= 0:
            return 0
        before = bisect_left(self._units, unit)
        inside_pair = before > 0 and self._units[before - 1] + 1 == unit
        return unit - before + inside_pair

    def align(self, position: int) -> int:
        return position


class Tokens:
    """Tokens of a text that was encoded once; `starts` holds the offset of the character where each token starts.

    A character that takes several tokens is never divided, so a span may hold fewer tokens than asked for.
    """

    def __init__(self, size: int, starts: Sequence[int]) -> None:
        self._size = size
        self._starts = starts

    def forward(self, start: int, amount: int) -> int:
        last = bisect_left(self._starts, start) + amount
        return self._starts[last] if last < len(self._starts) else self._size

    def backward(self, end: int, amount: int) -> int:
        first = bisect_left(self._starts, end) - amount
        if first <= 0:
            return 0
        start = self._starts[first]
        if self._starts[first - 1] == start:
            following = bisect_right(self._starts, start)
            return self._starts[following] if following < len(self._starts) else end
        return start

    def align(self, position: int) -> int:
        if position >= self._size:
            return self._size
        return self._starts[max(0, bisect_right(self._starts, position) - 1)]


def utf16_ruler(text: str) -> Ruler:
    """The ruler of `text` in UTF-16 units; texts of the basic plane get the cheap one."""
    if text.isascii() or len(text.encode("utf-16-le", "surrogatepass")) == 2 * len(text):
        return CodePoints(len(text))
    return Utf16(len(text), [match.start() for match in _ASTRAL.finditer(text)])
