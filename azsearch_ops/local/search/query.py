"""The query tree that both query languages are parsed into, and its evaluation over the rows of an index.

Scores follow Lucene: the clauses of one Boolean are added in double precision and rounded to single; there is no
coordination factor and no maximum over fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Scores = NDArray[np.float32]


class Occur(Enum):
    """What a clause means for the Boolean that holds it."""

    MUST = "must"
    SHOULD = "should"
    MUST_NOT = "must not"


@dataclass(frozen=True, slots=True)
class MatchAll:
    """Every document, score 1."""


@dataclass(frozen=True, slots=True)
class MatchNone:
    """No document."""


@dataclass(frozen=True, slots=True)
class Term:
    """Documents with an indexed term in a field."""

    field: str
    term: str


@dataclass(frozen=True, slots=True)
class Phrase:
    """Documents with terms at these relative positions in a field; alternatives of one position are joined by or."""

    field: str
    terms: tuple[tuple[str, int], ...]
    slop: int = 0


@dataclass(frozen=True, slots=True)
class Prefix:
    """Documents with a term that begins so, score 1."""

    field: str
    prefix: str


@dataclass(frozen=True, slots=True)
class Clause:
    """A query and its role in a Boolean."""

    occur: Occur
    query: Query


@dataclass(frozen=True, slots=True)
class Boolean:
    """All MUST clauses, none of the MUST_NOT, and at least one SHOULD where there is no MUST."""

    clauses: tuple[Clause, ...]


Query = MatchAll | MatchNone | Term | Phrase | Prefix | Boolean


@dataclass(frozen=True, slots=True)
class Matches:
    """Which rows match, and the score of each (0 where none)."""

    mask: Mask
    scores: Scores


class Leaves(Protocol):
    """What the index knows about a query without clauses: matching rows and their scores."""

    @property
    def rows(self) -> int: ...

    def leaf(self, query: Term | Phrase | Prefix) -> tuple[NDArray[np.int32], Scores]: ...


def evaluate(query: Query, index: Leaves) -> Matches:
    """The rows of `index` that match, dead ones possibly included where the query matches everything.

    A stack and not a recursion: a chain of alternating operators nests as deep as it is long.
    """
    if not isinstance(query, Boolean):
        return _single(query, index)
    stack = [_Sum(query, index.rows)]
    while True:
        current = stack[-1]
        if current.at < len(current.query.clauses):
            clause = current.query.clauses[current.at]
            if isinstance(clause.query, Boolean):
                stack.append(_Sum(clause.query, index.rows))
                continue
            current.at += 1
            if clause.occur is Occur.SHOULD and not isinstance(clause.query, MatchAll | MatchNone):
                # By far the most frequent case: touch only the rows that match
                rows, values = index.leaf(clause.query)
                current.total[rows] += values
                current.should[rows] = True
            else:
                current.add(clause.occur, _single(clause.query, index))
            continue
        found = stack.pop().matches()
        if not stack:
            return found
        parent = stack[-1]
        parent.add(parent.query.clauses[parent.at].occur, found)
        parent.at += 1


def _single(query: MatchAll | MatchNone | Term | Phrase | Prefix, index: Leaves) -> Matches:
    mask = np.zeros(index.rows, np.bool_)
    scores = np.zeros(index.rows, np.float32)
    if isinstance(query, MatchAll):
        mask[:] = True
        scores[:] = 1
    elif not isinstance(query, MatchNone):
        rows, values = index.leaf(query)
        mask[rows] = True
        scores[rows] = values
    return Matches(mask, scores)


class _Sum:
    """A Boolean while its clauses are evaluated."""

    __slots__ = ("at", "barred", "must", "query", "should", "total")

    def __init__(self, query: Boolean, rows: int) -> None:
        self.query = query
        self.at = 0
        self.total = np.zeros(rows, np.float64)
        self.should = np.zeros(rows, np.bool_)
        self.must: Mask | None = None
        self.barred: Mask | None = None

    def add(self, occur: Occur, found: Matches) -> None:
        if occur is Occur.MUST_NOT:
            self.barred = found.mask if self.barred is None else self.barred | found.mask
            return
        self.total += found.scores
        if occur is Occur.MUST:
            self.must = found.mask if self.must is None else self.must & found.mask
        else:
            self.should |= found.mask

    def matches(self) -> Matches:
        mask = self.should if self.must is None else self.must
        if self.barred is not None:
            mask = mask & ~self.barred
        return Matches(mask, np.where(mask, self.total, 0).astype(np.float32))
