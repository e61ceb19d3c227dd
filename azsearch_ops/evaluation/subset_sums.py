"""Many weighted sums over the same queries, eight queries at a time: the table of what a byte can mean is made once."""

from __future__ import annotations

from collections.abc import Callable
from math import exp

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

GROUP = 8
_BYTES = 256
_BLOCK = 8_000_000


def byte_sums(
    table: Floats, weights: Floats, draws: int, generator: np.random.Generator, use: Callable[[Floats], None]
) -> None:
    """Hand `use` the sums of `draws` random weightings of `table` [query, row], in blocks of shape [draw, row].

    A weighting takes for every eight queries one of the 256 lines of `weights` [line, query within the group], by
    chance and independently.
    """
    queries, rows = table.shape
    groups = -(-queries // GROUP)
    padded = np.zeros((groups * GROUP, rows))
    padded[:queries] = table
    by_group = padded.reshape(groups, GROUP, rows)
    told = np.flatnonzero(by_group.any(axis=(1, 2)))  # What is zero throughout adds nothing, whatever is drawn
    sums = np.matmul(weights, by_group[told])  # [group, line, row]
    block = max(1, _BLOCK // max(1, groups))
    for start in range(0, draws, block):
        count = min(block, draws - start)
        lines = generator.integers(0, _BYTES, size=(groups, count), dtype=np.uint8)
        total = np.zeros((count, rows))
        part = np.empty((count, rows))
        for place, group in enumerate(told):
            # A byte is always a line, so that nothing needs to be checked.
            np.take(sums[place], lines[group], axis=0, out=part, mode="wrap")
            total += part
        use(total)


def every_subset() -> Floats:
    """The 256 subsets of a group, as 0 and 1: a random byte takes each query with a chance of one half."""
    return np.unpackbits(np.arange(_BYTES, dtype=np.uint8)[:, None], axis=1).astype(np.float64)


def poisson_weights(generator: np.random.Generator) -> Floats:
    """256 lines of weights, one column a query, each column the 256 mid-quantiles of a Poisson variable of mean 1."""
    column = np.empty(_BYTES)
    value, probability = 0, exp(-1.0)
    below = probability
    for line in range(_BYTES):
        while below < (line + 0.5) / _BYTES:
            value += 1
            probability /= value
            below += probability
        column[line] = value
    return np.stack([generator.permutation(column) for _ in range(GROUP)], axis=1)
