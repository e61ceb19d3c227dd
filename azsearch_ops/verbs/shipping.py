"""`ship`: plan, build a candidate beside live, evaluate both, and move the alias only when the gate passes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from azsearch_ops.bodies.render import Bodies, render
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.errors import HeldReleaseError, UsageError
from azsearch_ops.gate.outcome import EvaluationOutcome
from azsearch_ops.planning.plan import Plan
from azsearch_ops.releasing.candidate import ensure_object
from azsearch_ops.releasing.outcomes import Progress, Report, ShipOutcome
from azsearch_ops.releasing.state import read_live
from azsearch_ops.verbs.building import run_build
from azsearch_ops.verbs.checking import check_texts
from azsearch_ops.verbs.evaluating import Contest, run_evaluation
from azsearch_ops.verbs.planning import plan_for
from azsearch_ops.verbs.promoting import identity, run_promotion, write_in_place
from azsearch_ops.verbs.session import Session
from azsearch_ops.verbs.yardstick import Ruling

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
    ruling: Ruling | None = None,
) -> ShipOutcome:
    """Ship one index definition; everything before the move can be killed and run again.

    HeldReleaseError (exit 3) when the definition is that of a release that was rolled back.
    """
    started = session.clock.monotonic()
    outcome = _ship(session, index, talk, lift_hold, ruling or Ruling())
    return replace(outcome, seconds=session.clock.monotonic() - started)


def _ship(session: Session, index: IndexDefinition, talk: Talk, lift_hold: str | None, ruling: Ruling) -> ShipOutcome:
    notes = [note for note in (session.settle(index.alias),) if note]
    bodies = render(session.project, index.name)
    live = read_live(session.service, session.ledger, index.alias)
    plan = plan_for(session, index, bodies, live)
    talk.show(plan)
    outcome = ShipOutcome(index.name, index.alias, plan, live.index_name if live else None, bodies.candidate)
    if plan.action == "none" and live is not None:
        return replace(outcome, unchanged=True, candidate=live.index_name, notes=tuple(notes))
    notes += _heed_hold(session, index, bodies, lift_hold)
    outcome = replace(outcome, notes=tuple(notes))
    if session.project.environment.protected and not talk.confirm(f"{session.project.environment.name} is protected."):
        return replace(outcome, why_not="not confirmed", exit_code=1)
    check_texts(session.project, index)
    if plan.action in ("create", "rebuild"):
        outcome = replace(outcome, build=run_build(session, index, bodies, talk.report))
        talk.show(outcome.build)
    elif live is not None:
        outcome = replace(outcome, candidate=live.index_name)
        _apply_in_place(session, plan, talk.report)
    contest = Contest(index, bodies, outcome.candidate, live, plan.changes, ruling.checked())
    if plan.action == "in_place":
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


def _why_not(evaluation: EvaluationOutcome) -> str:
    if evaluation.tainted:
        return f"{evaluation.tainted}; run the command again"
    if evaluation.verdict.outcome != "pass":
        return f"gate {evaluation.verdict.outcome}: {'; '.join(evaluation.verdict.reasons)}"
    return ""


def _heed_hold(session: Session, index: IndexDefinition, bodies: Bodies, lift_hold: str | None) -> list[str]:
    """Refuse a held release, or lift the hold for a reason; what was done, empty when there was no hold."""
    holds = session.ledger.holds(index.alias)
    hold = holds.get(identity(bodies))
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
    del holds[identity(bodies)]
    session.ledger.write_holds(index.alias, holds)
    return [f"the hold on release {hold['release']} was lifted: {lift_hold}"]


def _apply_in_place(session: Session, plan: Plan, report: Report) -> None:
    """Bring live in line where Azure allows it in place and no ranking can move."""
    for write in plan.writes:
        if write.kind != "search" and ensure_object(session.service, write.kind, write.body).created:
            report(Progress("promote", f"{write.kind} of {plan.live} updated in place and read back", finished=True))
