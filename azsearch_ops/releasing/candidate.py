"""Build a candidate beside live: create its objects, read them back, and let its indexer fill it.

Names come from the rebuild digest, so a build that was cut off goes on and two pipelines that build the same thing
meet; every step looks before it writes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from azsearch_ops.bodies.normal import normal
from azsearch_ops.bodies.render import Bodies
from azsearch_ops.errors import ConflictError, PreconditionError, ServiceError
from azsearch_ops.releasing.clock import Clock
from azsearch_ops.releasing.completeness import Source, check_complete
from azsearch_ops.releasing.indexer_runs import Patience, bring_up_to_date
from azsearch_ops.releasing.outcomes import BuildOutcome, Progress, Report
from azsearch_ops.service.client import Service
from azsearch_ops.service.kinds import Kind


@dataclass(frozen=True, slots=True)
class Written:
    """What happened to one object of a candidate."""

    kind: Kind
    name: str
    created: bool


def build_candidate(
    service: Service, bodies: Bodies, source: Source, clock: Clock, patience: Patience, report: Report
) -> BuildOutcome:
    """A filled and complete candidate; IndexingError names every document and check that stands against it."""
    started = clock.monotonic()
    objects: tuple[tuple[Kind, Mapping[str, Any]], ...] = (
        ("dataSource", bodies.data_source),
        ("index", bodies.index),
        ("skillset", bodies.skillset),
        ("indexer", bodies.indexer),  # Last: creating it runs it
    )
    written = [ensure_object(service, kind, body) for kind, body in objects]
    created = [w for w in written if w.created]
    text = "index, skillset, data source and indexer created and read back" if created else "objects are there already"
    report(Progress("build", text, finished=True, seconds=clock.monotonic() - started))
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


def ensure_object(service: Service, kind: Kind, body: Mapping[str, Any]) -> Written:
    """Make an object be as `body` says and read it back.

    ServiceError when the service dropped or changed a property; ConflictError when somebody else keeps writing it.
    """
    name = str(body["name"])
    for _ in range(3):
        found = service.find(kind, name)
        if found is not None and normal(kind, found) == normal(kind, body):
            return Written(kind, name, created=False)
        sent = {**body, "@odata.etag": found["@odata.etag"]} if found and found.get("@odata.etag") else dict(body)
        try:
            service.put(kind, sent, absent=found is None)
        except PreconditionError:  # Written by somebody else in between: look again
            continue
        read_back(service, kind, body)
        return Written(kind, name, created=True)
    raise ConflictError(f"{kind} '{name}' keeps changing while it is being written", hint="run the command again")


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
