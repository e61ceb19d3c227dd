"""Promote what passed: check the record, take the lease, move the alias, write the release."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any, Final

from azsearch_ops.bodies.render import Bodies
from azsearch_ops.errors import GateNotPassedError, UsageError
from azsearch_ops.planning.naming import released_bodies
from azsearch_ops.releasing.lease import Hold
from azsearch_ops.releasing.ledger import digest_of
from azsearch_ops.releasing.outcomes import PromoteOutcome, Report
from azsearch_ops.releasing.promotion import Move, promote
from azsearch_ops.verbs.evaluating.contest import Contest
from azsearch_ops.verbs.evaluating.evaluating import recorded_key
from azsearch_ops.verbs.session import Session

USUAL_AGE: Final = timedelta(days=7)
PROTECTED_AGE: Final = timedelta(hours=24)


def identity(bodies: Bodies) -> str:
    """What a hold is about: index content and settings, in whatever environment."""
    return digest_of([bodies.rebuild_digest, bodies.settings_digest])


def run_promotion(
    session: Session, contest: Contest, report: Report, *, accept_undecided: str | None = None
) -> PromoteOutcome:
    """Move the alias to the candidate. GateNotPassedError without a passing evaluation of exactly these two.

    `accept_undecided` is the reason for promoting what the gate could not decide; it stands in the ledger.
    """
    with session.lease(contest.index.alias) as hold:
        key = recorded_key(session, contest)
        record = session.ledger.evaluation(key)
        verdict = _permission(session, contest, record, accept_undecided)
        release = _release(session, contest, key, record or {}, verdict, accept_undecided)
        move = Move(
            alias=contest.index.alias,
            target=contest.candidate,
            evaluated_live=contest.live.index_name if contest.live else None,
            record=release,
            schedule=contest.bodies.schedule,
            disabled=contest.bodies.disabled,
        )
        return carry_out_move(session, move, report, hold)


def require_pass(session: Session, contest: Contest, accept_undecided: str | None) -> None:
    """GateNotPassedError unless `run_promotion` would be let through, as far as can be told before the lease."""
    _permission(session, contest, session.ledger.evaluation(recorded_key(session, contest)), accept_undecided)


def carry_out_move(session: Session, move: Move, report: Report, hold: Hold) -> PromoteOutcome:
    """Move the alias under the lease that the caller holds; errors are those of `promote`."""
    return promote(
        session.service,
        session.ledger,
        move,
        session.clock,
        report,
        propagation=session.propagation,
        hold=hold,
    )


def _accepted_yardstick(contest: Contest, record: Mapping[str, Any]) -> dict[str, Any] | None:
    """What was changed about the yardstick, its base, and the reason for which that was accepted."""
    told = record.get("yardstick") or {}
    if not told.get("changed"):
        return None
    accepted = contest.ruling.accept or told.get("accepted")
    return {"base": told["base"], "changed": told["changed"], "accepted": accepted}


def write_in_place(session: Session, contest: Contest, report: Report) -> PromoteOutcome:
    """A release for a change that was made in place and cannot move a ranking: no evaluation is asked for."""
    with session.lease(contest.index.alias) as hold:
        move = Move(
            alias=contest.index.alias,
            target=contest.candidate,
            evaluated_live=contest.candidate,
            record=_release(session, contest, None, {}, None, None),
            schedule=contest.bodies.schedule,
            disabled=contest.bodies.disabled,
        )
        return carry_out_move(session, move, report, hold)


def _permission(
    session: Session, contest: Contest, record: Mapping[str, Any] | None, accept_undecided: str | None
) -> str:
    name, live = contest.index.name, contest.live.index_name if contest.live else "(nothing)"
    if record is None:
        raise GateNotPassedError(
            f"there is no evaluation of exactly '{contest.candidate}' against exactly '{live}' as they are now",
            hint=f"azsearch-ops evaluate {name}",
        )
    if record["tainted"]:
        raise GateNotPassedError(
            f"the evaluation cannot be used: {record['tainted']}", hint=f"azsearch-ops evaluate {name}"
        )
    _refuse_expired(session, contest, record)
    verdict, reasons = _verdict(contest, record)
    if verdict == "pass":
        return verdict
    if verdict == "undecided" and accept_undecided is not None:
        if not accept_undecided.strip():
            raise UsageError("--accept-undecided needs a reason", hint="add --reason TEXT")
        return verdict
    raise GateNotPassedError(
        f"the gate said {verdict}: {'; '.join(reasons)}",
        hint="look at the changed queries, then promote --accept-undecided --reason TEXT"
        if verdict == "undecided"
        else "live is untouched; change the definition and ship again",
    )


def _refuse_expired(session: Session, contest: Contest, record: Mapping[str, Any]) -> None:
    """Documents and the service go on changing: an evaluation counts for a while only."""
    rules, protected = contest.index.gate_rules, session.project.environment.protected
    longest = rules.max_age or (PROTECTED_AGE if protected else USUAL_AGE)
    age = session.clock.now() - datetime.fromisoformat(str(record["at"]).replace("Z", "+00:00"))
    if age > longest:
        raise GateNotPassedError(
            f"the evaluation of {record['at']} has expired: it counts for {duration_words(longest)}"
            + ("" if rules.max_age else " in a protected environment" if protected else "")
            + f" and is {duration_words(age)} old",
            hint=f"azsearch-ops evaluate {contest.index.name} (gate.max_age says how long one counts)",
        )


def _verdict(contest: Contest, record: Mapping[str, Any]) -> tuple[str, list[str]]:
    """The recorded verdict, or where the new yardstick is accepted now the one under that alone."""
    own = (record.get("yardstick") or {}).get("own")
    if contest.ruling.accept is not None and own is not None:
        return str(own["outcome"]), list(own["reasons"])
    return str(record["verdict"]), list(record["reasons"])


def duration_words(length: timedelta) -> str:
    """A duration for people, in its largest sensible unit."""
    seconds = length.total_seconds()
    for unit, size in (("days", 86_400), ("hours", 3_600), ("minutes", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds:.3g} seconds"


def _release(
    session: Session,
    contest: Contest,
    key: str | None,
    record: Mapping[str, Any],
    verdict: str | None,
    reason: str | None,
) -> dict[str, Any]:
    bodies, breaking = contest.bodies, contest.breaking
    author = session.author(reason or (str(breaking["reason"]) if breaking else None))
    current = session.ledger.current(contest.index.alias)
    previous = session.ledger.release(contest.index.alias, int(current["release"])) if current else None
    number = None
    if previous is not None:
        number = previous["effective"] if previous["kind"] == "rollback" else previous["release"]
    return {
        "name": contest.index.name,
        "kind": "promotion",
        "search": bodies.search,
        "rebuild_digest": bodies.rebuild_digest,
        "body_digest": bodies.body_digest,
        "identity": identity(bodies),
        "bodies": released_bodies(bodies, contest.live, contest.candidate),
        "owns_source": bodies.owns_source,
        "plan": contest.plan_identity,
        "evaluation": key,
        "verdict": verdict,
        "yardstick": _accepted_yardstick(contest, record),
        "accepted_breaking": breaking,
        "metrics": (record.get("summary") or {}).get("metrics"),
        "by": author.by,
        "commit": author.commit,
        "reason": author.reason,
        "previous_release": number,
    }
