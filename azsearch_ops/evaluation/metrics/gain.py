"""Discounted cumulative gain against the ideal that the judgements allow, for any gain of a grade.

The ideal reader meets the items one a rank, the highest grade first. A chunk may hold several spans, so a real
ranking can be ahead of that reader; what it is ahead is credited at the rank where the ideal reader has caught
up. With one item a chunk this is the usual nDCG; it is never above 1 and its ideal never depends on the results.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log2

from azsearch_ops.evaluation.reading import Reading


def normalised_gain(reading: Reading, gain: Callable[[int], float]) -> float:
    """DCG / ideal DCG with discount 1 / log2(rank + 1); 0.0 where nothing relevant was read.

    Within a token budget the ranks are those of the chunks read, and the ideal reader has room for every item.
    """
    gained = [gain(grade) for grade in reading.grades]
    best = sorted(gained, reverse=True)
    if reading.cut.unit == "chunks":
        best = best[: reading.cut.size]
    ideal = sum(value / log2(rank + 1) for rank, value in enumerate(best, start=1))
    if not reading.gains or ideal <= 0.0:
        return 0.0
    arrivals: dict[int, float] = {}
    for step in reading.gains:
        arrivals[step.rank] = arrivals.get(step.rank, 0.0) + gained[step.item] * step.share
    real = ahead = allowed = credited = 0.0
    for rank in range(1, max(len(best), max(arrivals)) + 1):
        allowed += best[rank - 1] if rank <= len(best) else 0.0
        ahead += arrivals.get(rank, 0.0)
        step_credit = min(ahead, allowed - credited)
        ahead -= step_credit
        credited += step_credit
        real += step_credit / log2(rank + 1)
    return min(1.0, real / ideal)
