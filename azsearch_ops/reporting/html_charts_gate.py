"""Drawings of the gate: differences with their intervals on one scale, and every query by its difference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from markupsafe import Markup

from azsearch_ops.reporting import figures
from azsearch_ops.reporting.html_svg import drawing, line, tag, text, ticks

if TYPE_CHECKING:
    from azsearch_ops.evaluation.outcome import MetricResult
    from azsearch_ops.verbs.evaluating.run_files import Run

_WIDTH, _ROW = 380.0, 40.0


class Scale:
    """One horizontal scale for all differences of a run: zero, the limits and every interval are on it."""

    def __init__(self, metrics: Sequence[MetricResult], limits: Sequence[float]) -> None:
        values = [0.0, *(-limit for limit in limits)]
        for metric in metrics:
            values += [v for v in (metric.low, metric.high, metric.difference) if v is not None]
        room = max(0.02, max(values) - min(values))
        self.low, self.high = min(values) - 0.06 * room, max(values) + 0.06 * room

    def at(self, value: float) -> float:
        """The x of a difference."""
        return 8 + (value - self.low) / (self.high - self.low) * (_WIDTH - 16)


def interval_drawing(metric: MetricResult, scale: Scale, margin: float | None, max_drop: float | None) -> Markup:
    """One metric: its difference, its 95 % interval, and where margin and limit lie."""
    middle = _ROW / 2
    parts = []
    if margin is not None:
        left, right = scale.at(-margin), scale.at(0.0)
        parts.append(tag("rect", x=left, y=0, width=right - left, height=_ROW, _class="allowed"))
    if max_drop is not None:
        parts.append(line(scale.at(-max_drop), 0, scale.at(-max_drop), _ROW, "limit"))
    parts.append(line(scale.at(0.0), 0, scale.at(0.0), _ROW, "zero"))
    said = f"{metric.name}: difference {figures.signed(metric.difference)}"
    if metric.low is not None and metric.high is not None and metric.difference is not None:
        kind = "worse" if metric.high < 0 else "better" if metric.low > 0 else "even"
        parts.append(line(scale.at(metric.low), middle, scale.at(metric.high), middle, f"whisker {kind}"))
        for end in (metric.low, metric.high):
            parts.append(line(scale.at(end), middle - 5, scale.at(end), middle + 5, f"whisker {kind}"))
        parts.append(tag("circle", cx=scale.at(metric.difference), cy=middle, r=5.5, _class=f"dot {kind}"))
        said += f", 95 % interval {figures.interval(metric.low, metric.high)}"
    return drawing(_WIDTH, _ROW, said, *parts)


def axis_drawing(scale: Scale) -> Markup:
    """The scale below the rows."""
    parts = []
    for value in ticks(scale.low, scale.high, 6):
        x = scale.at(value)
        parts += [line(x, 0, x, 5, "axis"), text(x, 18, figures.signed(value).replace("+0.000", "0"), anchor="middle")]
    return drawing(_WIDTH, 24, "scale of the differences", *parts)


def differences_drawing(run: Run, metric: str) -> Markup | None:
    """Every query as a bar, from the greatest loss to the greatest gain; None where none differs."""
    pairs = sorted(
        (query.candidate.values[metric] - query.live.values[metric], query.id)
        for query in run.outcome.evaluation.queries
        if query.live is not None
    )
    if not pairs or all(abs(value) < 1e-9 for value, _ in pairs):
        return None
    width, height, left = 1080.0, 150.0, 44.0
    reach = max(abs(value) for value, _ in pairs)
    middle, half = height / 2, height / 2 - 10
    step = (width - left) / len(pairs)
    parts = [
        *(
            part
            for value in (-reach, 0.0, reach)
            for part in (
                line(left, middle - value / reach * half, width, middle - value / reach * half, "grid"),
                text(left - 6, middle - value / reach * half + 4, _short(value), anchor="end"),
            )
        )
    ]
    for number, (value, name) in enumerate(pairs):
        if abs(value) < 1e-9:
            continue
        size = abs(value) / reach * half
        parts.append(
            tag(
                "rect",
                tag("title", f"{name}: {figures.signed(value)}"),
                x=left + number * step,
                y=middle if value < 0 else middle - size,
                width=max(0.8, step - (0.6 if step > 2 else 0)),
                height=max(1.0, size),
                _class="bar worse" if value < 0 else "bar better",
                data_query=name,
            )
        )
    worse = sum(value < -1e-9 for value, _ in pairs)
    same = [number for number, (value, _) in enumerate(pairs) if abs(value) < 1e-9]
    if len(same) * step > 130:
        parts.append(
            text(left + (same[0] + len(same) / 2) * step, middle - 8, f"{len(same)} the same", anchor="middle")
        )
    better = sum(value > 1e-9 for value, _ in pairs)
    said = f"{metric} by query: {worse} worse, {len(pairs) - worse - better} unchanged, {better} better"
    return drawing(width, height, said, *parts)


def _short(value: float) -> str:
    return "0" if value == 0 else figures.signed(value)[:-1]
