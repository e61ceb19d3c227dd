"""What was pruned, or would be, as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from azsearch_ops.reporting.columns import aligned
from azsearch_ops.reporting.style import Style

if TYPE_CHECKING:
    from azsearch_ops.verbs.shipping.pruning import PruneOutcome


def render_prune(outcomes: Sequence[PruneOutcome], style: Style) -> str:
    """One line an object with what becomes of it and why; at the end how to do it, where nothing was deleted."""
    lines: list[str] = []
    for outcome in outcomes:
        lines.append(f"{outcome.name} → {outcome.alias}")
        lines += aligned([(entry.done, entry.kind, entry.name, entry.why) for entry in outcome.pruned], "llll")
        if not outcome.pruned:
            lines.append("  nothing of it is on the service")
        lines += [f"  note: {note}" for note in outcome.notes]
    waiting = [e for o in outcomes if not o.deleted for e in o.pruned if e.done.startswith("would")]
    if waiting:
        lines.append(style.paint("nothing was changed: prune --yes carries it out", "quiet"))
    return "\n".join(lines)
