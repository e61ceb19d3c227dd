"""Regular expressions of full queries, in Lucene's dialect, run without backtracking.

An expression must match a whole term. There are `. ? + * | ( ) [ ] { }` and `\\` before a character that stands for
itself; `^` outside brackets, `$`, and letters after `\\` have no special meaning. Lucene's further operators (`~ & @ #
< > "`) are refused by name, since they are hardly used.
"""

from __future__ import annotations

from collections.abc import Callable

_FURTHER = '~&@#<>"'
_MAX_STATES = 10_000

Test = Callable[[str], bool]


class RegexError(Exception):
    """The expression is malformed."""


class UnsupportedRegexError(Exception):
    """The expression uses an operator that is not built here: its text is the operator."""


class Automaton:
    """A compiled expression."""

    def __init__(self, pattern: str) -> None:
        self._tests: list[tuple[Test, int] | None] = []
        self._empty: list[list[int]] = []
        self._pattern = pattern
        self._at = 0
        start, self._accepting = self._alternatives()
        if self._at < len(pattern):
            raise RegexError(pattern)
        self._start = self._closure({start})
        self._known: dict[tuple[frozenset[int], str], frozenset[int]] = {}

    def matches(self, term: str) -> bool:
        """Whether the whole term fits; linear in its length."""
        states = self._start
        for char in term:
            following = self._known.get((states, char))
            if following is None:
                tests = (self._tests[state] for state in states)
                following = self._closure({test[1] for test in tests if test and test[0](char)})
                self._known[states, char] = following
            states = following
            if not states:
                return False
        return self._accepting in states

    def _closure(self, states: set[int]) -> frozenset[int]:
        waiting = list(states)
        while waiting:
            for state in self._empty[waiting.pop()]:
                if state not in states:
                    states.add(state)
                    waiting.append(state)
        return frozenset(states)

    def _state(self) -> int:
        if len(self._tests) >= _MAX_STATES:
            raise RegexError("too large")
        self._tests.append(None)
        self._empty.append([])
        return len(self._tests) - 1

    def _peek(self, characters: str) -> bool:
        return self._at < len(self._pattern) and self._pattern[self._at] in characters

    def _next(self) -> str:
        if self._at >= len(self._pattern):
            raise RegexError(self._pattern)
        self._at += 1
        return self._pattern[self._at - 1]

    def _alternatives(self) -> tuple[int, int]:
        first, last = self._sequence()
        while self._peek("|"):
            self._at += 1
            other_first, other_last = self._sequence()
            start, end = self._state(), self._state()
            self._empty[start] += [first, other_first]
            self._empty[last].append(end)
            self._empty[other_last].append(end)
            first, last = start, end
        return first, last

    def _sequence(self) -> tuple[int, int]:
        first = last = self._state()
        while self._at < len(self._pattern) and not self._peek("|)"):
            start, end = self._repeated()
            self._empty[last].append(start)
            last = end
        return first, last

    def _repeated(self) -> tuple[int, int]:
        begin = self._at
        piece = self._atom()
        while self._peek("?*+{"):
            stop = self._at
            low, high = self._counts()
            piece = self._times(begin, stop, piece, low, high)
        return piece

    def _counts(self) -> tuple[int, int | None]:
        sign = self._next()
        if sign != "{":
            return (1 if sign == "+" else 0), (1 if sign == "?" else None)
        text = ""
        while not self._peek("}"):
            text += self._next()
        self._at += 1
        low, comma, high = text.partition(",")
        if not low.isdecimal() or (high and not high.isdecimal()):
            raise RegexError(self._pattern)
        return int(low), (int(high) if high else None) if comma else int(low)

    def _times(self, begin: int, stop: int, piece: tuple[int, int], low: int, high: int | None) -> tuple[int, int]:
        """The piece again and again: a copy for each time that must be there, then optional ones or a loop."""
        after = self._at
        first = last = self._state()
        for turn in range(max(low, high or 0, 1)):
            if turn:
                self._at = begin
                piece = self._upto(stop)
            self._empty[last].append(piece[0])
            if turn >= low:
                self._empty[last].append(piece[1])
            if high is None and turn == max(low, 1) - 1:
                self._empty[piece[1]].append(piece[0])
            last = piece[1]
        if high == 0:
            first = last = self._state()
        self._at = after
        return first, last

    def _upto(self, stop: int) -> tuple[int, int]:
        piece_start = self._at
        piece = self._atom()
        while self._at < stop:
            inner = self._at
            low, high = self._counts()
            piece = self._times(piece_start, inner, piece, low, high)
        return piece

    def _atom(self) -> tuple[int, int]:
        char = self._next()
        if char == "(":
            if self._peek(")"):
                self._at += 1
                empty = self._state()
                return empty, empty
            inner = self._alternatives()
            if self._next() != ")":
                raise RegexError(self._pattern)
            return inner
        if char == "[":
            return self._one(self._set())
        if char == ".":
            return self._one(lambda _: True)
        if char in _FURTHER:
            raise UnsupportedRegexError(char)
        if char in "?*+{|)":
            raise RegexError(self._pattern)
        literal = self._next() if char == "\\" else char
        return self._one(lambda other: other == literal)

    def _set(self) -> Test:
        negated = self._peek("^")
        self._at += negated
        ranges: list[tuple[str, str]] = []
        while not ranges or not self._peek("]"):
            low = self._set_character()
            high = low
            if self._peek("-") and self._at + 1 < len(self._pattern) and self._pattern[self._at + 1] != "]":
                self._at += 1
                high = self._set_character()
            if high < low:
                raise RegexError(self._pattern)
            ranges.append((low, high))
        self._at += 1
        return lambda char: any(low <= char <= high for low, high in ranges) != negated

    def _set_character(self) -> str:
        char = self._next()
        return self._next() if char == "\\" else char

    def _one(self, test: Test) -> tuple[int, int]:
        start, end = self._state(), self._state()
        self._tests[start] = (test, end)
        return start, end
