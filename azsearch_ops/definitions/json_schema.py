"""JSON Schemas of the definition files, from the typed files and the contract, for editors to complete and check by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from pydantic import TypeAdapter

from azsearch_ops.contract import text_split
from azsearch_ops.contract.indexing import DATA_SOURCE_ELSEWHERE, INDEXER_ELSEWHERE, OWN_NAMES
from azsearch_ops.contract.objects import OBJECTS, properties_of
from azsearch_ops.contract.property import Property
from azsearch_ops.contract.skills import EMBEDDING_ODATA_TYPE, EMBEDDING_SHORT_FORM
from azsearch_ops.definitions.environment import ENVIRONMENT
from azsearch_ops.definitions.files import EXTENDS
from azsearch_ops.definitions.index import INDEX
from azsearch_ops.definitions.queries_typed import QUERY_SET
from azsearch_ops.definitions.skillset import SKILLSET
from azsearch_ops.definitions.synonym_map import SYNONYM_MAP

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"

_TEMPLATE: Final = {"type": "string", "pattern": "\\{\\{|\\{%", "description": "A template that gives this value."}
_ANNOTATION: Final = "^@odata\\.(context|etag|id|editLink)$"
_FILES: Final[Mapping[str, tuple[TypeAdapter[Any], str]]] = {
    "index": (INDEX, "indexes/NAME/index.yaml"),
    "skillset": (SKILLSET, "skillsets/NAME.yaml"),
    "environment": (ENVIRONMENT, "infra/environments/NAME.yaml"),
    "queries": (QUERY_SET, "indexes/NAME/queries.yaml"),
    "synonymmap": (SYNONYM_MAP, "synonymmaps/NAME.yaml"),
}
KINDS: Final = tuple(_FILES)

_REST: Final[Mapping[str, Mapping[str, Mapping[str, Any]]]] = {
    "index": {
        "": {"index": {"$ref": "#/$defs/rest.index"}},
        "Source": {
            "configuration": {"$ref": "#/$defs/rest.indexerConfiguration"},
            "parameters": {"$ref": "#/$defs/rest.indexingParameters"},
            "fieldMappings": {"type": "array", "items": {"$ref": "#/$defs/rest.fieldMapping"}},
            "outputFieldMappings": {"type": "array", "items": {"$ref": "#/$defs/rest.fieldMapping"}},
            "dataChangeDetectionPolicy": {"$ref": "#/$defs/rest.changeDetection"},
            "dataDeletionDetectionPolicy": {"$ref": "#/$defs/rest.deletionDetection"},
            "cache": {"$ref": "#/$defs/rest.indexerCache"},
            "encryptionKey": {"$ref": "#/$defs/rest.encryptionKey"},
            "dataSource": {"$ref": "#/$defs/dataSource"},
            "indexer": {"$ref": "#/$defs/indexer"},
        },
        "Retrieval": {"request": {"$ref": "#/$defs/rest.searchRequest"}},
    },
    "skillset": {
        "": {
            "skills": {"type": "array", "items": {"$ref": "#/$defs/rest.skill"}},
            "cognitiveServices": {"$ref": "#/$defs/rest.cognitiveServices"},
            "knowledgeStore": {"$ref": "#/$defs/rest.knowledgeStore"},
            "indexProjections": {"$ref": "#/$defs/rest.indexProjections"},
            "encryptionKey": {"$ref": "#/$defs/rest.encryptionKey"},
            "chunking": {"$ref": "#/$defs/chunking"},
            "embedding": {"$ref": "#/$defs/embedding"},
        }
    },
    "queries": {"Asked": {"request": {"$ref": "#/$defs/rest.searchRequest"}}},
}
"""Which REST objects stand at which keys, by the name of the schema's part ("" for the file itself)."""


def json_schema(kind: str) -> dict[str, Any]:
    """The schema of a kind of definition file (one of KINDS). Wherever a value may stand, a template may."""
    adapter, file = _FILES[kind]
    schema = adapter.json_schema(by_alias=True)
    definitions: dict[str, Any] = schema.pop("$defs", {})
    for part, keys in _REST.get(kind, {}).items():
        properties = (definitions[part] if part else schema)["properties"]
        properties.update(keys)
    if kind == "index":
        # The file has a name already, and the final one is made of it
        definitions["rest.index"] = {**_object("index", definitions), "required": ["fields"]}
    for keys in _REST.get(kind, {}).values():
        for value in keys.values():
            _follow(value, definitions)
    if kind == "index":
        for name, elsewhere in (("dataSource", DATA_SOURCE_ELSEWHERE), ("indexer", INDEXER_ELSEWHERE)):
            rows = {n: row for n, row in properties_of(name).items() if n in OWN_NAMES or n not in elsewhere}
            definitions[name] = {**_closed(rows, False, definitions), "required": []}
    if kind == "skillset":
        definitions["chunking"] = _short(text_split.ODATA_TYPE, text_split.SHORT_FORM, definitions)
        definitions["embedding"] = _short(EMBEDDING_ODATA_TYPE, EMBEDDING_SHORT_FORM, definitions)
    schema["properties"][EXTENDS] = {"type": "string", "description": "A file whose values this one builds on."}
    schema["patternProperties"] = {_ANNOTATION: {}}
    top = {**_templated(schema, _optional_null), "$defs": {n: _templated(d, _same) for n, d in definitions.items()}}
    return {"$schema": DRAFT, "title": f"azsearch-ops: {file}", **{k: v for k, v in top.items() if k != "title"}}


def _follow(value: object, definitions: dict[str, Any]) -> None:
    """Adds the REST objects that a schema refers to."""
    if isinstance(value, Mapping):
        target = value.get("$ref")
        if isinstance(target, str) and target.startswith("#/$defs/rest."):
            _object(target.removeprefix("#/$defs/rest."), definitions)
        for item in value.values():
            _follow(item, definitions)


def _object(kind: str, definitions: dict[str, Any]) -> dict[str, Any]:
    """The schema of a REST object, which is added to `definitions`, with everything that it refers to."""
    name = f"rest.{kind}"
    if name in definitions:
        return dict(definitions[name])
    object_type = OBJECTS[kind]
    definitions[name] = {}
    if object_type.discriminator is None:
        definitions[name] = _closed(properties_of(kind), object_type.open, definitions)
        return dict(definitions[name])
    discriminator = object_type.discriminator
    cases = []
    for value, variant in object_type.variants.items():
        case = f"rest.{kind}.{variant}"
        rows = properties_of(kind, {discriminator: value})
        definitions[case] = _closed(rows, OBJECTS[variant].open, definitions)
        test = {"properties": {discriminator: {"const": value}}, "required": [discriminator]}
        cases.append({"if": test, "then": {"$ref": f"#/$defs/{case}"}})
    known: dict[str, Any] = {"enum": list(object_type.variants)}
    named = {"anyOf": [known, {"type": "string"}]} if object_type.open else known
    definitions[name] = {
        "type": "object",
        "properties": {discriminator: named},
        "required": [discriminator],
        "allOf": cases,
    }
    return dict(definitions[name])


def _closed(rows: Mapping[str, Property], is_open: bool, definitions: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {row.name: _row(row, definitions) for row in rows.values()},
        "patternProperties": {_ANNOTATION: {}},
        "required": [row.name for row in rows.values() if row.required],
        "additionalProperties": is_open,
    }


def _row(row: Property, definitions: dict[str, Any]) -> dict[str, Any]:
    schema: dict[str, Any] = {}
    if row.kind in ("string", "boolean", "integer", "number"):
        schema["type"] = row.kind
    elif row.kind == "object":
        schema["type"] = "object"
    elif row.kind == "list":
        schema["type"] = "array"
    if row.of is not None:
        _object(row.of, definitions)
        reference = {"$ref": f"#/$defs/rest.{row.of}"}
        schema = reference if row.kind == "object" else {"type": "array", "items": reference}
    elif row.kind == "list":
        schema["items"] = {"type": row.items, **({"enum": list(row.values)} if row.values else {})}
    if row.values and row.kind != "list":
        # Text Split's languages and lengths depend on unit and mode, which its own rules know
        schema["enum"] = list(row.values)
    if row.minimum is not None and row.name != "maximumPageLength":
        schema["minimum"] = row.minimum
    if row.maximum is not None and row.name != "maximumPageLength":
        schema["maximum"] = row.maximum
    since = "" if row.since == "2020-06-30" else f" Since {row.since}."
    default = {"default": list(row.default) if isinstance(row.default, tuple) else row.default}
    plain = row.default is not None and not isinstance(row.default, Mapping)
    told = {"description": f"{row.source}.{since}", **(default if plain else {})}
    return {"anyOf": [schema, {"type": "null"}], **told}


def _short(odata_type: str, takes: tuple[str, ...], definitions: dict[str, Any]) -> dict[str, Any]:
    rows = {n: r for n, r in properties_of("skill", {"@odata.type": odata_type}).items() if n in takes}
    return {**_closed(rows, False, definitions), "required": []}


def _same(schema: dict[str, Any]) -> dict[str, Any]:
    return schema


def _optional_null(schema: dict[str, Any]) -> dict[str, Any]:
    """Keys at the top of a file may be null, as JSON from the portal has them."""
    required = schema.get("required", [])
    properties = {
        name: value if name in required else {"anyOf": [value, {"type": "null"}]}
        for name, value in schema["properties"].items()
    }
    return {**schema, "properties": properties}


def _templated(schema: Any, after: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """The schema with a template allowed wherever something else than free text is asked for."""
    if isinstance(schema, list):
        return [_templated(item, _same) for item in schema]
    if not isinstance(schema, dict):
        return schema
    result: dict[str, Any] = {}
    for key, value in schema.items():
        if key in ("properties", "patternProperties", "$defs"):
            result[key] = {name: _value(item) for name, item in value.items()}
        elif key in ("items", "additionalProperties") and isinstance(value, dict):
            result[key] = _value(value)
        elif key == "if":
            result[key] = value
        elif key in ("anyOf", "allOf", "then"):
            result[key] = _templated(value, _same)
        else:
            result[key] = value
    return after(result)


def _value(schema: dict[str, Any]) -> dict[str, Any]:
    inner: dict[str, Any] = _templated(schema, _same)
    free = inner.get("type") == "string" and not {"enum", "pattern", "format"} & set(inner)
    if not inner or free or inner.get("pattern") == _TEMPLATE["pattern"]:
        return inner
    told: dict[str, Any] = {name: inner.pop(name) for name in ("description", "default", "title") if name in inner}
    return {"anyOf": [inner, _TEMPLATE], **told}
