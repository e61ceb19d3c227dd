"""`status`, `history` and `settings`: what is live, how it came to be, and what applications should send."""

from __future__ import annotations

from typing import Any, Literal

from azsearch_ops.bodies.render import render
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.errors import NotFoundError, UsageError
from azsearch_ops.releasing.history import releases
from azsearch_ops.releasing.outcomes import IndexStatus, ReleaseRecord
from azsearch_ops.releasing.state import alias_target
from azsearch_ops.verbs.session import Session
from azsearch_ops.verbs.shipping.promoting import identity


def status_one(session: Session, index: IndexDefinition) -> IndexStatus:
    """What is live for an index definition and how its candidate stands; writes nothing."""
    bodies = render(session.project, index.name)
    live = alias_target(session.service, index.alias)
    current = session.ledger.current(index.alias)
    release = session.ledger.release(index.alias, int(current["release"])) if current else None
    held = identity(bodies) in session.ledger.holds(index.alias)
    notes = []
    if session.ledger.pending(index.alias) is not None:
        notes.append("a move was cut off; the next ship, promote or rollback settles it")
    if current and live != current["index"]:
        notes.append(f"the alias was moved behind the ledger's back: it says {current['index']}")
    return IndexStatus(
        name=index.name,
        alias=index.alias,
        live=live,
        digest=str(current["rebuild_digest"]) if current and live == current["index"] else None,
        release=int(current["release"]) if current else None,
        promoted_at=str(release["at"]) if release else None,
        documents=session.service.count(live) if live else None,
        indexer=_indexer(session, live) if live else None,
        candidate=bodies.candidate,
        candidate_state=_candidate_state(session, bodies.candidate, live, held),
        note="; ".join(notes),
    )


def history_of(session: Session, index: IndexDefinition) -> tuple[ReleaseRecord, ...]:
    """The releases of an index definition, newest first."""
    return tuple(releases(session.ledger, index.alias))


def settings_of(session: Session, index: IndexDefinition) -> dict[str, Any]:
    """The released search request for applications; UsageError before the first release."""
    current = session.ledger.current(index.alias)
    if current is None:
        raise UsageError(f"'{index.alias}' has no release yet", hint=f"azsearch-ops ship {index.name}")
    return current


def _indexer(session: Session, live: str) -> str | None:
    try:
        last = session.service.indexer_status(live).get("lastResult") or {}
    except NotFoundError:
        return None
    return str(last.get("status") or "never ran")


def _candidate_state(
    session: Session, candidate: str, live: str | None, held: bool
) -> Literal["live", "absent", "built", "held"]:
    if candidate == live:
        return "live"
    if held:
        return "held"
    return "built" if session.service.find("index", candidate) is not None else "absent"
