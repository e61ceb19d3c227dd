"""Which of several equal places in a document each of its chunks has, told by the order of the chunks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from statistics import fmean, median


@dataclass(frozen=True, slots=True)
class Ordered:
    """A chunk by its ordinal, its `size`, and where it may start; at most one start is true. All in characters."""

    ordinal: int
    size: int
    starts: tuple[int, ...]


def starts_in_order(chunks: Sequence[Ordered], length: int, *, complete: bool) -> tuple[int, ...] | None:
    """The start of each of `chunks` in a text of `length` characters; None where their order does not tell.

    A chunk starts behind the one before it. Of the ways in which that can be, the one is taken in which chunks that
    follow each other share, or leave out, about as much as those whose places are known, and chunks with others between
    them stand as far apart as the others need. `complete` says that these are all chunks, so that the first starts the
    text and the last ends it.
    Ordinals that repeat, or that contradict the chunks with one place only, say nothing.
    """
    order = sorted(range(len(chunks)), key=lambda i: chunks[i].ordinal)
    row = [chunks[i] for i in order]
    if not row or any(a.ordinal == b.ordinal for a, b in pairwise(row)):
        return None
    stride, gap = _stride(row), _gap(row)
    first = row[0]
    # Of chunks that are missing in front only the number is known
    costs = [abs(start - (0.0 if complete else first.ordinal * stride)) for start in first.starts]
    came: list[list[int]] = []
    for before, after in pairwise(row):
        apart = after.ordinal - before.ordinal
        ahead = before.size + gap if apart == 1 else apart * stride
        steps = [_best(before.starts, costs, start, ahead) for start in after.starts]
        came.append([at for _, at in steps])
        costs = [cost for cost, _ in steps]
    if complete:
        costs = [cost + abs(length - start - row[-1].size) for cost, start in zip(costs, row[-1].starts, strict=True)]
    if min(costs) == inf:
        return None
    at = costs.index(min(costs))
    found = [0] * len(row)
    for number in range(len(row) - 1, -1, -1):
        found[order[number]] = row[number].starts[at]
        if number:
            at = came[number - 1][at]
    return tuple(found)


def _best(earlier: Sequence[int], costs: Sequence[float], start: int, ahead: float) -> tuple[float, int]:
    """The least cost of `start`, and from which of the `earlier` starts; it is expected so many characters `ahead`."""
    best, at = inf, 0
    for number, before in enumerate(earlier):
        cost = costs[number] + abs(start - before - ahead)
        if start > before and cost < best:
            best, at = cost, number
    return best, at


def _stride(row: Sequence[Ordered]) -> float:
    """How far apart chunks that follow each other start, by those with one place only."""
    sure = [chunk for chunk in row if len(chunk.starts) == 1]
    steps = [(b.starts[0] - a.starts[0]) / (b.ordinal - a.ordinal) for a, b in pairwise(sure)]
    return median(steps) if steps else fmean(chunk.size for chunk in row)


def _gap(row: Sequence[Ordered]) -> float:
    """What chunks that follow each other leave out between them; below 0 what they share."""
    sure = [chunk for chunk in row if len(chunk.starts) == 1]
    gaps = [b.starts[0] - a.starts[0] - a.size for a, b in pairwise(sure) if b.ordinal - a.ordinal == 1]
    return median(gaps) if gaps else 0.0
