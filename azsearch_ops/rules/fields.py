"""AZS21x: fields, their flags, and the key that a chunk index needs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from azsearch_ops.contract import sources
from azsearch_ops.contract.fields import COMPLEX_TYPES, SIMPLE_TYPES, TEXT_TYPES, VECTOR_TYPES
from azsearch_ops.contract.names import check_name
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.short_forms import PARENT_KEY, parent_key_field
from azsearch_ops.definitions.tree import Tree, step
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import items, placed_fields

EXPLANATIONS: Final = (
    Explanation(
        "AZS211",
        "A field name that Azure refuses",
        "Field names have letters, digits and underscores, start with a letter, and never with azureSearch.",
        "Rename the field.",
        sources.NAMING,
    ),
    Explanation(
        "AZS212",
        "Two fields with one name",
        "Names are unique; indexers compare them without regard to case.",
        "Rename or remove one.",
        sources.FIELD_MAPPINGS,
    ),
    Explanation(
        "AZS213",
        "The index needs exactly one key field",
        "One top-level field of type Edm.String is the key.",
        "Set `key: true` on exactly one field.",
        sources.CREATE_INDEX,
    ),
    Explanation(
        "AZS214",
        "The key of a chunk index is not fit for projections, or for reading all chunks",
        "A projection writes keys only into a searchable field with the analyzer keyword. Chunks are read by ranges "
        "of their key, so it must be sortable and filterable as well. An adopted index is left as it is: there it is a "
        "warning, and an error of the change that builds the next one.",
        "{name: chunk_id, type: Edm.String, key: true, searchable: true, analyzer: keyword, sortable: true, "
        "filterable: true}",
        sources.PROJECTIONS,
    ),
    Explanation(
        "AZS215",
        "Flags that contradict the field's type",
        "Azure refuses the index: only texts and vectors are searchable, collections do not sort, places do not facet, "
        "vectors only search.",
        "Remove the flag that the message names.",
        sources.CREATE_INDEX,
    ),
    Explanation(
        "AZS216",
        "Analyzers that contradict each other",
        "`analyzer` excludes the pair `indexAnalyzer` and `searchAnalyzer`, which come together, and all need a "
        "searchable field. A normalizer needs a field that is filterable, sortable or facetable.",
        "Keep `analyzer`, or both others.",
        sources.CREATE_INDEX,
    ),
    Explanation(
        "AZS218",
        "A complex field without fields, or a simple one with some",
        "Fields inside a field make it complex, and it has no value of its own.",
        "Add `fields`, or make the type Edm.ComplexType or Collection(Edm.ComplexType).",
        sources.CREATE_INDEX,
    ),
    Explanation(
        "AZS217",
        "The parent key's field is not fit",
        "The field that takes the parent's key must be an Edm.String that is filterable and not the index's key. "
        "Without it, the chunks of a document that changes or goes are never removed.",
        f"Write `FIELD: {PARENT_KEY}` in `projection`, and make the field filterable.",
        sources.PROJECTIONS,
    ),
)

_FLAGS: Final = ("searchable", "filterable", "sortable", "facetable")


def check_fields(index: IndexDefinition) -> Iterator[Problem]:
    """The problems of an index's fields."""
    tree = index.tree
    fields = index.index.get("fields")
    if not isinstance(fields, list | tuple) or not fields:
        yield Problem("AZS213", "the index has no fields", tree.locate_key("/index/fields"))
        return
    yield from _check_level(fields, "/index/fields", tree, top=True, inside_collection=False)
    yield from _check_key(index)
    if index.projection:
        yield from _check_parent_key(index)


def _check_level(fields: object, pointer: str, tree: Tree, *, top: bool, inside_collection: bool) -> Iterator[Problem]:
    seen: dict[str, str] = {}
    for field, at in items(fields, pointer):
        name = field.get("name")
        if isinstance(name, str):
            reason = check_name("field", name)
            if reason is not None:
                yield Problem("AZS211", f"the field name {name!r} {reason}", tree.locate(step(at, "name")))
            if name.lower() in seen:
                first = tree.locate(seen[name.lower()])
                message = f"the field name {name!r} is taken already (line {first.line})"
                yield Problem("AZS212", message, tree.locate(step(at, "name")))
            seen.setdefault(name.lower(), step(at, "name"))
        if not top and field.get("key") is True:
            yield Problem("AZS213", f"a field inside another cannot be the key: {name}", tree.locate(step(at, "key")))
        yield from _check_flags(field, at, tree, inside_collection)
        yield from _check_analyzers(field, at, tree)
        if field.get("type") in COMPLEX_TYPES:
            inside = inside_collection or field.get("type") == "Collection(Edm.ComplexType)"
            yield from _check_level(field.get("fields"), step(at, "fields"), tree, top=False, inside_collection=inside)


def _check_flags(field: Mapping[str, Any], at: str, tree: Tree, inside_collection: bool) -> Iterator[Problem]:
    kind, name = field.get("type"), field.get("name")

    def refused(flag: str, why: str) -> Problem:
        return Problem("AZS215", f"{name}: {why}", tree.locate(step(at, flag)))

    if kind in COMPLEX_TYPES:
        for flag in (*_FLAGS, "retrievable", "key"):
            if field.get(flag) is not None:
                yield refused(flag, f"a complex field takes no {flag}; its sub-fields do")
        if not field.get("fields"):
            yield Problem("AZS218", f"{name}: a complex field needs fields", tree.locate(at), hint="fields: [...]")
        return
    vector = kind in VECTOR_TYPES
    if vector:
        if field.get("searchable") is False:
            yield refused("searchable", "a vector field must be searchable")
        for flag in ("filterable", "sortable", "facetable"):
            if field.get(flag) is True:
                yield refused(flag, f"a vector field cannot be {flag}")
        if field.get("stored") is False and field.get("retrievable") is True:
            yield refused("retrievable", "what is not stored cannot be retrieved")
    elif kind in SIMPLE_TYPES or str(kind).startswith("Collection("):
        if field.get("searchable") is True and kind not in TEXT_TYPES:
            yield refused("searchable", f"a field of type {kind} cannot be searchable")
        if field.get("sortable") is True and (inside_collection or kind not in SIMPLE_TYPES):
            yield refused("sortable", "a field with several values cannot be sortable")
        if field.get("facetable") is True and "GeographyPoint" in str(kind):
            yield refused("facetable", "a place cannot be facetable")
        if field.get("stored") is False:
            yield refused("stored", "only a vector field can go without being stored")
    synonyms = field.get("synonymMaps")
    if isinstance(synonyms, list | tuple) and len(synonyms) > 1:
        yield refused("synonymMaps", "a field takes one synonym map at most")
    elif synonyms and (kind not in TEXT_TYPES or field.get("searchable") is False):
        yield refused("synonymMaps", "synonyms need a searchable text field")
    if isinstance(field.get("fields"), list | tuple) and field["fields"]:
        yield Problem("AZS218", f"{name}: only a complex field has fields", tree.locate_key(step(at, "fields")))


def _check_analyzers(field: Mapping[str, Any], at: str, tree: Tree) -> Iterator[Problem]:
    name = field.get("name")
    stated = [key for key in ("analyzer", "indexAnalyzer", "searchAnalyzer") if field.get(key) is not None]

    def refused(key: str, why: str) -> Problem:
        return Problem("AZS216", f"{name}: {why}", tree.locate(step(at, key)))

    searchable = field.get("searchable", field.get("type") in TEXT_TYPES)
    if stated and (not searchable or field.get("type") not in TEXT_TYPES):
        yield refused(stated[0], f"{stated[0]} needs a searchable text field")
    elif "analyzer" in stated and len(stated) > 1:
        yield refused(stated[1], f"{stated[1]} cannot stand beside analyzer")
    elif stated in (["indexAnalyzer"], ["searchAnalyzer"]):
        yield refused(stated[0], "indexAnalyzer and searchAnalyzer come together")
    if field.get("normalizer") is not None and field.get("type") not in TEXT_TYPES:
        yield refused("normalizer", f"a normalizer needs a text field, and {field.get('type')} is none")
    elif field.get("normalizer") is not None and all(
        field.get(flag) is False for flag in ("filterable", "sortable", "facetable")
    ):
        yield refused("normalizer", "a normalizer needs a field that is filterable, sortable or facetable")


def _check_key(index: IndexDefinition) -> Iterator[Problem]:
    tree = index.tree
    keys = [field for field in placed_fields(index).values() if field.body.get("key") is True]
    if not keys:
        yield Problem("AZS213", "no field is the key", tree.locate_key("/index/fields"), hint="set key: true on one")
        return
    for field in keys[1:]:
        place = tree.locate(step(field.pointer, "key"))
        yield Problem("AZS213", f"{field.name}: {keys[0].name} is the key already", place)
    key = keys[0]

    def unfit(flag: str, why: str) -> Problem:
        place, told = tree.locate(step(key.pointer, flag)), f"the key {key.name} {why}"
        if index.adopt is None or flag not in ("sortable", "filterable"):
            return Problem("AZS214", told, place)
        # What is adopted serves without it; only what is built from it is read by ranges
        return Problem("AZS214", told, place, severity="warning", hint="set it with the next change, which builds")

    if key.body.get("type") != "Edm.String":
        yield Problem("AZS213", f"the key {key.name} must be an Edm.String", tree.locate(step(key.pointer, "type")))
        return
    if key.body.get("retrievable") is False:
        yield unfit("retrievable", "must be retrievable")
    if not index.projection:
        return
    if key.body.get("searchable") is False:
        yield unfit("searchable", "must be searchable, with the analyzer keyword")
    elif key.body.get("analyzer") != "keyword":
        yield unfit("analyzer", "must have the analyzer keyword, or projections cannot write to it")
    for flag in ("sortable", "filterable"):
        if key.body.get(flag) is False:
            yield unfit(flag, f"must be {flag}, since chunks are read by ranges of their key")


def _check_parent_key(index: IndexDefinition) -> Iterator[Problem]:
    tree, name = index.tree, parent_key_field(index)
    if name is None:
        message = f"no field of the projection takes the {PARENT_KEY}"
        yield Problem("AZS217", message, tree.locate_key("/projection"), hint=f"parent_id: {PARENT_KEY}")
        return
    others = [other for other, source in index.projection.items() if source == PARENT_KEY and other != name]
    for other in others:
        place = tree.locate(step("/projection", other))
        yield Problem("AZS217", f"{other}: {name} takes the {PARENT_KEY} already", place)
    field = placed_fields(index).get(name)
    if field is None:
        return
    if field.body.get("key") is True:
        place = tree.locate(step("/projection", name))
        yield Problem("AZS217", f"the parent's key cannot be written to {name}, the index's own key", place)
    elif field.body.get("type") != "Edm.String":
        place = tree.locate(step(field.pointer, "type"))
        yield Problem("AZS217", f"{name} takes the parent's key, so it must be an Edm.String", place)
    elif field.body.get("filterable") is False:
        place = tree.locate(step(field.pointer, "filterable"))
        yield Problem("AZS217", f"{name} takes the parent's key, so it must be filterable", place)
