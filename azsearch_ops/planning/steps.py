"""The ordered steps of a plan, and a sentence that tells them."""

from __future__ import annotations

from typing import Final

from azsearch_ops.bodies.render import Bodies
from azsearch_ops.planning.implied import implied
from azsearch_ops.planning.plan import Action, Change, Step, Write
from azsearch_ops.planning.rankings import is_default, moves_ranking

_TOLD: Final = {
    "create": "nothing is live under {alias}: {candidate} is built, checked, and the alias made",
    "rebuild": "{candidate} is built beside {live}, which keeps answering; the alias moves only when the gate passes",
    "settings": "no index is built: {live} is evaluated under the released and the new search request",
    "in_place": "{live} is changed in place; nothing is built and no ranking moves",
    "none": "{live} is what the definitions say",
}


def plan_steps(
    action: Action, bodies: Bodies, live: str | None, writes: tuple[Write, ...], changes: tuple[Change, ...]
) -> tuple[Step, ...]:
    """What releasing will do, in order; empty when there is nothing to do."""
    if action == "none":
        return ()
    steps = [Step("update", write.kind, str(write.body.get("name")), "in place, read back") for write in writes]
    if action in ("create", "rebuild"):
        steps += [
            Step("create", "dataSource", bodies.data_source_name, "unless an equal one is there"),
            Step("create", "index", bodies.candidate, "read back"),
            Step("create", "skillset", bodies.candidate, "read back"),
            Step("create", "indexer", bodies.candidate, "without a schedule; creating it runs it"),
            Step("fill", "index", bodies.candidate, "until a run finds nothing new"),
            Step("check", "index", bodies.candidate, "every document has a chunk or is accepted by name"),
        ]
    if action != "in_place":
        against = f"against {live}" if live else "against the floors only"
        steps.append(Step("evaluate", "index", bodies.candidate if action != "settings" else str(live), against))
        steps.append(Step("gate", "index", bodies.name, "pass, fail or undecided"))
    if action == "settings" and any(is_default(change) for change in changes):
        steps.append(Step("update", "index", str(live), "its defaults, once the gate has passed"))
    if action in ("create", "rebuild"):
        steps.append(Step("move", "alias", bodies.alias, f"to {bodies.candidate}, read back and queried"))
        if bodies.schedule is not None:
            steps.append(Step("schedule", "indexer", bodies.candidate, str(bodies.schedule.get("interval", ""))))
    steps.append(Step("record", "ledger", bodies.alias, "release and search request"))
    return tuple(steps)


def explain_plan(action: Action, bodies: Bodies, live: str | None, changes: tuple[Change, ...]) -> str:
    """One or two sentences: what will happen, and which changes decide it."""
    told = _TOLD[action].format(alias=bodies.alias, candidate=bodies.candidate, live=live)
    if action == "rebuild":
        builds = [change for change in changes if change.change_class in ("rebuild", "breaking")]
        deciding = sorted({c.name for c in builds if not moves_ranking(c) and not implied(c, changes)})
        shown = ", ".join(deciding[:5]) + (", …" if len(deciding) > 5 else "")
        told = f"{told}. Rebuilt because of: {shown}"
    irreversible = sorted(change.name for change in changes if change.change_class == "irreversible")
    if irreversible and action != "rebuild":
        told = f"{told}. Cannot be undone: {', '.join(irreversible)}"
    return told
