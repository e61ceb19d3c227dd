"""Promote what passed: check the record, take the lease, move the alias, write the release."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from azsearch_ops.bodies.render import Bodies
from azsearch_ops.errors import GateNotPassedError, UsageError
from azsearch_ops.releasing.ledger import digest_of
from azsearch_ops.releasing.outcomes import PromoteOutcome, Report
from azsearch_ops.releasing.promotion import Move, promote
from azsearch_ops.verbs.evaluating import Contest, recorded_key
from azsearch_ops.verbs.session import Session


def identity(bodies: Bodies) -> str:
    """What a hold is about: index content and settings, in whatever environment."""
    return digest_of([bodies.rebuild_digest, bodies.settings_digest])


def run_promotion(
    session: Session, contest: Contest, report: Report, *, accept_undecided: str | None = None
) -> PromoteOutcome:
    """Move the alias to the candidate. GateNotPassedError without a passing evaluation of exactly these two.

    `accept_undecided` is the reason for promoting what the gate could not decide; it stands in the ledger.
    """
    with session.lease(contest.index.alias):
        key = recorded_key(session, contest)
        record = session.ledger.evaluation(key)
        verdict = _permission(contest, record, accept_undecided)
        release = _release(session, contest, key, record or {}, verdict, accept_undecided)
        move = Move(
            alias=contest.index.alias,
            target=contest.candidate,
            evaluated_live=contest.live.index_name if contest.live else None,
            record=release,
            schedule=contest.bodies.schedule,
        )
        return promote(session.service, session.ledger, move, session.clock, report, propagation=session.propagation)


def write_in_place(session: Session, contest: Contest, report: Report) -> PromoteOutcome:
    """A release for a change that was made in place and cannot move a ranking: no evaluation is asked for."""
    with session.lease(contest.index.alias):
        move = Move(
            alias=contest.index.alias,
            target=contest.candidate,
            evaluated_live=contest.candidate,
            record=_release(session, contest, None, {}, None, None),
            schedule=contest.bodies.schedule,
        )
        return promote(session.service, session.ledger, move, session.clock, report, propagation=session.propagation)


def _permission(contest: Contest, record: Mapping[str, Any] | None, accept_undecided: str | None) -> str:
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
    verdict = str(record["verdict"])
    if verdict == "pass":
        return verdict
    if verdict == "undecided" and accept_undecided is not None:
        if not accept_undecided.strip():
            raise UsageError("--accept-undecided needs a reason", hint="add --reason TEXT")
        return verdict
    raise GateNotPassedError(
        f"the gate said {verdict}: {'; '.join(record['reasons'])}",
        hint="look at the changed queries, then promote --accept-undecided --reason TEXT"
        if verdict == "undecided"
        else "live is untouched; change the definition and ship again",
    )


def _release(
    session: Session,
    contest: Contest,
    key: str | None,
    record: Mapping[str, Any],
    verdict: str | None,
    reason: str | None,
) -> dict[str, Any]:
    bodies, author = contest.bodies, session.author(reason)
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
        "bodies": {
            "index": bodies.index,
            "skillset": bodies.skillset,
            "data_source": bodies.data_source,
            "indexer": bodies.indexer,
            "schedule": bodies.schedule,
        },
        "evaluation": key,
        "verdict": verdict,
        "metrics": (record.get("summary") or {}).get("metrics"),
        "by": author.by,
        "commit": author.commit,
        "reason": author.reason,
        "previous_release": number,
    }
