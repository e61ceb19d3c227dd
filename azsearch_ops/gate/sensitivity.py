"""What a query set can see: the smallest drop it finds, and the queries that a pass needs."""

from __future__ import annotations

from math import ceil, sqrt
from statistics import NormalDist

from azsearch_ops.gate.policy import ALPHA

_POWER = 0.80
_SURE = 0.99
_NORMAL = NormalDist()


def unseen_drop(deviation: float, queries: int, gated: int) -> float:
    """The drop that the test misses in one of five runs, at `deviation` of the paired differences.

    (z of 1 - alpha / gated metrics + z of the power) · deviation / √queries, the usual approximation; Holm's
    first step is the strictest, so it is the one that counts.
    """
    return min(1.0, (_NORMAL.inv_cdf(1 - ALPHA / gated) + _NORMAL.inv_cdf(_POWER)) * deviation / sqrt(queries))


def own_change(deviation: float, queries: int) -> float:
    """The drop of a mean that an environment makes by itself in one of a hundred runs, at `deviation` of its noise.

    The test alone takes one in twenty for a drop; where the noise is known, it can be asked to be surer than that.
    """
    return _NORMAL.inv_cdf(_SURE) * deviation / sqrt(queries)


def queries_to_pass(deviation: float, margin: float) -> int:
    """How many queries let four of five candidates that change nothing on average stay within `margin`."""
    return ceil(((_NORMAL.inv_cdf(1 - ALPHA) + _NORMAL.inv_cdf(_POWER)) * deviation / margin) ** 2)
