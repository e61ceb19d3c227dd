"""What happens to the folder of data happens to the service: deleted, damaged, full, or left by another version."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from azsearch_ops.errors import UnreachableError, UsageError
from azsearch_ops.verbs.local.finding import find_local, is_alive
from azsearch_ops.verbs.local.service import reset_local, start_local, stop_local

SINGLE = {"name": "blobs", "fields": [{"name": "key", "type": "Edm.String", "key": True}, {"name": "content"}]}


@pytest.fixture
def data(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "data with ünicode"
    stop_local(tmp_path / "data with ünicode")


def test_a_service_whose_file_was_deleted_is_found_again_and_can_be_stopped(data: Path) -> None:
    running = start_local(data)
    (data / "service.json").unlink()
    found = find_local(data)
    assert found is not None and found.pid == running.pid
    assert start_local(data).pid == running.pid
    (data / "service.json").unlink()
    assert stop_local(data) is not None
    assert not is_alive(running.pid)


def test_a_service_whose_folder_was_deleted_ends_and_leaves_its_place_to_another(data: Path) -> None:
    first = start_local(data)
    shutil.rmtree(data)
    second = start_local(data)
    assert second.pid != first.pid
    give_up = time.monotonic() + 20
    while is_alive(first.pid):
        assert time.monotonic() < give_up, "it serves a folder that nobody can find"
        time.sleep(0.05)
    found = find_local(data)
    assert found is not None and found.pid == second.pid, "the one that ended must not remove the other's file"


@pytest.mark.parametrize("damage", ["garbage", "truncated"])
def test_a_damaged_store_is_told_in_words_and_reset_clears_the_way(data: Path, new_service: Callable, damage: str):
    service = new_service()
    with service.http() as http:
        assert http.post("/indexes", json={"name": "kept", "fields": SINGLE["fields"][:1]}).status_code == 201
    assert service.stop() == 0
    shutil.copytree(service.data, data)
    store = data / "store.sqlite"
    store.write_bytes(b"no database " * 2000 if damage == "garbage" else store.read_bytes()[:10_000])
    with pytest.raises(UsageError) as caught:
        start_local(data)
    assert "cannot be used" in caught.value.message and "Traceback" not in caught.value.message
    assert "local reset" in caught.value.hint
    assert reset_local(data) is None
    assert start_local(data).started
    assert reset_local(data) is not None


def test_nothing_to_empty_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="none has left any"):
        reset_local(tmp_path)


def test_a_service_that_does_not_answer_is_not_taken_for_none(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    running = start_local(data)
    monkeypatch.setattr("azsearch_ops.verbs.local.finding._REAPPEAR_SECONDS", 0.2)
    (data / "service.json").unlink()
    os.kill(running.pid, signal.SIGSTOP)
    try:
        for verb in (start_local, stop_local, reset_local):
            with pytest.raises(UnreachableError, match="does not answer"):
                verb(data)
    finally:
        os.kill(running.pid, signal.SIGCONT)


def test_a_service_of_another_version_is_started_again_where_it_was(data: Path) -> None:
    first = start_local(data, key="its own key")
    file = data / "service.json"
    file.write_text(json.dumps({**json.loads(file.read_text("utf-8")), "version": "0.0.0"}), "utf-8")
    second = start_local(data)
    assert second.pid != first.pid
    assert (second.endpoint, second.key, second.containers) == (first.endpoint, first.key, first.containers)


@pytest.mark.skipif(sys.platform != "linux", reason="the limit of another process can only be set on Linux")
def test_a_full_disk_ends_the_run_with_the_reason_and_room_ends_the_trouble(new_service: Callable, tmp_path: Path):
    (tmp_path / "docs").mkdir()
    for number in range(20):
        (tmp_path / "docs" / f"{number}.txt").write_text(f"document {number} " * 2000, "utf-8")
    service = new_service()
    assert service.process is not None
    with service.http() as http:
        fields = [{"name": "key", "type": "Edm.String", "key": True}, {"name": "content", "type": "Edm.String"}]
        assert http.post("/indexes", json={"name": "blobs", "fields": fields}).status_code == 201
        source = {"name": "source", "type": "azureblob", "credentials": {"connectionString": f"LocalFolder={tmp_path}"}}
        assert http.post("/datasources", json={**source, "container": {"name": "docs"}}).status_code == 201
        key = {"sourceFieldName": "metadata_storage_path", "targetFieldName": "key"}
        mapping = {**key, "mappingFunction": {"name": "base64Encode"}}
        indexer = {"name": "reader", "dataSourceName": "source", "targetIndexName": "blobs", "fieldMappings": [mapping]}
        assert http.post("/indexers", json={**indexer, "disabled": True}).status_code == 201
        full = max(file.stat().st_size for file in service.data.iterdir()) + 30_000
        resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, (full, resource.RLIM_INFINITY))
        assert http.put("/indexers/reader", json=indexer).status_code in (200, 201, 204)
        assert http.post("/indexers/reader/run").status_code == 202
        failed = _ended(http)
        assert failed["status"] == "transientFailure" and "cannot use what it keeps" in failed["errorMessage"]
        refused = http.put("/indexes/large", json={"name": "large", "fields": fields + _many(200)})
        assert refused.status_code == 500 and "cannot use what it keeps" in refused.json()["error"]["message"]
        resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        time.sleep(1.5)  # the end of the failed run is written at the next look
        assert http.post("/indexers/reader/run").status_code == 202
        assert _ended(http)["status"] == "success"
        assert http.get("/indexes/blobs/docs/$count").text == "20"


def _many(count: int) -> list[dict[str, Any]]:
    return [{"name": f"field_{number}", "type": "Edm.String"} for number in range(count)]


def _ended(http: Any) -> dict[str, Any]:
    give_up = time.monotonic() + 30
    while (last := http.get("/indexers/reader/status").json()["lastResult"]) is None or last["status"] == "inProgress":
        assert time.monotonic() < give_up, "the run never ends"
        time.sleep(0.05)
    return dict(last)
