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

from azsearch_ops.local.search.automaton import Automaton

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
class Synonym:
    """Documents with any of some terms in a field, which count as one and the same term."""

    field: str
    terms: tuple[str, ...]


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
class Wildcard:
    """Documents with a term of a form in a field, score 1; `?` is any character, `*` any number of them."""

    field: str
    pattern: str


@dataclass(frozen=True, slots=True)
class Regex:
    """Documents with a term that an expression matches as a whole in a field, score 1."""

    field: str
    automaton: Automaton


@dataclass(frozen=True, slots=True)
class Fuzzy:
    """Documents with a term at most so many edits away in a field; each edit costs a part of the score."""

    field: str
    term: str
    edits: int


@dataclass(frozen=True, slots=True)
class Boosted:
    """A query whose scores are multiplied."""

    query: Query
    factor: float


@dataclass(frozen=True, slots=True)
class Clause:
    """A query and its role in a Boolean."""

    occur: Occur
    query: Query


@dataclass(frozen=True, slots=True)
class Boolean:
    """All MUST clauses, none of the MUST_NOT, and at least one SHOULD where there is no MUST."""

    clauses: tuple[Clause, ...]


Leaf = Term | Synonym | Phrase | Prefix | Wildcard | Regex | Fuzzy
Query = MatchAll | MatchNone | Leaf | Boosted | Boolean


@dataclass(frozen=True, slots=True)
class Matches:
    """Which rows match, and the score of each (0 where none)."""

    mask: Mask
    scores: Scores


class Leaves(Protocol):
    """What the index knows about a query without clauses: matching rows and their scores."""

    @property
    def rows(self) -> int:
        """How many rows there are, deleted ones included."""
        ...

    def leaf(self, query: Leaf) -> tuple[NDArray[np.int32], Scores]:
        """The rows that match, ascending, and the score of each."""
        ...


def evaluate(query: Query, index: Leaves) -> Matches:
    """The rows of `index` that match, dead ones possibly included where the query matches everything.

    A stack and not a recursion: a chain of alternating operators nests as deep as it is long.
    """
    stack = [_Sum(Boolean((Clause(Occur.SHOULD, query),)), 1.0, index.rows)]
    while True:
        current = stack[-1]
        if current.at < len(current.query.clauses):
            clause = current.query.clauses[current.at]
            inner, factor = clause.query, 1.0
            while isinstance(inner, Boosted):
                factor *= inner.factor
                inner = inner.query
            if isinstance(inner, Boolean):
                stack.append(_Sum(inner, factor, index.rows))
                continue
            current.at += 1
            if isinstance(inner, MatchAll | MatchNone):
                current.add(clause.occur, _constant(isinstance(inner, MatchAll), factor, index.rows))
                continue
            rows, values = index.leaf(inner)
            if factor != 1:
                values = values * np.float32(factor)
            if clause.occur is Occur.SHOULD:
                # By far the most frequent case: touch only the rows that match
                current.total[rows] += values
                current.should[rows] = True
            else:
                mask, scores = np.zeros(index.rows, np.bool_), np.zeros(index.rows, np.float32)
                mask[rows] = True
                scores[rows] = values
                current.add(clause.occur, Matches(mask, scores))
            continue
        found = stack.pop().matches()
        if not stack:
            return found
        parent = stack[-1]
        parent.add(parent.query.clauses[parent.at].occur, found)
        parent.at += 1


def _constant(matches: bool, factor: float, rows: int) -> Matches:
    return Matches(np.full(rows, matches), np.full(rows, factor if matches else 0, np.float32))


class _Sum:
    """A Boolean while its clauses are evaluated."""

    __slots__ = ("at", "barred", "factor", "must", "query", "should", "total")

    def __init__(self, query: Boolean, factor: float, rows: int) -> None:
        self.query = query
        self.factor = np.float32(factor)
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
        return Matches(mask, np.where(mask, self.total, 0).astype(np.float32) * self.factor)
