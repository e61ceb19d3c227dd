"""A REST body written into the definitions of a small project, and what they render to."""

from __future__ import annotations

import json
from typing import Any

from azsearch_ops.bodies.ranking_parts import renamed_parts
from azsearch_ops.bodies.render import render
from azsearch_ops.contract.indexing import DATA_SOURCE_ELSEWHERE, INDEXER_ELSEWHERE

HEAD: dict[str, Any] = {
    "name": "docs",
    "alias": "docs-live",
    "source": {"type": "azureblob", "connection": "files", "container": "docs"},
    "index": {"fields": [{"name": "id", "type": "Edm.String", "key": True}]},
    "retrieval": {"mode": "text"},
}
GIVEN = ("name", "dataSourceName", "targetIndexName", "skillsetName")


def write(workspace: Any, version: str, kind: str, body: dict[str, Any]) -> None:
    """The definitions that hold the body, spelled as Azure spells it, each part in the place that it has."""
    index = json.loads(json.dumps(HEAD))
    connection: dict[str, Any] = {"connectionString": "x"}
    if kind == "index":
        index["index"] = body
    elif kind == "skillset":
        index["skillset"] = body["name"]
        workspace.write("skillsets/docs.json", json.dumps(body))
    elif kind == "dataSource":
        container = body["container"]
        index["source"] |= {"type": body["type"], "container": container["name"], "query": container.get("query")}
        index["source"] |= {n: body[n] for n in body if n.endswith("DetectionPolicy")}
        index["source"]["dataSource"] = {n: body[n] for n in body if n not in DATA_SOURCE_ELSEWHERE}
        connection = {**connection, "identity": body.get("identity")}
        connection |= {n: v for n, v in (body.get("credentials") or {}).items() if v}
    elif kind == "indexer":
        index["source"]["keyMapping"] = False
        index["source"] |= {n: body[n] for n in INDEXER_ELSEWHERE if n not in GIVEN and body.get(n) is not None}
        index["source"]["indexer"] = {n: body[n] for n in body if n not in INDEXER_ELSEWHERE}
    elif kind == "synonymMap":
        index["index"]["fields"].append({"name": "t", "type": "Edm.String", "synonymMaps": [body["name"]]})
        workspace.write("synonymmaps/terms.json", json.dumps(body))
    (workspace.root / workspace.skillset).unlink(missing_ok=True)
    workspace.write("indexes/docs/index.yaml", json.dumps(index))
    environment = {"endpoint": "local", "apiVersion": version, "connections": {"files": connection}}
    workspace.write("infra/environments/local.yaml", json.dumps(environment))


def rendered(workspace: Any, version: str, kind: str, body: dict[str, Any]) -> dict[str, Any]:
    """What the definitions with this body in them render to, under the body's own names."""
    write(workspace, version, kind, body)
    bodies = render(workspace.load(), "docs")
    by_kind = {
        "index": renamed_parts(bodies.index, {(part.kind, part.name): part.own for part in bodies.ranked}),
        "skillset": bodies.skillset,
        "dataSource": bodies.data_source,
        "indexer": {**bodies.indexer, **bodies.while_live},
        "synonymMap": next(iter(bodies.synonym_maps), {}),
    }
    return {**by_kind[kind], **{name: body[name] for name in GIVEN if name in body}}
