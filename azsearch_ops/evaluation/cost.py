"""What a side costs beside its quality: tokens for the reader, time, calls, storage, and results nobody judged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil

from azsearch_ops.evaluation.items import Item
from azsearch_ops.evaluation.outcome import Evaluation, SideCost
from azsearch_ops.evaluation.reading import Ranking
from azsearch_ops.evaluation.types import Query

_UNJUDGED_TOP = 5


@dataclass(frozen=True, slots=True)
class IndexSize:
    """An index as the service counts it: chunks, bytes of storage, and bytes of its vector indexes."""

    chunks: int
    storage_bytes: int
    vector_bytes: int


def side_cost(
    rankings: Sequence[Ranking],
    scored: Sequence[tuple[Query, tuple[Item, ...]]],
    reader_top: int,
    *,
    seconds: Sequence[float],
    calls: int,
) -> SideCost:
    """The cost of the side whose answers to the queries of `scored` are `rankings`, in the same order.

    `seconds` are the latencies of calls that were made one at a time.
    """
    shares: list[float] = []
    for ranking, (query, _) in zip(rankings, scored, strict=True):
        paths = ranking.reader.paths
        judged = {paths.key(judgement.document) for judgement in query.judgements}
        top = ranking.chunks[:_UNJUDGED_TOP]
        if top:
            shares.append(sum(paths.resolve(chunk.document) not in judged for chunk in top) / len(top))
    return SideCost(
        tokens=sum(ranking.tokens(reader_top) for ranking in rankings) / len(rankings),
        unjudged=sum(shares) / len(shares) if shares else 0.0,
        p50=percentile(seconds, 0.50),
        p95=percentile(seconds, 0.95),
        calls=calls,
        timed=len(seconds),
    )


def with_sizes(evaluation: Evaluation, candidate: IndexSize | None, live: IndexSize | None) -> Evaluation:
    """`evaluation` with the sizes of both indexes in its costs."""
    return replace(
        evaluation,
        candidate_cost=_sized(evaluation.candidate_cost, candidate),
        live_cost=evaluation.live_cost and _sized(evaluation.live_cost, live),
    )


def _sized(cost: SideCost, size: IndexSize | None) -> SideCost:
    if size is None:
        return cost
    return replace(cost, chunks=size.chunks, storage_bytes=size.storage_bytes, vector_bytes=size.vector_bytes)


def percentile(values: Sequence[float], share: float) -> float | None:
    """The smallest of `values` that at least `share` of them do not exceed; None without values."""
    if not values:
        return None
    return sorted(values)[max(0, ceil(share * len(values)) - 1)]
