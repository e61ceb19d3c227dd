"""Go back to an earlier release, and hold the one that was left."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from azsearch_ops.bodies.normal import normal
from azsearch_ops.bodies.ranking_parts import PART_KINDS, parts_of, with_kept_parts, with_parts
from azsearch_ops.errors import ServiceError, UsageError
from azsearch_ops.releasing.candidate import ensure_object
from azsearch_ops.releasing.clock import Clock
from azsearch_ops.releasing.lease import Hold
from azsearch_ops.releasing.ledger import Ledger
from azsearch_ops.releasing.outcomes import Report, RollbackOutcome
from azsearch_ops.releasing.promotion import Move, promote
from azsearch_ops.releasing.state import alias_target
from azsearch_ops.service.client import Service
from azsearch_ops.service.kinds import Kind


@dataclass(frozen=True, slots=True)
class Author:
    """Who does it, on which commit, and why."""

    by: str
    commit: str | None
    reason: str | None


def roll_back(
    service: Service,
    ledger: Ledger,
    alias: str,
    to: int | None,
    author: Author,
    clock: Clock,
    report: Report,
    *,
    propagation: float,
    hold: Hold,
) -> RollbackOutcome:
    """Restore alias, settings and bodies of a release; the caller holds the lease.

    Without `to` it is the release that was live before this one; where that was done already nothing is, so that a
    command that was cut off can be run again. UsageError when there is no such release, or its index is gone.
    """
    current = ledger.current(alias)
    if current is None:
        raise UsageError(f"'{alias}' has no release to roll back", hint="ship first")
    left = _effective(ledger, alias, int(current["release"]))
    if to is None and left["release"] != current["release"]:
        to = int(left["release"])  # Rolled back already: run again, the command stays where it is
    target = _target(ledger, alias, left, to)
    if target["release"] == left["release"]:
        return _already(alias, left, int(current["release"]))
    index = str(target["index"])
    if service.find("index", index) is None:
        raise UsageError(
            f"release {target['release']} cannot come back: its index '{index}' is gone",
            hint="ship the definition of that commit again",
        )
    notes = (*_restore_bodies(service, target), *_carry_over(service, left, index))
    holds = ledger.holds(alias)
    held = str(left["identity"])
    holds[held] = {
        "release": left["release"],
        "index": left["index"],
        "reason": author.reason or "rolled back",
        "by": author.by,
        "at": clock.stamp(),
    }
    holds.pop(str(target["identity"]), None)
    kept = ("search", "rebuild_digest", "identity", "bodies", "owns_source", "verdict", "metrics", "name")
    record = {
        **{name: target.get(name) for name in kept},
        "kind": "rollback",
        "effective": target["release"],
        "previous_release": target.get("previous_release"),
        "by": author.by,
        "commit": author.commit,
        "reason": author.reason,
    }
    move = Move(
        alias=alias,
        target=index,
        evaluated_live=alias_target(service, alias),
        record=record,
        schedule=target["bodies"].get("schedule"),
        disabled=bool(target["bodies"].get("disabled")),
        holds=holds,
    )
    moved = promote(service, ledger, move, clock, report, propagation=propagation, hold=hold)
    return RollbackOutcome(
        alias=alias,
        before=str(left["index"]),
        after=index,
        left=int(left["release"]),
        back_to=int(target["release"]),
        release=moved.release,
        held=held,
        notes=notes,
    )


def _effective(ledger: Ledger, alias: str, number: int) -> dict[str, Any]:
    """The promotion whose content a release number stands for: a rollback stands for what it went back to."""
    record = ledger.release(alias, number)
    if record is None:
        raise UsageError(f"the ledger has no release {number} of '{alias}'")
    if record["kind"] == "rollback":
        return _effective(ledger, alias, int(record["effective"]))
    return record


def _target(ledger: Ledger, alias: str, left: Mapping[str, Any], to: int | None) -> dict[str, Any]:
    number = to if to is not None else left.get("previous_release")
    if number is None:
        raise UsageError(f"release {left['release']} is the first of '{alias}': there is nothing to go back to")
    return _effective(ledger, alias, int(number))


def _already(alias: str, live: Mapping[str, Any], current: int) -> RollbackOutcome:
    index, number = str(live["index"]), int(live["release"])
    note = f"release {number} is live already; name another with --to to go further"
    return RollbackOutcome(alias, index, index, number, number, current, held="", notes=(note,))


def _carry_over(service: Service, left: Mapping[str, Any], index: str) -> tuple[str, ...]:
    """Give the index what the request of the release that is left names: applications send it for a while yet."""
    source, found = service.find("index", str(left["index"])), service.get("index", index)
    if source is None or left["index"] == index:
        return ()
    wanted: Mapping[str, Any] = found
    for kind in PART_KINDS:
        name = str(left["search"].get(kind) or "")
        part, there = parts_of(source, kind).get(name), parts_of(wanted, kind)
        if part is not None and name not in there:
            wanted = with_parts(wanted, kind, (*there.values(), part))
    if wanted is found:
        return ()
    try:
        ensure_object(service, "index", {key: value for key, value in wanted.items() if key != "@odata.etag"})
    except ServiceError as refused:
        if refused.exit_code != ServiceError.exit_code:
            raise
        told = f"release {left['release']}, which applications may still send, is not answered by '{index}'"
        return (f"the request of {told}: {refused.message}",)
    return ()


def _restore_bodies(service: Service, target: Mapping[str, Any]) -> tuple[str, ...]:
    """Put definitions back as that release had them; what the service refuses is said, not hidden.

    A data source that the release only used by name is not ours to write. Schedule and switch are given with the move.
    """
    notes: list[str] = []
    bodies: Mapping[str, Any] = target["bodies"]
    kinds: tuple[tuple[Kind, str], ...] = (
        ("index", "index"),
        ("skillset", "skillset"),
        ("dataSource", "data_source"),
        ("indexer", "indexer"),
    )
    for kind, member in kinds:
        body = bodies.get(member)
        if not body or (kind == "dataSource" and not target.get("owns_source", True)):
            continue
        found = service.find(kind, str(body["name"]))
        if found is not None and kind == "indexer":
            body = {**body, "schedule": found.get("schedule"), "disabled": found.get("disabled")}
        if found is None:
            continue
        wanted = with_kept_parts(body, found) if kind == "index" else body
        if normal(kind, found) == normal(kind, wanted):
            continue
        try:
            ensure_object(service, kind, body)
            notes.append(f"{kind} '{body['name']}' restored")
        except ServiceError as refused:
            if refused.exit_code != ServiceError.exit_code:
                raise
            notes.append(f"{kind} '{body['name']}' cannot be restored: {refused.message}")
    return tuple(notes)
