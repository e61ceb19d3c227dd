"""How much there is, and how much there may be: /servicestats, /indexstats, /indexes/{name}/search.stats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from azsearch_ops.contract.fields import is_vector
from azsearch_ops.contract.limits import COMPLEX_COLLECTIONS, COMPLEX_DEPTH, COMPLEX_ELEMENTS
from azsearch_ops.contract.versions import is_preview
from azsearch_ops.local.errors import not_found
from azsearch_ops.local.objects.kinds import KINDS, TIER
from azsearch_ops.local.service import Service
from azsearch_ops.local.wire import Call, Reply

STORAGE_QUOTA: Final = 160 * 1024**3
"""Bytes of one S1 partition of a service made after April 2024 (page of limits)."""
VECTOR_QUOTA: Final = 35 * 1024**3
"""Bytes of vector index of one S1 partition of a service made after May 2024."""
_BYTES: Final = {"Edm.Single": 4, "Edm.Half": 2, "Edm.Int16": 2, "Edm.SByte": 1, "Edm.Byte": 1}


def service_statistics(call: Call, service: Service) -> Reply:
    """GET /servicestats: usage and quota of an S1 service with one partition."""
    usage = service.usage()
    sizes = [_sizes(service, stored.body) for stored in service.store.all("index")]
    counters = {
        "documentCount": _counter(sum(size[0] for size in sizes), None),
        "indexesCount": _counter(usage["index"], TIER.indexes),
        "indexersCount": _counter(usage["indexer"], TIER.indexers),
        "dataSourcesCount": _counter(usage["dataSource"], TIER.data_sources),
        "storageSize": _counter(sum(size[1] for size in sizes), STORAGE_QUOTA),
        "synonymMaps": _counter(usage["synonymMap"], TIER.synonym_maps),
        "skillsetCount": _counter(usage["skillset"], TIER.skillsets),
        "aliasesCount": _counter(usage["alias"], TIER.aliases),
        "vectorIndexSize": _counter(sum(size[2] for size in sizes), VECTOR_QUOTA),
    }
    limits = {
        "maxStoragePerIndex": STORAGE_QUOTA,
        "maxFieldsPerIndex": TIER.simple_fields,
        "maxFieldNestingDepthPerIndex": COMPLEX_DEPTH,
        "maxComplexCollectionFieldsPerIndex": COMPLEX_COLLECTIONS,
        "maxComplexObjectsInCollectionsPerDocument": COMPLEX_ELEMENTS,
    }
    return Reply(200, {**call.type_context("ServiceStatistics"), "counters": counters, "limits": limits})


def index_statistics(call: Call, service: Service) -> Reply:
    """GET /indexes('name')/search.stats."""
    stored = service.store.get("index", call.parts["name"])
    if stored is None:
        raise KINDS["indexes"].missing(call.parts["name"])
    return Reply(200, {**call.type_context("IndexStatistics"), **_row(service, stored.body)})


def all_index_statistics(call: Call, service: Service) -> Reply:
    """GET /indexstats, which only previews have."""
    if not is_preview(call.api_version):
        raise not_found(f"'indexstats' is not known to api-version {call.api_version}.")
    rows = [{"name": stored.name, **_row(service, stored.body)} for stored in service.store.all("index")]
    return Reply(200, {**call.type_context("IndexStatisticsSummary", many=True), "value": rows})


def _row(service: Service, index: Mapping[str, Any]) -> dict[str, int]:
    count, size, vectors = _sizes(service, index)
    return {"documentCount": count, "storageSize": size, "vectorIndexSize": vectors}


def _sizes(service: Service, index: Mapping[str, Any]) -> tuple[int, int, int]:
    """(documents, bytes stored, bytes of vectors that the quota counts: those of exhaustive fields are free)."""
    count, size = service.store.size(index["name"])
    section = index["vectorSearch"] or {"profiles": [], "algorithms": []}
    kinds = {algorithm["name"]: algorithm["kind"] for algorithm in section["algorithms"]}
    graphs = {profile["name"] for profile in section["profiles"] if kinds.get(profile["algorithm"]) == "hnsw"}
    width = sum(
        field["dimensions"] * _BYTES[field["type"][len("Collection(") : -1]]
        for field in index["fields"]
        if is_vector(field) and field["vectorSearchProfile"] in graphs
    )
    return count, size, count * width


def _counter(usage: int, quota: int | None) -> dict[str, int | None]:
    return {"usage": usage, "quota": quota}
