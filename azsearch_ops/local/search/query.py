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


def leaf_count(query: Query) -> int:
    """The number of terms times fields, which the service limits."""
    if isinstance(query, Boolean):
        return sum(leaf_count(clause.query) for clause in query.clauses)
    return 0 if isinstance(query, MatchAll | MatchNone) else 1


def evaluate(query: Query, index: Leaves) -> Matches:
    """The rows of `index` that match, dead ones possibly included where the query matches everything."""
    if isinstance(query, Boolean):
        return _boolean(query, index)
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


def _boolean(query: Boolean, index: Leaves) -> Matches:
    total = np.zeros(index.rows, np.float64)
    should = np.zeros(index.rows, np.bool_)
    must: Mask | None = None
    barred: Mask | None = None
    for clause in query.clauses:
        if clause.occur is Occur.SHOULD and isinstance(clause.query, Term | Phrase | Prefix):
            # By far the most frequent case: touch only the rows that match
            rows, values = index.leaf(clause.query)
            total[rows] += values
            should[rows] = True
            continue
        found = evaluate(clause.query, index)
        if clause.occur is Occur.MUST_NOT:
            barred = found.mask if barred is None else barred | found.mask
            continue
        total += found.scores
        if clause.occur is Occur.MUST:
            must = found.mask if must is None else must & found.mask
        else:
            should |= found.mask
    mask = should if must is None else must
    if barred is not None:
        mask = mask & ~barred
    return Matches(mask, np.where(mask, total, 0).astype(np.float32))
