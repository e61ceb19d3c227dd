"""A plan as data: what differs, what each difference takes, and the ordered steps that carry it out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from azsearch_ops.errors import Location

ChangeClass = Literal["in place", "rebuild", "settings only", "breaking", "forbidden", "irreversible"]
Action = Literal["create", "rebuild", "in_place", "settings", "none"]
ObjectKind = Literal["index", "skillset", "dataSource", "indexer", "search"]


@dataclass(frozen=True, slots=True)
class Change:
    """One difference. `pointer` names items of lists instead of counting them (/fields/chunk/analyzer).

    `before` and `after` are JSON values, None where there is nothing; `name` is the setting's own name. `rule` says
    why the change has its class. `location` is where the definition says it, or the nearest place to it.
    """

    kind: ObjectKind
    pointer: str
    name: str
    before: Any
    after: Any
    change_class: ChangeClass
    rule: str
    location: Location | None


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that releasing will do, in order: a verb, the kind and name of the object, and why."""

    verb: Literal["create", "update", "fill", "check", "evaluate", "gate", "move", "schedule", "record"]
    kind: str
    name: str
    detail: str


@dataclass(frozen=True, slots=True)
class Write:
    """A body to be put on the service in place, under the name that the live object has."""

    kind: ObjectKind
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Plan:
    """The plan of one index definition.

    `action`: "create" (nothing is live), "rebuild" (a candidate beside live), "settings" (the search request changes;
    live is evaluated under both), "in_place", or "none". `writes` are put on live before anything else when the
    action is "settings" or "in_place". `live` is the live index's name, or None.
    """

    name: str
    alias: str
    action: Action
    candidate: str
    live: str | None
    changes: tuple[Change, ...]
    writes: tuple[Write, ...]
    steps: tuple[Step, ...]
    explanation: str

    @property
    def breaking(self) -> tuple[Change, ...]:
        """The changes that break somebody: they are not shipped unless they are accepted for a reason."""
        return tuple(change for change in self.changes if change.change_class == "breaking")
