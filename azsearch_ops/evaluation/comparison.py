"""From results per query to means, slices and the list of queries that changed."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, pstdev

from azsearch_ops.evaluation.causes import Diagnose, cause_of_loss
from azsearch_ops.evaluation.diagnosis.stake import Loss
from azsearch_ops.evaluation.interval import mean_intervals
from azsearch_ops.evaluation.metrics.registry import Metric
from azsearch_ops.evaluation.outcome import ChangedQuery, MetricResult, QueryResult, Slice, State
from azsearch_ops.evaluation.reading import Ranking
from azsearch_ops.evaluation.significance import drop_p_values

SAME = 1e-9
"""Values closer than this are the same value, added up in another order."""


def metric_results(
    results: Sequence[QueryResult], metrics: Sequence[Metric], seed: int, resamples: int
) -> tuple[MetricResult, ...]:
    """Each metric over `results`, with test and interval where there is a live side."""
    names = [str(metric) for metric in metrics]
    candidates = {name: [result.candidate.values[name] for result in results] for name in names}
    if any(result.live is None for result in results):
        return tuple(
            MetricResult(str(m), fmean(candidates[str(m)]), higher_is_better=m.about.higher_is_better) for m in metrics
        )
    differences = [[_difference(result, name) for result in results] for name in names]
    signs = [1.0 if metric.about.higher_is_better else -1.0 for metric in metrics]
    p_values = drop_p_values(
        [[sign * value for value in row] for sign, row in zip(signs, differences, strict=True)], seed, resamples
    )
    intervals = mean_intervals(differences, seed, resamples)
    return tuple(
        MetricResult(
            name=name,
            candidate=fmean(candidates[name]),
            live=fmean(result.live.values[name] for result in results if result.live),
            difference=fmean(row),
            low=interval.low,
            high=interval.high,
            bound=interval.bound,
            p=p,
            deviation=pstdev(row),
            changed=sum(value != 0.0 for value in row),
            better=sum(sign * value > 0.0 for value in row),
            worse=sum(sign * value < 0.0 for value in row),
            higher_is_better=sign > 0.0,
        )
        for name, row, p, interval, sign in zip(names, differences, p_values, intervals, signs, strict=True)
    )


def slices(results: Sequence[QueryResult], metrics: Sequence[Metric]) -> tuple[Slice, ...]:
    """The means of the queries under each tag, by tag."""
    found: list[Slice] = []
    for tag in sorted({tag for result in results for tag in result.tags}):
        members = [result for result in results if tag in result.tags]
        values: dict[str, tuple[float | None, float]] = {}
        for name in map(str, metrics):
            live = [result.live.values[name] for result in members if result.live]
            values[name] = (fmean(live) if live else None, fmean(r.candidate.values[name] for r in members))
        found.append(Slice(tag, len(members), values))
    return tuple(found)


def changed_queries(
    results: Sequence[QueryResult],
    rankings: Sequence[tuple[Ranking, ...]],
    metrics: Sequence[Metric],
    depths: Sequence[Sequence[int]],
    diagnose: Diagnose = cause_of_loss,
) -> tuple[ChangedQuery, ...]:
    """The queries on which the sides differ, each with the cause on the side that does worse: the lost ones first,
    then by how much they lose on the first metric, and the next.

    `depths` says for each query how many chunks each side was asked for. A metric that moves with the size of chunks
    alone, or of which less is better, does not put a query here, unless only such were measured.
    """
    telling = [m for m in metrics if m.about.higher_is_better and not m.about.of_size] or list(metrics)
    found: list[tuple[tuple[float, ...], State, Loss, QueryResult]] = []
    for result, (live, candidate), asked in zip(results, rankings, depths, strict=True):
        if result.live is None:
            continue
        differences = tuple(_difference(result, str(metric)) for metric in telling)
        deciding = next((i for i, value in enumerate(differences) if value != 0.0), None)
        if deciding is None:
            continue
        better = differences[deciding] > 0.0
        loser, winner, depth = (live, candidate, asked[0]) if better else (candidate, live, asked[1])
        loss = Loss(result.id, better, loser, winner, telling[deciding].cut, depth)
        found.append((differences, _state(live, candidate, telling[0]), loss, result))
    found.sort(key=lambda entry: (entry[1] != "lost", entry[0], entry[3].id))
    return tuple(_changed(result, state, loss, metrics, diagnose) for _, state, loss, result in found)


def _changed(
    result: QueryResult, state: State, loss: Loss, metrics: Sequence[Metric], diagnose: Diagnose
) -> ChangedQuery:
    live = result.live or result.candidate
    return ChangedQuery(
        id=result.id,
        text=result.text,
        tags=result.tags,
        state=state,
        better=loss.better,
        live_rank=live.rank,
        candidate_rank=result.candidate.rank,
        values={str(m): (live.values[str(m)], result.candidate.values[str(m)]) for m in metrics},
        cause=diagnose(loss),
    )


def _difference(result: QueryResult, name: str) -> float:
    """Candidate minus live, exactly 0.0 where they differ by rounding only."""
    if result.live is None:
        return 0.0
    difference = result.candidate.values[name] - result.live.values[name]
    return 0.0 if abs(difference) < SAME else difference


def _state(live: Ranking, candidate: Ranking, metric: Metric) -> State:
    had = live.read(metric.cut).found_rank() is not None
    has = candidate.read(metric.cut).found_rank() is not None
    return "lost" if had and not has else "found" if has and not had else "moved"
