"""The shape of one row of the contract: a property of a REST body, and the object that holds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["string", "boolean", "integer", "number", "object", "list", "any"]
Order = Literal["ordered", "named", "set"]
Change = Literal["in place", "candidate", "rebuild", "downtime"]


@dataclass(frozen=True, slots=True)
class Property:
    """One property as Azure spells it.

    `of` names the object type of an object or of the items of a list; without it the items are scalars. `order` says
    what the order of a list means: "ordered" (it matters), "named" (a set whose items are told apart by `key`) or
    "set" (of scalars; a string that is a set is a list with commas).

    `change` says what an edit of a live object needs: "in place" (a PUT), "candidate" (Azure takes the PUT, but it
    can move the ranking, so it is never tried on live), "downtime" (`allowIndexDowntime`) or "rebuild".
    `environment` marks addresses, deployments, identities and credentials: they differ between environments and
    never between releases. `write_only` is not returned, or returned blanked out.

    `values` are all that the property (each item, of a list) takes; `newer` names those among them that came with a
    later api-version. `known` are values of a list that Azure lengthens from time to time, so that another one may be
    right. `items` is the kind of a list's scalars.
    """

    name: str
    kind: Kind
    source: str
    default: object = None
    required: bool = False
    of: str | None = None
    order: Order = "ordered"
    key: str = "name"
    values: tuple[str, ...] = ()
    newer: Mapping[str, str] = field(default_factory=dict)
    known: tuple[str, ...] = ()
    items: Kind = "string"
    minimum: float | None = None
    maximum: float | None = None
    change: Change = "rebuild"
    write_only: bool = False
    environment: bool = False
    since: str = "2020-06-30"


@dataclass(frozen=True, slots=True)
class ObjectType:
    """A REST object: its properties by name; `open` ones take further properties that this table does not list.

    With `discriminator` the object is one of `variants` (value of the discriminator → object type), whose
    properties come on top of these. `since` is the api-version that brought the object, `replaced_by` what Azure
    offers instead of one that it has retired.
    """

    name: str
    properties: Mapping[str, Property]
    open: bool = False
    discriminator: str | None = None
    variants: Mapping[str, str] = field(default_factory=dict)
    since: str = "2020-06-30"
    replaced_by: str | None = None


def table(*rows: Property) -> Mapping[str, Property]:
    """The rows by name; a name given twice is a fault of the table."""
    rows_by_name = {row.name: row for row in rows}
    if len(rows_by_name) != len(rows):
        raise ValueError("a property stands twice in one table")
    return rows_by_name
