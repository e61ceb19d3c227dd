"""Where in a chunk's text the part of a judged excerpt stands that the chunk holds."""

from __future__ import annotations

from collections.abc import Sequence

from azsearch_ops.evaluation.folding import fold, fold_with_offsets

Mark = tuple[int, int, int]
"""Start, end (half-open, code points of the chunk's text), and the number of the item that is marked."""


def marks(text: str, covered: Sequence[tuple[int, int, int]], excerpts: Sequence[str | None]) -> tuple[Mark, ...]:
    """The places in `text` of what it holds, in order and apart; `covered` has (item, start, end) of the excerpts.

    An item judged as a whole document marks nothing, and so does a part whose place cannot be told.
    """
    found: list[Mark] = []
    for item, start, end in covered:
        excerpt = excerpts[item] if item < len(excerpts) else None
        if excerpt is None or end <= start:
            continue
        place = _place(text, excerpt[start:end], at_end=start == 0 and end < len(excerpt))
        if place is not None:
            found.append((*place, item))
    apart: list[Mark] = []
    for mark in sorted(found):
        begin = max(mark[0], apart[-1][1]) if apart else mark[0]
        if begin < mark[1]:
            apart.append((begin, mark[1], mark[2]))
    return tuple(apart)


def _place(text: str, part: str, *, at_end: bool) -> tuple[int, int] | None:
    """Where `part` stands: the last place if it is a beginning that the chunk's end cuts off, else the first."""
    at = text.rfind(part) if at_end else text.find(part)
    if at >= 0:
        return at, at + len(part)
    wanted = fold(part)
    if not wanted:
        return None
    folded = fold_with_offsets(text)
    at = folded.text.rfind(wanted) if at_end else folded.text.find(wanted)
    return (folded.starts[at], folded.starts[at + len(wanted)]) if at >= 0 else None
