"""The properties of an index field, and what Azure fills in when a definition leaves them out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from azsearch_ops.contract import sources
from azsearch_ops.contract.property import Property, table

SIMPLE_TYPES: Final = (
    "Edm.String",
    "Edm.Int32",
    "Edm.Int64",
    "Edm.Double",
    "Edm.Boolean",
    "Edm.DateTimeOffset",
    "Edm.GeographyPoint",
)
COMPLEX_TYPES: Final = ("Edm.ComplexType", "Collection(Edm.ComplexType)")
VECTOR_TYPES: Final = (
    "Collection(Edm.Single)",
    "Collection(Edm.Half)",
    "Collection(Edm.Int16)",
    "Collection(Edm.SByte)",
    "Collection(Edm.Byte)",
)
BINARY_VECTOR: Final = "Collection(Edm.Byte)"
"""Bits, eight a byte."""
COMPRESSIBLE_VECTORS: Final = ("Collection(Edm.Single)", "Collection(Edm.Half)")
COLLECTION_TYPES: Final = tuple(f"Collection({simple})" for simple in SIMPLE_TYPES)
TYPES: Final = (*SIMPLE_TYPES, *COLLECTION_TYPES, *COMPLEX_TYPES, *VECTOR_TYPES)
TEXT_TYPES: Final = ("Edm.String", "Collection(Edm.String)")

_INDEX: Final = sources.CREATE_INDEX
_REINDEX: Final = sources.REINDEX

FIELD_PROPERTIES: Final[Mapping[str, Property]] = table(
    Property("name", "string", sources.NAMING, required=True),
    Property("type", "string", sources.DATA_TYPES, required=True, values=TYPES),
    Property("key", "boolean", _INDEX),
    Property("searchable", "boolean", _REINDEX),
    Property("filterable", "boolean", _REINDEX),
    Property("sortable", "boolean", _REINDEX),
    Property("facetable", "boolean", _REINDEX),
    Property("retrievable", "boolean", _REINDEX, change="in place"),
    Property("stored", "boolean", sources.VECTOR_STORAGE, since="2024-07-01"),
    Property("analyzer", "string", _REINDEX),
    Property("indexAnalyzer", "string", _REINDEX),
    Property("searchAnalyzer", "string", _REINDEX, change="candidate"),
    Property("normalizer", "string", _REINDEX, since="2025-09-01"),
    Property("synonymMaps", "list", _REINDEX, default=(), order="set", change="candidate"),
    Property("dimensions", "integer", sources.VECTOR_INDEX, minimum=2, maximum=4096, since="2023-11-01"),
    Property("vectorSearchProfile", "string", sources.VECTOR_INDEX, since="2023-11-01"),
    Property("vectorEncoding", "string", sources.VECTOR_INDEX, values=("packedBit",), since="2024-07-01"),
    Property("permissionFilter", "string", sources.RECORDED, since="2025-05-01-preview"),
    Property("sensitivityLabel", "boolean", sources.RECORDED, since="2025-11-01-preview"),
    *(
        Property(name, "boolean", sources.SDK_PREVIEW, since="2026-05-01-preview")
        for name in ("sensitivityLabelId", "sensitivityLabelName", "sourceDocumentId", "sharepointSiteUrl")
    ),
    Property("fields", "list", _INDEX, of="field", order="named"),
)
"""`key`, `searchable` and their like have no fixed default: it follows from the type, see `field_defaults`."""


def is_vector(field: Mapping[str, object]) -> bool:
    """Whether the field holds a vector."""
    return field.get("type") in VECTOR_TYPES


def is_complex(field: Mapping[str, object]) -> bool:
    """Whether the field holds an object or a collection of objects."""
    return field.get("type") in COMPLEX_TYPES


def changed_in_place(name: str) -> bool:
    """Whether Azure takes a changed `name` on an existing field by a PUT (the ranking may move all the same)."""
    row = FIELD_PROPERTIES.get(name)
    return row is not None and row.change in ("in place", "candidate")


def field_defaults(field: Mapping[str, object], *, inside_collection: bool = False) -> dict[str, object]:
    """The field with Azure's defaults for its type filled in; what it states, null excepted, stays as it is.

    Complex fields take none of the flags, and get their sub-fields filled in. Unset references (analyzers, profile)
    stay out. `inside_collection` is true for the sub-fields of a collection, which cannot be sorted by.
    Source: REST reference of Create Index; vectors: not retrievable, never filterable.
    """
    stated = {name: value for name, value in field.items() if value is not None}
    kind = stated.get("type")
    if kind in COMPLEX_TYPES:
        inside = inside_collection or kind == "Collection(Edm.ComplexType)"
        children = stated.get("fields")
        if isinstance(children, list | tuple):
            stated["fields"] = [
                field_defaults(child, inside_collection=inside) if isinstance(child, Mapping) else child
                for child in children
            ]
        return stated
    vector = kind in VECTOR_TYPES
    single = kind in SIMPLE_TYPES
    defaults: dict[str, object] = {
        "key": False,
        "searchable": vector or kind in TEXT_TYPES,
        "filterable": not vector,
        "sortable": single and not inside_collection,
        "facetable": not vector and kind not in ("Edm.GeographyPoint", "Collection(Edm.GeographyPoint)"),
        "retrievable": not vector,
        "stored": True,
        "synonymMaps": [],
    }
    return defaults | stated
