"""The routes of searching: both methods, aliases, pages, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from azure.core.credentials import AzureKeyCredential
from azure.search.documents import SearchClient

from azsearch_ops.errors import UsageError
from azsearch_ops.verbs.local.service import start_local

NONE = {"Accept": "application/json;odata.metadata=none"}


@pytest.fixture
def filled(http: httpx.Client, notes: dict[str, Any]) -> httpx.Client:
    notes["suggesters"] = [{"name": "sg", "sourceFields": ["title"]}]
    http.post("/indexes", json=notes)
    http.post("/aliases", json={"name": "live", "indexes": ["notes"]})
    rows = [{"id": f"{n:02d}", "title": "even" if n % 2 == 0 else "odd", "pages": n} for n in range(60)]
    assert http.post("/indexes/notes/docs/index", json={"value": rows}).status_code == 200
    return http


def test_get_and_post_give_the_same(filled: httpx.Client):
    posted = filled.post(
        "/indexes('live')/docs/search.post.search",
        json={"search": "even", "filter": "pages gt 9", "orderby": "pages desc", "top": 3, "skip": 1, "count": True,
              "select": "id"},
        headers=NONE,
    ).json()  # fmt: skip
    assert posted == {
        "@odata.count": 25,
        "value": [{"@search.score": row["@search.score"], "id": row["id"]} for row in posted["value"]],
    }
    assert [row["id"] for row in posted["value"]] == ["56", "54", "52"]
    got = filled.get(
        "/indexes/live/docs",
        params={"search": "even", "$filter": "pages gt 9", "$orderby": "pages desc", "$top": 3, "$skip": 1,
                "$count": "true", "$select": "id"},
        headers=NONE,
    )  # fmt: skip
    assert got.json() == posted
    assert got.headers["content-type"].startswith("application/json; odata.metadata=none")


def test_pages_lead_to_the_next(filled: httpx.Client):
    first = filled.post("/indexes/notes/docs/search", json={"search": "*", "orderby": "id"}).json()
    assert len(first["value"]) == 50
    assert first["@odata.nextLink"].startswith("http://127.0.0.1")
    assert first["@odata.context"].endswith("/indexes('notes')/$metadata#docs(*)")
    second = filled.post(first["@odata.nextLink"], json=first["@search.nextPageParameters"]).json()
    assert [row["id"] for row in second["value"]] == [str(n) for n in range(50, 60)]
    assert "@odata.nextLink" not in second
    got = filled.get("/indexes/notes/docs", params={"search": "*", "$orderby": "id"}).json()
    assert "@search.nextPageParameters" not in got
    with httpx.Client(headers=dict(filled.headers)) as plain:
        assert len(plain.get(got["@odata.nextLink"]).json()["value"]) == 10


def test_writes_are_seen_at_once(filled: httpx.Client):
    def found() -> list[str]:
        body = {"search": "fresh", "select": "id"}
        return [row["id"] for row in filled.post("/indexes/notes/docs/search", json=body).json()["value"]]

    assert found() == []
    filled.post("/indexes/notes/docs/index", json={"value": [{"id": "new", "title": "fresh"}]})
    assert found() == ["new"]
    filled.post("/indexes/notes/docs/index", json={"value": [{"@search.action": "delete", "id": "new"}]})
    assert found() == []


def test_a_new_field_can_be_searched(filled: httpx.Client):
    assert filled.post("/indexes/notes/docs/search", json={"search": "even"}).status_code == 200
    index = filled.get("/indexes/notes").json()
    index["fields"].append({"name": "colour", "type": "Edm.String"})
    assert filled.put("/indexes/notes", json=index).status_code == 204
    filled.post("/indexes/notes/docs/index", json={"value": [{"@search.action": "merge", "id": "01", "colour": "red"}]})
    rows = filled.post("/indexes/notes/docs/search", json={"search": "red", "select": "id,title,colour"}).json()[
        "value"
    ]
    assert [(row["id"], row["title"], row["colour"]) for row in rows] == [("01", "odd", "red")]


def test_a_description_does_not_disturb_searches(filled: httpx.Client):
    before = filled.post("/indexes/notes/docs/search", json={"search": "even"}).json()["value"]
    index = filled.get("/indexes/notes").json()
    assert filled.put("/indexes/notes", json={**index, "description": "lease"}).status_code == 204
    assert filled.post("/indexes/notes/docs/search", json={"search": "even"}).json()["value"] == before


@pytest.mark.parametrize(
    ("request_body", "named"),
    [
        ({"search": "x", "queryType": "semantic"}, "semantic"),
        ({"search": "x", "colour": "red"}, "colour"),
        ({"search": "x", "filter": "colour eq 'red'"}, "colour"),
        ({"search": "x", "select": "colour"}, "colour"),
        ({"search": "x", "top": -1}, "top"),
    ],
)
def test_bad_requests_are_400_and_say_what(filled: httpx.Client, request_body: dict[str, Any], named: str):
    refused = filled.post("/indexes/notes/docs/search", json=request_body)
    assert refused.status_code == 400
    assert named in refused.json()["error"]["message"]


def test_suggestions_and_completions_by_every_route(filled: httpx.Client):
    asked = {"search": "ev", "suggesterName": "sg"}
    suggested = filled.post("/indexes('live')/docs/search.post.suggest", json={**asked, "top": 1}, headers=NONE)
    assert suggested.json() == {"value": [{"@search.text": "even", "id": "00"}]}
    completed = filled.post("/indexes/notes/docs/search.post.autocomplete", json=asked, headers=NONE)
    assert completed.json() == {"value": [{"text": "even", "queryPlusText": "even"}]}
    spelled = {**asked, "$top": 1, "$filter": "pages gt 5", "$orderby": "pages desc", "$select": "id,pages"}
    for prefix in ("", "search."):
        got = filled.get(f"/indexes/live/docs/{prefix}suggest", params=spelled)
        assert got.json()["value"] == [{"@search.text": "even", "id": "58", "pages": 58}]
        tagged = {**asked, "fuzzy": "true", "highlightPreTag": "<b>", "highlightPostTag": "</b>"}
        got = filled.get(f"/indexes/live/docs/{prefix}autocomplete", params=tagged)
        assert got.json()["value"] == [{"text": "even", "queryPlusText": "<b>even</b>"}]
        assert got.json()["@odata.context"].endswith("AutocompleteItem)")
    for operation in ("suggest", "autocomplete"):
        unknown = filled.post(f"/indexes/notes/docs/{operation}", json={"search": "e", "suggesterName": "other"})
        assert unknown.json()["error"]["message"].startswith("The specified suggester name 'other' does not exist")
    assert filled.get("/indexes/notes/docs", params={"search": "e", "colour": "red"}).status_code == 400


def test_synonym_maps_take_effect_at_once_and_highlights_mark_them(http: httpx.Client, notes: dict[str, Any]):
    words = {"name": "words", "format": "solr", "synonyms": "car, automobile"}
    http.post("/synonymmaps", json=words)
    notes["fields"][1]["synonymMaps"] = ["words"]
    http.post("/indexes", json=notes)
    http.post("/indexes/notes/docs/index", json={"value": [{"id": "1", "title": "An automobile"}]})
    asked = {"search": "car", "highlight": "title", "$select": "id"}
    (row,) = http.get("/indexes/notes/docs", params=asked, headers=NONE).json()["value"]
    assert row["@search.highlights"] == {"title": ["An <em>automobile</em>"]}
    http.put("/synonymmaps('words')", json={**words, "synonyms": "car, bike"}, headers={"Prefer": "return=minimal"})
    assert http.get("/indexes/notes/docs", params=asked).json()["value"] == []
    http.delete("/synonymmaps('words')")
    assert http.get("/indexes/notes/docs", params=asked).status_code == 404
    assert http.get("/indexes/notes/docs", params={"search": "*"}).status_code == 200


def test_a_stand_in_ranks_semantically_only_where_it_was_asked_for(
    new_service: Callable[..., Any], service: Any, http: httpx.Client, notes: dict[str, Any]
):
    content = {"prioritizedContentFields": [{"fieldName": "title"}]}
    notes["semantic"] = {"configurations": [{"name": "mine", "prioritizedFields": content}]}
    request = {"search": "who sails", "queryType": "semantic", "semanticConfiguration": "mine"}
    http.post("/indexes", json=notes)
    refused = http.post("/indexes/notes/docs/search", json=request)
    assert refused.status_code == 400 and "--semantic-ranker stand-in" in refused.json()["error"]["message"]
    assert "azsearch-local-semantic-ranker" not in http.post("/indexes/notes/docs/search", json={}).headers

    with pytest.raises(UsageError, match="has no stand-in semantic ranker"):
        start_local(service.data, semantic_ranker="stand-in")

    ranker = new_service("--semantic-ranker", "stand-in")
    assert start_local(ranker.data, semantic_ranker="stand-in").semantic_ranker == "stand-in"
    with ranker.http() as ranking:
        ranking.post("/indexes", json=notes)
        rows = [{"id": "1", "title": "Sails and more sails"}, {"id": "2", "title": "The crew sails the boat"}]
        ranking.post("/indexes/notes/docs/index", json={"value": rows})
        answer = ranking.post("/indexes/notes/docs/search", json=request)
    assert answer.headers["azsearch-local-semantic-ranker"] == "stand-in"
    client = SearchClient(ranker.endpoint, "notes", AzureKeyCredential(http.headers["api-key"]))
    with client:
        found = client.search(
            "who sails", query_type="semantic", semantic_configuration_name="mine", query_caption="extractive",
            query_answer="extractive", query_answer_threshold=0.1, select=["id"],
        )  # fmt: skip
        hits = list(found)
        answers = found.get_answers()
    assert [hit["@search.reranker_score"] for hit in hits] == [
        row["@search.rerankerScore"] for row in answer.json()["value"]
    ]
    assert "<em>" in hits[0]["@search.captions"][0].highlights
    assert answers is not None and answers[0].key == hits[0]["id"]


def test_analyze_text(filled: httpx.Client):
    body = filled.post("/indexes('notes')/search.analyze", json={"text": "Two Words", "analyzer": "simple"}).json()
    assert [token["token"] for token in body["tokens"]] == ["two", "words"]
    assert body["@odata.context"].endswith("AnalyzeResult")


def test_embeddings_answer_as_openai_does(service, http: httpx.Client):
    body = {"input": ["one text", "another"], "model": "text-embedding-3-small", "dimensions": 64}
    with service.http(key=None) as bearer:
        answer = bearer.post("/v1/embeddings", json=body, headers={"Authorization": "Bearer conformance-key"})
    assert answer.status_code == 200
    rows = answer.json()["data"]
    assert [len(row["embedding"]) for row in rows] == [64, 64]
    azure = http.post("/openai/deployments/mine/embeddings", json=body, params={"api-version": "2024-10-21"})
    assert azure.json()["data"] == rows
    refused = http.post("/v1/embeddings", json={"input": []})
    assert refused.status_code == 400
    assert refused.json()["error"]["type"] == "invalid_request_error"
