"""Indexers: runs, their status, and the rules around them."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import httpx
import pytest

INDEX = {
    "name": "blobs",
    "fields": [
        {"name": "key", "type": "Edm.String", "key": True},
        {"name": "content", "type": "Edm.String", "searchable": True, "filterable": False, "sortable": False,
         "facetable": False},
        {"name": "metadata_storage_name", "type": "Edm.String"},
    ],
}  # fmt: skip
INDEXER = {
    "name": "reader",
    "dataSourceName": "source",
    "targetIndexName": "blobs",
    "fieldMappings": [
        {
            "sourceFieldName": "metadata_storage_path",
            "targetFieldName": "key",
            "mappingFunction": {"name": "base64Encode"},
        }
    ],
}


def source(folder: Path, container: str = "docs") -> dict[str, Any]:
    return {
        "name": "source",
        "type": "azureblob",
        "credentials": {"connectionString": f"LocalFolder={folder}"},
        "container": {"name": container},
    }


@pytest.fixture
def ready(http: httpx.Client, tmp_path: Path) -> httpx.Client:
    """An index, a data source on two blobs, and no indexer yet."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("first", "utf-8")
    (tmp_path / "docs" / "b.txt").write_text("second", "utf-8")
    assert http.post("/indexes", json=INDEX).status_code == 201
    assert http.post("/datasources", json=source(tmp_path)).status_code == 201
    return http


def finished(http: httpx.Client) -> dict[str, Any]:
    """The status once no run is on its way."""
    deadline = time.monotonic() + 20
    while True:
        status = http.get("/indexers('reader')/search.status").json()
        if status["lastResult"] is not None and status["lastResult"]["status"] != "inProgress":
            return status
        assert time.monotonic() < deadline, status
        time.sleep(0.02)


def test_creation_runs_and_the_etag_moves_when_the_run_ends(ready: httpx.Client):
    made = ready.post("/indexers", json=INDEXER)
    assert made.status_code == 201
    assert made.json()["parameters"] is None and made.json()["outputFieldMappings"] == []
    status = finished(ready)
    assert status["status"] == "running"
    result = status["lastResult"]
    assert (result["status"], result["itemsProcessed"], result["itemsFailed"]) == ("success", 2, 0), result
    assert result["startTime"].endswith("Z") and result["endTime"] >= result["startTime"]
    assert result["errors"] == result["warnings"] == []
    assert status["executionHistory"] == [result]
    assert set(status["limits"]) == {
        "maxRunTime",
        "maxDocumentExtractionSize",
        "maxDocumentContentCharactersToExtract",
    }
    assert ready.get("/indexers('reader')").headers["etag"] != made.headers["etag"]
    assert ready.get("/indexes('blobs')/docs/$count").text == "2"


def test_an_unchanged_source_is_skipped_until_reset(ready: httpx.Client, tmp_path: Path):
    ready.post("/indexers", json=INDEXER)
    finished(ready)
    assert ready.post("/indexers('reader')/search.run").status_code == 202
    assert finished(ready)["lastResult"]["itemsProcessed"] == 0
    assert ready.post("/indexers('reader')/search.reset").status_code == 204
    assert finished(ready)["lastResult"]["status"] == "reset"
    assert ready.post("/indexers/reader/run").status_code == 202
    status = finished(ready)
    assert status["lastResult"]["itemsProcessed"] == 2
    assert [run["status"] for run in status["executionHistory"]] == ["success", "reset", "success", "success"]
    (tmp_path / "docs" / "c.txt").write_text("third", "utf-8")
    ready.post("/indexers/reader/run")
    assert finished(ready)["lastResult"]["itemsProcessed"] == 1


def test_an_update_does_not_run(ready: httpx.Client):
    ready.post("/indexers", json=INDEXER)
    finished(ready)
    updated = ready.put(
        "/indexers('reader')", json={**INDEXER, "description": "new"}, headers={"Prefer": "return=representation"}
    )
    assert updated.status_code == 200
    assert len(finished(ready)["executionHistory"]) == 1


def test_a_disabled_indexer_does_not_run_at_creation(ready: httpx.Client):
    ready.post("/indexers", json={**INDEXER, "disabled": True})
    status = ready.get("/indexers('reader')/search.status").json()
    assert status["lastResult"] is None and status["executionHistory"] == []


def test_one_run_at_a_time(ready: httpx.Client, tmp_path: Path):
    for number in range(400):
        (tmp_path / "docs" / f"{number}.txt").write_text("text " * 500, "utf-8")
    ready.post("/indexers", json=INDEXER)
    refused = ready.post("/indexers('reader')/search.run")
    assert refused.status_code == 409
    assert refused.json()["error"] == {
        "code": "",
        "message": "Another indexer invocation is currently in progress; concurrent invocations are not allowed.",
    }
    assert finished(ready)["lastResult"]["itemsProcessed"] == 402
    assert ready.post("/indexers('reader')/search.run").status_code == 202


def test_a_missing_container_fails_the_run_by_name(http: httpx.Client, tmp_path: Path):
    http.post("/indexes", json=INDEX)
    http.post("/datasources", json=source(tmp_path, "nowhere"))
    http.post("/indexers", json=INDEXER)
    result = finished(http)["lastResult"]
    assert result["status"] == "transientFailure"
    assert "nowhere" in result["errorMessage"]


def test_azure_connection_strings_mean_the_folder_of_containers(service, http: httpx.Client):
    folder = service.data / "containers" / "docs"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "a.txt").write_text("text", "utf-8")
    http.post("/indexes", json=INDEX)
    body = {**source(folder), "credentials": {"connectionString": "ResourceId=/subscriptions/x/storageAccounts/y;"}}
    http.post("/datasources", json=body)
    http.post("/indexers", json=INDEXER)
    assert finished(http)["lastResult"]["itemsProcessed"] == 1


def test_a_deleted_indexer_forgets_everything(ready: httpx.Client):
    ready.post("/indexers", json=INDEXER)
    finished(ready)
    assert ready.delete("/indexers('reader')").status_code == 204
    for call in (ready.get("/indexers/reader/status"), ready.post("/indexers/reader/run")):
        assert call.status_code == 404
    ready.post("/indexers", json=INDEXER)
    status = finished(ready)
    assert len(status["executionHistory"]) == 1
    assert status["lastResult"]["itemsProcessed"] == 2


def test_a_schedule_starts_what_is_due_and_waits_for_its_time(ready: httpx.Client):
    ready.post("/indexers", json={**INDEXER, "disabled": True})
    later = {"interval": "PT5M", "startTime": "2999-01-01T00:00:00Z"}
    assert ready.put("/indexers/reader", json={**INDEXER, "schedule": later}).status_code == 204
    time.sleep(1.5)
    assert ready.get("/indexers/reader/status").json()["lastResult"] is None
    now = {"interval": "PT5M", "startTime": "2020-01-01T00:00:00Z"}
    assert ready.put("/indexers/reader", json={**INDEXER, "schedule": now}).status_code == 204
    deadline = time.monotonic() + 10
    while ready.get("/indexers/reader/status").json()["lastResult"] is None:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert finished(ready)["lastResult"]["itemsProcessed"] == 2
    time.sleep(1.5)
    assert len(finished(ready)["executionHistory"]) == 1, "the interval is not over"


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"dataSourceName": "none"}, "'none'"),
        ({"targetIndexName": "none"}, "'none'"),
        ({"targetIndexName": "live"}, "'live'"),
        ({"skillsetName": "none"}, "'none'"),
        ({"schedule": {"interval": "PT1M"}}, "PT1M"),
        ({"schedule": {"interval": "P2D"}}, "P2D"),
        ({"schedule": {"interval": "hourly"}}, "hourly"),
        ({"schedule": {"interval": "PT1H", "startTime": "soon"}}, "soon"),
        ({"outputFieldMappings": [{"sourceFieldName": "/document/x", "targetFieldName": "y"}]}, "'y'"),
        ({"fieldMappings": [{"sourceFieldName": "x", "targetFieldName": "z"}]}, "Field mapping specifies target field"),
        ({"name": "Bad_Name"}, "Bad_Name"),
        ({"colour": "red"}, "colour"),
        ({"parameters": {"maxFailedItems": -2}}, "maxFailedItems"),
    ],
)
def test_bad_indexers_are_400(ready: httpx.Client, change: dict[str, Any], named: str):
    ready.post("/aliases", json={"name": "live", "indexes": ["blobs"]})
    refused = ready.post("/indexers", json={**INDEXER, **change})
    assert refused.status_code == 400
    assert named in refused.json()["error"]["message"]


def test_connection_strings_are_kept_and_never_given_back(ready: httpx.Client, tmp_path: Path):
    assert ready.get("/datasources('source')").json()["credentials"] == {"connectionString": None}
    unchanged = {**source(tmp_path), "description": "new", "credentials": {"connectionString": "<unchanged>"}}
    assert ready.put("/datasources('source')", json=unchanged).status_code == 204
    ready.post("/indexers", json=INDEXER)
    assert finished(ready)["lastResult"]["itemsProcessed"] == 2
    other = {**unchanged, "name": "other"}
    assert ready.post("/datasources", json=other).status_code == 400
    refused = ready.post("/datasources", json={**source(tmp_path), "name": "sql", "type": "azuresql"})
    assert refused.status_code == 400
    assert "azuresql" in refused.json()["error"]["message"]


def test_keys_in_connection_strings_are_not_kept(service, http: httpx.Client, tmp_path: Path):
    secret = "c2VjcmV0IGtleSBvZiBhbiBhY2NvdW50"
    string = f"DefaultEndpointsProtocol=https;AccountName=x;AccountKey={secret};EndpointSuffix=core.windows.net"
    body = {**source(tmp_path), "credentials": {"connectionString": string}}
    assert http.post("/datasources", json=body).status_code == 201
    for file in service.data.iterdir():
        assert secret.encode() not in (file.read_bytes() if file.is_file() else b"")


def test_skillsets_show_their_defaults_when_they_are_read(http: httpx.Client):
    skill = {
        "@odata.type": "#Microsoft.Skills.Text.SplitSkill",
        "textSplitMode": "pages",
        "maximumPageLength": 2000,
        "inputs": [{"name": "text", "source": "/document/content"}],
        "outputs": [{"name": "textItems", "targetName": "pages"}],
    }
    made = http.post("/skillsets", json={"name": "split", "skills": [skill]})
    assert made.status_code == 201
    assert made.json()["skills"][0]["name"] is None
    assert made.json()["skills"][0]["inputs"] == [
        {"name": "text", "source": "/document/content", "sourceContext": None, "inputs": []}
    ]
    read = http.get("/skillsets('split')").json()["skills"][0]
    assert (read["name"], read["context"]) == ("#1", "/document")
    for change, named in (
        ({"maximumPageLength": 200}, "300"),
        ({"pageOverlapLength": 1000}, "half"),
        ({"textSplitMode": "words"}, "words"),
        ({"colour": "red"}, "colour"),
        ({"outputs": []}, "outputs"),
        ({"@odata.type": "#My.Skill"}, "#My.Skill"),
    ):
        refused = http.post("/skillsets", json={"name": "bad", "skills": [{**skill, **change}]})
        assert refused.status_code == 400, change
        assert named in refused.json()["error"]["message"]
    tokens = {**skill, "unit": "azureOpenAITokens", "maximumPageLength": 128}
    assert http.post("/skillsets", json={"name": "tokens", "skills": [tokens]}).status_code == 201
