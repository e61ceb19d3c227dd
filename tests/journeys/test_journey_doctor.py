"""`doctor` against services that lack something: each line says what, and what to grant to whom."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from projects import Project, small_project

from azsearch_ops.verbs.local_service import LocalService, start_local, stop_local

KEY_VARIABLE = "DOCTOR_SEARCH_KEY"
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
ALL_ROLES = ("Search Service Contributor", "Search Index Data Contributor", "Search Index Data Reader")


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalService]:
    """A local service that the project sees as one in the cloud."""
    data = tmp_path_factory.mktemp("doctor") / "local"
    yield start_local(data)
    assert stop_local(data) is not None


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory, service: LocalService) -> Project:
    """The small project, shipped once."""
    made = small_project(tmp_path_factory.mktemp("project"), endpoint=service.endpoint, key_variable=KEY_VARIABLE)
    made.replace("infra/environments/local.yaml", "connections:", "aliasPropagationSeconds: 0\nconnections:")
    made.replace("infra/environments/local.yaml", "resourceUri: local", f'resourceUri: "{service.endpoint}"')
    made.replace(
        "skillsets/handbook.yaml", "  dimensions:", f"  apiKey: \"{{{{ secret('{KEY_VARIABLE}') }}}}\"\n  dimensions:"
    )
    made.environ[KEY_VARIABLE] = service.key
    made.data("ship", "handbook")
    return made


@pytest.fixture
def project(shipped: Project, service: LocalService) -> Iterator[Project]:
    """Without what an earlier test set."""
    yield Project(shipped.root, dict(shipped.environ))
    tell(service, "faults", {"faults": []})
    tell(service, "roles", {})


def tell(service: LocalService, route: str, body: dict[str, Any]) -> None:
    """Post to an admin route."""
    request = urllib.request.Request(
        f"{service.endpoint}/__local/{route}", data=json.dumps(body).encode(), headers={"api-key": service.key}
    )
    with DIRECT.open(request, timeout=30):
        pass


def examined(project: Project, code: int) -> dict[str, dict[str, str]]:
    """Lines by check."""
    return {line["check"]: line for line in project.data("doctor", code=code)["lines"]}


def test_nothing_fails_where_nothing_lacks(project: Project) -> None:
    lines = examined(project, 0)
    assert {line["state"] for line in lines.values()} <= {"ok", "not checkable here"}
    assert "answers 256 numbers" in lines["embedding wordllama"]["detail"]
    assert lines["storage for handbook"]["state"] == lines["model for handbook"]["state"] == "ok"


@pytest.mark.parametrize("missing", ALL_ROLES)
def test_a_missing_role_is_named_with_whom_to_grant_it(project: Project, service: LocalService, missing: str) -> None:
    grants = [{"role": role} for role in ALL_ROLES if role != missing]
    tell(service, "roles", {"identities": {"limited-key": {"grants": grants}}})
    project.environ[KEY_VARIABLE] = "limited-key"
    failing = {n: line for n, line in examined(project, 1).items() if n.endswith(("documents", "definitions"))}
    refused = {name: line["grant"] for name, line in failing.items() if line["state"] == "fails"}
    wanted = {
        "Search Service Contributor": {"read definitions", "write definitions"},
        "Search Index Data Contributor": {"write documents"},
        "Search Index Data Reader": {"read documents"},
    }
    assert set(refused) == wanted[missing]
    assert all(
        grant == f"grant '{missing}' on the search service to the holder of the key" for grant in refused.values()
    )


def test_role_based_access_that_is_off_is_told_from_a_missing_role(project: Project, service: LocalService) -> None:
    everything = {"grants": [{"role": role} for role in ALL_ROLES]}
    tell(service, "roles", {"identities": {"limited-key": everything}, "enabled": False})
    project.environ[KEY_VARIABLE] = "limited-key"
    lines = examined(project, 1)
    assert lines["role-based access"]["state"] == "fails"
    assert "turn on role-based access" in lines["role-based access"]["grant"]


@pytest.mark.parametrize(
    ("fault", "check", "said"),
    [
        (
            {"address": "servicestats", "status": 403, "message": "Public network access is disabled"},
            "access",
            "address in",
        ),
        (
            {"address": "servicestats", "status": 400, "message": "The api-version is invalid"},
            "api-version",
            "apiVersion",
        ),
        ({"address": "embeddings", "status": 404}, "embedding wordllama", "deploymentId"),
        ({"address": "embeddings", "status": 403}, "embedding wordllama", "Cognitive Services OpenAI User"),
        (
            {"address": "search.post.search", "status": 400, "message": "Could not vectorize: 403"},
            "model for handbook",
            "managed identity of the search service",
        ),
    ],
    ids=["private", "version", "deployment", "model right", "service's right"],
)
def test_what_else_can_lack(
    project: Project, service: LocalService, fault: dict[str, Any], check: str, said: str
) -> None:
    tell(service, "faults", {"faults": [{"kind": "answer", **fault}]})
    line = examined(project, 1)[check]
    assert line["state"] == "fails"
    assert said in line["grant"]


def test_the_key_is_never_said(project: Project, service: LocalService) -> None:
    done = project.run("doctor")
    assert done.returncode == 0
    assert service.key not in done.stdout + done.stderr


def test_a_service_that_is_not_there(tmp_path: Path) -> None:
    made = small_project(tmp_path, endpoint="http://127.0.0.1:9", key_variable=KEY_VARIABLE)
    made.environ[KEY_VARIABLE] = "k"
    lines = examined(made, 1)
    assert lines["access"]["state"] == "fails"
    assert "read definitions" not in lines
