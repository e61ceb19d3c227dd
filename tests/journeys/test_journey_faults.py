"""`ship` against a service that behaves as one in the cloud does: it throttles, lags, is busy, and refuses by role."""

from __future__ import annotations

import json
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from projects import KEY_VARIABLE, Project, project_at

from azsearch_ops.verbs.local.service import LocalService, reset_local, start_local, stop_local

DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalService]:
    """A local service that the projects see as one in the cloud."""
    data = tmp_path_factory.mktemp("faulty") / "local"
    yield start_local(data)
    assert stop_local(data) is not None


def tell(service: LocalService, route: str, body: dict[str, Any]) -> None:
    """Post to an admin route."""
    request = urllib.request.Request(
        f"{service.endpoint}/__local/{route}",
        data=json.dumps(body).encode(),
        headers={"api-key": service.key, "Content-Type": "application/json"},
    )
    with DIRECT.open(request, timeout=30) as answer:
        assert answer.status in (200, 204)


def faults(service: LocalService, *faults: dict[str, Any]) -> None:
    """Set these faults."""
    tell(service, "faults", {"faults": list(faults)})


@pytest.fixture
def service(running: LocalService) -> Iterator[LocalService]:
    """Empty and without faults."""
    reset_local(Path(running.data))
    yield running
    faults(running)
    tell(running, "roles", {})


@pytest.fixture
def project(tmp_path: Path, service: LocalService) -> Project:
    """Four documents; an alias that may take half a second, counts that may lag for two."""
    return project_at(tmp_path, service.endpoint, service.key, "aliasPropagationSeconds: 0.5\nsettleSeconds: 2")


def test_ship_waits_out_throttling_lost_answers_and_changed_etags(project: Project, service: LocalService) -> None:
    faults(
        service,
        {"kind": "answer", "status": 429, "retryAfter": 0.1, "times": 2, "method": "PUT"},
        {"kind": "answer", "status": 503, "retryAfter": 0.1, "times": 2, "address": "docs/search"},
        {"kind": "answer", "status": 503, "times": 1, "skip": 3, "method": "GET"},
        {"kind": "lost-response", "times": 1, "method": "PUT", "address": "^(indexes|skillsets)/handbook"},
        {"kind": "lost-response", "times": 1, "method": "POST", "address": "docs/search.index"},
        {"kind": "etag-bump", "times": 3},
    )
    shipped = project.data("ship", "handbook")
    assert (shipped["verdict"], shipped["release"]) == ("pass", 1)


def test_ship_goes_on_with_busy_and_capped_indexers(project: Project, service: LocalService) -> None:
    faults(
        service,
        {"kind": "indexer-capped", "items": 1, "times": 3},
        {"kind": "indexer-slow", "seconds": 0.3, "times": 2},
        {"kind": "answer", "status": 409, "times": 2, "method": "POST", "address": "search.run$"},
    )
    shipped = project.data("ship", "handbook")
    assert shipped["build"]["documents"] == shipped["build"]["expected"] == 4


def test_counts_that_lag_are_waited_for(project: Project, service: LocalService) -> None:
    """P33: a lag after the write, and one replica that answers a lower count once."""
    faults(
        service,
        {"kind": "count-lag", "missing": 2, "seconds": 1, "address": "^indexes/handbook-"},
        {"kind": "count-lag", "missing": 1, "times": 1, "address": "^indexes/handbook-"},
    )
    built = project.data("build", "handbook")
    assert built["chunks"] == 4


def test_counts_that_never_settle_end_in_exit_code_5(project: Project, service: LocalService) -> None:
    faults(service, {"kind": "count-lag", "missing": 1, "address": "^indexes/handbook-"})
    done = project.run("build", "handbook")
    assert done.returncode == 5, done.stderr
    assert "expected 4, saw 3 after 2 s" in done.stderr
    faults(service)
    assert project.data("build", "handbook")["chunks"] == 4


@pytest.mark.parametrize("alternates", [False, True], ids=["old", "some replicas"])
def test_a_move_ends_when_the_alias_answers_from_the_new_index_everywhere(
    project: Project, service: LocalService, alternates: bool
) -> None:
    faults(service, {"kind": "alias-lag", "seconds": 1, "alternates": alternates})
    project.data("ship", "handbook")
    project.replace("skillsets/handbook.yaml", "maximumPageLength: 2000", "maximumPageLength: 1900")
    started = time.monotonic()
    second = project.data("ship", "handbook")
    assert second["promoted"] is True
    assert time.monotonic() - started > 1.5  # a second of lag, then half a second of steady answers


def test_throttling_without_end_is_exit_code_5_and_moves_nothing(project: Project, service: LocalService) -> None:
    live = project.data("ship", "handbook")["candidate"]
    project.replace("skillsets/handbook.yaml", "maximumPageLength: 2000", "maximumPageLength: 1900")
    faults(service, {"kind": "answer", "status": 503, "retryAfter": 0.05, "method": "PUT", "address": "^indexes"})
    done = project.run("ship", "handbook")
    assert done.returncode == 5
    assert "answered 503" in done.stderr
    assert "throttling or busy" in done.stderr
    faults(service)
    assert project.data("status")["indexes"]["handbook"]["live"] == live


@pytest.mark.parametrize(
    ("roles", "role", "call"),
    [
        (["Reader", "Search Index Data Reader"], "Search Service Contributor", "PUT /"),
        (["Search Service Contributor"], "Search Index Data Reader", "GET /indexes"),
        (["Search Service Contributor", "Search Index Data Reader"], "Search Index Data Contributor", "search.index"),
    ],
)
def test_a_refusal_names_the_call_and_the_role(
    project: Project, service: LocalService, roles: list[str], role: str, call: str
) -> None:
    """P42: exit code 1 at once, with the role to grant and the other thing it can be."""
    tell(service, "roles", {"identities": {"pipeline": {"grants": [{"role": r} for r in roles]}}})
    project.environ[KEY_VARIABLE] = "pipeline"
    done = project.run("ship", "handbook")
    assert done.returncode == 1
    assert "answered 403" in done.stderr
    assert call in done.stderr
    assert f"'{role}'" in done.stderr
    assert "role-based access is off" in done.stderr
    assert "pipeline" not in done.stdout + done.stderr
