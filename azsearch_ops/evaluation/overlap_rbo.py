"""Rank-biased overlap: how alike two rankings are, the top counting most, without any judgement."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

PERSISTENCE = 0.9
"""The reader goes on to the next rank with this probability: the first ten ranks hold 86 % of the weight."""


def rank_biased_overlap(first: Sequence[Hashable], second: Sequence[Hashable], p: float = PERSISTENCE) -> float:
    """RBO extrapolated from what both rankings show: 1 for equal rankings, 0 for rankings with nothing in common.

    Equation 32 of Webber, Moffat, Zobel: A Similarity Measure for Indefinite Rankings, ACM TOIS 28(4), 2010,
    https://doi.org/10.1145/1852102.1852106, which takes rankings of unequal length. Two empty rankings are equal.

    Raises:
        ValueError: `p` is not between 0 and 1, or an item stands twice in a ranking.
    """
    if not 0.0 < p < 1.0:
        raise ValueError("p lies between 0 and 1, both excluded")
    if len(set(first)) < len(first) or len(set(second)) < len(second):
        raise ValueError("an item stands twice in a ranking")
    short, long = sorted((first, second), key=len)
    s, l = len(short), len(long)  # noqa: E741 - the paper's names
    if l == 0:
        return 1.0
    if s == 0:
        return 0.0
    seen_short: set[Hashable] = set()
    seen_long: set[Hashable] = set()
    overlap = 0
    overlap_at_s = 0
    total = 0.0
    for depth in range(1, l + 1):
        item = long[depth - 1]
        if depth <= s:
            other = short[depth - 1]
            overlap += (item == other) + (item != other and item in seen_short) + (item != other and other in seen_long)
            seen_short.add(other)
        else:
            overlap += item in seen_short
        seen_long.add(item)
        if depth == s:
            overlap_at_s = overlap
        total += overlap / depth * p**depth
        if depth > s:
            total += overlap_at_s * (depth - s) / (s * depth) * p**depth
    tail = (overlap - overlap_at_s) / l + overlap_at_s / s
    return (1 - p) / p * total + tail * p**l
