"""Bodies of a service, turned back into the definitions that describe them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from azsearch_ops.contract.fields import is_vector
from azsearch_ops.contract.indexing import BLOB_TYPES, DATA_SOURCE_ELSEWHERE, INDEXER_ELSEWHERE
from azsearch_ops.contract.objects import ANNOTATIONS
from azsearch_ops.contract.skills import EMBEDDING_ODATA_TYPE, INCLUDE_PARENTS, SKIP_PARENTS
from azsearch_ops.contract.text_split import ODATA_TYPE
from azsearch_ops.definitions.short_forms import PAGES, PARENT_KEY, TEXT_VECTOR, key_field

OFF: Final = ("disabled", False)
_SECRETS: Final = ("apiKey", "key")


@dataclass(frozen=True, slots=True)
class Found:
    """An index and what fills it, as the service holds it; without indexer and data source applications push to it."""

    index: Mapping[str, Any]
    skillset: Mapping[str, Any] | None
    data_source: Mapping[str, Any] | None
    indexer: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Fields:
    """Which fields hold a chunk's document and its text; None where that cannot be told."""

    document: str | None
    text: str | None


def index_definition(found: Found, name: str, alias: str, connection: str, fields: Fields) -> dict[str, Any]:
    """The content of indexes/NAME/index.yaml."""
    projection = _projection(found.skillset)
    definition: dict[str, Any] = {"name": name, "alias": alias, "adopt": str(found.index["name"])}
    if found.skillset is not None:
        definition["skillset"] = name
    if found.indexer is not None and found.data_source is not None:
        definition["source"] = _source(found.index, found.indexer, found.data_source, connection)
    if projection:
        definition["projection"] = projection
    definition["index"] = {key: value for key, value in _clean(found.index, name).items() if key != "name"}
    definition["retrieval"] = _retrieval(found.index)
    if fields.document and fields.text:
        metrics = ["recall@2000t", "mrr@10", "recall@5", "ndcg@10"]
        definition["evaluation"] = {
            "queries": "queries.yaml",
            "document": fields.document,
            "text": fields.text,
            "metrics": metrics,
        }
        definition["gate"] = {"recall@2000t": {}, "mrr@10": {}}
    return definition


def skillset_definition(skillset: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The content of skillsets/NAME.yaml: short forms where they fit, REST's shape for every other skill."""
    definition: dict[str, Any] = {"name": name}
    rest: list[dict[str, Any]] = []
    pages = ""
    for skill in _clean(skillset, name).get("skills") or ():
        if "chunking" not in definition and _fits(skill, ODATA_TYPE, "textItems", PAGES):
            definition["chunking"] = _short(skill, "chunking", "/document", "/document/content")
            pages = f"{skill.get('context') or '/document'}/{PAGES}/*"
        else:
            rest.append(skill)
    context, text = (pages, pages) if pages else ("/document", "/document/content")
    for skill in list(rest):
        if "embedding" not in definition and _fits(skill, EMBEDDING_ODATA_TYPE, "embedding", TEXT_VECTOR):
            definition["embedding"] = _short(skill, "embedding", context, text)
            rest.remove(skill)
    if rest:
        definition["skills"] = rest
    kept = ("description", "cognitiveServices", "knowledgeStore", "encryptionKey")
    cleaned = _clean(skillset, name)
    projections = cleaned.get("indexProjections") or {}
    parameters = projections.get("parameters") or {"projectionMode": INCLUDE_PARENTS}
    if projections and parameters != {"projectionMode": SKIP_PARENTS}:
        definition["indexProjections"] = {"parameters": parameters}
    return {**definition, **{key: cleaned[key] for key in kept if cleaned.get(key)}}


def fields_of(found: Found) -> Fields:
    """The fields that hold document and text: what is filled from the blob's path and from the chunks."""
    projection = _projection(found.skillset)
    if projection:
        by_source = {source: field for field, source in projection.items() if isinstance(source, str)}
        selectors = (found.skillset or {})["indexProjections"]["selectors"]
        text = by_source.get(str(selectors[0]["sourceContext"])) or by_source.get("/document/content")
        paths = [f"/document/metadata_storage_{part}" for part in ("path", "name")]
        mapped = [_mapped(found, f"metadata_storage_{part}") for part in ("path", "name")]
        paths += [f"/document/{field}" for field in mapped if field]
        return Fields(next((by_source[path] for path in paths if path in by_source), None), text)
    names = {str(field["name"]) for field in found.index["fields"] if not field.get("key")}
    document = [_mapped(found, "metadata_storage_path"), "metadata_storage_path", "metadata_storage_name"]
    content = [_mapped(found, "content"), "content"]
    return Fields(
        next((name for name in document if name in names), None),
        next((name for name in content if name in names), None),
    )


def _source(
    index: Mapping[str, Any], indexer: Mapping[str, Any], origin: Mapping[str, Any], connection: str
) -> dict[str, Any]:
    indexer, origin = _clean(indexer, ""), _clean(origin, "")
    parameters = dict(indexer.get("parameters") or {})
    configuration = dict(parameters.pop("configuration", None) or {})
    source: dict[str, Any] = {
        "type": origin["type"],
        "connection": connection,
        "container": origin["container"]["name"],
    }
    if origin["container"].get("query"):
        source["query"] = origin["container"]["query"]
    if configuration.get("parsingMode"):
        source["parsingMode"] = configuration.pop("parsingMode")
    if schedule := indexer.get("schedule"):
        source["schedule"] = schedule["interval"] if set(schedule) == {"interval"} else schedule
    # Said, since ours are not Azure's: a document that fails does not stop the others
    source["parameters"] = {"maxFailedItems": 0, "maxFailedItemsPerBatch": 0, **parameters}
    if source["parameters"] == {"maxFailedItems": -1, "maxFailedItemsPerBatch": -1}:
        del source["parameters"]
    if configuration:
        source["configuration"] = configuration
    for key in ("fieldMappings", "outputFieldMappings", "cache", "encryptionKey"):
        if indexer.get(key):
            source[key] = indexer[key]
    key_name = key_field(index)
    mappings = indexer.get("fieldMappings") or ()
    if source["type"] in BLOB_TYPES and not any(m.get("targetFieldName") == key_name for m in mappings):
        source["keyMapping"] = False
    for key in ("dataChangeDetectionPolicy", "dataDeletionDetectionPolicy"):
        if origin.get(key):
            source[key] = origin[key]
    for kind, body, elsewhere in (
        ("dataSource", origin, DATA_SOURCE_ELSEWHERE),
        ("indexer", indexer, INDEXER_ELSEWHERE),
    ):
        further = {key: value for key, value in body.items() if key not in elsewhere and (key, value) != OFF}
        if further:
            source[kind] = further
    return source


def _projection(skillset: Mapping[str, Any] | None) -> dict[str, Any]:
    """Field → path for a skillset with one selector; empty without projections."""
    selectors = list(((skillset or {}).get("indexProjections") or {}).get("selectors") or ())
    if len(selectors) != 1:
        return {}
    selector = _clean(selectors[0], "")
    projection: dict[str, Any] = {str(selector["parentKeyFieldName"]): PARENT_KEY}
    for mapping in selector.get("mappings") or ():
        rest = {key: value for key, value in mapping.items() if key != "name"}
        projection[str(mapping["name"])] = rest["source"] if set(rest) == {"source"} else rest
    return projection


def _retrieval(index: Mapping[str, Any]) -> dict[str, Any]:
    """Hybrid where the service can make a question's vector itself, else text; every field that may be shown."""
    search = index.get("vectorSearch") or {}
    able = {p["name"] for p in search.get("profiles") or () if p.get("vectorizer")}
    vectors = [f for f in index["fields"] if is_vector(f)]
    hybrid = bool(vectors) and all(f.get("vectorSearchProfile") in able for f in vectors)
    shown = [str(f["name"]) for f in index["fields"] if f.get("retrievable") is not False and not is_vector(f)]
    retrieval: dict[str, Any] = {"mode": "hybrid" if hybrid else "text", "top": 5}
    if hybrid:
        retrieval["k"] = 50
    return {**retrieval, "request": {"select": ",".join(shown)}}


def _fits(skill: Mapping[str, Any], odata_type: str, output: str, target: str) -> bool:
    return skill.get("@odata.type") == odata_type and skill.get("outputs") == [{"name": output, "targetName": target}]


def _short(skill: Mapping[str, Any], name: str, context: str, text: str) -> dict[str, Any]:
    """The skill without what its short form fills in by itself."""
    implied = {"name": name, "context": context, "inputs": [{"name": "text", "source": text}]}
    return {
        key: value
        for key, value in skill.items()
        if key not in ("@odata.type", "outputs") and implied.get(key) != value
    }


def _mapped(found: Found, source: str) -> str | None:
    mappings = (found.indexer or {}).get("fieldMappings") or ()
    return next((str(m["targetFieldName"]) for m in mappings if m.get("sourceFieldName") == source), None)


def _clean(body: Mapping[str, Any], name: str) -> dict[str, Any]:
    """The body without nulls, empties and annotations; keys become references to secrets, so that none is in a file."""
    result: dict[str, Any] = {}
    for key, value in body.items():
        if key in ANNOTATIONS or value is None or value == [] or value == {}:
            continue
        if key in _SECRETS and isinstance(value, str):
            result[key] = f"{{{{ secret('{_secret_name(name)}') }}}}"
        else:
            result[key] = _clean_value(value, name)
    return result


def _clean_value(value: Any, name: str) -> Any:
    if isinstance(value, Mapping):
        return _clean(value, name)
    if isinstance(value, list | tuple):
        return [_clean_value(item, name) for item in value]
    return literal(value) if isinstance(value, str) else value


def literal(text: str) -> str:
    """The text as it must be written so that no template is seen in it."""
    if not any(mark in text for mark in ("{{", "{%", "{#")):
        return text
    quoted = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"{{{{ '{quoted}' }}}}"


def _secret_name(name: str) -> str:
    return re.sub(r"\W", "_", f"{name}_API_KEY").upper()
