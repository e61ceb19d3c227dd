"""`drift`: edits made behind our back, and live indexes that are not refreshed any more."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from azsearch_ops.bodies.ranking_parts import PART_KINDS, parts_of
from azsearch_ops.bodies.synonym_body import synonym_maps_of
from azsearch_ops.definitions.durations import parse_duration
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.errors import NotFoundError
from azsearch_ops.planning.drift import (
    Drifted,
    Part,
    drifted_objects,
    drifted_settings,
    drifted_synonym_map,
    unexplained_parts,
)
from azsearch_ops.planning.live import LiveState
from azsearch_ops.releasing.claims import synonym_map_record
from azsearch_ops.releasing.snapshot import Objects, indexer_filling, take_snapshot
from azsearch_ops.verbs.session import Session
from azsearch_ops.verbs.shipping.ledger_view import live_from_ledger

STALE_AFTER = 2  # Schedules that may pass without a success


@dataclass(frozen=True, slots=True)
class Drift:
    """What differs for one index definition. `release` is None where there is none, and so nothing to differ from."""

    name: str
    alias: str
    release: int | None
    index: str | None
    drifted: tuple[Drifted, ...]
    note: str


def drift_of(session: Session, chosen: tuple[IndexDefinition, ...]) -> tuple[Drift, ...]:
    """Each definition's release against what the service holds; definitions are read with one request a kind."""
    objects = take_snapshot(session.service)
    return tuple(_drift(session, index, objects) for index in chosen)


def _drift(session: Session, index: IndexDefinition, objects: Objects) -> Drift:
    released = live_from_ledger(session.ledger, index.alias)
    alias = objects.find("alias", index.alias)
    target = str(alias["indexes"][0]) if alias else None
    if released is None or released.release is None:
        note = f"'{index.alias}' points to '{target}', and no release says so" if target else "nothing is released yet"
        return Drift(index.name, index.alias, None, target, (), note)
    drifted: list[Drifted] = []
    if target != released.index_name:
        told = f"'{index.alias}' was moved by hand" if target else f"'{index.alias}' was deleted"
        drifted.append(Drifted("alias", index.alias, "/indexes/0", released.index_name, target, told))
    drifted += _objects(session, index.alias, released, objects)
    current = session.ledger.current(index.alias) or {}
    record = session.ledger.release(index.alias, released.release) or {}
    drifted += drifted_settings(record["search"], current["search"], index.alias)
    off = bool((released.indexer or {}).get("disabled"))  # As it was released
    drifted += [] if off else _refresh(session, objects, target or released.index_name)
    pending = session.ledger.pending(index.alias) is not None
    note = "a move was cut off; the next ship, promote or rollback settles it" if pending else ""
    return Drift(index.name, index.alias, released.release, released.index_name, tuple(drifted), note)


def _objects(session: Session, alias: str, released: LiveState, objects: Objects) -> tuple[Drifted, ...]:
    name = released.index_name
    index = objects.find("index", name)
    if index is None:
        return (Drifted("index", name, "", name, None, f"index '{name}' was deleted"),)
    found = LiveState(
        index_name=name,
        index=index,
        skillset=_same("skillset", released.skillset, objects),
        data_source=_same("dataSource", released.data_source, objects),
        indexer=_same("indexer", released.indexer, objects),
        search=None,
        rebuild_digest=None,
    )
    earlier = _earlier_parts(session, alias, released) if unexplained_parts(released.index, index) else frozenset()
    return (*drifted_objects(released, found, earlier), *_synonym_maps(session, released, objects))


def _synonym_maps(session: Session, released: LiveState, objects: Objects) -> Iterator[Drifted]:
    """Those that the released index names and that we made: each is called by its content."""
    for name in synonym_maps_of(released.index.get("fields")):
        if synonym_map_record(session.ledger, name) is not None:
            drifted = drifted_synonym_map(name, objects.find("synonymMap", name))
            if drifted is not None:
                yield drifted


def _earlier_parts(session: Session, alias: str, released: LiveState) -> frozenset[Part]:
    """What earlier releases on this index had, such as the plain names that an adopted index came with."""
    records = (session.ledger.release(alias, number) for number in range(1, released.release or 1))
    return frozenset(
        (kind, name)
        for record in records
        if record is not None and record["index"] == released.index_name
        for kind in PART_KINDS
        for name in parts_of(record["bodies"]["index"], kind)
    )


def _same(kind: Any, body: Mapping[str, Any] | None, objects: Objects) -> Mapping[str, Any] | None:
    return objects.find(kind, str(body["name"])) if body else None


def _refresh(session: Session, objects: Objects, index: str) -> list[Drifted]:
    """Whether live is kept up to date: its indexer is on, its last run succeeded, and that was not long ago."""
    indexer = indexer_filling(objects, index)
    if indexer is None:
        return []
    name = str(indexer["name"])
    if indexer.get("disabled"):
        return [Drifted("refresh", name, "/disabled", False, True, f"indexer '{name}' is disabled")]
    try:
        status = session.service.indexer_status(name)
    except NotFoundError:
        return []
    last = status.get("lastResult") or {}
    found: list[Drifted] = []
    if last.get("status") not in (None, "success", "inProgress", "reset"):
        why = last.get("errorMessage") or "no message"
        told = f"indexer '{name}' fails: {last['status']}, {why}"
        found.append(Drifted("refresh", name, "/lastResult/status", "success", last["status"], told))
    interval = (indexer.get("schedule") or {}).get("interval")
    succeeded = _last_success(status)
    if interval and succeeded is not None:
        allowed: timedelta = STALE_AFTER * parse_duration(interval)
        age = session.clock.now() - succeeded
        if age > allowed:
            hours = age.total_seconds() / 3600
            told = f"indexer '{name}' last succeeded {hours:.1f} h ago, and is to run every {interval}"
            found.append(Drifted("refresh", name, "/lastResult/endTime", interval, succeeded.isoformat(), told))
    return found


def _last_success(status: Mapping[str, Any]) -> datetime | None:
    """When a run last ended in success, or None where none is remembered."""
    runs = [status.get("lastResult") or {}, *(status.get("executionHistory") or ())]
    ends = [str(run["endTime"]) for run in runs if run.get("status") == "success" and run.get("endTime")]
    return max((datetime.fromisoformat(end.replace("Z", "+00:00")) for end in ends), default=None)
