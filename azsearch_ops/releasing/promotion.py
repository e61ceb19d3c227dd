"""Move the alias, only to what was evaluated, and write the release: two-phase, so that it can be killed anywhere."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from azsearch_ops.bodies.ranking_parts import PART_KINDS, default_part, with_default_part
from azsearch_ops.errors import ConflictError, NotFoundError, UnreachableError
from azsearch_ops.releasing.candidate import ensure_object
from azsearch_ops.releasing.chunks import key_field
from azsearch_ops.releasing.clock import Clock
from azsearch_ops.releasing.lease import Hold
from azsearch_ops.releasing.ledger import Ledger
from azsearch_ops.releasing.outcomes import Progress, PromoteOutcome, Report
from azsearch_ops.releasing.snapshot import indexer_filling
from azsearch_ops.releasing.state import alias_target
from azsearch_ops.service.client import Service

# An alias takes up to 10 s to reach every replica (learn.microsoft.com/azure/search/search-how-to-alias).
PROPAGATION_SECONDS: Final = 10.0
READS_IN_A_ROW: Final = 5
PROBES: Final = 20
PROPAGATION_DEADLINE: Final = 120.0


@dataclass(frozen=True, slots=True)
class Move:
    """What is to become live. `evaluated_live` is where the alias pointed when `target` was evaluated.

    `record` is the release as the ledger will hold it, without its number and time; `schedule` is given to the
    target's indexer once it is live, and `disabled` says whether it is switched off then.
    """

    alias: str
    target: str
    evaluated_live: str | None
    record: Mapping[str, Any]
    schedule: Mapping[str, Any] | None
    holds: Mapping[str, Any] | None = None
    disabled: bool = False


def promote(
    service: Service, ledger: Ledger, move: Move, clock: Clock, report: Report, *, propagation: float, hold: Hold
) -> PromoteOutcome:
    """Carry out a move under the lease that the caller holds.

    ConflictError when the alias is not what was evaluated; one that another pipeline moved to the same release
    meanwhile is as it should be, and no second release is made of it.
    """
    now = alias_target(service, move.alias)
    current = ledger.current(move.alias)
    if now != move.evaluated_live and now == move.target and _is_same(current, move):
        assert current is not None
        return already_live(move.alias, now, int(current["release"]))
    if now != move.evaluated_live:
        raise ConflictError(
            f"'{move.alias}' points to '{now or '(nothing)'}', not to '{move.evaluated_live or '(nothing)'}' "
            "as it did when the candidate was evaluated",
            hint="somebody else moved it; plan and evaluate again. Nothing was changed",
        )
    number = int(current["release"]) + 1 if current else 1
    event = {
        "alias": move.alias,
        "from": now,
        "to": move.target,
        "release": number,
        "record": {**move.record, "release": number, "alias": move.alias, "index": move.target, "previous": now},
        "schedule": move.schedule,
        "disabled": move.disabled,
        "holds": move.holds,
        "at": clock.stamp(),
    }
    ledger.intend(move.alias, event)
    if propagation and now != move.target:
        report(Progress("promote", f"{move.alias} moves; waiting until it answers from {move.target} everywhere"))
    _finish(service, ledger, event, clock, propagation=propagation, hold=hold)
    settings_changed = current is not None and current.get("search") != move.record["search"]
    return PromoteOutcome(
        move.alias,
        now,
        move.target,
        number,
        moved=now != move.target,
        settings_changed=settings_changed,
        accepted_breaking=move.record.get("accepted_breaking"),
    )


def already_live(alias: str, index: str, release: int) -> PromoteOutcome:
    """What a promotion to the release that is live comes to: nothing."""
    return PromoteOutcome(alias, index, index, release, moved=False, settings_changed=False, recorded=False)


def reconcile(
    service: Service, ledger: Ledger, alias: str, clock: Clock, *, propagation: float, hold: Hold
) -> str | None:
    """Settle an event that a killed command left; says what was done, or None when there was nothing.

    The caller holds the alias' lease. The alias is the truth: where it moved already the release is written down;
    where it did not, nothing was promised and the event is dropped. A change of settings alone moves no alias and
    had passed its evaluation, so it is carried on.
    """
    event = ledger.pending(alias)
    if event is None:
        return None
    now = alias_target(service, alias)
    if now == event["to"]:
        _finish(service, ledger, event, clock, propagation=propagation, hold=hold)
        return f"release {event['release']} of '{alias}' was cut off after the alias moved; it is written down now"
    ledger.settle(alias, event, "abandoned")
    return f"a move of '{alias}' to '{event['to']}' was cut off before the alias moved; it is dropped"


def _is_same(current: Mapping[str, Any] | None, move: Move) -> bool:
    """Whether the current release is what the move would make."""
    wanted = {"index": move.target, "identity": move.record["identity"], "search": move.record["search"]}
    return current is not None and all(current.get(name) == value for name, value in wanted.items())


def _finish(
    service: Service, ledger: Ledger, event: Mapping[str, Any], clock: Clock, *, propagation: float, hold: Hold
) -> None:
    """From an intended event to a written release; every part may already be done."""
    alias, target = str(event["alias"]), str(event["to"])
    if event["from"] != target:
        _point(service, alias, target)
        _await_propagation(service, alias, target, event["from"], clock, propagation, hold)
    hold.keep()
    _rank_by_default(service, target, event["record"]["bodies"]["index"])
    _schedule(service, target, event["schedule"], disabled=bool(event.get("disabled")))
    record = {**event["record"], "at": event["at"]}
    ledger.write_release(alias, int(event["release"]), record)
    if event["holds"] is not None:
        ledger.write_holds(alias, event["holds"])
    ledger.write_current(
        alias,
        {name: record[name] for name in ("alias", "index", "search", "release", "rebuild_digest", "identity")},
    )
    ledger.settle(alias, event, "done")


def _rank_by_default(service: Service, target: str, released: Mapping[str, Any]) -> None:
    """Give the live index the defaults of its release: they rank requests that name none, so not before the gate."""
    found = service.get("index", target)
    wanted: Mapping[str, Any] = found
    for kind in PART_KINDS:
        wanted = with_default_part(wanted, kind, default_part(released, kind))
    if wanted != found:
        ensure_object(service, "index", {name: v for name, v in wanted.items() if name != "@odata.etag"})


def _point(service: Service, alias: str, target: str) -> None:
    if alias_target(service, alias) != target:
        service.put("alias", {"name": alias, "indexes": [target]})
    now = alias_target(service, alias)
    if now != target:
        raise ConflictError(f"'{alias}' reads back as '{now}' right after it was moved to '{target}'")


def _await_propagation(
    service: Service, alias: str, target: str, before: str | None, clock: Clock, propagation: float, hold: Hold
) -> None:
    """Look up, through the alias, a chunk that only the new index has, until it is found steadily.

    Where both have the same chunks nothing tells them apart, and all that can be done is to wait.
    """
    key = key_field(service.get("index", target))
    probe = _only_in(service, target, before, key)
    if probe is None:
        clock.sleep(propagation)
        return
    started = clock.monotonic()
    in_a_row, first_found = 0, started
    while in_a_row < READS_IN_A_ROW or clock.monotonic() - first_found < propagation:
        if not _answers(service, alias, probe, key):
            in_a_row = 0
        else:
            first_found = clock.monotonic() if in_a_row == 0 else first_found
            in_a_row += 1
        if clock.monotonic() - started > PROPAGATION_DEADLINE:
            raise UnreachableError(
                f"'{alias}' does not answer from '{target}' after {PROPAGATION_DEADLINE:.0f} s",
                hint="run the command again: the move is written down and will be completed",
            )
        hold.keep()
        if propagation > 0:
            clock.sleep(propagation / (2 * READS_IN_A_ROW))


def _answers(service: Service, alias: str, probe: str, key: str) -> bool:
    """Whether the alias leads to the chunk; a new alias is not known everywhere at once, which is a 404 of its own."""
    try:
        return service.lookup(alias, probe, [key]) is not None
    except NotFoundError:
        return False


def _only_in(service: Service, target: str, before: str | None, key: str) -> str | None:
    """A chunk key of `target` that `before` has not, or None where there is none."""
    rows = service.search(target, {"search": "*", "select": key, "top": PROBES})["value"]
    for row in rows:  # In no order: the key of an adopted index need not be sortable
        if before is None or service.find("index", before) is None or service.lookup(before, str(row[key])) is None:
            return str(row[key])
    return None


def _schedule(service: Service, target: str, schedule: Mapping[str, Any] | None, *, disabled: bool) -> None:
    """Give the live indexer its schedule, or switch it off: a candidate has none, so that it holds still meanwhile."""
    indexer = indexer_filling(service, target)
    if indexer is None:
        return
    wanted = {**{k: v for k, v in indexer.items() if k != "@odata.etag"}, "schedule": schedule, "disabled": disabled}
    other = (indexer.get("schedule") or {}).get("interval") != (schedule or {}).get("interval")
    if other or bool(indexer.get("disabled")) != disabled:
        ensure_object(service, "indexer", wanted)
