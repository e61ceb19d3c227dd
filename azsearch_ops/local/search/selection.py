"""Which fields, and which parts of them, a result shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from azsearch_ops.local.search.odata.fields import field_of
from azsearch_ops.local.search.odata.parser import parse_select
from azsearch_ops.local.search.odata.tokens import expression_fault
from azsearch_ops.local.search.schema import Field, Schema


@dataclass(frozen=True, slots=True)
class Selection:
    """The chosen fields in the order of the index, each with the chosen ones below it; `vectors` are their paths."""

    fields: tuple[tuple[Field, Selection | None], ...]

    @property
    def vectors(self) -> tuple[str, ...]:
        """Vector fields that are shown."""
        return tuple(field.path for field, _ in self.fields if field.vector)

    def of(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """The chosen part of a document; null or an empty collection for what it does not have."""
        return {field.name: _part(field, inner, document.get(field.name)) for field, inner in self.fields}


def read_selection(text: str | None, schema: Schema) -> Selection:
    """The fields of a `select`; without one, or with `*`, all that are retrievable."""
    chosen: set[str] = set()
    for path in parse_select(text) if text and text.strip() else ("*",):
        if path == "*":
            chosen.update(field.path for field in schema.fields)
            continue
        field = _named(schema, path)
        if not field.retrievable and not field.complex:
            raise expression_fault(
                f"'{path}' is not a retrievable field. Only retrievable fields can be used in $select.", "$select"
            )
        chosen.add(path)
    return Selection(_chosen(schema.fields, chosen, whole=False))


def _named(schema: Schema, path: str) -> Field:
    names = tuple(path.split("/"))
    # Parts of collections may be selected: what is asked for is the path, not one value
    return field_of(schema, names, "$select", scope=path)


def _chosen(fields: tuple[Field, ...], paths: set[str], *, whole: bool) -> tuple[tuple[Field, Selection | None], ...]:
    found: list[tuple[Field, Selection | None]] = []
    for field in fields:
        named = whole or field.path in paths
        if field.complex:
            inner = _chosen(field.children, paths, whole=named)
            if inner:
                found.append((field, Selection(inner)))
        elif named and field.retrievable:
            found.append((field, None))
    return tuple(found)


def _part(field: Field, inner: Selection | None, value: Any) -> Any:
    if value is None:
        return [] if field.collection else None
    if inner is None:
        return value
    if field.collection:
        return [inner.of(element) for element in value]
    return inner.of(value)
