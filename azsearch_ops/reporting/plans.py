"""A plan as text: what would change, where it is said, and what it takes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from azsearch_ops.reporting.columns import aligned
from azsearch_ops.reporting.estimates import estimate_lines
from azsearch_ops.reporting.figures import NONE
from azsearch_ops.reporting.style import Role, Style, fit

if TYPE_CHECKING:
    from azsearch_ops.planning.plan import Change, Plan
    from azsearch_ops.verbs.shipping.planning import PlannedIndex

_TITLES = {
    "create": "CREATE",
    "rebuild": "REBUILD",
    "in_place": "IN PLACE",
    "settings": "SETTINGS ONLY",
    "none": "no changes",
}
_ROLES: dict[str, Role] = {
    "rebuild": "doubt",
    "breaking": "bad",
    "forbidden": "bad",
    "irreversible": "bad",
    "in place": "good",
    "settings only": "good",
}
_WHOLE = {"skills": "skills", "mappings": "projection"}
_TELLING = ("type", "@odata.type", "kind", "source", "algorithm")
"""What tells best, in a line, which object was added or taken out."""


def render_plan(plan: Plan, style: Style) -> str:
    """The action, one line a change (file and line, setting, before → after, class), the rules, what will happen."""
    lines = [f"{plan.name} → {plan.alias}", f"plan      {style.paint(_TITLES[plan.action], 'strong')}"]
    room = max(12, (style.width - 60) // 2)
    rows = [(_where(c), _setting(c), f"{_short(c.before, room)} → {_short(c.after, room)}") for c in plan.changes]
    drawn = aligned([(*row, c.change_class) for row, c in zip(rows, plan.changes, strict=True)], "llll")
    for change, line in zip(plan.changes, drawn, strict=True):
        kept = line.removesuffix(change.change_class)
        lines.append(f"{kept}{style.paint(change.change_class, _ROLES[change.change_class])}")
    for change_class, rule in dict.fromkeys((c.change_class, c.rule) for c in plan.changes):
        lines.append(style.paint(f"  {change_class}: {rule}", "quiet"))
    if plan.breaking:
        lines.append(style.paint("  ship refuses what is breaking without --accept-breaking --reason TEXT", "bad"))
    lines.append(f"  {plan.explanation}")
    return "\n".join(lines)


def render_planned(planned: PlannedIndex, style: Style) -> str:
    """The plan, what its candidate takes, and what does not fit."""
    lines = [render_plan(planned.plan, style)]
    if planned.source == "ledger":
        lines.append(style.paint("  read from the ledger alone: drift and quotas are not checked", "quiet"))
    elif planned.live is not None and planned.live.adopted:
        told = f"  no release yet: ship makes {planned.live.index_name}, as it is, release 1 of {planned.plan.alias}"
        lines.append(told)
    if planned.estimate is not None:
        lines += [f"  {line}" for line in estimate_lines(planned.estimate)]
    for problem in planned.problems:
        mark = style.paint("✗", "bad") if problem.severity == "error" else style.paint("!", "doubt")
        lines.append(f"  {mark} {problem.message}" + (f" ({problem.hint})" if problem.hint else ""))
    return "\n".join(lines)


def _where(change: Change) -> str:
    return f"{change.location.path}:{change.location.line}" if change.location else change.kind


def _setting(change: Change) -> str:
    """The setting's own name; of an index, which repeats names in every field, and of a whole skill the way to it."""
    steps = change.pointer.strip("/").split("/")
    if change.kind == "skillset" and len(steps) > 1 and steps[-2] in _WHOLE:
        return f"{_WHOLE[steps[-2]]}/{change.name}"
    return change.pointer.strip("/") or change.name if change.kind == "index" else change.name


def _short(value: object, room: int) -> str:
    if value is None:
        return NONE
    if isinstance(value, Mapping):
        value = next((value[name] for name in _TELLING if isinstance(value.get(name), str)), value)
    if isinstance(value, str):
        return fit(value.removeprefix("#Microsoft.Skills."), room)
    return fit(json.dumps(value, ensure_ascii=False, sort_keys=True), room)
