"""Synonym maps that no index needs any more: named by their content, so an edit leaves the old one behind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from azsearch_ops.releasing.claims import is_older, synonym_map_record
from azsearch_ops.releasing.ledger import Ledger
from azsearch_ops.releasing.retention import Rules
from azsearch_ops.releasing.snapshot import Objects


def prunable_synonym_maps(ledger: Ledger, objects: Objects, alias: str, rules: Rules, now: datetime) -> tuple[str, ...]:
    """Those that the ledger knows as made for this alias, that are past `failed`, and that nothing names.

    What names one is any index of the service, whoever made it, or one of the last `keep` releases.
    """
    there = sorted(objects.all("synonymMap"))
    if not there:
        return ()
    used = {name for body in objects.all("index").values() for name in _named(body.get("fields"))}
    used |= set(_released(ledger, alias, rules.keep))
    return tuple(
        name
        for name in there
        if name not in used
        and (record := synonym_map_record(ledger, name)) is not None
        and record["alias"] == alias
        and is_older(record, rules.failed, now)
    )


def _released(ledger: Ledger, alias: str, keep: int) -> Iterator[str]:
    """The synonym maps that the last `keep` released indexes name, as the ledger holds them."""
    current = ledger.current(alias)
    seen: set[str] = set()
    for number in range(int(current["release"]) if current else 0, 0, -1):
        record = ledger.release(alias, number) or {}
        seen.add(str(record.get("index")))
        if len(seen) > keep:
            return
        bodies: Mapping[str, Mapping[str, object]] = record.get("bodies") or {}
        yield from _named((bodies.get("index") or {}).get("fields"))


def _named(fields: object) -> Iterator[str]:
    for field in fields if isinstance(fields, list | tuple) else ():
        if isinstance(field, Mapping):
            yield from (str(name) for name in field.get("synonymMaps") or ())
            yield from _named(field.get("fields"))
