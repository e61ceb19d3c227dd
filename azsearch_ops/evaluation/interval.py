"""How far a mean could lie from the one seen, if other queries of the same kind had been asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from azsearch_ops.evaluation.subset_sums import Floats, byte_sums, poisson_weights

RESAMPLES = 10_000

MANY = 1_000
"""Queries beyond which drawing each resample one by one takes longer than everything else."""

_BLOCK = 4_000_000


@dataclass(frozen=True, slots=True)
class Interval:
    """`low` and `high` hold the mean between them in 95 % of cases; `bound` lies below it in 95 % of cases."""

    low: float
    high: float
    bound: float


def mean_intervals(values: Sequence[Sequence[float]], seed: int, resamples: int = RESAMPLES) -> tuple[Interval, ...]:
    """The percentile bootstrap of the mean of each row of `values` [metric, query], resampling queries.

    `low` and `high` are the 2.5 and 97.5 percentiles, `bound` is the 5th. The resamples depend on `seed` and the
    number of queries alone: all rows share them, and lowering any value never raises a bound. Without a query
    the bounds are 0. Beyond `MANY` queries each gets a weight of its own that follows a Poisson distribution of
    mean 1, which is what the number of times that it is drawn comes to (Hanley and MacGibbon 2006).
    """
    table = np.ascontiguousarray(values, dtype=np.float64)
    rows, queries = len(table), int(table.shape[1])
    if queries == 0:
        return (Interval(0.0, 0.0, 0.0),) * rows
    generator = np.random.default_rng([seed, 2])
    means = (_weighted if queries > MANY else _drawn)(table, resamples, generator)
    percentiles = np.quantile(means, (0.025, 0.05, 0.975), axis=0)
    return tuple(Interval(float(low), float(high), float(bound)) for low, bound, high in percentiles.T)


def _drawn(table: Floats, resamples: int, generator: np.random.Generator) -> Floats:
    """Means [resample, row] of as many queries as there are, drawn with replacement."""
    rows, queries = table.shape
    block = max(1, _BLOCK // queries)
    means = np.zeros((resamples, rows))
    for start in range(0, resamples, block):
        stop = min(start + block, resamples)
        drawn = generator.integers(0, queries, size=(stop - start, queries), dtype=np.int32)
        for row in range(rows):
            if table[row].any():
                means[start:stop, row] = table[row][drawn].mean(axis=1)
    return means


def _weighted(table: Floats, resamples: int, generator: np.random.Generator) -> Floats:
    """Means [resample, row] of the queries under random weights."""
    rows, queries = table.shape
    weighed = np.concatenate([table, np.ones((1, queries))]).T
    found: list[Floats] = []
    byte_sums(weighed, poisson_weights(generator), resamples, generator, found.append)
    sums = np.concatenate(found)
    means: Floats = sums[:, :rows] / sums[:, rows:]
    return means
