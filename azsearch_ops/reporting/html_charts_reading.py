"""Drawings of reading: what recall costs in tokens, and how far scores tell answers from the rest."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from azsearch_ops.reporting import figures
from azsearch_ops.reporting.html_svg import drawing, line, tag, text, ticks
from azsearch_ops.reporting.report_curves import Histogram, Point, reading_curve, score_histogram, sides_of

if TYPE_CHECKING:
    from azsearch_ops.verbs.evaluating.run_files import Run

_WIDTH, _HEIGHT = 520.0, 330.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 52.0, 500.0, 24.0, 280.0
_NAMED = (1, 3, 5, 10, 20, 50)

_Scale = Callable[[float], float]


def price_drawing(run: Run, budgets: Sequence[int]) -> Markup | None:
    """Recall against the tokens that the reader pays, rank by rank; `budgets` are those that metrics name."""
    curves = {side: curve for side in sides_of(run) if (curve := reading_curve(run, side))}
    if not curves:
        return None
    widest = max(curve[-1].tokens for curve in curves.values())
    # Beyond the budget and the tenth chunk nothing is decided any more.
    tenth = max(curve[min(9, len(curve) - 1)].tokens for curve in curves.values())
    reach = min(widest, max(tenth, 1.25 * max(budgets, default=0))) or 1.0
    highest = max(point.recall for curve in curves.values() for point in curve)
    top = min(1.0, max(0.1, highest * 1.08))

    def x(tokens: float) -> float:
        return _LEFT + (_RIGHT - _LEFT) * min(tokens, reach) / reach

    def y(recall: float) -> float:
        return _BOTTOM - (_BOTTOM - _TOP) * recall / top

    parts = []
    for value in ticks(0.0, top, 5):
        parts += [
            line(_LEFT, y(value), _RIGHT, y(value), "grid"),
            text(_LEFT - 8, y(value) + 4, f"{value:.1f}", anchor="end"),
        ]
    for value in ticks(0.0, reach, 5):
        parts.append(text(x(value), _BOTTOM + 18, figures.count(value), anchor="middle"))
    parts.append(text((_LEFT + _RIGHT) / 2, _BOTTOM + 40, "tokens read per query, mean", anchor="middle"))
    parts.append(text(_LEFT - 8, _TOP - 8, "recall", anchor="end"))
    for budget in budgets:
        if budget <= reach:
            parts += [
                line(x(budget), _TOP, x(budget), _BOTTOM, "limit"),
                text(x(budget) + 5, _BOTTOM - 8, f"budget {figures.count(budget)}"),
            ]
    for side, curve in curves.items():
        parts += _curve([point for point in curve if point.tokens <= reach * 1.001], side, x, y)
    said = "; ".join(f"{side}: recall {curve[-1].recall:.2f} after all" for side, curve in curves.items())
    return drawing(_WIDTH, _HEIGHT, f"recall against tokens read. {said}", *parts)


def _curve(points: Sequence[Point], side: str, x: _Scale, y: _Scale) -> list[Markup]:
    path = "M" + "L".join(f"{x(point.tokens):.1f} {y(point.recall):.1f}" for point in points)
    parts = [tag("path", d=path, _class=f"curve {side}")]
    for point in points:
        named = point.rank in _NAMED
        read = figures.counted(point.rank, "chunk", "chunks")
        words = f"{side}, {read}: {figures.count(point.tokens)} tokens, recall {point.recall:.3f}"
        parts.append(
            tag(
                "circle",
                tag("title", words),
                cx=x(point.tokens),
                cy=y(point.recall),
                r=4.5 if named else 2.2,
                _class=f"point {side}",
            )
        )
        if named:
            below = side == "live"
            parts.append(
                text(
                    x(point.tokens),
                    y(point.recall) + (18 if below else -9),
                    f"{point.rank}",
                    anchor="middle",
                    kind=f"small {side}",
                )
            )
    return parts


def scores_drawing(run: Run) -> Markup | None:
    """For each side the scores of chunks with a part of an answer above the line, of all others below it."""
    found = {side: h for side in sides_of(run) if (h := score_histogram(run, side)) is not None}
    if not found:
        return None
    each = 150.0
    parts: list[Markup] = []
    for number, (side, histogram) in enumerate(found.items()):
        parts += _histogram(histogram, side, 8 + number * each)
    height = 8 + each * len(found) + 6
    return drawing(_WIDTH, height, "scores of chunks with an answer and of the others, by side", *parts)


def _histogram(histogram: Histogram, side: str, top: float) -> list[Markup]:
    left, right, middle, half = 8.0, 512.0, top + 72.0, 46.0
    width = (right - left) / len(histogram.answers)
    parts = [text(left, top + 14, side, kind="strong"), line(left, middle, right, middle, "axis")]
    total = {"answer": sum(histogram.answers), "other": sum(histogram.others)}
    for kind, bins, sign in (("answer", histogram.answers, -1), ("other", histogram.others, 1)):
        most = max(bins) or 1
        for place, count in enumerate(bins):
            if not count:
                continue
            size = max(1.0, half * count / most)
            low = histogram.low + (histogram.high - histogram.low) * place / len(bins)
            parts.append(
                tag(
                    "rect",
                    tag("title", f"{count} of {total[kind]} from score {low:.3g}"),
                    x=left + place * width + 0.75,
                    y=middle - size if sign < 0 else middle,
                    width=width - 1.5,
                    height=size,
                    _class=f"bar {kind}",
                )
            )
    parts += [
        text(right - 130, top + 14, f"with an answer {figures.count(total['answer'])}", anchor="end", kind="answer"),
        text(right, top + 14, f"others {figures.count(total['other'])}", anchor="end", kind="other"),
        text(left, top + 134, f"{histogram.low:.3g}"),
        text((left + right) / 2, top + 134, f"{(histogram.low + histogram.high) / 2:.3g}", anchor="middle"),
        text(right, top + 134, f"{histogram.high:.3g}", anchor="end"),
    ]
    return parts
