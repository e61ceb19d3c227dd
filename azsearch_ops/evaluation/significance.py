"""How likely a drop as large as the one seen is, if live and candidate were interchangeable on every query."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from azsearch_ops.evaluation.subset_sums import Floats, byte_sums, every_subset

FLIPS = 10_000


def drop_p_values(differences: Sequence[Sequence[float]], seed: int, flips: int = FLIPS) -> tuple[float, ...]:
    """One-sided p of each row of `differences` [metric, query] (candidate minus live), by random sign flips.

    Under the hypothesis that the sides are interchangeable, each paired difference could as well have had the
    other sign. p = (1 + number of flips with a mean at or below the observed one) / (1 + flips), so it is never
    below 1 / (1 + flips) and never 0 (Phipson and Smyth 2010; Smucker, Allan and Carterette 2007 for the test
    in information retrieval). The flips depend on `seed` and the number of queries alone: all rows share them,
    and lowering a candidate's value on any query never raises p.
    """
    table = np.asarray(differences, dtype=np.float64).T
    rows: int = table.shape[1]
    if not len(table):
        return (1.0,) * rows
    # Flipping the signs of a set of queries lowers the sum by twice their sum: the flipped mean is at or below
    # the observed one exactly where that sum is at least 0. The slack keeps rounding from deciding ties.
    slack = -1e-9 * np.maximum(1.0, np.abs(table).sum(axis=0))
    at_or_below = np.zeros(rows, dtype=np.int64)

    def count(sums: Floats) -> None:
        at_or_below[:] += (sums >= slack).sum(axis=0)

    byte_sums(table, every_subset(), flips, np.random.default_rng([seed, 1]), count)
    return tuple((1 + int(hits)) / (1 + flips) for hits in at_or_below)


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """`p_values` adjusted for being several (Holm 1979), in their order; compare them with the one alpha."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for position, index in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - position) * p_values[index]))
        adjusted[index] = largest
    return tuple(adjusted)
