"""Terms, phrases and prefixes looked up in the postings and scored."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from azsearch_ops.local.search.bm25 import FieldStatistics
from azsearch_ops.local.search.postings import FieldPostings, Postings
from azsearch_ops.local.search.query import Phrase, Prefix, Scores, Term

Rows = NDArray[np.int32]


class TextIndex:
    """The searchable fields at one moment: `alive` says which rows count."""

    def __init__(self, fields: Mapping[str, FieldPostings], alive: NDArray[np.bool_], k1: float, b: float) -> None:
        self._fields = fields
        self._alive = alive
        self._all_alive = bool(alive.all())
        self._k1 = k1
        self._b = b
        self._statistics: dict[str, FieldStatistics] = {}

    @property
    def rows(self) -> int:
        """How many rows there are, dead ones included."""
        return len(self._alive)

    def leaf(self, query: Term | Phrase | Prefix) -> tuple[Rows, Scores]:
        """The living rows that match, ascending, and their scores."""
        if isinstance(query, Term):
            found = self.postings(query.field, query.term)
            statistics = self.statistics(query.field)
            return found.rows, statistics.scores(statistics.idf(len(found.rows)), found.rows, found.frequencies)
        if isinstance(query, Phrase):
            return self._phrase(query)
        terms = self._fields[query.field].starting_with(query.prefix)
        lists = [self.postings(query.field, term).rows for term in terms]
        rows = np.unique(np.concatenate(lists)) if lists else np.empty(0, np.int32)
        return rows, np.ones(len(rows), np.float32)

    def postings(self, field: str, term: str) -> Postings:
        """Where a term stands among the living."""
        found = self._fields[field].postings(term)
        if self._all_alive:
            return found
        kept = self._alive[found.rows]
        if kept.all():
            return found
        inside = np.repeat(kept, found.frequencies)
        return Postings(found.rows[kept], found.frequencies[kept], found.positions[inside])

    def statistics(self, field: str) -> FieldStatistics:
        """Document count, lengths and their mean, of the living."""
        found = self._statistics.get(field)
        if found is None:
            found = FieldStatistics(self._fields[field], self._alive, self._k1, self._b)
            self._statistics[field] = found
        return found

    def _phrase(self, query: Phrase) -> tuple[Rows, Scores]:
        """Rows with every term at its place, scored as one term: idfs added, frequency the number of places."""
        statistics = self.statistics(query.field)
        idf = np.float32(0)
        starts: NDArray[np.int64] | None = None
        for term, place in query.terms:
            found = self.postings(query.field, term)
            idf = np.float32(idf + statistics.idf(len(found.rows)))
            here = (np.repeat(found.rows, found.frequencies).astype(np.int64) << 32) + found.positions - place
            starts = here if starts is None else np.intersect1d(starts, here, assume_unique=True)
        assert starts is not None
        rows, frequencies = np.unique(starts >> 32, return_counts=True)
        rows = rows.astype(np.int32)
        return rows, statistics.scores(idf, rows, frequencies.astype(np.int32))
