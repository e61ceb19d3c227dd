"""Delete what retention allows, under the alias' lease, and only after looking again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from azsearch_ops.bodies.ranking_parts import PartKind
from azsearch_ops.errors import ConflictError, ServiceError
from azsearch_ops.releasing.candidate import ensure_object
from azsearch_ops.releasing.claims import is_older, source_record
from azsearch_ops.releasing.clock import Clock
from azsearch_ops.releasing.ledger import Ledger
from azsearch_ops.releasing.part_retention import WHY, spare_parts, without_spare
from azsearch_ops.releasing.retention import Decision, Rules, decide
from azsearch_ops.releasing.snapshot import Objects, take_snapshot
from azsearch_ops.releasing.standings import KnowledgeSources, own_names, standings
from azsearch_ops.releasing.synonym_maps import prunable_synonym_maps
from azsearch_ops.service.client import Service
from azsearch_ops.service.kinds import Kind

UNNAMED: Final = "no index and no kept release names it"
Done = Literal["kept", "deleted", "rested", "would delete", "would rest", "refused"]


@dataclass(frozen=True, slots=True)
class Pruned:
    """What became of one index with its skillset and indexer, of one data source or synonym map, or of a part of an
    index that stays, called INDEX/NAME.
    """

    kind: Literal["index", "dataSource", "synonymMap"] | PartKind
    name: str
    done: Done
    why: str


def decisions(
    service: Service,
    ledger: Ledger,
    objects: Objects,
    knowledge: KnowledgeSources,
    alias: str,
    base: str,
    rules: Rules,
    now: datetime,
) -> Mapping[str, Decision]:
    """Index → what becomes of it, for every index that could be of this definition."""
    found = standings(service, ledger, objects, knowledge, alias, base)
    return {standing.index: decide(standing, rules, now) for standing in found}


def prune_alias(
    service: Service, ledger: Ledger, alias: str, base: str, rules: Rules, clock: Clock, *, propagation: float
) -> tuple[Pruned, ...]:
    """Delete and rest what may be; the caller holds the alias' lease, so that nothing is promoted meanwhile.

    An alias that moved a moment ago may still be answered from the index that it left: that is waited for, and then
    everything is looked at anew.
    """
    _await_last_move(service, ledger, alias, clock, propagation)
    objects, knowledge = take_snapshot(service), service.knowledge_sources() or {}
    result: list[Pruned] = []
    for name, decision in decisions(service, ledger, objects, knowledge, alias, base, rules, clock.now()).items():
        result.append(_carry_out(service, objects, name, decision))
    result += _prune_sources(service, ledger, base, rules, clock)
    result += _prune_parts(service, ledger, alias, rules, clock)
    return (*result, *_prune_synonym_maps(service, ledger, alias, rules, clock))


def prunable_sources(ledger: Ledger, objects: Objects, base: str, rules: Rules, now: datetime) -> tuple[str, ...]:
    """Data sources of a definition that the ledger knows as ours, that no indexer reads, and that are old enough."""
    read = {str(body.get("dataSourceName")) for body in objects.all("indexer").values()}
    unread = [name for name in own_names(sorted(objects.all("dataSource")), base) if name not in read]
    records = {name: source_record(ledger, name) for name in unread}
    return tuple(name for name, record in records.items() if record and is_older(record, rules.failed, now))


def _carry_out(service: Service, objects: Objects, name: str, decision: Decision) -> Pruned:
    if decision.fate == "keep":
        return Pruned("index", name, "kept", decision.why)
    try:
        if decision.fate == "rest":
            indexer = service.get("indexer", name)
            ensure_object(service, "indexer", {**_without_etag(indexer), "schedule": None})
            return Pruned("index", name, "rested", decision.why)
        kinds: tuple[Kind, ...] = ("indexer", "index", "skillset")  # What refers goes first
        for kind in kinds:
            if objects.find(kind, name) is not None:
                service.delete(kind, name)
    except ServiceError as refused:
        if refused.exit_code != ServiceError.exit_code:
            raise
        return Pruned("index", name, "refused", refused.message)
    return Pruned("index", name, "deleted", decision.why)


def _prune_sources(service: Service, ledger: Ledger, base: str, rules: Rules, clock: Clock) -> tuple[Pruned, ...]:
    why = "no indexer reads it"
    unread = prunable_sources(ledger, take_snapshot(service), base, rules, clock.now())
    for name in unread:
        service.delete("dataSource", name)
    return tuple(Pruned("dataSource", name, "deleted", why) for name in unread)


def _prune_parts(service: Service, ledger: Ledger, alias: str, rules: Rules, clock: Clock) -> tuple[Pruned, ...]:
    objects = take_snapshot(service)
    spare = spare_parts(ledger, objects, alias, rules, clock.now())
    result: list[Pruned] = []
    for index in sorted({part.index for part in spare}):
        named = [(part.kind, f"{index}/{part.name}") for part in spare if part.index == index]
        try:
            body = _without_etag(without_spare(service.get("index", index), spare))
            ensure_object(service, "index", body, exactly=True)
        except ServiceError as refused:
            if refused.exit_code != ServiceError.exit_code:
                raise
            result += [Pruned(kind, name, "refused", refused.message) for kind, name in named]
        except ConflictError as changed:  # It changed meanwhile: the next prune looks anew
            result += [Pruned(kind, name, "kept", changed.message) for kind, name in named]
        else:
            result += [Pruned(kind, name, "deleted", WHY) for kind, name in named]
    return tuple(result)


def _prune_synonym_maps(service: Service, ledger: Ledger, alias: str, rules: Rules, clock: Clock) -> tuple[Pruned, ...]:
    unused = prunable_synonym_maps(ledger, take_snapshot(service), alias, rules, clock.now())
    for name in unused:
        service.delete("synonymMap", name)
    return tuple(Pruned("synonymMap", name, "deleted", UNNAMED) for name in unused)


def _await_last_move(service: Service, ledger: Ledger, alias: str, clock: Clock, propagation: float) -> None:
    current = ledger.current(alias)
    if not propagation or current is None:
        return
    found = service.find("alias", alias)
    target = found["indexes"][0] if found else None
    record = ledger.release(alias, int(current["release"])) or {}
    if target != current["index"] or "at" not in record:
        clock.sleep(propagation)  # Moved behind the ledger's back, nobody knows when
        return
    since = (clock.now() - datetime.fromisoformat(str(record["at"]).replace("Z", "+00:00"))).total_seconds()
    if since < propagation:
        clock.sleep(propagation - max(0.0, since))


def _without_etag(body: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if not name.startswith("@odata.etag")}
