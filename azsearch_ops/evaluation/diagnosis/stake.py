"""What is at stake on a changed query: the passage that one side reads less of, and the chunks that hold it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from azsearch_ops.evaluation.alignment import Interval, merge
from azsearch_ops.evaluation.chunk_keys import position
from azsearch_ops.evaluation.cut import Cut
from azsearch_ops.evaluation.items import Item
from azsearch_ops.evaluation.paths import below_container
from azsearch_ops.evaluation.reading import Ranking
from azsearch_ops.evaluation.types import Chunk

SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class Loss:
    """A changed query as the side that does worse sees it, both rankings read to `cut`.

    `better` says that the candidate is the better one, so that `loser` is live. `depth` is how many chunks the loser
    was asked for.
    """

    query: str
    better: bool
    loser: Ranking
    winner: Ranking
    cut: Cut
    depth: int

    @property
    def side(self) -> str:
        """The side that does worse."""
        return "live" if self.better else "candidate"


@dataclass(frozen=True, slots=True)
class Piece:
    """A chunk that holds `parts` of the passage at stake, `share` of it; `rank` where it was retrieved."""

    chunk: Chunk
    parts: tuple[Interval, ...]
    share: float
    rank: int | None = None


def item_at_stake(loss: Loss) -> int:
    """The item on which the winner is furthest ahead within the cut; on equal terms the one it meets first."""
    ahead = [0.0] * len(loss.winner.items)
    met: dict[int, int] = {}
    for gain in loss.winner.read(loss.cut).gains:
        ahead[gain.item] += gain.share
        met.setdefault(gain.item, gain.rank)
    for gain in loss.loser.read(loss.cut).gains:
        ahead[gain.item] -= gain.share
    for gain in loss.winner.whole().gains:
        met.setdefault(gain.item, gain.rank)
    return min(range(len(ahead)), key=lambda i: (-round(ahead[i], 9), met.get(i, len(loss.winner.chunks) + 1), i))


def retrieved_pieces(ranking: Ranking, item: int) -> tuple[Piece, ...]:
    """The chunks of a ranking that hold something of `item`, in rank order."""
    return tuple(
        Piece(ranking.chunks[rank - 1], parts, share_of(ranking.items[item], parts), rank)
        for rank, held in enumerate(ranking.held, start=1)
        for index, parts in held
        if index == item
    )


def pieces_among(ranking: Ranking, item: int, chunks: Iterable[Chunk]) -> tuple[Piece, ...]:
    """The chunks of a document that hold something of `item`, with their ranks in `ranking`."""
    ranks = {chunk.key: rank for rank, chunk in enumerate(ranking.chunks, start=1)}
    found: list[Piece] = []
    every = tuple(chunks)
    if ranking.places is not None:
        ranking.places.learn(every)
    for chunk in every:
        for index, parts in ranking.held_by(chunk):
            if index == item:
                found.append(Piece(chunk, parts, share_of(ranking.items[item], parts), ranks.get(chunk.key)))
    return tuple(found)


def share_of(item: Item, parts: Sequence[Interval]) -> float:
    """The share of the item that `parts` are; a whole document is held by each of its chunks."""
    return 1.0 if item.span is None else size_of(parts) / item.span.length


def read_parts(ranking: Ranking, cut: Cut, item: int) -> tuple[Interval, ...]:
    """The parts of `item` that a reader has met at `cut`, joined."""
    sizes = ranking.read(cut).sizes
    found: list[Interval] = []
    for chunk, held, size in zip(ranking.chunks, ranking.held, sizes, strict=False):
        whole = size >= len(chunk.text)
        parts = held if whole else ranking.held_by(chunk, size)
        found += [interval for index, intervals in parts if index == item for interval in intervals]
    return tuple(merge(found))


def less(whole: Sequence[Interval], taken: Sequence[Interval]) -> tuple[Interval, ...]:
    """The parts of `whole` that `taken` has nothing of."""
    left: list[Interval] = []
    for start, end in whole:
        at = start
        for first, last in sorted(taken):
            if last <= at or first >= end:
                continue
            if first > at:
                left.append((at, first))
            at = max(at, last)
        if at < end:
            left.append((at, end))
    return tuple(left)


def shared(one: Sequence[Interval], other: Sequence[Interval]) -> int:
    """Characters that two sets of intervals have in common."""
    return size_of(one) - size_of(less(one, other))


def size_of(parts: Sequence[Interval]) -> int:
    """Characters in all."""
    return sum(end - start for start, end in parts)


def place(chunk: Chunk) -> str:
    """The chunk by its ordinal in the document, or by its key."""
    ordinal = position(chunk)
    return f"chunk {ordinal}" if ordinal is not None else f"chunk {chunk.key}"


def named(chunk: Chunk) -> str:
    """The chunk with its document, as people know it: `travel/faq.md chunk 2`."""
    return f"{below_container(chunk.document)} {place(chunk)}"
