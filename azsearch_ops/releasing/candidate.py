"""Build a candidate beside live: create its objects, read them back, and let its indexer fill it.

Names come from the rebuild digest, so a build that was cut off goes on and two pipelines that build the same thing
meet; every step looks before it writes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from azsearch_ops.bodies.normal import normal
from azsearch_ops.bodies.ranking_parts import parts_of, with_kept_parts, with_parts
from azsearch_ops.bodies.render import Bodies
from azsearch_ops.errors import ConflictError, PreconditionError, ServiceError, UsageError
from azsearch_ops.releasing.clock import Clock
from azsearch_ops.releasing.completeness import Source, check_complete
from azsearch_ops.releasing.indexer_runs import Patience, bring_up_to_date
from azsearch_ops.releasing.outcomes import BuildOutcome, Progress, Report
from azsearch_ops.releasing.state import alias_target
from azsearch_ops.service.client import Service
from azsearch_ops.service.kinds import Kind

ATTEMPTS: Final = 5


@dataclass(frozen=True, slots=True)
class Written:
    """What happened to one object of a candidate."""

    kind: Kind
    name: str
    created: bool


def build_candidate(
    service: Service,
    bodies: Bodies,
    source: Source,
    clock: Clock,
    patience: Patience,
    report: Report,
    *,
    write: bool = True,
) -> BuildOutcome:
    """A filled and complete candidate; IndexingError names every document and check that stands against it.

    Without `write` its objects are there, and are left as they are.
    """
    started = clock.monotonic()
    created = write and begin_candidate(service, bodies, clock, report)
    filling = clock.monotonic()
    total = len(source.documents) if source.documents is not None else None
    status = bring_up_to_date(service, bodies.candidate, clock, patience, report, stage="build", total=total)
    report(Progress("build", "documents", total, total, finished=True, seconds=clock.monotonic() - filling))
    checking = clock.monotonic()
    complete = check_complete(service, bodies, source, status, clock, settle=patience.settle)
    report(Progress("build", "checks", finished=True, seconds=clock.monotonic() - checking))
    return BuildOutcome(
        name=bodies.name,
        candidate=bodies.candidate,
        reused=not created,
        documents=complete.documents,
        expected=total,
        chunks=complete.chunks,
        checks=complete.checks,
        accepted=complete.accepted,
        seconds=clock.monotonic() - started,
    )


def begin_candidate(service: Service, bodies: Bodies, clock: Clock, report: Report) -> bool:
    """Make the objects of a candidate, which starts its indexer; whether anything had to be made. Waits for nothing."""
    started = clock.monotonic()
    named: list[tuple[Kind, Mapping[str, Any]]] = [("synonymMap", body) for body in bodies.synonym_maps]
    objects: tuple[tuple[Kind, Mapping[str, Any]], ...] = (
        *named,  # First: an index names them
        ("dataSource", bodies.data_source),
        ("index", _with_carried(bodies)),
        ("skillset", bodies.skillset),
        ("indexer", _unlive(service, bodies)),  # Last: creating it runs it
    )
    written = [_ensure(service, kind, body, bodies) for kind, body in objects if body]
    created = [w for w in written if w.created]
    text = "index, skillset, data source and indexer created and read back" if created else "objects are there already"
    report(Progress("build", text, finished=True, seconds=clock.monotonic() - started))
    return bool(created)


def _unlive(service: Service, bodies: Bodies) -> Mapping[str, Any]:
    """The indexer of a candidate has no schedule; one that another pipeline promoted meanwhile keeps what it got."""
    if not bodies.while_live or not bodies.indexer or alias_target(service, bodies.alias) != bodies.candidate:
        return bodies.indexer
    return {**bodies.indexer, **bodies.while_live}


def _with_carried(bodies: Bodies) -> Mapping[str, Any]:
    """The candidate's index can answer the request that live has released: applications send it for a while yet."""
    index: Mapping[str, Any] = bodies.index
    for kind, part in bodies.carried:
        index = with_parts(index, kind, (*parts_of(index, kind).values(), part))
    return index


def _ensure(service: Service, kind: Kind, body: Mapping[str, Any], bodies: Bodies) -> Written:
    """As `ensure_object`; a data source that is not ours must be there, with what the definition expects in it."""
    if kind != "dataSource" or bodies.owns_source:
        return ensure_object(service, kind, body)
    name = str(body["name"])
    found = service.find(kind, name)
    if found is None:
        raise UsageError(
            f"there is no data source '{name}' on the service",
            hint="mend `dataSource` of the connection, or give the connection a connectionString",
        )
    parts = ("type", "container")
    wanted, held = ({p: normal(kind, b).get(p) for p in parts} for b in (body, found))
    if wanted != held:
        raise UsageError(
            f"the data source '{name}' has {_short(held)}, and the definition says {_short(wanted)}",
            hint="it is used as it is: mend source.container and source.query, or name another data source",
        )
    return Written(kind, name, created=False)


def ensure_object(service: Service, kind: Kind, body: Mapping[str, Any], *, exactly: bool = False) -> Written:
    """Make an object be as `body` says and read it back.

    An index keeps the scoring profiles and semantic configurations that it has besides, for released requests may
    name them; `exactly` takes them away.

    The service changes the etag of an object now and then though nobody edited it (azure-sdk-for-net#39104): then
    the write is repeated with the new one. ConflictError with the difference when it is the body that changed.
    ServiceError when the service dropped or changed a property.
    """
    name = str(body["name"])
    found = service.find(kind, name)
    for _ in range(ATTEMPTS):
        before = None if found is None else normal(kind, found)
        wanted = with_kept_parts(body, found) if kind == "index" and found is not None and not exactly else body
        if before == normal(kind, wanted):
            return Written(kind, name, created=False)
        sent = {**wanted, "@odata.etag": found["@odata.etag"]} if found and found.get("@odata.etag") else dict(wanted)
        try:
            service.put(kind, sent, absent=found is None)
        except PreconditionError:
            found = service.find(kind, name)
            now = None if found is None else normal(kind, found)
            if now not in (before, normal(kind, wanted)):
                raise _written_meanwhile(kind, name, before, now) from None
            continue
        read_back(service, kind, wanted)
        return Written(kind, name, created=True)
    raise ConflictError(f"{kind} '{name}' keeps changing while it is being written", hint="run the command again")


def _written_meanwhile(
    kind: Kind, name: str, before: Mapping[str, Any] | None, now: Mapping[str, Any] | None
) -> ConflictError:
    old, new = before or {}, now or {}
    told = [
        f"{member}: {_short(old.get(member))} → {_short(new.get(member))}"
        for member in sorted({*old, *new})
        if old.get(member) != new.get(member)
    ]
    what = "deleted" if now is None else "made" if before is None else "changed"
    return ConflictError(
        f"somebody else {what} {kind} '{name}' meanwhile ({'; '.join(told[:5])})",
        hint="run the command again: it plans with what is there now",
    )


def _short(value: object) -> str:
    text = "nothing" if value is None else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if len(text) <= 80 else f"{text[:79]}…"


def read_back(service: Service, kind: Kind, body: Mapping[str, Any]) -> None:
    """ServiceError unless the service holds what was sent."""
    name = str(body["name"])
    wanted, held = normal(kind, body), normal(kind, service.get(kind, name))
    if wanted != held:
        names = sorted(k for k in {*wanted, *held} if wanted.get(k) != held.get(k))
        raise ServiceError(
            f"{kind} '{name}' was not stored as sent: {', '.join(names)} differ",
            hint=f"the service may not know a property at api-version {service.api_version}",
        )
