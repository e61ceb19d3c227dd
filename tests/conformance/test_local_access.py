"""Who may call, with which version, and what every answer carries."""

from __future__ import annotations

import json
import stat
from collections.abc import Callable

import httpx
import pytest

from azsearch_ops.contract.limits import PAYLOAD_BYTES


def test_no_key_is_401_and_a_wrong_one_403(service):
    with service.http(key=None) as http:
        assert http.get("/indexes").status_code == 401
        assert http.get("/no/such/thing").status_code == 401
        assert http.get("/indexes", headers={"Authorization": "Bearer conformance-key"}).status_code == 401
    with service.http(key="wrong") as http:
        refused = http.get("/indexes")
        assert refused.status_code == 403
        assert refused.json()["error"]["message"]
        assert http.post("/__local/reset").status_code == 403
        assert http.post("/v1/embeddings", json={"input": "x"}).status_code == 403


def test_health_needs_no_key(service):
    with service.http(key=None) as http:
        assert http.get("/__local/health").json()["status"] == "ok"


def test_other_hosts_are_refused(http: httpx.Client):
    assert http.get("/indexes", headers={"Host": "attacker.example:80"}).status_code == 421
    assert http.get("/indexes", headers={"Host": "localhost"}).status_code == 200


@pytest.mark.parametrize("version", ["", "2099-01-01", "2023-07-01-preview", "latest"])
def test_a_missing_or_unknown_version_is_400(http: httpx.Client, version: str):
    refused = http.get("/indexes", params={"api-version": version})
    assert refused.status_code == 400
    assert "api-version" in refused.json()["error"]["message"]


def test_versions_are_compared_without_case(http: httpx.Client):
    assert http.get("/indexes", params={"api-version": "2025-11-01-Preview"}).status_code == 200


def test_answers_carry_the_headers_of_the_service(http: httpx.Client):
    answer = http.get("/indexes", headers={"x-ms-client-request-id": "abc"})
    assert answer.headers["client-request-id"] == answer.headers["x-ms-client-request-id"] == "abc"
    assert len(answer.headers["request-id"]) == 36
    assert int(answer.headers["elapsed-time"]) >= 1
    assert answer.headers["content-type"].startswith("application/json; odata.metadata=minimal")
    assert answer.json()["@odata.context"].endswith("/$metadata#indexes")
    bare = http.get("/indexes", headers={"Accept": "application/json;odata.metadata=none"})
    assert "@odata.context" not in bare.json()


def test_unknown_addresses_and_methods_are_named(http: httpx.Client):
    missing = http.get("/knowledgebases")
    assert missing.status_code == 404
    assert "knowledgebases" in missing.json()["error"]["message"]
    wrong = http.put("/indexes")
    assert wrong.status_code == 405
    assert "GET, POST" in wrong.json()["error"]["message"]


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff"])
def test_a_body_that_is_no_object_is_400(http: httpx.Client, body: bytes):
    refused = http.post("/indexes", content=body)
    assert refused.status_code == 400
    assert refused.json()["error"]["code"] == "InvalidRequestParameter"


def test_a_body_over_16_mb_is_413(http: httpx.Client):
    assert http.post("/indexes", content=b" " * (PAYLOAD_BYTES + 1)).status_code == 413


def test_the_service_file_is_private_and_goes_with_the_process(new_service: Callable):
    service = new_service()
    file = service.data / "service.json"
    body = json.loads(file.read_text("utf-8"))
    assert body["key"] == "conformance-key"
    assert body["pid"] == service.process.pid
    assert body["endpoint"].startswith("http://127.0.0.1:")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert service.stop() == 0
    assert not file.exists()


def test_a_taken_port_or_folder_is_said_in_words(new_service: Callable, tmp_path, capfd):
    import subprocess
    import sys

    service = new_service()
    port = service.endpoint.rpartition(":")[2]
    command = [sys.executable, "-m", "azsearch_ops.local", "--key", "k"]
    other = subprocess.run(
        [*command, "--data", str(tmp_path / "other"), "--port", port], capture_output=True, text=True
    )
    assert other.returncode == 1
    assert f"port {port}" in other.stderr and "Traceback" not in other.stderr
    same = subprocess.run([*command, "--data", str(service.data)], capture_output=True, text=True)
    assert same.returncode == 1
    assert str(service.data) in same.stderr and "Traceback" not in same.stderr
    assert (service.data / "service.json").exists(), "the loser must not remove the file of the one that runs"


def test_the_log_names_the_caller(service, http: httpx.Client):
    http.get("/indexes", headers={"User-Agent": "a-caller/1"})
    assert "a-caller/1" in (service.data / "service.log").read_text("utf-8")
    assert "conformance-key" not in (service.data / "service.log").read_text("utf-8")
