"""The cells of one metric in the gate table, alike on a terminal and on the page."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from azsearch_ops.reporting import figures

if TYPE_CHECKING:
    from azsearch_ops.evaluation.outcome import MetricResult
    from azsearch_ops.gate.verdict import VerdictLine


class GateCells(NamedTuple):
    """What stands in the columns of the gate table, in their order."""

    name: str
    live: str
    candidate: str
    difference: str
    interval: str
    p: str
    limit: str
    outcome: str


def gate_cells(metric: MetricResult, line: VerdictLine) -> GateCells:
    """A metric that is only reported has neither p nor limit."""
    gated = line.outcome != "reported"
    return GateCells(
        metric.name,
        figures.value(metric.live),
        figures.value(metric.candidate),
        figures.signed(metric.difference),
        figures.interval(metric.low, metric.high),
        figures.probability(line.p) if gated else figures.NONE,
        line.limit if gated and line.limit else figures.NONE,
        line.outcome,
    )
