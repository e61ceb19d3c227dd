"""`ship`: plan, build a candidate beside live, evaluate both, and move the alias only when the gate passes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.gate.outcome import EvaluationOutcome
from azsearch_ops.planning.plan import Plan
from azsearch_ops.planning.saved import SavedIndex
from azsearch_ops.releasing.candidate import ensure_object
from azsearch_ops.releasing.outcomes import Progress, Report, ShipOutcome
from azsearch_ops.releasing.part_retention import record_parts
from azsearch_ops.verbs.checking import check_texts
from azsearch_ops.verbs.evaluating.contest import Contest
from azsearch_ops.verbs.evaluating.evaluating import run_evaluation
from azsearch_ops.verbs.evaluating.yardstick import Ruling
from azsearch_ops.verbs.importing.adopting import adopt_live
from azsearch_ops.verbs.session import Session
from azsearch_ops.verbs.shipping.breaking import accepted_breaking, heed_breaking
from azsearch_ops.verbs.shipping.building import run_build
from azsearch_ops.verbs.shipping.planning import plan_one
from azsearch_ops.verbs.shipping.preparing import (
    heed_hold,
    heed_saved,
    is_carried_out,
    is_unrecorded,
    require_buildable,
    require_room,
)
from azsearch_ops.verbs.shipping.promoting import run_promotion, write_in_place

GATE_NOT_PASSED = 3


@dataclass(frozen=True, slots=True)
class Talk:
    """How a long command is followed: `report` for progress, `show` for results as they come, `confirm` to ask."""

    report: Report
    show: Callable[[object], None]
    confirm: Callable[[str], bool]


def ship_one(
    session: Session,
    index: IndexDefinition,
    talk: Talk,
    *,
    lift_hold: str | None = None,
    accept_breaking: str | None = None,
    ruling: Ruling | None = None,
    saved: SavedIndex | None = None,
) -> ShipOutcome:
    """Ship one index definition; everything before the move can be killed and run again.

    HeldReleaseError (exit 3) when the definition is that of a release that was rolled back, BreakingError (exit 3) for
    breaking changes without a reason to accept them. With a `saved` plan, PlanStaleError (exit 4) when anything moved
    since. OverLimitError when there is no room, before anything is built.
    """
    started = session.clock.monotonic()
    outcome = _ship(session, index, talk, lift_hold, accept_breaking, ruling or Ruling(), saved)
    return replace(outcome, seconds=session.clock.monotonic() - started)


def _ship(
    session: Session,
    index: IndexDefinition,
    talk: Talk,
    lift_hold: str | None,
    accept_breaking: str | None,
    ruling: Ruling,
    saved: SavedIndex | None,
) -> ShipOutcome:
    notes = [note for note in (session.settle(index.alias),) if note]
    planned = plan_one(session, index)
    plan, live, bodies = planned.plan, planned.live, planned.bodies
    talk.show(planned)
    outcome = ShipOutcome(index.name, index.alias, plan, live.index_name if live else None, bodies.candidate)
    outcome = replace(outcome, notes=tuple(notes))
    if saved is not None and not is_carried_out(session, planned, saved):
        heed_saved(session, planned, saved)
    unrecorded = is_unrecorded(session, index, bodies, live)
    if not planned.changed and live is not None and not live.adopted and not unrecorded:
        return replace(outcome, unchanged=True, candidate=live.index_name)
    outcome = replace(outcome, notes=(*notes, *heed_hold(session, index, bodies, lift_hold)))
    heed_breaking(plan, accept_breaking, saved)
    require_buildable(session, planned)
    require_room(planned)
    if not _permitted(session, talk, saved):
        return replace(outcome, why_not="not confirmed", exit_code=1)
    if live is not None and live.adopted:
        adopted = adopt_live(session, index, bodies, live, talk.report, unchanged=not planned.changed)
        talk.show(adopted)
        if not planned.changed:
            return replace(outcome, candidate=live.index_name, promotion=adopted)
    check_texts(session.project, index)
    if plan.action in ("create", "rebuild"):
        outcome = replace(outcome, build=run_build(session, index, bodies, talk.report))
        talk.show(outcome.build)
    elif live is not None:
        outcome = replace(outcome, candidate=live.index_name)
        apply_in_place(session, plan, talk.report)
    contest = Contest(
        index,
        bodies,
        outcome.candidate,
        live,
        plan.changes,
        ruling.checked(),
        plan_identity=saved.identity if saved else None,
        breaking=accepted_breaking(plan, accept_breaking, saved),
    )
    if plan.action in ("in_place", "none"):
        outcome = replace(outcome, promotion=write_in_place(session, contest, talk.report))
    else:
        evaluation = run_evaluation(session, contest, talk.report)
        talk.show(evaluation)
        outcome = replace(outcome, evaluation=evaluation, why_not=_why_not(evaluation))
        if outcome.why_not:
            return replace(outcome, exit_code=GATE_NOT_PASSED)
        outcome = replace(outcome, promotion=run_promotion(session, contest, talk.report))
    talk.show(outcome.promotion)
    return outcome


def _permitted(session: Session, talk: Talk, saved: SavedIndex | None) -> bool:
    """Whether a protected environment may be written to: a saved plan is a permission for just that plan."""
    environment = session.project.environment
    return not environment.protected or saved is not None or talk.confirm(f"{environment.name} is protected.")


def _why_not(evaluation: EvaluationOutcome) -> str:
    if evaluation.tainted:
        return f"{evaluation.tainted}; run the command again"
    if evaluation.verdict.outcome != "pass":
        return f"gate {evaluation.verdict.outcome}: {'; '.join(evaluation.verdict.reasons)}"
    return ""


def apply_in_place(session: Session, plan: Plan, report: Report) -> None:
    """Bring live in line where Azure allows it in place and no ranking can move."""
    for write in plan.writes:
        if write.kind == "index":
            there = session.service.get("index", str(write.body["name"]))
            record_parts(session.ledger, plan.alias, there, write.body, session.clock.stamp())
        if write.kind != "search" and ensure_object(session.service, write.kind, write.body).created:
            report(Progress("promote", f"{write.kind} of {plan.live} updated in place and read back", finished=True))
