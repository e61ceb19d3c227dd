"""A plan in a file: what was shown, and digests by which a later command tells that nothing has moved since."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from azsearch_ops.bodies.canonical import digest
from azsearch_ops.bodies.normal import normal
from azsearch_ops.bodies.ranking_parts import PART_KINDS, parts_of, with_parts
from azsearch_ops.errors import PlanStaleError, UsageError
from azsearch_ops.planning.alignment import used_parts
from azsearch_ops.planning.live import LiveState
from azsearch_ops.planning.plan import Write

SCHEMA: Final = "azsearch-ops/plan/1"
_CHANGE: Final = ("kind", "pointer", "before", "after", "change_class")


@dataclass(frozen=True, slots=True)
class SavedIndex:
    """One index definition of a saved plan.

    `definitions` is a digest of everything that the definitions come to, yardstick included; `live` of what was live,
    bodies and released request, `written` the same once the plan's own writes to live are made; `release` the number of
    the live release; `held` a digest of the held releases.
    """

    name: str
    alias: str
    action: str
    candidate: str
    definitions: str
    live: str | None
    live_index: str | None
    release: int | None
    held: str
    plan: Mapping[str, Any]
    estimate: Mapping[str, Any] | None
    written: str | None = None

    @property
    def identity(self) -> str:
        """What tells this plan from any other: definitions, live and release."""
        return digest([self.name, self.alias, self.definitions, self.live, self.release, self.held])


@dataclass(frozen=True, slots=True)
class SavedPlan:
    """The plans of some index definitions in one environment; `at` is when they were made, `made_by` which version."""

    environment: str
    endpoint: str
    at: str
    made_by: str
    indexes: tuple[SavedIndex, ...]

    def text(self) -> str:
        """The file: JSON with sorted keys, ending with a line feed."""
        body = {"schema": SCHEMA, **asdict(self)}
        return json.dumps(body, indent=2, sort_keys=True, ensure_ascii=False, default=_plain) + "\n"

    def index(self, name: str) -> SavedIndex:
        """The plan of one index definition; PlanStaleError when there is none in the file."""
        found = next((index for index in self.indexes if index.name == name), None)
        if found is None:
            raise PlanStaleError(f"the saved plan says nothing about '{name}'", hint="make a new plan")
        return found


def read_saved(text: str, shown: str) -> SavedPlan:
    """The plan that a file holds; UsageError when it is not one of this version."""
    try:
        body = json.loads(text)
    except ValueError:
        raise UsageError(f"{shown} is not a saved plan", hint="azsearch-ops plan --out FILE writes one") from None
    schema = body.get("schema") if isinstance(body, dict) else None
    if schema != SCHEMA:
        said = f"says schema {schema!r}" if schema else "has no schema"
        raise UsageError(f"{shown} {said}; this version reads {SCHEMA}", hint="make the plan again")
    try:
        if not all(isinstance(index, dict) and isinstance(index.get("plan"), dict) for index in body["indexes"]):
            raise TypeError("an index without its plan")
        indexes = tuple(SavedIndex(**index) for index in body["indexes"])
        return SavedPlan(body["environment"], body["endpoint"], body["at"], body["made_by"], indexes)
    except (KeyError, TypeError) as fault:
        raise UsageError(f"{shown} is damaged: {fault}", hint="make the plan again") from None


def live_digest(live: LiveState | None) -> str | None:
    """Digest of what is live, or None when nothing is: names, bodies in their normal form, released request.

    Scoring profiles and semantic configurations count where the request or a default uses them: others come and go.
    """
    if live is None:
        return None
    index = live.index
    for kind in PART_KINDS:
        used = used_parts(live, kind)
        index = with_parts(index, kind, tuple(part for name, part in parts_of(index, kind).items() if name in used))
    parts = {
        "index": normal("index", index),
        "skillset": normal("skillset", live.skillset) if live.skillset else None,
        "dataSource": normal("dataSource", live.data_source) if live.data_source else None,
        "indexer": normal("indexer", live.indexer) if live.indexer else None,
        "search": normal("searchRequest", live.search) if live.search else None,
    }
    return digest({"name": live.index_name, **parts})


def written_digest(live: LiveState | None, writes: tuple[Write, ...]) -> str | None:
    """As `live_digest`, of live with `writes` made."""
    members = {"index": "index", "skillset": "skillset", "dataSource": "data_source", "indexer": "indexer"}
    bodies: dict[str, Any] = {members[write.kind]: write.body for write in writes if write.kind in members}
    return live_digest(replace(live, **bodies)) if live is not None else None


def require_unmoved(saved: SavedIndex, now: SavedIndex) -> None:
    """PlanStaleError naming everything that is not as it was when the plan was saved, or that was changed in the file.

    Nothing moved, so both plans are one: a file that says another thing than will be done was never approved.
    """
    moved: list[str] = []
    if saved.definitions != now.definitions:
        moved.append("the definitions")
    if saved.live_index != now.live_index:
        moved.append(f"live ({saved.live_index or 'nothing'} then, {now.live_index or 'nothing'} now)")
    elif now.live not in (saved.live, saved.written):  # A plan that was carried out in part is no other plan
        moved.append(f"what is live ({now.live_index} was changed on the service)")
    if saved.release != now.release:
        moved.append(f"the ledger (release {saved.release or 'none'} then, {now.release or 'none'} now)")
    if saved.held != now.held:
        moved.append("the held releases")
    if moved:
        raise PlanStaleError(
            f"the saved plan of '{saved.name}' is stale: {', '.join(moved)} moved since",
            hint="look at a new plan: azsearch-ops plan --out FILE. Nothing was changed",
        )
    if now.live == saved.live and _carries_out(saved.plan) != _carries_out(now.plan):
        raise PlanStaleError(
            f"the saved plan of '{saved.name}' does not say what the definitions come to: the file was changed",
            hint="make the plan again: azsearch-ops plan --out FILE. Nothing was changed on the service",
        )


def _carries_out(plan: Mapping[str, Any]) -> str:
    """Digest of what a plan does. Its wording may change with the version of the tool, and parts that rank may come
    to live from elsewhere under the same names, which are made of their content."""
    parts = ("/scoringProfiles/", "/semantic/configurations/")
    changes = [c for c in plan.get("changes") or () if not str(c.get("pointer")).startswith(parts)]
    kinds = {change.get("kind") for change in changes}
    writes = [(write.get("kind"), _without_parts(write)) for write in plan.get("writes") or ()]
    said = [[change.get(member) for member in _CHANGE] for change in changes]
    done = [write for write in writes if write[0] in kinds]
    return digest([*(plan.get(member) for member in ("action", "alias", "candidate", "live")), said, done])


def _without_parts(write: Mapping[str, Any]) -> Mapping[str, Any]:
    body: Mapping[str, Any] = write.get("body") or {}
    if write.get("kind") == "index":
        for kind in PART_KINDS:
            body = with_parts(body, kind, ())
    return normal(str(write.get("kind")), body)


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")
