"""Documents: the four actions, values by type, lookups and counts."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

DOCS = "/indexes('notes')/docs"


@pytest.fixture
def notes_index(http: httpx.Client, notes: dict[str, Any]) -> httpx.Client:
    assert http.post("/indexes", json=notes).status_code == 201
    return http


def send(http: httpx.Client, *rows: dict[str, Any]) -> httpx.Response:
    return http.post(f"{DOCS}/search.index", json={"value": list(rows)})


def look_up(http: httpx.Client, key: str, select: str = "*") -> dict[str, Any]:
    answer = http.get(
        f"{DOCS}('{key}')", params={"$select": select}, headers={"Accept": "application/json;odata.metadata=none"}
    )
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_each_action_has_a_result_of_its_own(notes_index: httpx.Client):
    first = send(notes_index, {"@search.action": "upload", "id": "1", "title": "one", "pages": 1}, {"id": "2"})
    assert first.status_code == 200
    assert first.json()["value"] == [
        {"key": "1", "status": True, "errorMessage": None, "statusCode": 201},
        {"key": "2", "status": True, "errorMessage": None, "statusCode": 201},
    ]
    mixed = send(
        notes_index,
        {"@search.action": "merge", "id": "1", "pages": 2},
        {"@search.action": "merge", "id": "9", "pages": 2},
        {"@search.action": "mergeOrUpload", "id": "2", "title": "two"},
        {"@search.action": "mergeOrUpload", "id": "3", "title": "three"},
        {"@search.action": "delete", "id": "2"},
        {"@search.action": "delete", "id": "8"},
        {"@search.action": "upload", "id": "1", "title": "uno"},
    )
    assert mixed.status_code == 207
    assert [(row["key"], row["status"], row["statusCode"]) for row in mixed.json()["value"]] == [
        ("1", True, 200),
        ("9", False, 404),
        ("2", True, 200),
        ("3", True, 201),
        ("2", True, 200),
        ("8", True, 200),
        ("1", True, 200),
    ]
    assert mixed.json()["value"][1]["errorMessage"] == "Document not found."
    assert look_up(notes_index, "1", "id,title,pages") == {"id": "1", "title": "uno", "pages": None}
    assert notes_index.get(f"{DOCS}/$count").text == "2"


def test_merge_replaces_collections_and_merges_objects(notes_index: httpx.Client):
    send(
        notes_index,
        {
            "id": "1",
            "title": "one",
            "tags": ["a", "b"],
            "author": {"name": "Ada", "team": "X"},
            "parts": [{"heading": "h1", "tags": ["t"]}],
        },
    )
    send(
        notes_index,
        {
            "@search.action": "merge",
            "id": "1",
            "title": None,
            "tags": ["c"],
            "author": {"team": "Y"},
            "parts": [{"heading": "h2"}],
        },
    )
    assert look_up(notes_index, "1", "title,tags,author,parts") == {
        "title": None,
        "tags": ["c"],
        "author": {"name": "Ada", "team": "Y"},
        "parts": [{"heading": "h2", "tags": []}],
    }


def test_values_come_back_as_the_service_writes_them(notes_index: httpx.Client):
    send(
        notes_index,
        {
            "id": "1",
            "pages": -(2**31),
            "bytes": 2**63 - 1,
            "weight": "-INF",
            "public": False,
            "written": "1970-01-18T00:00:00.1239999-05:00",
            "place": {"type": "Point", "coordinates": [-122, 47.5]},
            "author": {},
        },
        {"id": "2", "weight": 3, "written": "9999-12-31T23:59:59.9999999+00:00"},
    )
    assert look_up(notes_index, "1") == {
        "id": "1",
        "title": None,
        "tags": [],
        "pages": -(2**31),
        "bytes": 2**63 - 1,
        "weight": "-INF",
        "public": False,
        "written": "1970-01-18T05:00:00.123Z",
        "place": {
            "type": "Point",
            "coordinates": [-122.0, 47.5],
            "crs": {"type": "name", "properties": {"name": "EPSG:4326"}},
        },
        "author": {"name": None, "team": None},
        "parts": [],
    }
    assert look_up(notes_index, "2", "weight,written") == {"weight": 3.0, "written": "9999-12-31T23:59:59.999Z"}


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({"colour": "red"}, "The property 'colour' does not exist on type 'search.documentFields'."),
        ({"author": {"colour": "red"}}, "colour"),
        ({"title": 1}, "Edm.String"),
        ({"title": ["a"]}, "Edm.String"),
        ({"tags": "a"}, "tags"),
        ({"tags": [1]}, "Edm.String"),
        ({"pages": "1"}, "Edm.Int32"),
        ({"pages": 1.5}, "Edm.Int32"),
        ({"pages": True}, "Edm.Int32"),
        ({"pages": 2**31}, "Edm.Int32"),
        ({"bytes": 2**63}, "Edm.Int64"),
        ({"weight": "heavy"}, "Edm.Double"),
        ({"public": "true"}, "Edm.Boolean"),
        ({"written": "yesterday"}, "Edm.DateTimeOffset"),
        ({"written": "2020-02-30T00:00:00Z"}, "Edm.DateTimeOffset"),
        ({"written": "2020-02-03"}, "Edm.DateTimeOffset"),
        ({"place": {"type": "Point", "coordinates": [200, 0]}}, "Edm.GeographyPoint"),
        ({"place": "POINT (1 1)"}, "Edm.GeographyPoint"),
        ({"author": "Ada"}, "author"),
        ({"parts": {"heading": "h"}}, "parts"),
        ({"id": ""}, "Document key cannot be missing or empty."),
        ({"id": None}, "Document key cannot be missing or empty."),
        ({"id": "a b"}, "Keys can only contain"),
        ({"id": "_a"}, "leading underscore"),
        ({"id": "a" * 1025}, "1024"),
        ({"@search.action": "replace"}, "replace"),
    ],
)
def test_one_bad_document_refuses_the_whole_batch(notes_index: httpx.Client, values: dict[str, Any], named: str):
    refused = send(notes_index, {"id": "good"}, {"id": "bad", **values})
    assert refused.status_code == 400, refused.text
    message = refused.json()["error"]["message"]
    assert message.startswith("The request is invalid. Details: actions : 1: ")
    assert named in message
    assert notes_index.get(f"{DOCS}/$count").text == "0"


def test_a_bad_key_has_the_code_of_the_service(notes_index: httpx.Client):
    error = send(notes_index, {"id": "a.b"}).json()["error"]
    assert error["code"] == "InvalidName"
    assert error["details"][0]["code"] == "InvalidDocumentKey"


def test_batches_have_limits(notes_index: httpx.Client):
    rows = [{"id": str(number)} for number in range(1001)]
    assert send(notes_index, *rows).status_code == 400
    assert send(notes_index).status_code == 400
    assert send(notes_index, *rows[:1000]).status_code == 200


def test_a_term_that_is_too_long_fails_alone(notes_index: httpx.Client):
    answer = send(notes_index, {"id": "1", "title": "x" * 32_767}, {"id": "2", "title": "x" * 32_766})
    assert answer.status_code == 207
    assert [row["statusCode"] for row in answer.json()["value"]] == [400, 201]
    assert "too large" in answer.json()["value"][0]["errorMessage"]


def test_a_missing_document_is_404_without_a_body(notes_index: httpx.Client):
    missing = notes_index.get(f"{DOCS}('1')")
    assert (missing.status_code, missing.content) == (404, b"")
    assert notes_index.get("/indexes('other')/docs('1')").json()["error"]["message"] == (
        "The index 'other' for service 'local' was not found."
    )


def test_selections_are_checked(notes_index: httpx.Client):
    send(notes_index, {"id": "1", "author": {"name": "Ada", "team": "X"}, "parts": [{"heading": "h", "tags": ["t"]}]})
    assert look_up(notes_index, "1", "author/name,parts/tags") == {
        "author": {"name": "Ada"},
        "parts": [{"tags": ["t"]}],
    }
    refused = notes_index.get(f"{DOCS}('1')", params={"$select": "colour"})
    assert refused.status_code == 400
    assert "colour" in refused.json()["error"]["message"]


def test_both_spellings_of_the_routes_are_one(notes_index: httpx.Client):
    assert notes_index.post("/indexes/notes/docs/index", json={"value": [{"id": "a=b"}]}).status_code == 200
    assert notes_index.get("/indexes/notes/docs/a%3Db").json()["id"] == "a=b"
    assert notes_index.get("/indexes('notes')/docs('a%3Db')").json()["id"] == "a=b"
    assert notes_index.get("/indexes/notes/docs/$count").text == "1"
    assert notes_index.get("/indexes/notes/stats").json()["documentCount"] == 1


def test_vectors_are_hidden_and_their_length_is_checked(http: httpx.Client, make_vector_index):
    index = make_vector_index("vectors")
    index["fields"].append({**index["fields"][2], "name": "shown", "retrievable": True})
    http.post("/indexes", json=index)
    rows = [{"id": "1", "vector": [0.1, 1, -2e-7], "shown": [0.1, 1 / 3, 0.25]}, {"id": "2"}]
    assert http.post("/indexes/vectors/docs/index", json={"value": rows}).status_code == 200
    document = http.get("/indexes/vectors/docs/1").json()
    assert "vector" not in document
    assert document["shown"] == [0.1, 0.33333334, 0.25]
    assert http.get("/indexes/vectors/docs/2").json()["shown"] == []
    assert http.get("/indexes/vectors/docs/1", params={"$select": "vector"}).status_code == 400
    for bad in ([1.0], [1, 2, 3, 4], [1, 2, "3"], [1, 2, True], [1, 2, 1e39]):
        refused = http.post("/indexes/vectors/docs/index", json={"value": [{"id": "3", "vector": bad}]})
        assert refused.status_code == 400, bad
        assert "vector" in refused.json()["error"]["message"]
    assert (
        "mismatch in vector dimensions"
        in http.post("/indexes/vectors/docs/index", json={"value": [{"id": "3", "vector": [1]}]}).json()["error"][
            "message"
        ]
    )


def test_statistics_have_usage_and_quota(notes_index: httpx.Client):
    send(notes_index, {"id": "1", "title": "one"}, {"id": "2", "title": "two"})
    stats = notes_index.get("/indexes('notes')/search.stats").json()
    assert stats["documentCount"] == 2
    assert stats["storageSize"] > 0
    assert stats["vectorIndexSize"] == 0
    counters = notes_index.get("/servicestats").json()["counters"]
    assert counters["documentCount"]["usage"] == 2
    assert counters["indexesCount"] == {"usage": 1, "quota": 50}
    assert counters["aliasesCount"]["quota"] == 100
    assert notes_index.get("/indexstats").status_code == 404
    preview = notes_index.get("/indexstats", params={"api-version": "2025-11-01-preview"}).json()["value"]
    assert [row["name"] for row in preview] == ["notes"]


def test_vector_quota_counts_graphs_only(http: httpx.Client, make_vector_index):
    http.post("/indexes", json=make_vector_index("exact"))
    graph = make_vector_index("graph")
    graph["vectorSearch"]["algorithms"][0]["kind"] = "hnsw"
    http.post("/indexes", json=graph)
    for name in ("exact", "graph"):
        http.post(f"/indexes/{name}/docs/index", json={"value": [{"id": "1", "vector": [1, 0, 0]}]})
    sizes = [http.get(f"/indexes/{name}/stats").json()["vectorIndexSize"] for name in ("exact", "graph")]
    assert sizes == [0, 12]
