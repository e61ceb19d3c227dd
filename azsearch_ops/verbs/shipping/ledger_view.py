"""What is live as the ledger tells it: for identities that may read documents and no definitions."""

from __future__ import annotations

from azsearch_ops.planning.live import LiveState
from azsearch_ops.releasing.ledger import Ledger


def live_from_ledger(ledger: Ledger, alias: str) -> LiveState | None:
    """The bodies of the current release as they were released; None before the first release."""
    current = ledger.current(alias)
    if current is None:
        return None
    record = ledger.release(alias, int(current["release"]))
    if record is None:
        return None
    bodies = record["bodies"]
    indexer = bodies["indexer"]
    while_live = {name: bodies[name] for name in ("schedule", "disabled") if bodies.get(name)}
    return LiveState(
        index_name=str(current["index"]),
        index=bodies["index"],
        skillset=bodies["skillset"],
        data_source=bodies["data_source"],
        indexer={**indexer, **while_live} if indexer else indexer,
        search=current["search"],
        rebuild_digest=str(current["rebuild_digest"]),
        release=int(current["release"]),
    )
