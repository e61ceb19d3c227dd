"""Scoring profiles and semantic configurations of indexes that stay: which no kept release refers to any more.

Rolling back further than that is possible all the same: a release holds its bodies, and rollback puts them back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from azsearch_ops.bodies.ranking_parts import (
    PART_KINDS,
    PartKind,
    default_part,
    is_named_by_content,
    parts_of,
    with_parts,
)
from azsearch_ops.releasing.claims import candidate_record
from azsearch_ops.releasing.ledger import Ledger
from azsearch_ops.releasing.retention import Rules
from azsearch_ops.releasing.snapshot import Objects

WHY: Final = "no kept release refers to it"
Release = Mapping[str, Any]
Part = tuple[PartKind, str]


@dataclass(frozen=True, slots=True)
class SparePart:
    """A part of an index that may go."""

    index: str
    kind: PartKind
    name: str


def record_parts(ledger: Ledger, alias: str, there: Mapping[str, Any], body: Mapping[str, Any], at: str) -> None:
    """Write down which parts an index is about to be given, so that prune knows their age."""
    name = str(there["name"])
    known = _recorded(ledger, name)
    new = {
        f"{kind} {part}": at
        for kind in PART_KINDS
        for part in parts_of(body, kind)
        if part not in parts_of(there, kind)
    }
    if new:
        ledger.write(f"parts-{name}", "parts", alias, {"parts": {**known, **new}})


def spare_parts(ledger: Ledger, objects: Objects, alias: str, rules: Rules, now: datetime) -> tuple[SparePart, ...]:
    """What may go from the indexes of kept releases."""
    kept = tuple(kept_releases(_newest_first(ledger, alias), rules, now))
    found: list[SparePart] = []
    for index in sorted({str(record["index"]) for record in kept}):
        if (body := objects.find("index", index)) is not None:
            found += spare_in(body, kept, _ages(ledger, index, body), rules, now)
    return tuple(found)


def kept_releases(newest_first: Iterable[Release], rules: Rules, now: datetime) -> Iterator[Release]:
    """As many different releases as are kept, from the newest on, and those left a short while ago."""
    left: datetime | None = None
    seen: list[str] = []
    for record in newest_first:
        identity = str(record["identity"])
        if identity not in seen:
            seen.append(identity)
        if seen.index(identity) >= rules.keep and left is not None and left + rules.fresh_for <= now:
            return
        yield record
        left = _moment(record["at"])


def spare_in(
    body: Mapping[str, Any], kept: Sequence[Release], ages: Mapping[Part, datetime], rules: Rules, now: datetime
) -> tuple[SparePart, ...]:
    """The parts of an index that are called by their content, that no kept release refers to, and that are old enough.

    One that was put there a moment ago may be under evaluation; one whose age nobody knows stays.
    """
    named = {
        (kind, name)
        for record in kept
        for kind in PART_KINDS
        for name in (*parts_of(record["bodies"]["index"], kind), (record.get("search") or {}).get(kind))
        if name
    }
    return tuple(
        SparePart(str(body["name"]), kind, name)
        for kind in PART_KINDS
        for name, part in parts_of(body, kind).items()
        if (kind, name) not in named
        and name != default_part(body, kind)
        and is_named_by_content(kind, part)
        and (kind, name) in ages
        and ages[kind, name] + rules.failed <= now
    )


def without_spare(body: Mapping[str, Any], spare: tuple[SparePart, ...]) -> dict[str, Any]:
    """An index body without the spare parts that are its own."""
    gone = {(part.kind, part.name) for part in spare if part.index == body["name"]}
    result = dict(body)
    for kind in PART_KINDS:
        stays = tuple(part for name, part in parts_of(body, kind).items() if (kind, name) not in gone)
        result = with_parts(result, kind, stays)
    return result


def _newest_first(ledger: Ledger, alias: str) -> Iterator[Release]:
    current = ledger.current(alias)
    for number in range(int(current["release"]) if current else 0, 0, -1):
        if (record := ledger.release(alias, number)) is not None:
            yield record


def _ages(ledger: Ledger, index: str, body: Mapping[str, Any]) -> dict[Part, datetime]:
    """When each part was put there: as it was written down, else when the index was built with it."""
    recorded, built = _recorded(ledger, index), (candidate_record(ledger, index) or {}).get("at")
    stamps = {
        (kind, name): recorded.get(f"{kind} {name}", built) for kind in PART_KINDS for name in parts_of(body, kind)
    }
    return {part: _moment(stamp) for part, stamp in stamps.items() if stamp}


def _recorded(ledger: Ledger, index: str) -> Mapping[str, str]:
    found: Mapping[str, str] = (ledger.read(f"parts-{index}") or {}).get("parts", {})
    return found


def _moment(stamp: object) -> datetime:
    return datetime.fromisoformat(str(stamp).replace("Z", "+00:00"))
