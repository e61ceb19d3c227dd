"""Make an index that served before there was any release the first release, as it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from azsearch_ops.bodies.render import Bodies
from azsearch_ops.contract.objects import ANNOTATIONS
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.planning.live import LiveState
from azsearch_ops.planning.saved import live_digest
from azsearch_ops.releasing.ledger import digest_of
from azsearch_ops.releasing.outcomes import PromoteOutcome, Report
from azsearch_ops.releasing.promotion import Move
from azsearch_ops.releasing.state import alias_target
from azsearch_ops.verbs.session import Session
from azsearch_ops.verbs.shipping.promoting import carry_out_move, identity


def adopt_live(
    session: Session,
    index: IndexDefinition,
    bodies: Bodies,
    live: LiveState,
    report: Report,
    *,
    unchanged: bool,
    plan_identity: str | None = None,
) -> PromoteOutcome:
    """Point the alias at the index that serves, and write release 1; nothing is built and nothing of it is written.

    With `unchanged` the definitions say what is there, and the release is theirs; else it is of what was found.
    That the index is adopted is written down first: from then on nothing deletes it. What fills an index whose
    definition has no source is not ours, and no part of the release.
    """
    if bodies.pushed:
        live = replace(live, skillset=None, data_source=None, indexer=None)
    author = session.author(None)
    search = live.search if live.search is not None else bodies.search  # What live can answer as it is
    own = identity(bodies) if unchanged else digest_of([live_digest(live), digest_of(search)])
    schedule: Mapping[str, Any] | None = (live.indexer or {}).get("schedule")
    disabled = bool((live.indexer or {}).get("disabled"))
    record = {
        "name": index.name,
        "kind": "adoption",
        "search": search,
        "rebuild_digest": bodies.rebuild_digest if unchanged else digest_of(live_digest(live), 64),
        "body_digest": bodies.body_digest if unchanged else None,
        "identity": own,
        "bodies": {
            "index": _plain(live.index),
            "skillset": _plain(live.skillset),
            "data_source": _plain(live.data_source),
            "indexer": {n: value for n, value in _plain(live.indexer).items() if n not in ("schedule", "disabled")},
            "schedule": schedule,
            "disabled": disabled,
        },
        "owns_source": False,
        "plan": plan_identity,
        "evaluation": None,
        "verdict": None,
        "metrics": None,
        "by": author.by,
        "commit": author.commit,
        "reason": f"adopted {live.index_name} as it was",
        "previous_release": None,
    }
    with session.lease(index.alias) as hold:
        key = f"adopted-{index.alias}"
        known = (session.ledger.read(key) or {}).get("indexes", [])
        session.ledger.write(key, "adopted", index.alias, {"indexes": sorted({*known, live.index_name})})
        now = alias_target(session.service, index.alias)
        move = Move(
            alias=index.alias,
            target=live.index_name,
            evaluated_live=live.index_name if now == live.index_name else None,
            record=record,
            schedule=schedule,
            disabled=disabled,
        )
        return carry_out_move(session, move, report, hold)


def _plain(body: Mapping[str, Any] | None) -> dict[str, Any]:
    return {name: value for name, value in (body or {}).items() if name not in ANNOTATIONS}
