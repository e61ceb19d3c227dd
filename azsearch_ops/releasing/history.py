"""The releases of an alias, newest first."""

from __future__ import annotations

from collections.abc import Iterator

from azsearch_ops.releasing.ledger import Ledger
from azsearch_ops.releasing.outcomes import ReleaseRecord


def releases(ledger: Ledger, alias: str) -> Iterator[ReleaseRecord]:
    """Every release that the ledger still has, newest first; empty when there was none."""
    current = ledger.current(alias)
    if current is None:
        return
    holds = ledger.holds(alias)
    for number in range(int(current["release"]), 0, -1):
        record = ledger.release(alias, number)
        if record is None:
            continue
        yield ReleaseRecord(
            release=number,
            alias=alias,
            index=str(record["index"]),
            previous=record.get("previous"),
            kind=record["kind"],
            at=str(record["at"]),
            by=str(record["by"]),
            commit=record.get("commit"),
            digest=str(record["rebuild_digest"]),
            verdict=record.get("verdict"),
            reason=record.get("reason"),
            held=record["kind"] == "promotion" and record["identity"] in holds,
            search=record["search"],
            accepted_breaking=record.get("accepted_breaking"),
        )
