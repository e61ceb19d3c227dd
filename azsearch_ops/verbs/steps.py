"""The commands that write, each as one function over an open session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from azsearch_ops.bodies.render import render
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.errors import AzsearchOpsError, HeldReleaseError, PlanStaleError, UsageError
from azsearch_ops.gate.outcome import EvaluationOutcome
from azsearch_ops.planning.live import LiveState
from azsearch_ops.planning.plan import Plan
from azsearch_ops.planning.saved import SavedPlan
from azsearch_ops.releasing.outcomes import BuildOutcome, PromoteOutcome, RollbackOutcome, ShipOutcome
from azsearch_ops.releasing.promotion import already_live
from azsearch_ops.releasing.rollback import roll_back
from azsearch_ops.releasing.state import read_live
from azsearch_ops.verbs.approved import heed_evaluation, planned_as_saved
from azsearch_ops.verbs.building import as_it_serves, begin_build, run_build
from azsearch_ops.verbs.checking import check_texts, require_sound
from azsearch_ops.verbs.claiming import Claim, claim_candidate
from azsearch_ops.verbs.contest import Contest, require_named
from azsearch_ops.verbs.evaluating import run_evaluation
from azsearch_ops.verbs.planning import PlannedIndex, bodies_and_live, plan_for, plan_indexes
from azsearch_ops.verbs.preparing import is_unrecorded, require_permission, require_room, sound_index
from azsearch_ops.verbs.promoting import identity, run_promotion, write_in_place
from azsearch_ops.verbs.saved_plans import require_same_place
from azsearch_ops.verbs.session import Session, chosen_indexes
from azsearch_ops.verbs.shipping import Talk, apply_in_place, ship_one
from azsearch_ops.verbs.yardstick import Ruling


def ship_all(
    session: Session,
    names: tuple[str, ...],
    talk: Talk,
    *,
    lift_hold: str | None = None,
    ruling: Ruling | None = None,
    saved: SavedPlan | None = None,
    only_changed: bool = False,
) -> tuple[ShipOutcome, ...]:
    """Ship the named index definitions, or all; one that fails does not keep the others from being shipped.

    With one name its error is raised as it is; with several the most severe error is raised at the end. With a
    `saved` plan exactly what stands in it is shipped; `only_changed` leaves out what has nothing to do.
    """
    chosen = _to_ship(session, names, saved, only_changed)
    for warning in require_sound(session.project):
        talk.show(warning)
    outcomes: list[ShipOutcome] = []
    errors: list[AzsearchOpsError] = []
    for index in chosen:
        try:
            wanted = saved.index(index.name) if saved is not None else None
            outcomes.append(ship_one(session, index, talk, lift_hold=lift_hold, ruling=ruling, saved=wanted))
            talk.show(outcomes[-1])
        except AzsearchOpsError as error:
            if len(chosen) == 1:
                raise
            errors.append(error)
            talk.show(error)
    if errors:
        raise max(errors, key=lambda e: (1, 5, 4, 3)[::-1].index(e.exit_code) if e.exit_code in (1, 5, 4, 3) else -1)
    return tuple(outcomes)


def _to_ship(
    session: Session, names: tuple[str, ...], saved: SavedPlan | None, only_changed: bool
) -> tuple[IndexDefinition, ...]:
    if saved is not None:
        if names or only_changed:
            raise UsageError("--plan says what is shipped: leave out the names and --changed")
        require_same_place(session, saved)
        gone = [index.name for index in saved.indexes if index.name not in session.project.indexes]
        if gone:
            raise PlanStaleError(f"the saved plan is stale: there is no index definition {', '.join(gone)} any more")
        names = tuple(index.name for index in saved.indexes)
    chosen = chosen_indexes(session.project, names)
    if not only_changed:
        return chosen
    require_sound(session.project)
    return tuple(
        planned.index
        for planned in plan_indexes(session, chosen)
        if planned.changed
        or (planned.live is not None and planned.live.adopted)
        or session.ledger.pending(planned.index.alias) is not None
    )


def build_one(
    session: Session, name: str, talk: Talk, claim: Claim | None = None, saved: SavedPlan | None = None
) -> BuildOutcome:
    """Build the candidate of an index definition, and claim it where that is asked for.

    With a `saved` plan, PlanStaleError (exit 4) when anything moved since.
    """
    index, planned = _to_build(session, name, talk, claim, saved)
    served = _served(planned)
    if served is not None and served != planned.bodies.candidate:
        built = as_it_serves(session, index, served)
    else:
        built = run_build(session, index, planned.bodies, talk.report, write=served is None)
    talk.show(built)
    return built


def begin_one(
    session: Session, name: str, talk: Talk, claim: Claim | None = None, saved: SavedPlan | None = None
) -> str:
    """Start the build of an index definition and wait for nothing; the candidate's name."""
    index, planned = _to_build(session, name, talk, claim, saved)
    served = _served(planned)
    if served is None:
        begin_build(session, index, planned.bodies, talk.report)
    return served or planned.bodies.candidate


def _to_build(
    session: Session, name: str, talk: Talk, claim: Claim | None, saved: SavedPlan | None
) -> tuple[IndexDefinition, PlannedIndex]:
    """What is to be built. A change in place is written to live, which is what `promote` does, and `build` does not."""
    index = sound_index(session, name)
    require_permission(session, talk.confirm, saved)
    check_texts(session.project, index)
    planned = planned_as_saved(session, index, saved)
    require_room(planned)
    if claim is not None:
        claim_candidate(session, index, claim)
    if planned.plan.action == "settings":  # Before settings are measured on live it gets what their request names
        if any(write.kind != "search" for write in planned.plan.writes):
            _require_adopted(planned.live, name)
        apply_in_place(session, planned.plan, talk.report)
    return index, planned


def _require_adopted(live: LiveState | None, name: str) -> None:
    """UsageError where the live index is still to be adopted, which takes it as it is: nothing is written to it yet."""
    if live is not None and live.adopted:
        raise UsageError(
            f"'{live.index_name}' is to be adopted first, so that there is a release to go back to",
            hint=f"azsearch-ops ship {name}",
        )


def _served(planned: PlannedIndex) -> str | None:
    """The live index where there is nothing to build: settings are measured on it, and what changes in place is it.

    Without a change it is that too where it has another name than a candidate: it was adopted, or an earlier version
    of this tool named it.
    """
    live, action = planned.live, planned.plan.action
    if live is None or action in ("create", "rebuild"):
        return None
    return live.index_name if action != "none" or live.index_name != planned.bodies.candidate else None


def evaluate_one(
    session: Session, name: str, talk: Talk, ruling: Ruling | None = None, saved: SavedPlan | None = None
) -> EvaluationOutcome:
    """Measure the candidate, which must be built, against live; both as a `saved` plan has them, else exit 4."""
    index = sound_index(session, name)
    check_texts(session.project, index)
    if saved is not None:
        planned_as_saved(session, index, saved)
    contest = contest_for(session, index, ruling)
    require_named(contest, session.service.find("index", contest.candidate))
    outcome = run_evaluation(session, contest, talk.report)
    talk.show(outcome)
    return outcome


def evaluate_live_twice(session: Session, name: str, talk: Talk) -> EvaluationOutcome:
    """Live against itself under its own settings: anything but "0 queries changed" is the environment's doing."""
    index = sound_index(session, name)
    live = read_live(session.service, session.ledger, index.alias)
    if live is None:
        raise UsageError(f"'{index.alias}' has nothing live to compare with itself", hint=f"azsearch-ops ship {name}")
    bodies = render(session.project, name)
    contest = Contest(index, replace(bodies, search=live.search or bodies.search), live.index_name, live)
    outcome = run_evaluation(session, contest, talk.report, keep=False)
    talk.show(outcome)
    return outcome


def promote_one(
    session: Session,
    name: str,
    talk: Talk,
    *,
    accept_undecided: str | None,
    ruling: Ruling | None = None,
    saved: SavedPlan | None = None,
    approved: Mapping[str, Any] | None = None,
) -> PromoteOutcome:
    """Move the alias to what was evaluated.

    PlanStaleError (exit 4) unless all is as in the `saved` plan, and the evaluation is the `approved` record.
    """
    index = sound_index(session, name)
    session.settle(index.alias)
    require_permission(session, talk.confirm, saved)
    if saved is not None:
        planned_as_saved(session, index, saved)
    contest, plan = _contest(session, index, ruling, saved)
    _require_adopted(contest.live, name)
    hold = session.ledger.holds(index.alias).get(identity(contest.bodies))
    if hold is not None:
        raise HeldReleaseError(
            f"release {hold['release']} was rolled back and is held: {hold['reason']}",
            hint=f"azsearch-ops ship {name} --lift-hold --reason TEXT",
        )
    moved = _already_promoted(session, contest)
    if moved is None and approved is not None:
        heed_evaluation(session, contest, approved)
    if moved is None and plan.action == "in_place":
        apply_in_place(session, plan, talk.report)
        moved = write_in_place(session, contest, talk.report)
    if moved is None:
        moved = run_promotion(session, contest, talk.report, accept_undecided=accept_undecided)
    talk.show(moved)
    return moved


def _already_promoted(session: Session, contest: Contest) -> PromoteOutcome | None:
    """What stands where the live release is what would be promoted: a second one would only hide the way back."""
    live = contest.live
    if live is None or live.release is None or live.index_name != contest.candidate or contest.changes:
        return None
    if is_unrecorded(session, contest.index, contest.bodies, live):
        return None
    return already_live(contest.index.alias, live.index_name, live.release)


def roll_back_one(session: Session, name: str, talk: Talk, *, to: int | None, reason: str | None) -> RollbackOutcome:
    """Go back to an earlier release and hold the one that is left; the definitions need not be sound for it."""
    index = chosen_indexes(session.project, (name,))[0]
    session.settle(index.alias)
    require_permission(session, talk.confirm)
    with session.lease(index.alias) as hold:
        outcome = roll_back(
            session.service,
            session.ledger,
            index.alias,
            to,
            session.author(reason),
            session.clock,
            talk.report,
            propagation=session.propagation,
            hold=hold,
        )
    talk.show(outcome)
    return outcome


def contest_for(session: Session, index: IndexDefinition, ruling: Ruling | None = None) -> Contest:
    """Candidate and live as they are; where only settings differ the candidate is live itself."""
    return _contest(session, index, ruling, None)[0]


def _contest(
    session: Session, index: IndexDefinition, ruling: Ruling | None, saved: SavedPlan | None
) -> tuple[Contest, Plan]:
    bodies, live = bodies_and_live(session, index)
    plan = plan_for(session, index, bodies, live)
    rebuilt = live is None or plan.action in ("create", "rebuild")
    candidate = bodies.candidate if rebuilt or live is None else live.index_name
    identity_of_plan = saved.index(index.name).identity if saved is not None else None
    return Contest(
        index, bodies, candidate, live, plan.changes, ruling or Ruling(), plan_identity=identity_of_plan
    ), plan
