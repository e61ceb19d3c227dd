"""Plans as Markdown: for the summary of a job and the comment on a pull request."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from azsearch_ops.reporting.estimates import estimate_lines
from azsearch_ops.reporting.figures import NONE
from azsearch_ops.reporting.markdown_text import cell, code, folded, table

if TYPE_CHECKING:
    from azsearch_ops.planning.plan import Change
    from azsearch_ops.verbs.shipping.planning import PlannedIndex

_TITLES: Final = {
    "create": "create",
    "rebuild": "rebuild",
    "in_place": "change in place",
    "settings": "settings only",
    "none": "no changes",
}


def plans_markdown(planned: Sequence[PlannedIndex]) -> str:
    """Each plan under a heading: what changes where and what it takes, what it costs, the steps folded away."""
    return "\n\n".join("\n".join(_one(plan)) for plan in planned) + "\n"


def _one(planned: PlannedIndex) -> list[str]:
    plan = planned.plan
    lines = [f"### {cell(plan.name)} → {code(plan.alias)}: {_TITLES[plan.action]}", "", f"{cell(plan.explanation)}."]
    if planned.source == "ledger":
        lines += ["", "Read from the ledger alone: drift was not checked, nor quotas."]
    if plan.changes:
        rows = [_row(change) for change in plan.changes]
        lines += ["", *table(("where", "setting", "from", "to", "means"), "lllll", rows)]
    if plan.breaking:
        rules = "; ".join(dict.fromkeys(change.rule for change in plan.breaking))
        lines += ["", f"⚠️ Breaking: {cell(rules, 600)}. Refused without `--accept-breaking --reason TEXT`."]
    if planned.estimate is not None:
        lines += ["", "<br>".join(cell(line) for line in estimate_lines(planned.estimate))]
    for problem in planned.problems:
        mark = "❌" if problem.severity == "error" else "⚠️"
        lines += ["", f"{mark} {cell(problem.message)}" + (f" ({cell(problem.hint)})" if problem.hint else "")]
    if plan.steps:
        steps = [f"1. {step.verb} {cell(step.kind)} {code(step.name)}: {cell(step.detail)}" for step in plan.steps]
        lines += ["", *folded("Steps", steps)]
    return lines


def _row(change: Change) -> tuple[str, ...]:
    where = f"{change.location.path}:{change.location.line}" if change.location else change.kind
    setting = change.pointer.strip("/") or change.name
    return (code(where), cell(setting), _value(change.before), _value(change.after), change.change_class)


def _value(value: object) -> str:
    if value is None:
        return NONE
    return cell(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True), 60)
