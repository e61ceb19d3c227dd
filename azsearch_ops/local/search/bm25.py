"""BM25 as the service computes it: Lucene 6's, with the (k1 + 1) factor, in single precision.

    score = idf · tf·(k1 + 1) / (tf + k1·(1 − b + b·dl'/avgdl)),   idf = ln(1 + (N − n + 0.5) / (n + 0.5))

N counts documents with at least one token in the field, n those with the term, avgdl is the mean of their true
lengths, dl' a length after the one-byte norm. Checked against recorded scores of the hosted service.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from azsearch_ops.local.search.postings import FieldPostings

Scores = NDArray[np.float32]


class FieldStatistics:
    """What scoring one field needs, for the documents that are alive (a Boolean by row)."""

    def __init__(self, postings: FieldPostings, alive: NDArray[np.bool_], k1: float, b: float) -> None:
        lengths = np.where(alive, postings.lengths, 0)
        self.documents = int(np.count_nonzero(lengths))
        total = int(lengths.sum(dtype=np.int64))
        average = np.float32(total / self.documents) if self.documents else np.float32(1)
        dl = postings.quantised_lengths()
        one, slope = np.float32(1), np.float32(b)
        self._norm: Scores = np.float32(k1) * ((one - slope) + slope * dl / average)
        self._k1 = np.float32(k1)

    def idf(self, documents_with_term: int) -> np.float32:
        """How much one occurrence says, by the number of documents that have the term."""
        return np.float32(math.log(1 + (self.documents - documents_with_term + 0.5) / (documents_with_term + 0.5)))

    def scores(self, idf: np.float32, rows: NDArray[np.int32], frequencies: NDArray[np.int32] | Scores) -> Scores:
        """The score of each row that holds the term (or phrase) that often."""
        frequency = frequencies.astype(np.float32)
        weight = np.float32(idf * (self._k1 + np.float32(1)))
        return weight * frequency / (frequency + self._norm[rows])
