"""What hangs on each index of a definition: aliases, referrers, claims, releases, age."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from azsearch_ops.errors import NotFoundError
from azsearch_ops.releasing.claims import candidate_record, claims_on
from azsearch_ops.releasing.ledger import Ledger
from azsearch_ops.releasing.retention import Standing
from azsearch_ops.releasing.snapshot import Objects
from azsearch_ops.service.client import Service

KnowledgeSources = Mapping[str, Mapping[str, Any]]


def own_names(names: Sequence[str], base: str) -> tuple[str, ...]:
    """Those of `names` that this tool gives to objects of a definition: base, dash, eight digits.

    The twins that `noise` builds have a word more; one that a killed command left goes like any candidate.
    """
    pattern = re.compile(re.escape(base) + r"-[0-9a-f]{8}(-[a-z0-9]+)*")
    return tuple(sorted(name for name in names if pattern.fullmatch(name)))


def standings(
    service: Service, ledger: Ledger, objects: Objects, knowledge: KnowledgeSources, alias: str, base: str
) -> tuple[Standing, ...]:
    """The standing of every index that could be of this definition, of leftovers without an index too."""
    everything = {name for kind in ("index", "skillset", "indexer") for name in objects.all(kind)}
    names = own_names(sorted(everything), base)
    history = _history(ledger, alias, names)
    adopted = set((ledger.read(f"adopted-{alias}") or {}).get("indexes", ()))
    return tuple(_standing(service, ledger, objects, knowledge, name, history, adopted) for name in names)


def _standing(
    service: Service,
    ledger: Ledger,
    objects: Objects,
    knowledge: KnowledgeSources,
    name: str,
    history: Mapping[str, tuple[int, datetime | None]],
    adopted: set[str],
) -> Standing:
    record = candidate_record(ledger, name)
    rank, left = history.get(name, (None, None))
    indexer = objects.find("indexer", name)
    return Standing(
        index=name,
        aliases=tuple(a for a, body in sorted(objects.all("alias").items()) if name in (body.get("indexes") or ())),
        referrers=referrers(objects, knowledge, name),
        claims=claims_on(ledger, name),
        rank=rank,
        left=left,
        built=datetime.fromisoformat(str(record["at"]).replace("Z", "+00:00")) if record else None,
        managed=record is not None or name in history,
        adopted=name in adopted,
        scheduled=bool((indexer or {}).get("schedule")),
        running=indexer is not None and _is_running(service, name),
    )


def referrers(objects: Objects, knowledge: KnowledgeSources, index: str) -> tuple[str, ...]:
    """Objects other than its own that name an index: indexers, skillsets that project into it, knowledge sources."""
    found = [
        f"indexer {name}"
        for name, body in objects.all("indexer").items()
        if name != index and body.get("targetIndexName") == index
    ]
    found += [
        f"skillset {name}"
        for name, body in objects.all("skillset").items()
        if name != index and _projects_into(body, index)
    ]
    found += [f"knowledge source {name}" for name, body in knowledge.items() if _names(body, index)]
    return tuple(sorted(found))


def _history(ledger: Ledger, alias: str, names: Sequence[str]) -> dict[str, tuple[int, datetime | None]]:
    """Index → its place among released indexes from the newest on, and when its last release was replaced."""
    current = ledger.current(alias)
    places: dict[str, tuple[int, datetime | None]] = {}
    if current is None:
        return places
    wanted = set(names)
    newer_at: datetime | None = None  # When the release after the one that is looked at began
    newer_index = ""
    for number in range(int(current["release"]), 0, -1):
        record = ledger.release(alias, number)
        if record is None:
            continue
        index = str(record["index"])
        if index not in places:
            places[index] = (len(places), newer_at if newer_index and newer_index != index else None)
        newer_at, newer_index = datetime.fromisoformat(str(record["at"]).replace("Z", "+00:00")), index
        if wanted <= places.keys():
            break
    return places


def _projects_into(skillset: Mapping[str, Any], index: str) -> bool:
    selectors = (skillset.get("indexProjections") or {}).get("selectors") or ()
    return any(selector.get("targetIndexName") == index for selector in selectors)


def _names(value: object, name: str) -> bool:
    """Whether a body says a name anywhere: knowledge sources of each kind have their own member for it."""
    if isinstance(value, Mapping):
        return any(_names(item, name) for item in value.values())
    if isinstance(value, list | tuple):
        return any(_names(item, name) for item in value)
    return value == name


def _is_running(service: Service, indexer: str) -> bool:
    try:
        last = service.indexer_status(indexer).get("lastResult") or {}
    except NotFoundError:
        return False
    return last.get("status") == "inProgress"
