"""What the short forms of a definition stand for: the chunks' path, the parent key, the vectorizer, the key field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from azsearch_ops.contract.fields import is_vector
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.skillset import SkillsetDefinition

VECTORIZER: Final = "embedding"
"""A profile with this vectorizer gets it from the skillset's `embedding`, unless the index defines one itself."""

PAGES: Final = "pages"
TEXT_VECTOR: Final = "text_vector"
PARENT_KEY: Final = "parentKey"
"""What a projection writes in the place of a path for the field that takes the parent's key."""


def pages_path(skillset: SkillsetDefinition) -> str:
    """The path of the chunks: /document/pages/* unless `chunking` has another context."""
    return f"{skillset.chunking.get('context') or '/document'}/{PAGES}/*"


def projected(skillset: SkillsetDefinition) -> Mapping[str, str | Mapping[str, object]]:
    """The `projection` that a skillset's `indexProjections` with one selector stands for; empty without."""
    selectors = (skillset.index_projections or {}).get("selectors")
    if not isinstance(selectors, list | tuple) or len(selectors) != 1 or not isinstance(selectors[0], Mapping):
        return {}
    found: dict[str, str | Mapping[str, object]] = {str(selectors[0].get("parentKeyFieldName")): PARENT_KEY}
    for mapping in selectors[0].get("mappings") or ():
        if isinstance(mapping, Mapping):
            rest = {key: value for key, value in mapping.items() if key != "name" and value not in (None, [])}
            source = rest.get("source")
            found[str(mapping.get("name"))] = source if isinstance(source, str) and len(rest) == 1 else rest
    return found


def chunk_context(index: IndexDefinition, skillset: SkillsetDefinition) -> str:
    """The path of which each item becomes a document of the index.

    The chunks, or, where no `chunking` is given, the deepest path of a list that the projection reads from.
    """
    if skillset.chunking:
        return pages_path(skillset)
    selectors = (skillset.index_projections or {}).get("selectors")
    if isinstance(selectors, list | tuple) and len(selectors) == 1 and isinstance(selectors[0], Mapping):
        stated = selectors[0].get("sourceContext")
        if isinstance(stated, str):
            return stated
    lists = [source[: source.rindex("/*") + 2] for source in projected_paths(index).values() if "/*" in source]
    return max(lists, key=len) if lists else "/document"


def parent_key_field(index: IndexDefinition) -> str | None:
    """The field that takes the parent's key, or None where the projection has none."""
    return next((name for name, source in index.projection.items() if source == PARENT_KEY), None)


def projected_paths(index: IndexDefinition) -> Mapping[str, str]:
    """The path that each field is filled from; the parent key and shapes with inputs have none."""
    paths = {
        name: source if isinstance(source, str) else str(source.get("source") or "")
        for name, source in index.projection.items()
        if source != PARENT_KEY
    }
    return {name: path for name, path in paths.items() if path}


def key_field(index: Mapping[str, Any]) -> str | None:
    """The name of the index's key field, or None where it has none."""
    fields = index.get("fields")
    if not isinstance(fields, list | tuple):
        return None
    return next((f.get("name") for f in fields if isinstance(f, Mapping) and f.get("key") is True), None)


def vector_fields(index: IndexDefinition) -> tuple[str, ...]:
    """The vector fields that are queried: those that the retrieval settings name, else all top-level ones."""
    if index.retrieval.fields:
        return index.retrieval.fields
    fields = index.index.get("fields")
    if not isinstance(fields, list | tuple):
        return ()
    return tuple(str(field.get("name")) for field in fields if isinstance(field, Mapping) and is_vector(field))


def wants_embedding(vector_search: Mapping[str, Any]) -> bool:
    """Whether a profile names the vectorizer `embedding` and the index does not define it."""
    profiles = vector_search.get("profiles")
    vectorizers = vector_search.get("vectorizers")
    return VECTORIZER in _members(profiles, "vectorizer") and VECTORIZER not in _members(vectorizers, "name")


def _members(items: object, name: str) -> set[object]:
    if not isinstance(items, list | tuple):
        return set()
    return {item[name] for item in items if isinstance(item, Mapping) and isinstance(item.get(name), str)}
