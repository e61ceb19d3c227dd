"""Live and candidate on questions that nobody judged: how far their rankings agree, and where they differ most."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean

from azsearch_ops.evaluation.asking import Side
from azsearch_ops.evaluation.asking_all import ask_all
from azsearch_ops.evaluation.cost import percentile
from azsearch_ops.evaluation.cut import Cut
from azsearch_ops.evaluation.outcome import ChangedRanking, Evaluation, MetricResult, Probe, RankOverlap, SideCost
from azsearch_ops.evaluation.overlap_rbo import PERSISTENCE, rank_biased_overlap
from azsearch_ops.evaluation.pacing import Pace
from azsearch_ops.evaluation.paths import below_container
from azsearch_ops.evaluation.types import Chunk, CountTokens, Query, Search

DEPTH = 50
"""Chunks read of each ranking; with the usual persistence what lies deeper weighs half a percent."""

OVERLAP = "overlap"
"""The name of the one figure: rank-biased overlap of the candidate with live. It is reported and decides nothing."""

_LISTED = 20
_SHOWN = 5


def compare_unlabelled(
    queries: Sequence[Query],
    live: Search | None,
    candidate: Search,
    count_tokens: CountTokens,
    *,
    clock: Callable[[], float] | None = None,
    pause: Callable[[float], None] | None = None,
    workers: int = 1,
    progress: Callable[[int, int], None] | None = None,
    reader_top: int = 5,
) -> Evaluation:
    """An evaluation without judgements: its one figure, `overlap`, says how alike the rankings of documents are.

    Chunks of two indexes are never the same chunks, so the rankings compared are those of documents, each at the rank
    of its first chunk.
    """
    pace = Pace(workers, pause)
    sides = [Side(search, [Cut(DEPTH)], count_tokens, clock, pace) for search in (live, candidate) if search]
    answers = ask_all(sides, queries, workers, progress)
    rankings = [[pair[index].chunks for pair in answers.asked] for index in range(len(sides))]
    costs = [
        SideCost(
            tokens=fmean(sum(count_tokens(c.text) for c in chunks[:reader_top]) for chunks in found),
            unjudged=1.0,
            p50=percentile(answers.seconds(index), 0.50) if clock else None,
            p95=percentile(answers.seconds(index), 0.95) if clock else None,
            calls=answers.calls(index),
        )
        for index, found in enumerate(rankings)
    ]
    overlap = _overlap(queries, *rankings) if live is not None else None
    return Evaluation(
        metrics=(MetricResult(OVERLAP, overlap.mean if overlap else 1.0),),
        query_count=len(queries),
        seen=0,
        better=0,
        worse=0,
        candidate_cost=costs[-1],
        live_cost=costs[0] if live is not None else None,
        probe=Probe.of(answers.probed, answers.otherwise, compared=live is not None),
        slices=(),
        unscored=(),
        seed=0,
        resamples=0,
        depth=DEPTH,
        reader_top=reader_top,
        pauses=pace.pauses,
        overlap=overlap,
        holdouts=sum(query.holdout for query in queries),
    )


def _overlap(
    queries: Sequence[Query], live: Sequence[Sequence[Chunk]], candidate: Sequence[Sequence[Chunk]]
) -> RankOverlap:
    rows: list[ChangedRanking] = []
    hidden: list[float] = []
    for query, before, after in zip(queries, live, candidate, strict=True):
        was, now = _documents(before), _documents(after)
        overlap = rank_biased_overlap(was, now)
        if query.holdout:
            hidden.append(overlap)
        else:
            rows.append(ChangedRanking(query.id, query.text, overlap, was[:_SHOWN], now[:_SHOWN]))
    values = [*(row.overlap for row in rows), *hidden]
    changed = sorted((row for row in rows if row.overlap < 1.0 - 1e-9), key=lambda row: (row.overlap, row.id))
    return RankOverlap(
        mean=fmean(values),
        persistence=PERSISTENCE,
        queries=len(values),
        changed=sum(value < 1.0 - 1e-9 for value in values),
        most_changed=tuple(changed[:_LISTED]),
    )


def _documents(chunks: Sequence[Chunk]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(below_container(chunk.document) for chunk in chunks))
