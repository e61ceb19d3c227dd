"""What a side costs beside its quality: tokens for the reader, time, calls, and results nobody judged."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from azsearch_ops.evaluation.asking import Side
from azsearch_ops.evaluation.outcome import SideCost
from azsearch_ops.evaluation.reading import Item, Ranking
from azsearch_ops.evaluation.types import Query

_UNJUDGED_TOP = 5


def side_cost(
    side: Side, rankings: Sequence[Ranking], scored: Sequence[tuple[Query, tuple[Item, ...]]], reader_top: int
) -> SideCost:
    """The cost of `side`, whose answers to the queries of `scored` are `rankings`, in the same order."""
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
        p50=percentile(side.seconds, 0.50),
        p95=percentile(side.seconds, 0.95),
        calls=side.calls,
    )


def percentile(values: Sequence[float], share: float) -> float | None:
    """The smallest of `values` that at least `share` of them do not exceed; None without values."""
    if not values:
        return None
    return sorted(values)[max(0, ceil(share * len(values)) - 1)]
