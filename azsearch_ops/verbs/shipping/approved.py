"""What was approved: a saved plan, and the evaluation of its candidate. A later step is held to exactly these."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.errors import PlanStaleError, UsageError
from azsearch_ops.planning.saved import SavedPlan
from azsearch_ops.releasing.state import IndexState
from azsearch_ops.verbs.evaluating.contest import Contest, states_of
from azsearch_ops.verbs.evaluating.evaluating import recorded_key
from azsearch_ops.verbs.session import Session
from azsearch_ops.verbs.shipping.planning import PlannedIndex, plan_one
from azsearch_ops.verbs.shipping.preparing import heed_saved, is_carried_out
from azsearch_ops.verbs.shipping.saved_plans import require_same_place

# What the ledger keeps of a run as it stands in the run's own record
SAME = ("key", "name", "alias", "candidate", "live", "at", "verdict", "reasons", "gate", "yardstick", "tainted")


def planned_as_saved(session: Session, index: IndexDefinition, saved: SavedPlan | None) -> PlannedIndex:
    """The plan as it is now; PlanStaleError (exit 4) naming what moved since `saved`.

    One that was carried out already is no error: the command was cut off and is run again.
    """
    planned = plan_one(session, index)
    if saved is not None:
        require_same_place(session, saved)
        wanted = saved.index(index.name)
        if not is_carried_out(session, planned, wanted):
            heed_saved(session, planned, wanted)
    return planned


def read_evaluation(path: Path) -> Mapping[str, Any]:
    """The record of a run, as `evaluate` wrote it; UsageError when the file is none."""
    try:
        content = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as failure:
        raise UsageError(f"the evaluation {path} cannot be read: {failure}") from failure
    if not isinstance(content, dict) or not {*SAME, "measured"} <= content.keys():
        raise UsageError(f"{path} is no record of an evaluation", hint="name .azsearch/runs/RUN/evaluation.json")
    return content


def heed_evaluation(session: Session, contest: Contest, approved: Mapping[str, Any]) -> None:
    """PlanStaleError (exit 4) unless `approved` is the evaluation of these two as they are now, and the last one."""
    if (approved["alias"], approved["candidate"]) != (contest.index.alias, contest.candidate):
        raise _stale(contest, f"it is of {approved['candidate']} for {approved['alias']}, not of {contest.candidate}")
    if approved["key"] != recorded_key(session, contest):
        raise _stale(contest, _moved(approved, *states_of(session, contest)))
    recorded = session.ledger.evaluation(str(approved["key"])) or {}
    if any(approved[member] != recorded.get(member) for member in SAME):
        at = recorded.get("at")
        raise _stale(contest, f"it was measured again at {at}" if at else "the ledger does not know it")


def _moved(approved: Mapping[str, Any], candidate: IndexState, live: IndexState | None) -> str:
    then = approved["measured"].get("states") or {}
    now = {"candidate": candidate.as_json(), "live": live.as_json() if live else None}
    moved = [f"the {side} {_difference(then.get(side), now[side])}" for side in now if then.get(side) != now[side]]
    return ", ".join(moved) or "the search requests, the query set, the gate or their base moved since"


def _difference(then: Mapping[str, Any] | None, now: Mapping[str, Any] | None) -> str:
    if then is None or now is None or then["name"] != now["name"]:
        return f"was {then['name'] if then else 'nothing'} and is {now['name'] if now else 'nothing'}"
    if then["documents"] != now["documents"]:
        return f"{now['name']} had {then['documents']} chunks and has {now['documents']}"
    return f"{now['name']} was written to since"


def _stale(contest: Contest, why: str) -> PlanStaleError:
    return PlanStaleError(
        f"the approved evaluation of '{contest.index.name}' is stale: {why}",
        hint="evaluate again, and have that approved. Nothing was changed",
    )
