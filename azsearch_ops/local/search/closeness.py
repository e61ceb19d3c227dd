"""Terms that look alike: edit distance with transpositions, and the expansion of a fuzzy query."""

from __future__ import annotations

from collections.abc import Iterable

MAX_EXPANSIONS = 50


def distance(first: str, second: str, limit: int) -> int:
    """Insertions, deletions, substitutions and swaps of neighbours between two words; limit + 1 when beyond it."""
    if abs(len(first) - len(second)) > limit:
        return limit + 1
    before: list[int] = []
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        last, before, row = before, row, [i]
        for j, b in enumerate(second, 1):
            cost = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (a != b))
            if i > 1 and j > 1 and a == second[j - 2] and first[i - 2] == b:
                cost = min(cost, last[j - 2] + 1)
            row.append(cost)
        if min(row) > limit:
            return limit + 1
    return min(row[-1], limit + 1)


def alike(wanted: str, edits: int, vocabulary: Iterable[str]) -> list[tuple[str, float]]:
    """Terms within the edits and what their scores are multiplied by: 1 − edits / length of the shorter word.

    At most 50, the closest first, then by code points.
    """
    found: list[tuple[float, str]] = []
    for term in vocabulary:
        if abs(len(term) - len(wanted)) <= edits:
            apart = distance(wanted, term, edits)
            factor = 1 - apart / max(min(len(wanted), len(term)), 1)
            if apart <= edits and factor > 0:
                found.append((-factor, term))
    found.sort()
    return [(term, -negative) for negative, term in found[:MAX_EXPANSIONS]]
