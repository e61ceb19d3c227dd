"""An index definition as the documents see it: which field takes which value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from azsearch_ops.contract.fields import VECTOR_TYPES


@dataclass(frozen=True, slots=True)
class Field:
    """One field: `item` is the type of a value or, when `many`, of each value; `fields` are those of a complex one."""

    name: str
    type: str
    item: str
    many: bool
    vector: bool
    dimensions: int
    retrievable: bool
    stored: bool
    fields: Mapping[str, Field]

    @property
    def complex(self) -> bool:
        """Whether values are objects."""
        return self.item == "Edm.ComplexType"


@dataclass(frozen=True, slots=True)
class Schema:
    """The fields of an index in the order of its definition, and the name of its key."""

    key: str
    fields: Mapping[str, Field]


def schema_of(index: Mapping[str, Any]) -> Schema:
    """The schema of an index definition in its full form."""
    key = next(field["name"] for field in index["fields"] if field.get("key"))
    return Schema(key, {field.name: field for field in _fields(index["fields"])})


def _fields(definitions: list[Mapping[str, Any]]) -> Iterator[Field]:
    for definition in definitions:
        kind = definition["type"]
        many = kind.startswith("Collection(")
        packed = definition.get("vectorEncoding") == "packedBit"
        dimensions = definition.get("dimensions") or 0
        yield Field(
            name=definition["name"],
            type=kind,
            item=kind[len("Collection(") : -1] if many else kind,
            many=many,
            vector=kind in VECTOR_TYPES,
            dimensions=-(-dimensions // 8) if packed else dimensions,
            retrievable=definition.get("retrievable") is not False,
            stored=definition.get("stored") is not False,
            fields={field.name: field for field in _fields(definition.get("fields") or [])},
        )
