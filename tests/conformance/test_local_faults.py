"""Faults on demand and role-limited keys: each does what it says, and ends."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

ADMIN_ONLY = ("/__local/faults", "/__local/roles", "/__local/reset")


@pytest.fixture(autouse=True)
def _no_fault_stays(http: httpx.Client) -> Iterator[None]:
    yield
    _set(http)
    assert http.post("/__local/roles", json={}).status_code == 204


def _set(http: httpx.Client, *faults: dict[str, Any]) -> None:
    answer = http.post("/__local/faults", json={"faults": list(faults)})
    assert answer.status_code == 200, answer.text


def _index(http: httpx.Client, name: str = "notes", documents: int = 0) -> None:
    fields = [{"name": "id", "type": "Edm.String", "key": True}]
    assert http.post("/indexes", json={"name": name, "fields": fields}).status_code == 201
    if documents:
        rows = [{"@search.action": "upload", "id": str(n)} for n in range(documents)]
        assert http.post(f"/indexes/{name}/docs/index", json={"value": rows}).status_code == 200


def _count(http: httpx.Client, name: str) -> int:
    return int(http.get(f"/indexes('{name}')/docs/$count").text)


def test_an_answer_is_given_as_often_as_asked_for(http: httpx.Client) -> None:
    _set(
        http,
        {"kind": "answer", "status": 503, "retryAfter": 1, "skip": 1, "times": 2, "method": "GET", "address": "^index"},
    )
    answers = [http.get("/indexes") for _ in range(4)]
    assert [a.status_code for a in answers] == [200, 503, 503, 200]
    assert answers[1].headers["retry-after"] == "1"
    assert http.get("/__local/faults").json()["faults"][0]["met"] == 2


def test_a_lost_response_was_carried_out(http: httpx.Client) -> None:
    _set(http, {"kind": "lost-response", "method": "POST", "address": "^indexes$", "times": 1})
    with pytest.raises((httpx.RemoteProtocolError, httpx.ReadError)):
        _index(http)
    assert http.get("/indexes/notes").status_code == 200


def test_latency(http: httpx.Client) -> None:
    _set(http, {"kind": "latency", "seconds": 0.2, "times": 1})
    started = time.monotonic()
    assert http.get("/indexes").status_code == 200
    assert time.monotonic() - started >= 0.2


def test_counts_lag_for_a_time_and_for_a_number_of_reads(http: httpx.Client) -> None:
    _index(http, documents=5)
    _set(http, {"kind": "count-lag", "missing": 2, "times": 1})
    assert [_count(http, "notes") for _ in range(2)] == [3, 5]
    _set(http, {"kind": "count-lag", "missing": 4, "seconds": 0.3})
    assert http.post("/indexes/notes/docs/index", json={"value": [{"id": "9"}]}).status_code == 200
    assert _count(http, "notes") == 2
    time.sleep(0.35)
    assert _count(http, "notes") == 6


def test_a_moved_alias_answers_from_where_it_was_for_a_while(http: httpx.Client) -> None:
    _index(http, "old", documents=1)
    _index(http, "new", documents=2)
    assert http.put("/aliases/live", json={"name": "live", "indexes": ["old"]}).status_code == 201
    _set(http, {"kind": "alias-lag", "seconds": 0.3, "alternates": True})
    assert http.put("/aliases/live", json={"name": "live", "indexes": ["new"]}).status_code == 204
    assert http.get("/aliases/live").json()["indexes"] == ["new"]
    assert [_count(http, "live") for _ in range(4)] == [1, 2, 1, 2]
    time.sleep(0.35)
    assert _count(http, "live") == 2
    _set(http, {"kind": "alias-lag", "seconds": 0.2})
    assert http.put("/aliases/fresh", json={"name": "fresh", "indexes": ["new"]}).status_code == 201
    assert http.get("/indexes/fresh/docs/$count").status_code == 404
    time.sleep(0.25)
    assert _count(http, "fresh") == 2


def test_an_etag_changes_though_nobody_edited(http: httpx.Client) -> None:
    _set(http, {"kind": "etag-bump", "address": "^indexes/notes$"})
    fields = [{"name": "id", "type": "Edm.String", "key": True}]
    written = http.put("/indexes/notes", json={"name": "notes", "fields": fields})
    assert http.get("/indexes/notes").headers["etag"] != written.headers["etag"]


ROLES = {
    "definer": ["Search Service Contributor"],
    "writer": ["Search Index Data Contributor"],
    "reader": ["Search Index Data Reader"],
    "looker": ["Reader"],
}


@pytest.mark.parametrize(
    ("method", "address", "allowed"),
    [
        ("GET", "/indexes", {"definer", "looker"}),
        ("GET", "/servicestats", {"definer", "looker"}),
        ("PUT", "/aliases/live", {"definer"}),
        ("POST", "/indexes/notes/docs/search.index", {"writer"}),
        ("POST", "/indexes('notes')/docs/search.post.search", {"reader"}),
        ("GET", "/indexes/notes/docs/$count", {"reader"}),
    ],
)
def test_a_role_allows_what_azure_says(http: httpx.Client, method: str, address: str, allowed: set[str]) -> None:
    _index(http, documents=1)
    identities = {key: {"grants": [{"role": r} for r in roles]} for key, roles in ROLES.items()}
    assert http.post("/__local/roles", json={"identities": identities}).status_code == 204
    body = None if method == "GET" else {"name": "live", "indexes": ["notes"]}
    if "docs" in address:
        body = {"value": [{"id": "1"}]} if "index" in address.rpartition(".")[2] else {"search": "*"}
    got = {
        key
        for key in ROLES
        if http.request(method, address, json=body, headers={"api-key": key}).status_code not in (401, 403)
    }
    assert got == allowed


def test_a_role_may_be_for_one_index_and_never_reaches_the_admin_routes(http: httpx.Client) -> None:
    _index(http, "ledger", documents=1)
    _index(http, "notes", documents=1)
    one = {"grants": [{"role": "Search Index Data Reader", "index": "ledger"}]}
    http.post("/__local/roles", json={"identities": {"pr": one}})
    answers = {i: http.get(f"/indexes/{i}/docs/$count", headers={"api-key": "pr"}) for i in ("ledger", "notes")}
    assert {i: a.status_code for i, a in answers.items()} == {"ledger": 200, "notes": 403}
    for route in ADMIN_ONLY:
        assert http.post(route, headers={"api-key": "pr"}, json={}).status_code == 403


def test_tokens_expire_and_are_refused_where_roles_are_off(http: httpx.Client) -> None:
    reader = {"grants": [{"role": "Reader"}], "seconds": 0.2}
    http.post("/__local/roles", json={"identities": {"token": reader}})
    bearer = {"Authorization": "Bearer token", "api-key": ""}
    with httpx.Client(base_url=http.base_url, params=http.params) as bare:
        bearer = {"Authorization": "Bearer token"}
        assert bare.get("/indexes", headers=bearer).status_code == 200
        time.sleep(0.25)
        assert bare.get("/indexes", headers=bearer).status_code == 401
        http.post("/__local/roles", json={"identities": {"token": {**reader, "seconds": None}}, "enabled": False})
        assert bare.get("/indexes", headers=bearer).status_code == 403


@pytest.mark.parametrize(
    "fault",
    [{"kind": "nonsense"}, {"kind": "answer"}, {"kind": "latency", "seconds": 1, "stray": 2}, {"kind": "count-lag"}],
)
def test_a_fault_that_makes_no_sense_is_refused(http: httpx.Client, fault: dict[str, Any]) -> None:
    refused = http.post("/__local/faults", json={"faults": [fault]})
    assert refused.status_code == 400
    assert refused.json()["error"]["code"] == "InvalidFault"
