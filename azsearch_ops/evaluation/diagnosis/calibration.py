"""The similarity from which results are kept: read off the similarities of relevant and irrelevant chunks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Literal

import numpy as np

from azsearch_ops.evaluation.reading import ENOUGH

BINS = 20
RESAMPLES = 1000
_DIGITS = 4
_SLACK = 1e-9

Goal = Literal["recall", "precision"]


@dataclass(frozen=True, slots=True)
class Observed:
    """The neighbours of one query: similarities of `relevant` and `irrelevant` chunks, and of each answer's best.

    A chunk is relevant when it holds half of an answer and more; one that holds less is in neither. `answers` has one
    similarity for each answer that a relevant chunk holds; `answers_judged` counts all that could have been found.
    """

    query: str
    relevant: tuple[float, ...]
    irrelevant: tuple[float, ...]
    answers: tuple[float, ...]
    answers_judged: int


@dataclass(frozen=True, slots=True)
class Bin:
    """Chunks with a similarity from `low` up to `high`."""

    low: float
    high: float
    relevant: int
    irrelevant: int


@dataclass(frozen=True, slots=True)
class ChosenThreshold:
    """A threshold with its bootstrap 95 % interval over queries, and what it keeps of what was observed.

    `recall` is of the answers among the neighbours, `precision` of the chunks at or above `value`. `kept` is the mean
    number of chunks a query keeps, `empty` the share of queries left with none.
    """

    goal: Goal
    wanted: float
    value: float
    low: float
    high: float
    recall: float
    precision: float
    kept: float
    empty: float


def observed(
    query: str, similarities: Sequence[float], shares: Sequence[Mapping[int, float]], answers_judged: int
) -> Observed:
    """The neighbours of a query, from the similarity of each chunk and the share that it holds of each answer."""
    relevant: list[float] = []
    irrelevant: list[float] = []
    best: dict[int, float] = {}
    for similarity, held in zip(similarities, shares, strict=True):
        whole = [item for item, share in held.items() if share >= ENOUGH - _SLACK]
        if whole:
            relevant.append(similarity)
        elif not held:
            irrelevant.append(similarity)
        for item in whole:
            best[item] = max(best.get(item, similarity), similarity)
    return Observed(query, tuple(relevant), tuple(irrelevant), tuple(best.values()), answers_judged)


def histogram(rows: Sequence[Observed], bins: int = BINS) -> tuple[Bin, ...]:
    """Relevant and irrelevant chunks by similarity, in bins of equal width over all that was observed."""
    relevant = np.array([s for row in rows for s in row.relevant])
    irrelevant = np.array([s for row in rows for s in row.irrelevant])
    every = np.concatenate([relevant, irrelevant])
    if every.size == 0:
        return ()
    edges = np.linspace(every.min(), every.max(), bins + 1)
    counted = [np.histogram(values, edges)[0] for values in (relevant, irrelevant)]
    return tuple(Bin(float(edges[i]), float(edges[i + 1]), int(counted[0][i]), int(counted[1][i])) for i in range(bins))


def choose(rows: Sequence[Observed], goal: Goal, wanted: float, seed: int) -> ChosenThreshold | None:
    """The threshold for a wanted recall (the highest that keeps it) or precision (the lowest that reaches it).

    None where no threshold does, or nothing relevant was observed. The interval resamples queries, `RESAMPLES` times;
    resamples that no threshold satisfies count at the highest similarity observed.
    """
    find = _for_recall if goal == "recall" else _for_precision
    exact = find(rows, wanted)
    if exact is None:
        return None
    scale = 10**_DIGITS
    # Rounded to the side on which the goal still holds
    value = (floor(exact * scale + _SLACK) if goal == "recall" else ceil(exact * scale - _SLACK)) / scale
    low, high = _interval(rows, find, wanted, seed)
    recall, precision, kept, empty = effect(rows, value)
    return ChosenThreshold(goal, wanted, value, min(low, value), max(high, value), recall, precision, kept, empty)


def effect(rows: Sequence[Observed], threshold: float) -> tuple[float, float, float, float]:
    """(recall of answers, precision, mean chunks kept, share of queries without any) at a threshold."""
    answers = [s for row in rows for s in row.answers]
    relevant = sum(s >= threshold for row in rows for s in row.relevant)
    irrelevant = sum(s >= threshold for row in rows for s in row.irrelevant)
    empty = sum(not any(s >= threshold for s in (*row.relevant, *row.irrelevant)) for row in rows)
    kept = relevant + irrelevant
    recall = sum(s >= threshold for s in answers) / len(answers) if answers else 0.0
    return recall, relevant / kept if kept else 0.0, kept / len(rows) if rows else 0.0, empty / max(1, len(rows))


def _for_recall(rows: Sequence[Observed], wanted: float) -> float | None:
    answers = sorted(s for row in rows for s in row.answers)
    if not answers:
        return None
    return answers[min(len(answers) - 1, floor((1.0 - wanted) * len(answers) + _SLACK))]


def _for_precision(rows: Sequence[Observed], wanted: float) -> float | None:
    relevant = np.array([s for row in rows for s in row.relevant])
    every = np.sort(np.concatenate([relevant, np.array([s for row in rows for s in row.irrelevant])]))[::-1]
    if relevant.size == 0:
        return None
    steps = np.unique(every)[::-1]
    above = np.searchsorted(-every, -steps, side="right")
    good = np.searchsorted(-np.sort(relevant)[::-1], -steps, side="right")
    reached = steps[good / above >= wanted - _SLACK]
    return float(reached[-1]) if reached.size else None


def _interval(
    rows: Sequence[Observed], find: Callable[[Sequence[Observed], float], float | None], wanted: float, seed: int
) -> tuple[float, float]:
    random = np.random.default_rng(seed)
    highest = max((s for row in rows for s in (*row.relevant, *row.irrelevant)), default=1.0)
    found: list[float] = []
    for _ in range(RESAMPLES):
        value = find([rows[i] for i in random.integers(0, len(rows), len(rows))], wanted)
        found.append(highest if value is None else value)
    low, high = np.percentile(found, [2.5, 97.5])
    return float(low), float(high)
