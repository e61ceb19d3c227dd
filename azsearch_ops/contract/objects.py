"""All object types in one table, and what the service adds of its own accord when it returns a definition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from azsearch_ops.contract import sources
from azsearch_ops.contract.analysis import ANALYSIS_OBJECTS
from azsearch_ops.contract.index import INDEX_OBJECTS
from azsearch_ops.contract.indexing import INDEXING_OBJECTS
from azsearch_ops.contract.property import ObjectType, Property, table
from azsearch_ops.contract.search_request import SEARCH_OBJECTS
from azsearch_ops.contract.skills import SKILL_OBJECTS
from azsearch_ops.contract.vector_search import VECTOR_SEARCH_OBJECTS

_OTHERS: Final = (
    ObjectType(
        "alias",
        table(
            Property("name", "string", sources.ALIAS, required=True),
            Property("indexes", "list", sources.ALIAS, required=True, change="in place"),
        ),
    ),
    ObjectType(
        "synonymMap",
        table(
            Property("name", "string", sources.NAMING, required=True),
            Property("format", "string", sources.SYNONYMS, default="solr", values=("solr",)),
            Property("synonyms", "string", sources.SYNONYMS, required=True, change="candidate"),
            Property(
                "encryptionKey", "object", sources.REINDEX, of="encryptionKey", environment=True, change="in place"
            ),
        ),
    ),
)

OBJECTS: Final[Mapping[str, ObjectType]] = {
    kind.name: kind
    for kind in (
        *INDEX_OBJECTS,
        *ANALYSIS_OBJECTS,
        *VECTOR_SEARCH_OBJECTS,
        *SKILL_OBJECTS,
        *INDEXING_OBJECTS,
        *SEARCH_OBJECTS,
        *_OTHERS,
    )
}

ANNOTATIONS: Final = ("@odata.context", "@odata.etag", "@odata.id", "@odata.editLink")
"""Members that only describe an answer. `@odata.type` is not among them: it says what an object is."""


def properties_of(kind: str, body: Mapping[str, object] | None = None) -> Mapping[str, Property]:
    """The rows of an object type; with a body, those of its variant too (its discriminator decides)."""
    object_type = OBJECTS[kind]
    if body is None or object_type.discriminator is None:
        return object_type.properties
    variant = object_type.variants.get(str(body.get(object_type.discriminator)))
    return {**object_type.properties, **OBJECTS[variant].properties} if variant else object_type.properties


def is_open(kind: str, body: Mapping[str, object]) -> bool:
    """Whether the object may have properties that the contract does not list.

    An open type with a known variant is closed: a Text Split skill has no further properties, another skill may.
    """
    object_type = OBJECTS[kind]
    if object_type.discriminator is None:
        return object_type.open
    variant = object_type.variants.get(str(body.get(object_type.discriminator)))
    return OBJECTS[variant].open if variant else object_type.open


def variant_of(kind: str, body: Mapping[str, object]) -> ObjectType | None:
    """The variant that a body's discriminator names; None where it names none, or the type has no variants."""
    object_type = OBJECTS[kind]
    if object_type.discriminator is None:
        return None
    variant = object_type.variants.get(str(body.get(object_type.discriminator)))
    return OBJECTS[variant] if variant else None


def list_key(row: Property, item: object) -> str | None:
    """What tells an item of a "named" list apart, or None where the item does not say.

    `key` may name alternatives ("a|b"): the first that the item has counts.
    """
    if not isinstance(item, Mapping):
        return None
    for name in row.key.split("|"):
        value = item.get(name)
        if isinstance(value, str):
            return value
    return None
