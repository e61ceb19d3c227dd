"""What is live, as a service returns it right after a release of a test's bodies."""

import copy

from azsearch_ops.contract.fields import field_defaults
from azsearch_ops.planning.live import LiveState


def returned(value):
    """What a service makes of a body: nulls and empty lists for what is unset, an etag, fields with defaults."""
    body = copy.deepcopy(value)
    body["@odata.etag"] = '"0x1"'
    for name in ("description", "encryptionKey", "identity", "cache", "cognitiveServices", "semantic"):
        body.setdefault(name, None)
    for name in ("suggesters", "analyzers", "scoringProfiles", "outputFieldMappings"):
        body.setdefault(name, [])
    if "fields" in body:
        body["fields"] = [
            {
                **field_defaults(field),
                "analyzer": field.get("analyzer"),
                "normalizer": field.get("normalizer"),
                "sensitivityLabel": None,
            }
            for field in body["fields"]
        ]
        body["similarity"] = {"@odata.type": "#Microsoft.Azure.Search.BM25Similarity", "k1": None, "b": None}
    for skill in body.get("skills", ()):
        skill["description"] = None
        for mapping in skill["inputs"]:
            mapping.update(sourceContext=None, inputs=[])
    if "credentials" in body:
        body["credentials"] = {"connectionString": None}
    return body


def live_of(bodies, **replaced):
    scheduled = {**bodies.indexer, "schedule": bodies.schedule} if bodies.schedule else bodies.indexer
    state = {
        "index_name": bodies.candidate,
        "index": returned(bodies.index),
        "skillset": returned(bodies.skillset),
        "data_source": returned(bodies.data_source),
        "indexer": returned(scheduled),
        "search": bodies.search,
        "rebuild_digest": bodies.rebuild_digest,
    }
    return LiveState(**{**state, **replaced})
