"""Asking one side: deep enough for the metrics, ties in a stated order, every call counted and timed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from azsearch_ops.evaluation.reading import Cut
from azsearch_ops.evaluation.types import Chunk, CountTokens, Query, Search

DEEPEST = 1000
"""The service returns no more than 1,000 results a request."""

_LEAST = 10
_USUAL_CHUNK = 100
"""Tokens of a smallish chunk, for the first guess at how many make up a budget."""

_ORDINAL = re.compile(r"([0-9]+)$")


class Side:
    """One index as it is asked during an evaluation.

    The depth starts from the cuts and doubles when the ranking does not fill the token budget; what was needed
    once is asked for from then on. `seconds` holds the time of each query's last search.
    """

    def __init__(
        self, search: Search, cuts: Sequence[Cut], count_tokens: CountTokens, clock: Callable[[], float] | None
    ) -> None:
        self._search = search
        self._count = count_tokens
        self._clock = clock
        self._budget = max((cut.size for cut in cuts if cut.unit == "tokens"), default=0)
        chunks = max((cut.size for cut in cuts if cut.unit == "chunks"), default=0)
        self.depth = min(DEEPEST, max(_LEAST, chunks, -(-self._budget // _USUAL_CHUNK)))
        self.calls = 0
        self.seconds: list[float] = []

    def ask(self, query: Query) -> tuple[Chunk, ...]:
        """The ranking of `query`, deep enough for every cut or as deep as the service has results."""
        while True:
            started = self._clock() if self._clock else 0.0
            chunks = in_stated_order(self._search(query, self.depth)[: self.depth])
            elapsed = self._clock() - started if self._clock else 0.0
            self.calls += 1
            if len(chunks) < self.depth or self.depth == DEEPEST or self._fills_budget(chunks):
                if self._clock:
                    self.seconds.append(elapsed)
                return chunks
            self.depth = min(DEEPEST, 2 * self.depth)

    def repeats(self, query: Query, chunks: Sequence[Chunk]) -> bool:
        """Whether asking `query` again gives the keys and scores of `chunks`."""
        self.calls += 1
        again = in_stated_order(self._search(query, self.depth)[: self.depth])
        return [(c.key, c.score) for c in again[: len(chunks)]] == [(c.key, c.score) for c in chunks]

    def _fills_budget(self, chunks: Sequence[Chunk]) -> bool:
        tokens = 0
        for chunk in chunks:
            if tokens >= self._budget:
                break
            tokens += self._count(chunk.text)
        return tokens >= self._budget


def in_stated_order(chunks: Sequence[Chunk]) -> tuple[Chunk, ...]:
    """`chunks` with neighbours of equal score ordered by (parent, position).

    The service breaks ties as it likes, and projected keys carry a hash that changes with every build. Only
    neighbours are compared: a ranking that is ordered by something else than its score stays as it is.
    """
    ordered: list[Chunk] = []
    start = 0
    while start < len(chunks):
        stop = start + 1
        while stop < len(chunks) and chunks[start].score is not None and chunks[stop].score == chunks[start].score:
            stop += 1
        ordered.extend(sorted(chunks[start:stop], key=_place) if stop - start > 1 else chunks[start:stop])
        start = stop
    return tuple(ordered)


def position(chunk: Chunk) -> int | None:
    """The chunk's ordinal in its document: its own, or the digits that end its key, or None."""
    if chunk.position is not None:
        return chunk.position
    digits = _ORDINAL.search(chunk.key)
    return int(digits[1]) if digits else None


def _place(chunk: Chunk) -> tuple[str, int, str]:
    ordinal = position(chunk)
    return chunk.document or chunk.parent, -1 if ordinal is None else ordinal, chunk.text
