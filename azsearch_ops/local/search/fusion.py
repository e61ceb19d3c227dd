"""Reciprocal rank fusion of ranked lists, as the service does it.

    @search.score = Σ over lists of weight / (60 + rank), rank from 0, in single precision

Rank and constant follow from published scores of the service, bit by bit; the weights' place is documented only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RANK_CONSTANT = 60


@dataclass(frozen=True, slots=True)
class RankedList:
    """Rows from the best on, their scores, and what the list weighs. `similarities` are those of a vector list."""

    rows: NDArray[np.int32]
    scores: NDArray[np.float32]
    weight: float = 1.0
    field: str = ""
    similarities: NDArray[np.float64] | None = None


def fused(lists: Sequence[RankedList], rows: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    """The rows (of an index with so many) that stand in any list, ascending, and their fused scores."""
    total = np.zeros(rows, np.float32)
    present = np.zeros(rows, np.bool_)
    for ranked in lists:
        ranks = np.arange(len(ranked.rows), dtype=np.float32)
        total[ranked.rows] += np.float32(ranked.weight) * (np.float32(1) / (np.float32(RANK_CONSTANT) + ranks))
        present[ranked.rows] = True
    found = np.flatnonzero(present).astype(np.int32)
    return found, total[found]
