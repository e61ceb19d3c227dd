"""Drawings of ranks: where answers were found before and after, and wins and losses by tag."""

from __future__ import annotations

from collections import Counter
from math import log
from typing import TYPE_CHECKING

from markupsafe import Markup

from azsearch_ops.reporting import figures
from azsearch_ops.reporting.html_svg import drawing, line, tag, text

if TYPE_CHECKING:
    from azsearch_ops.verbs.evaluating.run_files import Run

_WIDTH, _HEIGHT = 520.0, 400.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 96.0, 424.0, 40.0, 330.0
_LOST = 372.0


def ranks_drawing(run: Run) -> Markup | None:
    """Lines from the rank under live to that under the candidate, as wide as many queries took them."""
    evaluation = run.outcome.evaluation
    moves = Counter((q.live.rank, q.candidate.rank) for q in evaluation.queries if q.live is not None)
    if not moves:
        return None
    deepest = max((rank for pair in moves for rank in pair if rank), default=1)

    def y(rank: int | None) -> float:
        return _LOST if rank is None else _TOP + (_BOTTOM - _TOP) * (log(rank) / log(deepest) if deepest > 1 else 0.0)

    parts = [
        text(_LEFT, 20, "live", anchor="middle", kind="strong"),
        text(_RIGHT, 20, "candidate", anchor="middle", kind="strong"),
        line(_LEFT, _TOP - 10, _LEFT, _LOST + 10, "axis"),
        line(_RIGHT, _TOP - 10, _RIGHT, _LOST + 10, "axis"),
        line(_LEFT - 70, (_BOTTOM + _LOST) / 2, _RIGHT + 70, (_BOTTOM + _LOST) / 2, "grid"),
    ]
    for rank in _shown_ranks(deepest):
        parts += [
            text(_LEFT - 12, y(rank) + 4, str(rank), anchor="end"),
            text(_RIGHT + 12, y(rank) + 4, str(rank)),
        ]
    missed = [sum(n for pair, n in moves.items() if pair[side] is None) for side in (0, 1)]
    parts += [
        text(_LEFT - 12, _LOST + 4, f"not found {missed[0]}", anchor="end"),
        text(_RIGHT + 12, _LOST + 4, f"not found {missed[1]}"),
    ]
    most = max(moves.values())
    # Thin lines last, so that none hides below a wide one.
    for (before, after), number in sorted(moves.items(), key=lambda move: -move[1]):
        kind = _kind(before, after)
        words = f"{number} {'query' if number == 1 else 'queries'}: {before or 'not found'} → {after or 'not found'}"
        interactive = {} if kind == "even" else {"tabindex": "0", "role": "button", "aria_label": f"{words}. Show"}
        parts.append(
            tag(
                "path",
                tag("title", words),
                d=f"M{_LEFT} {y(before):.1f}C{_LEFT + 130} {y(before):.1f} {_RIGHT - 130} {y(after):.1f} {_RIGHT} "
                f"{y(after):.1f}",
                stroke_width=f"{1.4 + 10 * number / most:.1f}",
                _class=f"flow {kind}",
                data_live=str(before or 0),
                data_candidate=str(after or 0),
                **interactive,
            )
        )
    ranked = figures.queries_of(sum(moves.values()))
    said = f"ranks of {ranked}, live to candidate; not found {missed[0]} before, {missed[1]} after"
    return drawing(_WIDTH, _HEIGHT, said, *parts, role="group")


def slices_drawing(run: Run, metric: str) -> Markup | None:
    """For each tag the shares of its queries that got worse (left) and better (right), and the change of `metric`."""
    changed = {query.id: query.better for query in run.outcome.evaluation.changed}
    queries = run.outcome.evaluation.queries
    if not queries or run.outcome.live is None:
        return None
    tags = sorted({name for query in queries for name in query.tags})
    groups: list[tuple[str, str, list[str]]] = [("all queries", "", [query.id for query in queries])]
    groups += [(name, name, [query.id for query in queries if name in query.tags]) for name in tags]
    counted = [
        (label, name, len(ids), sum(changed.get(i) is False for i in ids), sum(changed.get(i) is True for i in ids))
        for label, name, ids in groups
    ]
    first, rest = counted[0], sorted(counted[1:], key=lambda row: ((row[4] - row[3]) / row[2], row[0]))
    rows = [first, *rest[:14]]
    reach = max(0.05, *(max(worse, better) / total for _, _, total, worse, better in rows))
    height, middle, half, row = 34 + 27.0 * len(rows), 285.0, 95.0, 27.0
    means = {part.tag: part.values[metric] for part in run.outcome.evaluation.slices if metric in part.values}
    overall = run.outcome.evaluation.metric(metric)
    parts = [
        text(middle - 8, 16, "worse", anchor="end", kind="strong"),
        text(middle + 8, 16, "better", kind="strong"),
        text(_WIDTH - 6, 16, metric, anchor="end", kind="strong"),
        line(middle, 26, middle, height, "zero"),
    ]
    for number, (label, name, total, worse, better) in enumerate(rows):
        live, candidate = means.get(name, (None, 0.0))
        moved = (overall.difference if overall else None) if not name else None if live is None else candidate - live
        y = 30 + number * row
        bars = [
            tag("rect", x=0, y=y, width=_WIDTH, height=row - 2, _class="hit"),
            text(8, y + 17, f"{_cut(label)}  {total}", kind="strong" if number == 0 else ""),
        ]
        for count, kind, sign in ((worse, "worse", -1), (better, "better", 1)):
            size = count / total / reach * half
            x = middle - size if sign < 0 else middle
            bars.append(tag("rect", x=x, y=y + 4, width=size, height=row - 10, _class=f"bar {kind}"))
            if count:
                anchor, at = ("end", x - 5) if sign < 0 else ("start", x + size + 5)
                bars.append(text(at, y + 17, str(count), anchor=anchor))
        bars.append(text(_WIDTH - 6, y + 17, figures.signed(moved), anchor="end"))
        words = f"{label}: {worse} of {total} worse, {better} better, {metric} {figures.signed(moved)}"
        parts.append(
            tag(
                "g",
                tag("title", words),
                *bars,
                tabindex="0",
                role="button",
                _class="slice",
                data_tag=name,
                aria_label=f"{words}. Show",
            )
        )
    return drawing(_WIDTH, height, "queries that got worse and better, by tag", *parts, role="group")


def _kind(before: int | None, after: int | None) -> str:
    if before == after:
        return "even"
    return "worse" if after is None or (before is not None and after > before) else "better"


def _shown_ranks(deepest: int) -> list[int]:
    return [rank for rank in (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000) if rank <= deepest]


def _cut(words: str) -> str:
    return words if len(words) <= 20 else f"{words[:19]}…"
