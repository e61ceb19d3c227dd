"""An index definition: Azure's default for each field, and what Azure refuses inside one definition."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from azsearch_ops.contract.fields import (
    BINARY_VECTOR,
    COMPLEX_TYPES,
    SIMPLE_TYPES,
    TEXT_TYPES,
    field_defaults,
    is_complex,
    is_vector,
)
from azsearch_ops.contract.limits import COMPLEX_COLLECTIONS, COMPLEX_DEPTH, TIERS
from azsearch_ops.contract.names import check_name
from azsearch_ops.local.errors import ServiceFault, invalid_request
from azsearch_ops.local.objects.analysis import ANALYSIS_PARTS, check_analysis, with_analysis_defaults
from azsearch_ops.local.objects.parts import check_parts
from azsearch_ops.local.objects.scoring import check_scoring_profiles
from azsearch_ops.local.objects.shape import checked, full_form
from azsearch_ops.local.objects.vector_search import check_vector_search

Exists = Callable[[str], bool]

_BM25: Final = "#Microsoft.Azure.Search.BM25Similarity"
_REFERENCES: Final = ("analyzer", "indexAnalyzer", "searchAnalyzer", "normalizer", "vectorSearchProfile")


def full_index(body: Mapping[str, Any], api_version: str, synonym_map_exists: Exists) -> dict[str, Any]:
    """The definition as it is stored: checked, with Azure's defaults for every field.

    Raises:
        ServiceFault: 400 for what Azure refuses.
    """
    checked("index", body, api_version)
    reason = check_name("index", body["name"])
    if reason:
        raise _refused(f"Invalid index name '{body['name']}': it {reason}.", "InvalidName")
    check_parts("index", body)
    fields = [field_defaults(field) for field in body["fields"]]
    index = full_form("index", {**body, "fields": fields})
    index["fields"] = [_cleared(field) for field in index["fields"]]
    for part in ANALYSIS_PARTS:
        index[part] = [with_analysis_defaults(item) for item in index[part]]
    if index["similarity"]["@odata.type"] != _BM25:
        raise _refused(f"The similarity '{index['similarity']['@odata.type']}' is not supported.", "InvalidSimilarity")
    _check_fields(index)
    for field, where in _walk(index["fields"]):
        _check_field(field, where, synonym_map_exists)
    check_analysis(index)
    check_vector_search(index)
    _check_profiles(index)
    return index


def _cleared(field: dict[str, Any]) -> dict[str, Any]:
    """Complex fields show no flags: they have none (recorded definitions give name, type and fields)."""
    if is_complex(field):
        return {"name": field["name"], "type": field["type"], "fields": [_cleared(f) for f in field["fields"]]}
    return field


def _walk(fields: list[dict[str, Any]], parent: str = "") -> Iterator[tuple[dict[str, Any], str]]:
    for field in fields:
        path = f"{parent}/{field['name']}" if parent else field["name"]
        yield field, path
        if is_complex(field):
            yield from _walk(field["fields"], path)


def _check_fields(index: Mapping[str, Any]) -> None:
    if not index["fields"]:
        raise _refused("The index must have at least one field.", "NoFields")
    keys = [field["name"] for field in index["fields"] if field.get("key")]
    if len(keys) != 1:
        found = "none is marked" if not keys else f"{len(keys)} are marked: {', '.join(keys)}"
        raise _refused(f"The index must have exactly one key field, and {found}.", "KeyFieldNotUnique")
    every = list(_walk(index["fields"]))
    simple = sum(not is_complex(field) for field, _ in every)
    if simple > TIERS["standard"].simple_fields:
        raise _refused(
            f"The index has {simple} simple fields; the maximum is {TIERS['standard'].simple_fields}.", "TooManyFields"
        )
    collections = sum(field["type"] == "Collection(Edm.ComplexType)" for field, _ in every)
    if collections > COMPLEX_COLLECTIONS:
        raise _refused(
            f"The index has {collections} complex collections; the maximum is {COMPLEX_COLLECTIONS}.",
            "TooManyComplexCollections",
        )
    for _, path in every:
        if path.count("/") > COMPLEX_DEPTH:
            raise _refused(f"The field '{path}' is nested deeper than {COMPLEX_DEPTH} levels.", "TooDeep")
    _check_unique(index["fields"], "")


def _check_unique(fields: list[dict[str, Any]], parent: str) -> None:
    seen: set[str] = set()
    for field in fields:
        name = field["name"]
        if name.lower() in seen:
            raise _refused(
                f"The field '{parent}{name}' is there twice; names are compared without case.", "DuplicateField"
            )
        seen.add(name.lower())
        if is_complex(field):
            _check_unique(field["fields"], f"{parent}{name}/")


def _check_field(field: Mapping[str, Any], path: str, synonym_map_exists: Exists) -> None:
    kind, nested = field["type"], "/" in path
    reason = check_name("field", field["name"])
    if reason:
        raise _field(path, f"has an invalid name: it {reason}", "InvalidName")
    if kind in COMPLEX_TYPES:
        if not field["fields"]:
            raise _field(path, f"of type {kind} must have sub-fields")
        return
    if field.get("key") and (kind != "Edm.String" or nested):
        raise _field(path, "is the key, which must be a top-level field of type Edm.String")
    if field["key"] and not field["retrievable"]:
        raise _field(path, "is the key, which must be retrievable")
    if not field["stored"]:
        if not is_vector(field):
            raise _field(path, "is not a vector field, and only those can have stored=false")
        if field["retrievable"]:
            message = (
                f"The field '{path}' is marked as not stored but is marked as retrievable. A retrievable field must be "
                "stored. Either set 'stored=false' and 'retrievable=false' or 'stored=true'."
            )
            raise ServiceFault(
                400,
                "InvalidRequestParameter",
                f"The request is invalid. Details: definition : {message}",
                [("InvalidField", f"{message} Parameters: definition")],
            )
    if is_vector(field):
        _check_vector_flags(field, path)
    else:
        _check_flags(field, path)
    maps = field.get("synonymMaps") or []
    if len(maps) > 1:
        raise _field(path, "has more than one synonym map")
    for name in maps:
        if not field["searchable"]:
            raise _field(path, "has a synonym map and is not searchable")
        if not synonym_map_exists(name):
            raise _field(path, f"names the synonym map '{name}', which does not exist")


def _check_flags(field: Mapping[str, Any], path: str) -> None:
    kind = field["type"]
    if field["searchable"] and kind not in TEXT_TYPES:
        raise _field(path, f"of type {kind} cannot be searchable")
    if field["sortable"] and kind not in SIMPLE_TYPES:
        raise _field(path, f"of type {kind} cannot be sortable, since it has many values")
    if field["facetable"] and "Edm.GeographyPoint" in kind:
        raise _field(path, f"of type {kind} cannot be facetable")
    analyzers = [name for name in ("analyzer", "indexAnalyzer", "searchAnalyzer") if field.get(name)]
    if analyzers and not field["searchable"]:
        raise _field(path, f"has '{analyzers[0]}' and is not searchable")
    if "analyzer" in analyzers and len(analyzers) > 1:
        raise _field(path, "has 'analyzer' together with 'searchAnalyzer' or 'indexAnalyzer'")
    if len(analyzers) == 1 and "analyzer" not in analyzers:
        raise _field(path, "must have 'searchAnalyzer' and 'indexAnalyzer' together")
    if field.get("normalizer") and kind not in TEXT_TYPES:
        raise _field(path, f"of type {kind} cannot have a normalizer")
    if field.get("normalizer") and not any(field[flag] for flag in ("filterable", "sortable", "facetable")):
        raise _field(path, "has a normalizer and is neither filterable, sortable nor facetable")
    for name in ("dimensions", "vectorSearchProfile", "vectorEncoding"):
        if field.get(name) is not None:
            raise _field(path, f"of type {kind} cannot have '{name}': only vector fields do")


def _check_vector_flags(field: Mapping[str, Any], path: str) -> None:
    if "/" in path:
        raise _field(path, "is a vector field inside a complex field, which the local service does not support")
    for name in ("dimensions", "vectorSearchProfile"):
        if field.get(name) is None:
            message = f"The vector field '{path}' must have the property '{name}' set."
            raise invalid_request(f"The request is invalid. Details: definition : {message}", "InvalidField")
    for flag in ("filterable", "sortable", "facetable"):
        if field[flag]:
            raise _field(path, f"is a vector field and cannot be {flag}")
    if not field["searchable"]:
        raise _field(path, "is a vector field and must be searchable")
    for name in _REFERENCES[:-1]:
        if field.get(name):
            raise _field(path, f"is a vector field and cannot have '{name}'")
    if (field["type"] == "Collection(Edm.Byte)") != (field.get("vectorEncoding") == "packedBit"):
        raise _field(path, "must have type Collection(Edm.Byte) and vectorEncoding 'packedBit' together")
    if field["type"] == BINARY_VECTOR and field["dimensions"] % 8:
        raise _field(path, f"has {field['dimensions']} dimensions, which must be a multiple of 8")


def _check_profiles(index: Mapping[str, Any]) -> None:
    paths = {path: field for field, path in _walk(index["fields"])}
    check_scoring_profiles(index, paths)
    if len(index["suggesters"]) > 1:
        raise _refused("An index can have at most one suggester.", "TooManySuggesters")
    for suggester in index["suggesters"]:
        for source in suggester["sourceFields"]:
            if source not in paths or not paths[source].get("searchable"):
                raise _refused(
                    f"The suggester '{suggester['name']}' names '{source}', which is not a searchable field.",
                    "InvalidSuggester",
                )
    semantic = index.get("semantic") or {"configurations": [], "defaultConfiguration": None}
    configurations = [configuration["name"] for configuration in semantic["configurations"]]
    if semantic["defaultConfiguration"] and semantic["defaultConfiguration"] not in configurations:
        raise _refused(
            f"The default semantic configuration '{semantic['defaultConfiguration']}' does not exist.",
            "UnknownSemanticConfiguration",
        )
    for configuration in semantic["configurations"]:
        _check_semantic(configuration, paths)


def _check_semantic(configuration: Mapping[str, Any], paths: Mapping[str, Mapping[str, Any]]) -> None:
    prioritized = configuration["prioritizedFields"]
    title = [prioritized["titleField"]] if prioritized["titleField"] else []
    used = [*title, *prioritized["prioritizedContentFields"], *prioritized["prioritizedKeywordsFields"]]
    if not used:
        raise _refused(f"The semantic configuration '{configuration['name']}' names no field.", "InvalidSemantic")
    for entry in used:
        field = paths.get(entry["fieldName"])
        if field is None or not (field.get("searchable") and field.get("retrievable")) or is_vector(field):
            raise _refused(
                f"The semantic configuration '{configuration['name']}' names '{entry['fieldName']}', which is not a "
                "searchable and retrievable text field.",
                "InvalidSemantic",
            )


def _field(path: str, what: str, detail: str = "InvalidField") -> ServiceFault:
    return _refused(f"The field '{path}' {what}.", detail)


def _refused(message: str, detail: str) -> ServiceFault:
    return invalid_request(f"The request is invalid. Details: definition : {message}", detail)
