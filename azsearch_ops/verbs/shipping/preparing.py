"""What `ship` settles before it builds: the saved plan, holds, room, permission, and releases that were cut off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from azsearch_ops.bodies.render import Bodies
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.errors import (
    ConflictError,
    DefinitionError,
    HeldReleaseError,
    OverLimitError,
    UsageError,
)
from azsearch_ops.planning.live import LiveState
from azsearch_ops.planning.saved import SavedIndex, SavedPlan, require_unmoved
from azsearch_ops.rules.check import check_project
from azsearch_ops.verbs.checking import require_sound
from azsearch_ops.verbs.session import Session, chosen_indexes
from azsearch_ops.verbs.shipping.ledger_view import live_from_ledger
from azsearch_ops.verbs.shipping.planning import PlannedIndex, plan_for
from azsearch_ops.verbs.shipping.promoting import identity
from azsearch_ops.verbs.shipping.saved_plans import saved_index

KEY_RULE: Final = "AZS214"


def sound_index(session: Session, name: str) -> IndexDefinition:
    """An index definition of a project without errors; UsageError where there is none of that name."""
    index = chosen_indexes(session.project, (name,))[0]
    require_sound(session.project)
    return index


def require_permission(session: Session, confirm: Callable[[str], bool], saved: SavedPlan | None = None) -> None:
    """UsageError where a protected environment is not to be written to; a saved plan permits just what it says."""
    environment = session.project.environment
    if environment.protected and saved is None and not confirm(f"{environment.name} is protected."):
        raise UsageError("not confirmed", hint="nothing was changed")


def is_carried_out(session: Session, planned: PlannedIndex, saved: SavedIndex) -> bool:
    """Whether the current release was made by exactly this saved plan: the command was cut off and is run again."""
    if planned.live is None or planned.live.release is None or planned.changed:
        return False
    record = session.ledger.release(planned.index.alias, planned.live.release) or {}
    return bool(record.get("plan") == saved.identity)


def heed_saved(session: Session, planned: PlannedIndex, saved: SavedIndex) -> None:
    """PlanStaleError (exit 4) when anything moved since the plan was saved."""
    require_unmoved(saved, saved_index(session, planned))


def require_room(planned: PlannedIndex) -> None:
    """OverLimitError with the numbers when the candidate does not fit into quotas or budget; nothing was built."""
    if not planned.fits:
        errors = tuple(p for p in planned.problems if p.severity == "error")
        raise OverLimitError(
            f"'{planned.index.name}' is not built: {errors[0].message}", problems=errors, hint=errors[0].hint
        )


def require_buildable(session: Session, planned: PlannedIndex) -> None:
    """DefinitionError where what is to be built could not be read: an adopted index may lack what a candidate needs."""
    if planned.index.adopt is None or planned.plan.action not in ("create", "rebuild"):
        return
    own = planned.index.locate("").path
    found = [p for p in check_project(session.project) if p.code == KEY_RULE and p.location and p.location.path == own]
    if found:
        raise DefinitionError(tuple(replace(problem, severity="error") for problem in found))


def heed_hold(session: Session, index: IndexDefinition, bodies: Bodies, lift_hold: str | None) -> list[str]:
    """Refuse a held release, or lift the hold for a reason; what was done, empty when there was no hold."""
    hold = session.ledger.holds(index.alias).get(identity(bodies))
    if hold is None:
        return []
    if lift_hold is None:
        raise HeldReleaseError(
            f"release {hold['release']} ({hold['index']}) was rolled back by {hold['by']} at {hold['at']}: "
            f"{hold['reason']}. The definition is still that of the held release",
            hint="change the definition, or lift the hold with: "
            f"azsearch-ops ship {index.name} --lift-hold --reason TEXT",
        )
    if not lift_hold.strip():
        raise UsageError("lifting a hold needs a reason", hint="add --reason TEXT")
    with session.lease(index.alias):  # Another pipeline may roll back meanwhile, and write a hold of its own
        holds = session.ledger.holds(index.alias)
        holds.pop(identity(bodies), None)
        lifted = {**hold, "lifted": lift_hold, "lifted_at": session.clock.stamp(), "lifted_by": session.author().by}
        session.ledger.write(f"lifted-{index.alias}-{identity(bodies)}", "lifted", index.alias, lifted)
        session.ledger.write_holds(index.alias, holds)
    return [f"the hold on release {hold['release']} was lifted: {lift_hold}"]


def is_unrecorded(session: Session, index: IndexDefinition, bodies: Bodies, wanted: LiveState | None) -> bool:
    """Whether live is as wanted, and the ledger's release is not: a change in place was cut off before its release."""
    live = live_from_ledger(session.ledger, index.alias)
    if wanted is None or wanted.adopted or live is None or live.index_name != wanted.index_name:
        return False
    try:
        return plan_for(session, index, bodies, live).action == "in_place"
    except (ConflictError, DefinitionError):  # More than a change in place: not what was cut off
        return False
