"""What two builds of one definition came to, as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from azsearch_ops.reporting import figures
from azsearch_ops.reporting.columns import aligned
from azsearch_ops.reporting.style import Style

if TYPE_CHECKING:
    from azsearch_ops.verbs.evaluating.noise import NoiseOutcome


def render_noise(outcome: NoiseOutcome, style: Style) -> str:
    """How much changed by itself, and the drop that this could hide."""
    of = figures.queries_of(outcome.queries)
    head = f"noise     {outcome.changed} of {of} differ between two builds of the same definition"
    lines = [f"{head}   {figures.duration(outcome.seconds)}"]
    first, second = outcome.chunks
    if first != second:
        words = f"the builds differ: {first:,} and {second:,} chunks; a skill of chance, or a source that moved"
        lines.append(style.paint(f"          {words}", "doubt"))
    if outcome.probe:
        lines.append(style.paint(f"          {outcome.probe}", "doubt"))
    rows = [("metric", "diff", "deviation", "could go unseen")]
    rows += [
        (name, figures.signed(outcome.differences[name]), figures.value(deviation), figures.value(unseen))
        for name, deviation in outcome.deviations.items()
        for unseen in (outcome.unseen.get(name),)
    ]
    return "\n".join([*lines, *aligned(rows, "lrrr"), "          kept in the ledger; the gate takes it into account"])
