"""Why one side does worse on a query, as far as the two rankings can tell."""

from __future__ import annotations

from azsearch_ops.evaluation.alignment import Interval
from azsearch_ops.evaluation.asking import position
from azsearch_ops.evaluation.outcome import Cause
from azsearch_ops.evaluation.paths import below_container
from azsearch_ops.evaluation.reading import Cut, Ranking
from azsearch_ops.evaluation.types import Chunk

_SLACK = 1e-9


def cause_of_loss(loser: Ranking, winner: Ranking, cut: Cut, depth: int) -> Cause:
    """Why `loser` does worse than `winner`, both read to `cut`; `depth` is how many chunks `loser` was asked for."""
    item = _item_at_stake(loser, winner, cut)
    name = loser.items[item].document
    holders = _holders(loser, item)
    if not holders:
        if len(loser.chunks) < depth:
            returned = f"the {len(loser.chunks)} results" if loser.chunks else "no result"
            return Cause("not retrieved", f"not retrieved: the service returned {returned}, none with this of {name}")
        return Cause("beyond the reach", f"beyond the reach: the answer in {name} is not in the first {depth} chunks")
    best = max(share for _, share, _ in holders)
    if best < 1.0 - _SLACK and best < max((s for _, s, _ in _holders(winner, item)), default=0.0) - _SLACK:
        return Cause("cut", _cut_words(loser, item, holders))
    rank = next(rank for rank, share, _ in holders if share >= best - _SLACK)
    winning_rank = next((r for r, share, _ in _holders(winner, item) if share >= best - _SLACK), None)
    if winning_rank is None or rank > winning_rank:
        return Cause("outranked", _outranked_words(loser, rank))
    before = loser.tokens(rank - 1)
    if cut.unit == "tokens" and before + loser.reader.tokens(loser.chunks[rank - 1].text) > cut.size:
        return Cause("spread", f"longer chunks: at rank {rank} as before, but after {before} of {cut.size} tokens")
    return Cause("spread", f"at rank {rank} as before, with less of the other passages within {cut}")


def _item_at_stake(loser: Ranking, winner: Ranking, cut: Cut) -> int:
    """The item on which the winner is furthest ahead within the cut; on equal terms the one it meets first."""
    ahead = [0.0] * len(winner.items)
    met: dict[int, int] = {}
    for gain in winner.read(cut).gains:
        ahead[gain.item] += gain.share
        met.setdefault(gain.item, gain.rank)
    for gain in loser.read(cut).gains:
        ahead[gain.item] -= gain.share
    for gain in winner.whole().gains:
        met.setdefault(gain.item, gain.rank)
    return min(range(len(ahead)), key=lambda i: (-round(ahead[i], 9), met.get(i, len(winner.chunks) + 1), i))


def _holders(ranking: Ranking, item: int) -> list[tuple[int, float, tuple[Interval, ...]]]:
    """(rank, share, parts) of every chunk that holds something of `item`, each by itself."""
    span = ranking.items[item].span
    return [
        (rank, 1.0 if span is None else sum(end - start for start, end in parts) / span.length, parts)
        for rank, held in enumerate(ranking.held, start=1)
        for index, parts in held
        if index == item
    ]


def _cut_words(loser: Ranking, item: int, holders: list[tuple[int, float, tuple[Interval, ...]]]) -> str:
    named = ", ".join(f"{place(loser.chunks[rank - 1])} holds {100 * share:.0f} %" for rank, share, _ in holders[:2])
    needed = ""
    span = loser.items[item].span
    starts = [(parts[0][1], len(loser.chunks[rank - 1].text)) for rank, _, parts in holders if parts[0][0] == 0]
    if span is not None and starts:
        # The next chunk would have the whole span if it began where the span does, and if it is long enough;
        # an overlap of half a chunk and more is not to be had.
        overlap, size = max(starts)
        if 2 * overlap < size and span.length <= size:
            needed = f"; an overlap of {overlap} characters would keep it whole"
    return f"cut by a chunk boundary: {named} of the answer in {loser.items[item].document}{needed}"


def _outranked_words(loser: Ranking, rank: int) -> str:
    above = next((r for r in range(1, rank) if not loser.held[r - 1]), 1)
    other, own = loser.chunks[above - 1], loser.chunks[rank - 1]
    lead = ""
    if other.score is not None and own.score is not None:
        lead = f" (score +{other.score - own.score:.2g})"
    return f"outranked: at rank {rank}, behind {below_container(other.document)} {place(other)}{lead}"


def place(chunk: Chunk) -> str:
    """The chunk by its ordinal in the document, or by its key."""
    ordinal = position(chunk)
    return f"chunk {ordinal}" if ordinal is not None else f"chunk {chunk.key}"
