"""Asking one side: deep enough for the metrics, ties in a stated order, every call counted and timed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from azsearch_ops.evaluation.chunk_keys import position
from azsearch_ops.evaluation.cut import Cut
from azsearch_ops.evaluation.pacing import Pace
from azsearch_ops.evaluation.types import Chunk, CountTokens, Query, Search

DEEPEST = 1000
"""The service returns no more than 1,000 results a request."""

_LEAST = 10
_USUAL_CHUNK = 100
"""Tokens of a smallish chunk, for the first guess at how many make up a budget."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A query's ranking, how deep it was asked for, in how many calls, and how many seconds the last one took."""

    chunks: tuple[Chunk, ...]
    depth: int
    calls: int
    seconds: float


class Side:
    """One index as it is asked during an evaluation.

    `depth` is where a query starts: as deep as the cuts need, and as the queries before needed. It is moved by
    `learn` alone, so that what is asked for does not depend on which of several calls comes back first.
    """

    def __init__(
        self,
        search: Search,
        cuts: Sequence[Cut],
        count_tokens: CountTokens,
        clock: Callable[[], float] | None,
        pace: Pace,
    ) -> None:
        self._search = search
        self._count = count_tokens
        self._clock = clock
        self._pace = pace
        self._budget = max((cut.size for cut in cuts if cut.unit == "tokens"), default=0)
        chunks = max((cut.size for cut in cuts if cut.unit == "chunks"), default=0)
        self.depth = min(DEEPEST, max(_LEAST, chunks, -(-self._budget // _USUAL_CHUNK)))

    def ask(self, query: Query) -> Asked:
        """The ranking of `query`, deep enough for every cut or as deep as the service has results."""
        depth, calls = self.depth, 0
        while True:
            chunks, seconds = self._call(query, depth)
            calls += 1
            if len(chunks) < depth or depth == DEEPEST or self._fills_budget(chunks):
                return Asked(chunks, depth, calls, seconds)
            depth = min(DEEPEST, 2 * depth)

    def learn(self, asked: Asked) -> None:
        """Start the next queries as deep as this one had to go."""
        self.depth = max(self.depth, asked.depth)

    def repeats(self, query: Query, asked: Asked) -> bool:
        """Whether asking `query` again gives the keys and scores of `asked`."""
        again, _ = self._call(query, asked.depth)
        return [(c.key, c.score) for c in again] == [(c.key, c.score) for c in asked.chunks]

    def _call(self, query: Query, depth: int) -> tuple[tuple[Chunk, ...], float]:
        def work() -> tuple[Sequence[Chunk], float]:
            started = self._clock() if self._clock else 0.0
            found = self._search(query, depth)
            return found, (self._clock() - started if self._clock else 0.0)

        found, seconds = self._pace.call(work)
        return in_stated_order(found[:depth]), seconds

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


def _place(chunk: Chunk) -> tuple[str, int, str]:
    ordinal = position(chunk)
    return chunk.document or chunk.parent, -1 if ordinal is None else ordinal, chunk.text
