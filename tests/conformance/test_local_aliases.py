"""Aliases: no ETag, one index, resolved on document routes by the versions that know them."""

from __future__ import annotations

from typing import Any

import httpx
import pytest


@pytest.fixture
def two(http: httpx.Client, notes: dict[str, Any]) -> httpx.Client:
    """Two indexes with one document each, and the alias `live` on the first."""
    for name in ("first", "second"):
        http.post("/indexes", json={**notes, "name": name})
        http.post(f"/indexes/{name}/docs/index", json={"value": [{"id": name, "title": name}]})
    assert http.post("/aliases", json={"name": "live", "indexes": ["first"]}).status_code == 201
    return http


def move(http: httpx.Client, index: str, **headers: str) -> httpx.Response:
    return http.put(
        "/aliases('live')",
        json={"name": "live", "indexes": [index]},
        headers={"Prefer": "return=representation", **headers},
    )


def test_aliases_carry_no_etag(two: httpx.Client):
    for answer in (two.get("/aliases('live')"), move(two, "second"), two.get("/aliases/live")):
        assert answer.status_code == 200
        assert "etag" not in answer.headers
        assert set(answer.json()) == {"@odata.context", "name", "indexes"}
    assert two.get("/aliases").json()["value"] == [{"name": "live", "indexes": ["second"]}]
    assert two.put("/aliases/live", json={"name": "live", "indexes": ["first"]}).status_code == 204
    assert move(two, "first", **{"If-None-Match": "*"}).status_code == 412


def test_document_routes_follow_the_alias(two: httpx.Client):
    assert two.get("/indexes('live')/docs('first')").json()["title"] == "first"
    assert two.get("/indexes('live')").json()["name"] == "first"
    move(two, "second")
    assert two.get("/indexes('live')/docs('first')").status_code == 404
    assert two.get("/indexes('live')/docs('second')").json()["title"] == "second"
    assert two.get("/indexes('live')/docs/$count").text == "1"
    two.post("/indexes('live')/docs/search.index", json={"value": [{"id": "new"}]})
    assert two.get("/indexes('second')/docs/$count").text == "2"
    assert two.get("/indexes('first')/docs/$count").text == "1"


def test_an_index_behind_an_alias_cannot_be_deleted(two: httpx.Client):
    refused = two.delete("/indexes('first')")
    assert refused.status_code == 400
    assert "'live'" in refused.json()["error"]["message"]
    assert two.get("/indexes('first')/docs/$count").text == "1"
    assert two.delete("/indexes('live')").status_code == 404
    move(two, "second")
    assert two.delete("/indexes('first')").status_code == 204
    assert two.delete("/aliases('live')").status_code == 204
    assert two.get("/indexes('second')").status_code == 200


@pytest.mark.parametrize(
    "body",
    [
        {"name": "other", "indexes": ["nothing"]},
        {"name": "other", "indexes": []},
        {"name": "other", "indexes": ["first", "second"]},
        {"name": "other", "indexes": ["live"]},
        {"name": "with_underscore", "indexes": ["first"]},
        {"name": "a--b", "indexes": ["first"]},
        {"name": "second", "indexes": ["first"]},
        {"name": "live", "indexes": ["first"]},
    ],
)
def test_bad_aliases_are_400(two: httpx.Client, body: dict[str, Any]):
    assert two.post("/aliases", json=body).status_code == 400
    assert two.get("/aliases").json()["value"] == [{"name": "live", "indexes": ["first"]}]


def test_a_missing_alias_is_404_with_the_recorded_code(two: httpx.Client):
    for answer in (two.get("/aliases('none')"), two.delete("/aliases('none')")):
        assert answer.status_code == 404
        assert answer.json()["error"]["details"][0]["code"] == "IndexAliasNotFoundInService"


def test_an_index_cannot_take_the_name_of_an_alias(two: httpx.Client, notes: dict[str, Any]):
    assert two.post("/indexes", json={**notes, "name": "live"}).status_code == 400


@pytest.mark.parametrize("version", ["2020-06-30", "2023-11-01", "2024-07-01", "2025-09-01"])
def test_older_stable_versions_do_not_know_aliases(two: httpx.Client, version: str):
    params = {"api-version": version}
    assert two.get("/aliases", params=params).status_code == 404
    assert two.post("/aliases", params=params, json={"name": "x", "indexes": ["first"]}).status_code == 404
    missing = two.get("/indexes('live')/docs('first')", params=params)
    assert missing.status_code == 404
    assert missing.json()["error"]["message"] == "The index 'live' for service 'local' was not found."
    assert two.get("/indexes('first')/docs('first')", params=params).status_code == 200


@pytest.mark.parametrize("version", ["2021-04-30-preview", "2024-11-01-Preview", "2026-05-01-preview"])
def test_previews_know_them(two: httpx.Client, version: str):
    params = {"api-version": version}
    assert len(two.get("/aliases", params=params).json()["value"]) == 1
    assert two.get("/indexes('live')/docs('first')", params=params).status_code == 200


def test_analyze_does_not_resolve_aliases(two: httpx.Client):
    assert two.post("/indexes('live')/search.analyze", json={"text": "x", "analyzer": "simple"}).status_code == 404
