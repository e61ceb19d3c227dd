"""The commands that write, each as one function over an open session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from azsearch_ops.bodies.render import render
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.errors import HeldReleaseError, UsageError
from azsearch_ops.gate.outcome import EvaluationOutcome
from azsearch_ops.planning.live import LiveState
from azsearch_ops.planning.plan import Plan
from azsearch_ops.planning.saved import SavedPlan
from azsearch_ops.releasing.outcomes import BuildOutcome, PromoteOutcome, RollbackOutcome
from azsearch_ops.releasing.promotion import already_live
from azsearch_ops.releasing.rollback import roll_back
from azsearch_ops.releasing.state import read_live
from azsearch_ops.verbs.checking import check_texts
from azsearch_ops.verbs.evaluating.contest import Contest, require_named
from azsearch_ops.verbs.evaluating.evaluating import run_evaluation
from azsearch_ops.verbs.evaluating.yardstick import Ruling
from azsearch_ops.verbs.importing.adopting import adopt_live
from azsearch_ops.verbs.session import Session, chosen_indexes
from azsearch_ops.verbs.shipping.approved import heed_evaluation, planned_as_saved
from azsearch_ops.verbs.shipping.breaking import accepted_breaking, heed_breaking
from azsearch_ops.verbs.shipping.building import as_it_serves, begin_build, run_build
from azsearch_ops.verbs.shipping.claiming import Claim, claim_candidate
from azsearch_ops.verbs.shipping.planning import PlannedIndex, bodies_and_live, plan_for
from azsearch_ops.verbs.shipping.preparing import (
    heed_hold,
    is_unrecorded,
    require_permission,
    require_room,
    sound_index,
)
from azsearch_ops.verbs.shipping.promoting import identity, require_pass, run_promotion, write_in_place
from azsearch_ops.verbs.shipping.shipping import Talk, apply_in_place


def build_one(
    session: Session,
    name: str,
    talk: Talk,
    claim: Claim | None = None,
    saved: SavedPlan | None = None,
    lift_hold: str | None = None,
    accept_breaking: str | None = None,
    *,
    to_ship: bool = True,
) -> BuildOutcome:
    """Build the candidate of an index definition, and claim it where that is asked for.

    With a `saved` plan, PlanStaleError (exit 4) when anything moved since, and HeldReleaseError (exit 3) for what was
    rolled back, unless the hold is lifted: a plan is carried out to be promoted. BreakingError (exit 3) for breaking
    changes that nobody accepts, unless the candidate is only looked at: it is not `to_ship`.
    """
    index = sound_index(session, name)
    planned = _to_build(session, index, talk, claim, saved, lift_hold, accept_breaking, to_ship=to_ship)
    served = _served(planned)
    if served is not None and served != planned.bodies.candidate:
        built = as_it_serves(session, index, served)
    else:
        built = run_build(session, index, planned.bodies, talk.report, write=served is None)
    talk.show(built)
    return built


def begin_one(
    session: Session,
    name: str,
    talk: Talk,
    claim: Claim | None = None,
    saved: SavedPlan | None = None,
    lift_hold: str | None = None,
    accept_breaking: str | None = None,
) -> tuple[str, bool]:
    """Start the build of an index definition and wait for nothing: the candidate's name, and whether it is filled.

    It is not where there is nothing to build, since what serves is measured as it is. Errors are those of `build_one`.
    """
    index = sound_index(session, name)
    planned = _to_build(session, index, talk, claim, saved, lift_hold, accept_breaking, to_ship=True)
    served = _served(planned)
    if served is None:
        begin_build(session, index, planned.bodies, talk.report)
    return served or planned.bodies.candidate, served is None


def _to_build(
    session: Session,
    index: IndexDefinition,
    talk: Talk,
    claim: Claim | None,
    saved: SavedPlan | None,
    lift_hold: str | None,
    accept_breaking: str | None,
    *,
    to_ship: bool,
) -> PlannedIndex:
    """What is to be built. A change in place is written to live, which is what `promote` does, and `build` does not."""
    require_permission(session, talk.confirm, saved)
    check_texts(session.project, index)
    planned = planned_as_saved(session, index, saved)
    if saved is not None or lift_hold is not None:
        heed_hold(session, index, planned.bodies, lift_hold)
    if to_ship:
        heed_breaking(planned.plan, accept_breaking, saved.index(index.name) if saved is not None else None)
    require_room(planned)
    if claim is not None:
        claim_candidate(session, index, claim)
    if planned.plan.action == "settings":  # Before settings are measured on live it gets what their request names
        if any(write.kind != "search" for write in planned.plan.writes):
            _require_adopted(planned.live, index.name)
        if planned.plan.breaking and saved is None:  # Once it is on live, only the saved plan tells `promote` of it
            raise UsageError(
                f"'{index.name}' has breaking changes that are made on live itself",
                hint=f"azsearch-ops ship {index.name}, or build with --plan FILE",
            )
        apply_in_place(session, planned.plan, talk.report)
    return planned


def _require_adopted(live: LiveState | None, name: str) -> None:
    """UsageError where the live index is still to be adopted, which takes it as it is: nothing is written to it yet."""
    if live is not None and live.adopted:
        raise UsageError(
            f"'{live.index_name}' is to be adopted first, so that there is a release to go back to",
            hint=f"ship the definitions as `import` wrote them, or all at once: azsearch-ops ship {name}",
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
    check_texts(session.project, index)
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
    accept_breaking: str | None = None,
) -> PromoteOutcome:
    """Move the alias to what was evaluated.

    PlanStaleError (exit 4) unless all is as in the `saved` plan, and the evaluation is the `approved` record;
    BreakingError (exit 3) for breaking changes without a reason to accept them.
    """
    index = sound_index(session, name)
    session.settle(index.alias)
    require_permission(session, talk.confirm, saved)
    if saved is not None:
        planned_as_saved(session, index, saved)
    contest, plan = _contest(session, index, ruling, saved)
    hold = session.ledger.holds(index.alias).get(identity(contest.bodies))
    if hold is not None:
        raise HeldReleaseError(
            f"release {hold['release']} was rolled back and is held: {hold['reason']}",
            hint=f"azsearch-ops ship {name} --lift-hold --reason TEXT",
        )
    moved = _already_promoted(session, contest)
    if moved is None:
        planned = saved.index(name) if saved is not None else None
        heed_breaking(plan, accept_breaking, planned)
        contest = replace(contest, breaking=accepted_breaking(plan, accept_breaking, planned))
    if moved is None and approved is not None:
        heed_evaluation(session, contest, approved)
    if moved is None and contest.live is not None and contest.live.adopted:
        moved = _adopted(session, contest, contest.live, plan, talk, accept_undecided)
    if moved is None and plan.action == "in_place":
        apply_in_place(session, plan, talk.report)
        moved = write_in_place(session, contest, talk.report)
    if moved is None:
        moved = run_promotion(session, contest, talk.report, accept_undecided=accept_undecided)
    talk.show(moved)
    return moved


def _adopted(
    session: Session, contest: Contest, live: LiveState, plan: Plan, talk: Talk, accept_undecided: str | None
) -> PromoteOutcome | None:
    """Make what served before any release the first one, to go back to; all that there is to do without a change."""
    unchanged = plan.action == "none"
    if not unchanged and plan.action != "in_place":
        require_pass(session, contest, accept_undecided)
    adopted = adopt_live(
        session,
        contest.index,
        contest.bodies,
        live,
        talk.report,
        unchanged=unchanged,
        plan_identity=contest.plan_identity if unchanged else None,
    )
    if unchanged:
        return adopted
    talk.show(adopted)
    return None


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
