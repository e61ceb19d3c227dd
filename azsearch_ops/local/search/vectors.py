"""The embeddings of one field, and the exact search for the nearest.

Similarities are canonical: the cosine, the dot product, the Euclidean distance. Scores as `@search.score` shows them:

    cosine      1 / (1 + (1 − cos))              recorded: 0.6605852 for a cosine of 0.4861909
    dotProduct  1 / (1 + (1 − dot)), dot itself above 1      not recorded; equals cosine for vectors of length 1
    euclidean   1 / (1 + distance)                           not recorded
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from azsearch_ops.local.search.growing import Growing

METRICS = ("cosine", "dotProduct", "euclidean")
_BLOCK_ROWS = 4096
# Far above the error of a single-precision dot product of 4,096 components, relative to both lengths
_MARGIN = 1e-4

Floats = NDArray[np.float32]
Exact = NDArray[np.float64]


class VectorField:
    """Vectors in blocks of single precision; `rows` says which document each belongs to."""

    def __init__(self, dimensions: int, metric: str) -> None:
        self.dimensions = dimensions
        self.metric = metric
        self._blocks: list[Floats] = []
        self._rows = Growing(np.int32)
        self._lengths = Growing(np.float64)
        self._place: dict[int, int] = {}

    def add(self, row: int, values: Sequence[float]) -> None:
        """Takes in the vector of a document."""
        at = len(self._rows)
        if at % _BLOCK_ROWS == 0:
            # Small indexes start small
            self._blocks.append(np.empty((64 if at == 0 else _BLOCK_ROWS, self.dimensions), np.float32))
        inside = at % _BLOCK_ROWS
        block = self._blocks[-1]
        if inside == len(block):
            larger = np.empty((min(len(block) * 2, _BLOCK_ROWS), self.dimensions), np.float32)
            larger[:inside] = block
            self._blocks[-1] = block = larger
        block[inside] = values
        self._place[row] = at
        self._rows.append(row)
        self._lengths.append(float(np.linalg.norm(block[inside].astype(np.float64))))

    def vector(self, row: int) -> Floats | None:
        """The vector of a document, None where it has none."""
        at = self._place.get(row)
        return None if at is None else self._blocks[at // _BLOCK_ROWS][at % _BLOCK_ROWS]

    def nearest(self, query: Exact, eligible: NDArray[np.bool_], k: int) -> tuple[NDArray[np.int32], Exact]:
        """Rows and similarities of at least the k nearest among the eligible documents (a Boolean by row), unordered.

        Similarities are worked out in double precision, so equal vectors are exactly equal wherever they lie; more
        than k come back where the last of them are too close to tell apart in single precision.
        """
        rows = self._rows.view
        places = np.flatnonzero(eligible[rows])
        if not len(places):
            return np.empty(0, np.int32), np.empty(0)
        if k < len(places):
            rough = self._rough(query)[places]
            bound = np.partition(rough, len(rough) - k)[len(rough) - k]
            scale = 1.0 if self.metric == "cosine" else self._scale(query)
            places = places[rough >= bound - _MARGIN * scale]
        return rows[places], self._exact(query, places)

    def similarity(self, query: Exact, rows: NDArray[np.int32]) -> Exact:
        """The similarity of single documents; NaN where one has no vector."""
        places = np.array([self._place.get(int(row), -1) for row in rows], np.int64)
        found = np.full(len(rows), np.nan)
        found[places >= 0] = self._exact(query, places[places >= 0])
        return found

    def _scale(self, query: Exact) -> float:
        longest = float(self._lengths.view.max())
        length = float(np.linalg.norm(query))
        return longest * length if self.metric == "dotProduct" else (longest + length) ** 2

    def _rough(self, query: Exact) -> Floats:
        """Larger is nearer, in single precision, for every vector."""
        wanted = query.astype(np.float32)
        # Not BLAS, whose threads wait for each other where cores are few; as fast as one of them
        filled = len(self._rows) - (len(self._blocks) - 1) * _BLOCK_ROWS
        blocks = (*self._blocks[:-1], self._blocks[-1][:filled])
        dots: Floats = np.concatenate([np.einsum("ij,j->i", block, wanted) for block in blocks])
        if self.metric == "dotProduct":
            return dots
        lengths = self._lengths.view
        if self.metric == "cosine":
            norm = max(float(np.linalg.norm(query)), 1e-300)
            return np.asarray(dots / (np.maximum(lengths, 1e-300) * norm), np.float32)
        return np.asarray(2 * dots - lengths**2, np.float32)

    def _exact(self, query: Exact, places: NDArray[np.int64]) -> Exact:
        found = np.empty(len(places))
        lengths = self._lengths.view[places]
        norm = float(np.linalg.norm(query))
        for start in range(0, len(places), _BLOCK_ROWS):
            part = places[start : start + _BLOCK_ROWS]
            vectors = self._gather(part).astype(np.float64)
            if self.metric == "euclidean":
                found[start : start + len(part)] = np.sqrt(((vectors - query) ** 2).sum(axis=1))
            else:
                found[start : start + len(part)] = (vectors * query).sum(axis=1)
        if self.metric == "cosine":
            found /= np.where((lengths > 0) & (norm > 0), lengths * norm, np.inf)
        return found

    def _gather(self, places: NDArray[np.int64]) -> Floats:
        found = np.empty((len(places), self.dimensions), np.float32)
        numbers = places // _BLOCK_ROWS
        for number in np.unique(numbers):
            here = numbers == number
            found[here] = self._blocks[number][places[here] % _BLOCK_ROWS]
        return found


def scores_of(similarities: Exact, metric: str) -> Floats:
    """What `@search.score` shows for similarities (distances for euclidean)."""
    if metric == "euclidean":
        return (1 / (1 + similarities)).astype(np.float32)
    if metric == "dotProduct":
        return np.where(similarities > 1, similarities, 1 / (2 - np.minimum(similarities, 1))).astype(np.float32)
    return (1 / (2 - similarities)).astype(np.float32)
