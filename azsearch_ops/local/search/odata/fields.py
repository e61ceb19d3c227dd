"""Paths of an expression to fields, with Azure's words for those that may not be used."""

from __future__ import annotations

from azsearch_ops.local.search.odata.tokens import expression_fault
from azsearch_ops.local.search.schema import Field, Schema

_USES = {
    "filterable": "filter expressions",
    "sortable": "$orderby",
    "facetable": "facets",
    "searchable": "search",
}


def field_of(schema: Schema, names: tuple[str, ...], parameter: str, scope: str = "") -> Field:
    """The field at a path; it may lie in no collection but the one of `scope`."""
    field: Field | None = None
    for depth, name in enumerate(names, 1):
        if field is not None and field.collection and field.path != scope and not scope.startswith(field.path + "/"):
            raise expression_fault(
                f"The parent value for a property access of a property '{name}' is not a single value. Property "
                "access can only be applied to a single value.",
                parameter,
            )
        field = schema.by_path.get("/".join(names[:depth]))
        if field is None:
            raise expression_fault(
                f"Could not find a property named '{name}' on type 'search.{'document' if depth == 1 else 'complex'}'.",
                parameter,
            )
    assert field is not None
    return field


def require(field: Field, use: str, parameter: str) -> None:
    """ServiceFault unless the field is filterable, sortable or facetable as asked."""
    if not getattr(field, use):
        raise expression_fault(
            f"'{field.path}' is not a {use} field. Only {use} fields can be used in {_USES[use]}.", parameter
        )
