"""The published examples of search requests load as retrieval settings, and nothing is told of them that is not so."""

import json
from pathlib import Path

import pytest

SPEC = Path(__file__).parents[4] / "shared" / "spec"
EXAMPLES = sorted(SPEC.glob("*/examples/SearchIndexSearchDocuments*.json"))
pytestmark = pytest.mark.skipif(not EXAMPLES, reason="the specification is not on this machine")

LISTS = ("highlight", "$orderby", "searchFields", "$select")
TEXT = ("category", "description", "title", "name", "ownerId")
VECTORS = {"descriptionEmbedding": 5, "vector22": 10, "vector1b": 10}

SO_IT_IS = {
    ("AZS404", "a threshold in mode hybrid only filters the vector list; what text finds stays"),
    ("AZS408", "results come by id, so relevance decides nothing"),
    ("AZS408", "results come by rating, so relevance decides nothing"),
    ("AZS413", "a scoring parameter is NAME-VALUES, not 'categoryTag:desiredCategoryValue'"),
    ("AZS416", "filterOverride stands in the place of the filter, not beside it"),
}
"""Warnings that fit. Every example asks one fixed question too (AZS415): a template has none."""


def request_of(path):
    """The body of a POST; of a GET its parameters in the form of one."""
    parameters = json.loads(path.read_text("utf-8"))["parameters"]
    if "searchRequest" in parameters:
        return parameters["searchRequest"]
    own = {name: value for name, value in parameters.items() if name not in ("endpoint", "indexName", "api-version")}
    own["facets"] = own.pop("facet", [])
    body = {name.lstrip("$"): ",".join(value) if name in LISTS else value for name, value in own.items()}
    return body


def project(workspace, version, request):
    """The example as retrieval settings of an index that has what it names."""
    fields = [{"name": name, "type": "Edm.String", "key": name == "id"} for name in ("id", "hotelId", "docId", *TEXT)]
    fields.append({"name": "rating", "type": "Edm.Double"})
    fields += [
        {"name": name, "type": "Collection(Edm.Single)", "dimensions": size, "vectorSearchProfile": "p"}
        for name, size in VECTORS.items()
    ]
    weighed = {"text": {"weights": {"description": 2}}}
    here = {"referencePointParameter": "currentLocation", "boostingDistance": 10}
    functions = [
        {"type": "tag", "fieldName": "category", "boost": 2, "tag": {"tagsParameter": "categoryTag"}},
        {"type": "distance", "fieldName": "place", "boost": 2, "distance": here},
    ]
    fields.append({"name": "place", "type": "Edm.GeographyPoint"})
    asked = {str(one).split("-")[0].split(":")[0] for one in request.get("scoringParameters") or ()}
    functions = [f for f in functions if asked & {str(value) for value in f[f["type"]].values()}]
    named = request.get("scoringProfile") or "sp"
    index = {
        "fields": fields,
        "scoringProfiles": [{"name": named, **weighed, "functions": functions}],
        "semantic": {
            "configurations": [
                {"name": "my-semantic-config", "prioritizedFields": {"titleField": {"fieldName": "title"}}}
            ]
        },
        "vectorSearch": {
            "algorithms": [{"name": "a", "kind": "hnsw"}],
            "compressions": [{"name": "c", "kind": "scalarQuantization"}],
            "profiles": [{"name": "p", "algorithm": "a", "compression": "c"}],
        },
    }
    mode = "hybrid" if request.get("vectorQueries") else "text"
    body = {
        "name": "docs",
        "alias": "docs-live",
        "source": {"type": "azureblob", "connection": "files", "container": "docs"},
        "index": index,
        "retrieval": {"mode": mode, "request": request},
    }
    (workspace.root / workspace.skillset).unlink()
    workspace.write(workspace.index, json.dumps(body))
    environment = {"endpoint": "local", "apiVersion": "2026-04-01", "queryApiVersion": version}
    environment["connections"] = {"files": {"connectionString": "ResourceId=/x;"}}
    workspace.write(workspace.environment, json.dumps(environment))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: f"{p.parent.parent.name}-{p.stem}")
def test_nothing_untrue_is_told_of_an_example(workspace, path):
    project(workspace, path.parent.parent.name, request_of(path))
    found = [p for p in workspace.found() if p.location.pointer.startswith("/retrieval")]
    fixed = [p for p in found if p.code == "AZS415"]
    assert [p.message for p in fixed] == [f"every question would be answered for {request_of(path)['search']!r}"]
    told = [p for p in found if p not in fixed]
    assert {(p.code, p.message) for p in told if p.code != "AZS205"} <= SO_IT_IS
    assert {p.severity for p in told} <= {"warning"}
