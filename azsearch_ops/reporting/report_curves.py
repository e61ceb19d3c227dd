"""Figures behind the drawings of a report: recall against what the reader pays for it, and scores by kind of chunk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from azsearch_ops.evaluation.alignment import Interval, merge

if TYPE_CHECKING:
    from azsearch_ops.evaluation.outcome import SideResult
    from azsearch_ops.verbs.evaluating.run_files import Judged, Run

BINS = 28


@dataclass(frozen=True, slots=True)
class Point:
    """After `rank` chunks: the mean of the tokens read and of the share of what is relevant that was in them."""

    rank: int
    tokens: float
    recall: float


@dataclass(frozen=True, slots=True)
class Histogram:
    """Scores from `low` to `high` in equal bins: chunks with a part of an answer, and all the others."""

    low: float
    high: float
    answers: tuple[int, ...]
    others: tuple[int, ...]


def sides_of(run: Run) -> tuple[str, ...]:
    """The sides that were measured, live first."""
    return ("live", "candidate") if run.outcome.evaluation.live_cost is not None else ("candidate",)


def reading_curve(run: Run, side: str) -> tuple[Point, ...]:
    """Recall by rank, against tokens, over all scored queries; empty where the run holds no single query."""
    results: list[tuple[SideResult, tuple[Judged, ...]]] = [
        (getattr(query, side), run.judged.get(query.id, ())) for query in run.outcome.evaluation.queries
    ]
    depth = max((len(result.ranking) for result, _ in results), default=0)
    tokens, recall = [0.0] * depth, [0.0] * depth
    for result, judged in results:
        spent = 0
        steps = recall_by_rank(result, judged)
        for rank in range(depth):
            if rank < len(result.ranking):
                spent += result.ranking[rank].tokens
            tokens[rank] += spent
            recall[rank] += steps[min(rank, len(steps) - 1)] if steps else 0.0
    number = len(results)
    return tuple(Point(rank + 1, tokens[rank] / number, recall[rank] / number) for rank in range(depth))


def recall_by_rank(result: SideResult, judged: Sequence[Judged]) -> list[float]:
    """After each rank, the mean over the relevant items of the share of it that was read."""
    covered: dict[int, list[Interval]] = {}
    shares = [0.0] * len(judged)
    steps = []
    for ranked in result.ranking:
        for item, start, end in ranked.covered:
            if item >= len(judged):
                continue
            length = judged[item].length
            if length == 0:
                shares[item] = 1.0
                continue
            covered[item] = merge([*covered.get(item, []), (start, end)])
            shares[item] = sum(stop - begin for begin, stop in covered[item]) / length
        steps.append(sum(shares) / len(shares) if shares else 0.0)
    return steps


def score_histogram(run: Run, side: str) -> Histogram | None:
    """Scores of one side; None where chunks have no score, or all the same."""
    answers: list[float] = []
    others: list[float] = []
    for query in run.outcome.evaluation.queries:
        for ranked in getattr(query, side).ranking:
            if ranked.score is not None:
                (answers if ranked.covered else others).append(ranked.score)
    scores = [*answers, *others]
    if not scores or min(scores) == max(scores):
        return None
    low, high = min(scores), max(scores)
    return Histogram(low, high, _counted(answers, low, high), _counted(others, low, high))


def _counted(scores: Sequence[float], low: float, high: float) -> tuple[int, ...]:
    bins = [0] * BINS
    for score in scores:
        bins[min(BINS - 1, int(BINS * (score - low) / (high - low)))] += 1
    return tuple(bins)
