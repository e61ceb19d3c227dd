"""The simple query language: + | - "…" ( ) * and \\, in the way of Lucene's SimpleQueryParser.

Nothing is an error: unbalanced quotes and parentheses and operators without a term are left out. Operators stand
between two terms and are carried out from left to right; whitespace is the operator of the search mode. `-x` is
"everything but x" and takes part like any other term.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from azsearch_ops.local.search.query import Boolean, Clause, MatchAll, MatchNone, Occur, Query

_SPACE = " \t\n\r"
_ENDS_TERM = frozenset('"|+()' + _SPACE)


class Expansion(Protocol):
    """Makes queries over the searched fields; None where the analyzers leave nothing."""

    def words(self, text: str) -> Query | None:
        """The words of `text`, each on its own."""
        ...

    def phrase(self, text: str) -> Query | None:
        """The words of `text` side by side."""
        ...

    def prefix(self, text: str) -> Query | None:
        """Every word that begins as `text` does."""
        ...


@dataclass(slots=True)
class _State:
    """One level of parentheses while it is read."""

    index: int
    end: int
    top: Query | None = None
    operation: Occur | None = None
    previous: Occur | None = None
    negations: int = 0


def parse_simple(text: str, expand: Expansion, default: Occur) -> Query:
    """The query of a search text; `default` joins terms without an operator: MUST for all, SHOULD for any."""
    if text.strip() in ("", "*"):
        return MatchAll()
    top = _Parser(text, expand, default).level(0, len(text))
    return MatchNone() if top is None else top


class _Parser:
    def __init__(self, text: str, expand: Expansion, default: Occur) -> None:
        self._text = text
        self._expand = expand
        self._default = default
        self._closing = _closing_parentheses(text)

    def level(self, start: int, end: int) -> Query | None:
        """What stands between two places, parentheses inside first; a stack, since nesting may be any deep."""
        stack = [_State(start, end)]
        while True:
            state = stack[-1]
            if state.index >= state.end:
                stack.pop()
                if not stack:
                    return state.top
                self._attach(stack[-1], state.top)
                stack[-1].negations = 0
                stack[-1].index = state.end + 1
                continue
            char = self._text[state.index]
            if char == "-":
                state.negations += 1
                state.index += 1
                continue
            if char == "(":
                close = self._closing[state.index]
                if close is not None and close > state.index + 1:
                    stack.append(_State(state.index + 1, close))
                    continue
                if close is not None:
                    state.operation = None
                state.index += 1 if close is None else 2
            elif char == '"':
                self._phrase(state)
            elif char in "+|":
                if state.operation is None and state.top is not None:
                    state.operation = Occur.MUST if char == "+" else Occur.SHOULD
                state.index += 1
            elif char in _SPACE or char == ")":
                state.index += 1
            else:
                self._term(state)
            state.negations = 0

    def _phrase(self, state: _State) -> None:
        start = at = state.index + 1
        words: list[str] = []
        while at < state.end and self._text[at] != '"':
            if self._text[at] == "\\":
                at += 1
            if at < state.end:
                words.append(self._text[at])
                at += 1
        if at >= state.end:
            state.index = start
        elif at == start:
            state.operation = None
            state.index = at + 1
        else:
            self._attach(state, self._expand.phrase("".join(words)))
            state.index = at + 1

    def _term(self, state: _State) -> None:
        at = state.index
        letters: list[str] = []
        prefix = False
        while at < state.end and self._text[at] not in _ENDS_TERM:
            escaped = self._text[at] == "\\"
            at += escaped
            if at < state.end:
                prefix = not escaped and bool(letters) and self._text[at] == "*"
                letters.append(self._text[at])
                at += 1
            else:
                prefix = False
        state.index = at
        if letters:
            make: Callable[[str], Query | None] = self._expand.prefix if prefix else self._expand.words
            self._attach(state, make("".join(letters[:-1] if prefix else letters)))

    def _attach(self, state: _State, branch: Query | None) -> None:
        if branch is None:
            return
        if state.negations % 2:
            branch = Boolean((Clause(Occur.MUST_NOT, branch), Clause(Occur.SHOULD, MatchAll())))
        if state.top is None:
            state.top = branch
        else:
            operation = state.operation or self._default
            if state.previous is not operation or not isinstance(state.top, Boolean):
                state.top = Boolean((Clause(operation, state.top),))
            state.top = Boolean((*state.top.clauses, Clause(operation, branch)))
            state.previous = operation
        state.operation = None


def _closing_parentheses(text: str) -> dict[int, int | None]:
    """Where each opening parenthesis is closed, None where it is not; quotes do not hide parentheses."""
    found: dict[int, int | None] = {}
    opened: list[int] = []
    escaped = False
    for at, char in enumerate(text):
        if escaped:
            escaped = False
        elif char == "\\":
            escaped = True
        elif char == "(":
            found[at] = None
            opened.append(at)
        elif char == ")" and opened:
            found[opened.pop()] = at
    return found
