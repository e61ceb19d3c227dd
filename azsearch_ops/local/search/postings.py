"""The inverted index of one field.

Documents come in by row number, in ascending order. Their terms are kept as a stream of (term, position) until the
next read, which turns the stream into a sorted, immutable block; blocks of similar size are merged, so that n
documents cost O(n log n) however writes and reads are mixed. Rows that were removed stay in the blocks; the caller
says which rows are alive, and statistics count only those.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from azsearch_ops.local.search.analysis.analyzers import Analyzer
from azsearch_ops.local.search.growing import Growing
from azsearch_ops.local.search.norms import quantised

# Between the values of a collection, so that no phrase matches across two of them
VALUE_GAP = 100
# Occurrences beyond which blocks are merged no more: it would take much memory and save little
_LARGE = 1 << 21
# Pairs of term and row that are moved at a time when blocks are merged
_PAIRS = 1 << 16

Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Postings:
    """Where one term stands: ascending rows, the frequency in each, and the positions, row after row."""

    rows: Ints
    frequencies: Ints
    positions: Ints


_NOWHERE = Postings(*(np.empty(0, np.int32) for _ in range(3)))


@dataclass(frozen=True, slots=True)
class _Block:
    terms: Ints  # ascending
    starts: Ints  # of each term in `rows`, one more than terms
    rows: Ints
    frequencies: Ints
    position_starts: Ints  # of each row in `positions`, one more than rows
    positions: Ints

    def postings(self, term: int) -> Postings:
        at = int(np.searchsorted(self.terms, term))
        if at == len(self.terms) or self.terms[at] != term:
            return _NOWHERE
        first, last = int(self.starts[at]), int(self.starts[at + 1])
        inside = slice(int(self.position_starts[first]), int(self.position_starts[last]))
        return Postings(self.rows[first:last], self.frequencies[first:last], self.positions[inside])


class _Surfaces(dict[str, int]):
    """Token of the text → number of its term, -1 for a stop word; worked out once for each different token."""

    def __init__(self, analyzer: Analyzer, vocabulary: dict[str, int]) -> None:
        super().__init__()
        self._analyzer = analyzer
        self._vocabulary = vocabulary

    def __missing__(self, surface: str) -> int:
        term = self._analyzer.term_of(surface)
        number = -1 if term is None else self._vocabulary.setdefault(term, len(self._vocabulary))
        self[surface] = number
        return number


class FieldPostings:
    """Terms, positions and lengths of one searchable field."""

    def __init__(self, analyzer: Analyzer) -> None:
        self._vocabulary: dict[str, int] = {}
        self._analyzer = analyzer
        self._surfaces = _Surfaces(analyzer, self._vocabulary)
        self._lengths = Growing(np.int32)
        self._terms = array("i")
        self._positions = array("i")
        self._rows = array("i")
        self._blocks: list[_Block] = []
        self._names: list[str] = []

    def add(self, row: int, values: Iterable[str]) -> None:
        """Takes in the values of one document; rows must come in order, without gaps."""
        length = 0
        base = 0
        for value in values:
            surfaces = self._analyzer.surfaces(value)
            if self._analyzer.term is None:
                known = self._vocabulary
                numbers = [known.setdefault(surface, len(known)) for surface in surfaces]
            else:
                numbers = list(map(self._surfaces.__getitem__, surfaces))
            places: Iterable[int] = range(base, base + len(numbers))
            base += len(numbers) + VALUE_GAP
            if -1 in numbers:
                places = [place for place, number in zip(places, numbers, strict=True) if number >= 0]
                numbers = [number for number in numbers if number >= 0]
            self._terms.fromlist(numbers)
            self._positions.fromlist(list(places))
            length += len(numbers)
        self._lengths.append(length)
        if length:
            self._rows.extend((row, length))
        if len(self._terms) > _LARGE // 8:
            self.refresh()

    @property
    def lengths(self) -> Ints:
        """Tokens of each row."""
        return self._lengths.view

    def quantised_lengths(self) -> NDArray[np.float32]:
        """Tokens of each row, as coarse as the service keeps them."""
        return quantised(self._lengths.view.astype(np.int64))

    def __contains__(self, term: str) -> bool:
        return term in self._vocabulary

    @property
    def vocabulary(self) -> list[str]:
        """Every term that ever was in the field, in code point order."""
        if len(self._names) != len(self._vocabulary):
            self._names = sorted(self._vocabulary)
        return self._names

    def starting_with(self, prefix: str) -> list[str]:
        """The terms that begin so."""
        names = self.vocabulary
        first = last = bisect_left(names, prefix)
        while last < len(names) and names[last].startswith(prefix):
            last += 1
        return names[first:last]

    def postings(self, term: str) -> Postings:
        """Where a term stands, removed rows included."""
        number = self._vocabulary.get(term)
        if number is None:
            return _NOWHERE
        self.refresh()
        found = [postings for block in self._blocks if len((postings := block.postings(number)).rows)]
        if len(found) == 1:
            return found[0]
        if not found:
            return _NOWHERE
        return Postings(
            np.concatenate([p.rows for p in found]),
            np.concatenate([p.frequencies for p in found]),
            np.concatenate([p.positions for p in found]),
        )

    def refresh(self) -> None:
        """Makes what was added readable."""
        if not self._terms:
            return
        pairs = np.frombuffer(self._rows, np.int32).reshape(-1, 2)
        rows = np.repeat(pairs[:, 0], pairs[:, 1])
        terms = np.frombuffer(self._terms, np.int32)
        positions = np.frombuffer(self._positions, np.int32)
        self._blocks.append(_sorted(terms, rows, positions))
        del pairs, terms, positions
        self._terms, self._positions, self._rows = array("i"), array("i"), array("i")
        while len(self._blocks) > 1:
            before, last = (len(block.positions) for block in self._blocks[-2:])
            if last * 2 <= before or before + last > _LARGE:
                break
            second = self._blocks.pop()
            self._blocks[-1] = _merged(self._blocks[-1], second)


def _sorted(terms: Ints, rows: Ints, positions: Ints) -> _Block:
    """A block of occurrences in any order of terms, each term's in ascending order of rows and positions."""
    # Sorting numbers that hold term and place is several times faster than a stable argsort. In place, since for a
    # moment these numbers are most of the memory that the service takes.
    keys = terms.astype(np.int64)
    keys <<= 32
    keys |= np.arange(len(terms), dtype=np.int64)
    keys.sort()
    terms = (keys >> 32).astype(np.int32)
    keys &= 0xFFFFFFFF
    return _block(terms, rows[keys], positions[keys])


def _block(terms: Ints, rows: Ints, positions: Ints) -> _Block:
    """A block of occurrences that are sorted by term, row and position."""
    new_term = np.flatnonzero(np.diff(terms, prepend=terms[0] - 1))
    new_row = np.diff(rows, prepend=rows[0] - 1) != 0
    new_row[new_term] = True
    pair_starts = np.flatnonzero(new_row)
    bounds = np.append(pair_starts, len(terms)).astype(np.int32)
    return _Block(
        terms=terms[new_term],
        starts=np.append(np.searchsorted(pair_starts, new_term), len(pair_starts)).astype(np.int32),
        rows=rows[pair_starts],
        frequencies=np.diff(bounds),
        position_starts=bounds,
        positions=positions,
    )


def _merged(first: _Block, second: _Block) -> _Block:
    """Both blocks as one; every row of the second comes after the first's."""
    parts = (first, second)
    terms = np.concatenate([np.repeat(b.terms, np.diff(b.starts)) for b in parts])
    order = np.argsort(terms, kind="stable")  # of two sorted runs, which is one pass
    terms = terms[order]
    new_term = np.flatnonzero(np.diff(terms, prepend=terms[0] - 1))
    frequencies = np.concatenate([b.frequencies for b in parts])[order]
    ends = np.cumsum(frequencies, dtype=np.int32)
    begins = np.concatenate([first.position_starts[:-1], second.position_starts[:-1] + len(first.positions)])[order]
    return _Block(
        terms=terms[new_term],
        starts=np.append(new_term, len(terms)).astype(np.int32),
        rows=np.concatenate([b.rows for b in parts])[order],
        frequencies=frequencies,
        position_starts=np.concatenate([np.zeros(1, np.int32), ends]),
        positions=_gathered(np.concatenate([b.positions for b in parts]), begins, frequencies),
    )


def _gathered(values: Ints, begins: Ints, lengths: Ints) -> Ints:
    """The runs of `values` that begin there and are so long, one after the other; little by little, to save memory."""
    ends = np.cumsum(lengths, dtype=np.int64)
    found = np.empty(len(values), np.int32)
    for at in range(0, len(lengths), _PAIRS):
        part = slice(at, at + _PAIRS)
        start = int(ends[at] - lengths[at])
        stop = int(ends[part][-1])
        shift = np.repeat(begins[part] - (ends[part] - lengths[part]), lengths[part])
        found[start:stop] = values[np.arange(start, stop) + shift]
    return found
