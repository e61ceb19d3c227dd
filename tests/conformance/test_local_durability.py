"""What was acknowledged is there after an end, and after `kill -9`."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx


def test_everything_is_there_after_a_restart(new_service: Callable, notes: dict[str, Any]):
    service = new_service()
    with service.http() as http:
        etag = http.post("/indexes", json=notes).headers["etag"]
        http.post("/aliases", json={"name": "live", "indexes": ["notes"]})
        rows = [{"id": str(n), "title": f"title {n}", "pages": n} for n in range(20)]
        http.post("/indexes/notes/docs/index", json={"value": rows})
        before = http.post("/indexes/live/docs/search", json={"search": "title", "top": 20}).json()["value"]
    assert service.stop() == 0
    service.start()
    with service.http() as http:
        assert http.get("/indexes/notes").headers["etag"] == etag
        assert http.get("/indexes/live/docs/7").json()["pages"] == 7
        assert http.post("/indexes/live/docs/search", json={"search": "title", "top": 20}).json()["value"] == before


def test_acknowledged_batches_survive_kill_and_none_is_half_there(new_service: Callable, notes: dict[str, Any]):
    service = new_service()
    with service.http() as http:
        http.post("/indexes", json=notes)
    acknowledged: list[int] = []

    def upload() -> None:
        with service.http() as http:
            for batch in range(100_000):
                rows = [{"id": f"{batch}-{n}", "pages": batch} for n in range(50)]
                try:
                    answer = http.post("/indexes/notes/docs/index", json={"value": rows})
                except httpx.HTTPError:
                    return
                if answer.status_code == 200:
                    acknowledged.append(batch)

    thread = threading.Thread(target=upload)
    thread.start()
    deadline = time.monotonic() + 30
    while len(acknowledged) < 5:
        assert time.monotonic() < deadline and thread.is_alive()
        time.sleep(0.01)
    service.kill()
    thread.join(30)
    service.start()
    with service.http() as http:
        count = int(http.get("/indexes/notes/docs/$count").text)
        assert count % 50 == 0
        assert count // 50 in (len(acknowledged), len(acknowledged) + 1)
        for batch in acknowledged:
            assert http.get(f"/indexes/notes/docs/{batch}-49").json()["pages"] == batch


def test_a_run_that_was_killed_is_failed_and_can_be_started_again(new_service: Callable, tmp_path: Path):
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(300):
        (folder / f"{number:03d}.txt").write_text(f"document {number} " * 2000, "utf-8")
    service = new_service()
    with service.http() as http:
        fields = [
            {"name": "key", "type": "Edm.String", "key": True},
            {"name": "metadata_storage_name", "type": "Edm.String"},
        ]
        http.post("/indexes", json={"name": "blobs", "fields": fields})
        source = {"name": "source", "type": "azureblob", "credentials": {"connectionString": f"LocalFolder={tmp_path}"}}
        http.post("/datasources", json={**source, "container": {"name": "docs"}})
        mapping = {
            "sourceFieldName": "metadata_storage_path",
            "targetFieldName": "key",
            "mappingFunction": {"name": "base64Encode"},
        }
        indexer = {"name": "reader", "dataSourceName": "source", "targetIndexName": "blobs", "fieldMappings": [mapping]}
        assert http.post("/indexers", json=indexer).status_code == 201
        assert http.post("/indexers/reader/run").status_code == 409
    service.kill()
    service.start()
    with service.http() as http:
        result = http.get("/indexers/reader/status").json()["lastResult"]
        assert result["status"] == "transientFailure"
        assert result["endTime"] is not None and "cut off" in result["errorMessage"]
        assert http.post("/indexers/reader/run").status_code == 202
        deadline = time.monotonic() + 30
        while http.get("/indexers/reader/status").json()["lastResult"]["status"] == "inProgress":
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert http.get("/indexes/blobs/docs/$count").text == "300"
