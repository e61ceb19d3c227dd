"""`$select` of a lookup: which fields, and which parts of them, are given back."""

from __future__ import annotations

from array import array
from collections.abc import Mapping
from typing import Any

from azsearch_ops.local.documents.schema import Field, Schema
from azsearch_ops.local.documents.values import completed, shortest_singles
from azsearch_ops.local.errors import invalid_request
from azsearch_ops.local.store import Document

Selection = Mapping[str, "Selection"]
"""Field names; an empty mapping below a name is the whole field."""


def read_selection(text: str | None, schema: Schema) -> Selection:
    """The selection that `$select` asks for; without one, or with `*`, every retrievable field.

    Raises:
        ServiceFault: 400 for a field that does not exist or is not retrievable.
    """
    names = [name.strip() for name in (text or "*").split(",") if name.strip()]
    selection: dict[str, Any] = {}
    if names == ["*"]:
        return {name: {} for name, field in schema.fields.items() if _retrievable(field)}
    for name in names:
        fields, level = schema.fields, selection
        parts = name.split("/")
        for depth, part in enumerate(parts):
            field = fields.get(part)
            if field is None:
                raise invalid_request(
                    f"Invalid expression: Could not find a property named '{part}' on type 'search.document'.",
                    "InvalidExpression",
                    "$select",
                )
            if not _retrievable(field):
                raise invalid_request(
                    f"The field '{name}' in the $select clause is not retrievable.", "FieldNotRetrievable", "$select"
                )
            last = depth == len(parts) - 1
            if last:
                level[part] = {}
            else:
                level = level.setdefault(part, {})
            fields = field.fields
    return selection


def selected(document: Document, selection: Selection, schema: Schema) -> dict[str, Any]:
    """The selected fields in the order of the index, as JSON."""
    full = completed(document, schema.fields)
    return {
        name: _part(full[name], selection[name], field) for name, field in schema.fields.items() if name in selection
    }


def _part(value: Any, selection: Selection, field: Field) -> Any:
    if isinstance(value, array):
        return shortest_singles(value)
    if value is None or not field.complex:
        return value
    if field.many:
        return [_members(item, selection, field) for item in value]
    return _members(value, selection, field)


def _members(value: Mapping[str, Any], selection: Selection, field: Field) -> dict[str, Any]:
    return {
        name: _part(value[name], selection.get(name, {}), inner)
        for name, inner in field.fields.items()
        if _retrievable(inner) and (not selection or name in selection)
    }


def _retrievable(field: Field) -> bool:
    return field.retrievable and field.stored
