"""The request examples of the published specification load as definitions and render to what they say."""

import json
import re
from pathlib import Path

import pytest

from azsearch_ops.bodies.normal import normal
from azsearch_ops.bodies.render import render

SPEC = Path(__file__).parents[4] / "shared" / "spec"
EXAMPLES = sorted(SPEC.glob("*/examples/SearchServiceCreate*.json"))
KINDS = {
    "Index": "index",
    "Skillset": "skillset",
    "DataSource": "dataSource",
    "Indexer": "indexer",
    "SynonymMap": "synonymMap",
    "Alias": "alias",
}
NEVER_SAID = {
    "index": (),
    "skillset": (),
    "synonymMap": (),
    # A release says what it is for; a candidate's data source and indexer are made and dropped with it
    "dataSource": ("description", "encryptionKey"),
    # An indexer is disabled by taking it off its schedule
    "indexer": ("description", "disabled"),
}
"""What a definition cannot say, by kind. Aliases are names in an index definition and have no body of their own.

Nothing else of the examples is lost.
"""

pytestmark = pytest.mark.skipif(not EXAMPLES, reason="the specification is not on this machine")

HEAD = {
    "name": "docs",
    "alias": "docs-live",
    "source": {"type": "azureblob", "connection": "files", "container": "docs"},
    "index": {"fields": [{"name": "id", "type": "Edm.String", "key": True}]},
    "retrieval": {"mode": "text"},
}


def example(path):
    document = json.loads(path.read_text("utf-8"))
    kind = KINDS[re.sub("SearchServiceCreate(OrUpdate)?", "", path.stem)]
    return kind, next(value for value in document["parameters"].values() if isinstance(value, dict))


def rendered(workspace, version, kind, body):
    """What a definition with this body in it renders to, under the example's own names."""
    index = json.loads(json.dumps(HEAD))
    environment = {"endpoint": "local", "apiVersion": version, "connections": {"files": {"connectionString": "x"}}}
    if kind == "index":
        index["index"] = body
    elif kind == "skillset":
        index["skillset"] = body["name"]
        workspace.write("skillsets/docs.json", json.dumps(body))
    elif kind == "dataSource":
        index["source"] |= {
            "type": body["type"],
            "container": body["container"]["name"],
            "query": body["container"].get("query"),
            **{n: body[n] for n in body if n.endswith("DetectionPolicy")},
        }
        environment["connections"]["files"]["identity"] = body.get("identity")
    elif kind == "indexer":
        index["source"]["keyMapping"] = False
        own = ("parameters", "fieldMappings", "outputFieldMappings", "schedule", "encryptionKey", "cache")
        index["source"] |= {name: body[name] for name in own if body.get(name) is not None}
    workspace.write("indexes/docs/index.yaml", json.dumps(index))
    workspace.write("infra/environments/local.yaml", json.dumps(environment))
    if kind == "synonymMap":
        index["index"]["fields"].append({"name": "t", "type": "Edm.String", "synonymMaps": [body["name"]]})
        workspace.write("indexes/docs/index.yaml", json.dumps(index))
        workspace.write("synonymmaps/terms.json", json.dumps(body))
    if kind != "skillset":
        (workspace.root / workspace.skillset).unlink()
    bodies = render(workspace.load(), "docs")
    by_kind = {
        "index": bodies.index,
        "skillset": bodies.skillset,
        "dataSource": bodies.data_source,
        "indexer": {**bodies.indexer, "schedule": bodies.schedule},
        "synonymMap": next(iter(bodies.synonym_maps), {}),
    }
    found = {**by_kind[kind], "name": body["name"]}
    for name in ("dataSourceName", "targetIndexName", "skillsetName"):
        if name in body:
            found[name] = body[name]
    return found


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: f"{p.parent.parent.name}-{p.stem}")
def test_an_example_renders_to_itself(workspace, path):
    version = path.parent.parent.name
    kind, body = example(path)
    if kind == "alias":
        pytest.skip("an alias is a name in an index definition, and no file of its own")
    (workspace.root / workspace.skillset).unlink() if kind == "skillset" else None
    found = rendered(workspace, version, kind, body)
    assert left_out(kind, found) == left_out(kind, body)


def left_out(kind, body):
    """The normal form without what a definition cannot say, and without our own tolerance of failing documents."""
    form = {k: v for k, v in normal(kind, body).items() if k not in NEVER_SAID[kind]}
    if kind == "indexer":
        form["parameters"] = {
            k: v for k, v in form["parameters"].items() if k not in ("maxFailedItems", "maxFailedItemsPerBatch")
        }
    for selector in form.get("indexProjections", {}).get("selectors", ()):
        selector.pop("targetIndexName")
    if kind == "skillset":
        form.get("indexProjections", {}).pop("parameters", None)
    return form
