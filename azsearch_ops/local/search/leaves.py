"""Terms, phrases and prefixes looked up in the postings and scored."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from azsearch_ops.local.search.automaton import Automaton
from azsearch_ops.local.search.bm25 import FieldStatistics
from azsearch_ops.local.search.closeness import alike
from azsearch_ops.local.search.postings import FieldPostings, Postings
from azsearch_ops.local.search.query import Fuzzy, Leaf, Phrase, Prefix, Scores, Synonym, Term, Wildcard
from azsearch_ops.local.search.sloppy import sloppy_frequency

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

    def leaf(self, query: Leaf) -> tuple[Rows, Scores]:
        """The living rows that match, ascending, and their scores."""
        if isinstance(query, Term):
            found = self.postings(query.field, query.term)
            statistics = self.statistics(query.field)
            return found.rows, statistics.scores(statistics.idf(len(found.rows)), found.rows, found.frequencies)
        if isinstance(query, Synonym):
            return self._synonym(query)
        if isinstance(query, Phrase):
            return self._sloppy(query) if query.slop else self._phrase(query)
        if isinstance(query, Fuzzy):
            return self._fuzzy(query)
        field = self._fields[query.field]
        if isinstance(query, Prefix):
            terms = field.starting_with(query.prefix)
        elif isinstance(query, Wildcard):
            literal, automaton = wildcard(query.pattern)
            terms = [term for term in field.starting_with(literal) if automaton.matches(term)]
        else:
            terms = [term for term in field.vocabulary if query.automaton.matches(term)]
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

    def _synonym(self, query: Synonym) -> tuple[Rows, Scores]:
        """The terms scored as one, in the way of Lucene 6: frequencies added, the idf of the most frequent."""
        found = [self.postings(query.field, term) for term in query.terms]
        statistics = self.statistics(query.field)
        total = np.zeros(self.rows, np.int32)
        for postings in found:
            total[postings.rows] += postings.frequencies
        rows = np.flatnonzero(total).astype(np.int32)
        idf = statistics.idf(max(len(postings.rows) for postings in found))
        return rows, statistics.scores(idf, rows, total[rows])

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

    def _sloppy(self, query: Phrase) -> tuple[Rows, Scores]:
        """Rows with every term, as near to its place as the slop allows; nearness is the frequency."""
        statistics = self.statistics(query.field)
        found = [self.postings(query.field, term) for term, _ in query.terms]
        idf = np.float32(0)
        for postings in found:
            idf = np.float32(idf + statistics.idf(len(postings.rows)))
        rows = found[0].rows
        for postings in found[1:]:
            rows = np.intersect1d(rows, postings.rows, assume_unique=True)
        frequencies = np.zeros(len(rows), np.float32)
        ends = [np.cumsum(postings.frequencies) for postings in found]
        for at, row in enumerate(rows):
            places = []
            for (_, place), postings, end in zip(query.terms, found, ends, strict=True):
                here = int(np.searchsorted(postings.rows, row))
                last = int(end[here])
                places.append((postings.positions[last - int(postings.frequencies[here]) : last] - place).tolist())
            frequencies[at] = sloppy_frequency(places, query.slop)
        near = frequencies > 0
        return rows[near], statistics.scores(idf, rows[near], frequencies[near])

    def _fuzzy(self, query: Fuzzy) -> tuple[Rows, Scores]:
        """Similar terms, each scored by itself with the idf of the most frequent, times its similarity."""
        near = alike(query.term, query.edits, self._fields[query.field].vocabulary)
        found = [(self.postings(query.field, term), factor) for term, factor in near]
        found = [(postings, factor) for postings, factor in found if len(postings.rows)]
        if not found:
            return np.empty(0, np.int32), np.empty(0, np.float32)
        statistics = self.statistics(query.field)
        idf = statistics.idf(max(len(postings.rows) for postings, _ in found))
        total = np.zeros(self.rows, np.float64)
        for postings, factor in found:
            weighted = np.float32(idf * np.float32(factor))
            total[postings.rows] += statistics.scores(weighted, postings.rows, postings.frequencies)
        rows = np.flatnonzero(total).astype(np.int32)
        return rows, total[rows].astype(np.float32)


def wildcard(pattern: str) -> tuple[str, Automaton]:
    """The text before the first * or ? of a pattern, and the pattern as an expression."""
    literal: list[str] = []
    expression: list[str] = []
    plain = True
    characters = iter(pattern)
    for char in characters:
        escaped = char == "\\"
        text = next(characters, "\\") if escaped else char
        if not escaped and text in "*?":
            plain = False
            expression.append(".*" if text == "*" else ".")
            continue
        expression.append("\\" + text)
        if plain:
            literal.append(text)
    return "".join(literal), Automaton("".join(expression))
