"""`doctor` against services that lack something: each line says what, and what to grant to whom."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from answering_proxy import answering_proxy
from cloud_front import cloud_front
from github_server import github_server
from projects import Project, small_project

from azsearch_ops.verbs.local.service import LocalService, start_local, stop_local

KEY_VARIABLE = "DOCTOR_SEARCH_KEY"
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
INDEX = "indexes/handbook/index.yaml"
ENVIRONMENT = "infra/environments/local.yaml"
ROLE_LINES = ("read definitions", "write definitions", "read documents", "write documents")
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


def examined(project: Project, code: int | None) -> dict[str, dict[str, str]]:
    """Lines by check; the exit code must be `code`, unless that is None."""
    if code is None:
        code = project.run("doctor").returncode
    return {line["check"]: line for line in project.data("doctor", code=code)["lines"]}


def test_nothing_fails_where_nothing_lacks(project: Project) -> None:
    lines = examined(project, 0)
    assert {line["state"] for line in lines.values()} <= {"ok", "not checkable here"}
    assert "answers 256 numbers" in lines["embedding wordllama"]["detail"]
    assert lines["storage for handbook"]["state"] == lines["model for handbook"]["state"] == "ok"


def test_a_vectorizer_with_a_deployment_of_its_own_is_asked_too(project: Project, service: LocalService) -> None:
    own = (
        "    vectorizers: [{name: embedding, kind: azureOpenAI, azureOpenAIParameters: {deploymentId: questions,"
        f" resourceUri: '{service.endpoint}', apiKey: \"{{{{ secret('{KEY_VARIABLE}') }}}}\", modelName: wordllama}}}}]"
        "\n    profiles:\n"
    )
    text = (project.root / INDEX).read_text("utf-8")
    try:
        project.replace(INDEX, "    profiles:\n", own)
        fault = {"kind": "answer", "address": "deployments/questions/embeddings", "status": 404}
        tell(service, "faults", {"faults": [fault]})
        lines = examined(project, 1)
        assert lines["embedding wordllama"]["state"] == "ok"
        assert (
            lines["embedding questions"]["state"] == "fails" and "deploymentId" in lines["embedding questions"]["grant"]
        )
    finally:
        (project.root / INDEX).write_text(text, "utf-8")


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


def test_a_tier_without_aliases_and_a_full_one(project: Project, service: LocalService) -> None:
    with answering_proxy(service.endpoint) as proxy:
        project.environ[KEY_VARIABLE] = service.key
        text = (project.root / ENVIRONMENT).read_text("utf-8")
        try:
            project.replace(ENVIRONMENT, f"endpoint: {service.endpoint}", f"endpoint: {proxy.endpoint}")
            project.replace("indexes/handbook/index.yaml", "handbook-live", "another-live")
            for usage, quota, grant in ((0, 0, "a tier with aliases"), (5, 5, "azsearch-ops prune")):
                counter = {"aliasesCount": {"usage": usage, "quota": quota}}
                proxy.changes["GET /servicestats"] = lambda told, c=counter: {
                    **told,
                    "counters": {**told["counters"], **c},
                }
                line = examined(project, 1)["alias quota"]
                assert (line["state"], line["detail"]) == ("fails", f"{usage} of {quota} used, 1 more needed")
                assert grant in line["grant"]
        finally:
            (project.root / ENVIRONMENT).write_text(text, "utf-8")
            project.replace("indexes/handbook/index.yaml", "another-live", "handbook-live")


@pytest.mark.parametrize(
    ("status", "message", "grant"),
    [
        (402, "The semantic quota of this month is used up.", "set the plan to standard"),
        (400, "Semantic search is not enabled for this service.", "semanticSearch: standard"),
        (None, "", ""),
    ],
    ids=["quota", "off", "local"],
)
def test_the_semantic_ranker(
    project: Project, service: LocalService, status: int | None, message: str, grant: str
) -> None:
    semantic = "queryType: semantic, semanticConfiguration: words, select"
    configuration = "index:\n  semantic: {configurations: [{name: words, prioritizedFields: " + (
        "{prioritizedContentFields: [{fieldName: chunk}]}}]}\n"
    )
    path = project.root / "indexes/handbook/index.yaml"
    before = path.read_text("utf-8")
    try:
        project.replace("indexes/handbook/index.yaml", "request: {select", f"request: {{{semantic}")
        project.replace("indexes/handbook/index.yaml", "index:\n", configuration)
        if status is not None:
            fault = {"kind": "answer", "status": status, "message": message, "address": "search.post.search"}
            tell(service, "faults", {"faults": [fault]})
        line = examined(project, 1 if status else None)["semantic ranker (handbook)"]
    finally:
        path.write_text(before, "utf-8")
    assert line["state"] == ("fails" if status else "not checkable here")
    assert message in line["detail"] and grant in line["grant"]


def test_an_identity_and_its_private_links(project: Project, service: LocalService, tmp_path: Path) -> None:
    """Tokens of another cloud's audience, whom to grant a missing role, and links that nobody approved yet."""
    text = (project.root / ENVIRONMENT).read_text("utf-8")
    with github_server() as github, cloud_front(service, github, tmp_path, seconds=60) as front:
        project.environ.update(
            {
                "AZURE_CLIENT_ID": "client",
                "AZURE_TENANT_ID": "tenant",
                "AZURE_AUTHORITY_HOST": front.url,
                "ACTIONS_ID_TOKEN_REQUEST_URL": f"{github.url}/token?x=1",
                "ACTIONS_ID_TOKEN_REQUEST_TOKEN": github.request_token,
                "REQUESTS_CA_BUNDLE": str(tmp_path / "localhost.pem"),
                "AZSEARCH_RESOURCE_ID": "/subscriptions/s/resourceGroups/r/providers/Microsoft.Search/searchServices/x",
                "AZSEARCH_MANAGEMENT_ENDPOINT": front.url,
            }
        )
        try:
            key = f"\nkey: \"{{{{ secret('{KEY_VARIABLE}') }}}}\""
            project.replace(ENVIRONMENT, key, "\naudience: https://search.example")
            project.replace(ENVIRONMENT, f"endpoint: {service.endpoint}", f"endpoint: {front.url}")
            front.links = {"storage": "Pending", "model": "Approved", "vault": "Rejected"}
            front.roles = ("Search Service Contributor", "Search Index Data Contributor")
            lines = examined(project, 1)
            whom = "grant 'Search Index Data Reader' on the search service to application pipeline, object its-object"
            assert (lines["read documents"]["state"], lines["read documents"]["grant"]) == ("fails", whom)
            assert lines["shared private links"]["detail"] == "not approved: storage, vault"
            assert "owner of the storage or model account approves it" in lines["shared private links"]["grant"]
            assert front.scopes == {"https://search.example/.default", "https://management.azure.com/.default"}

            tell(service, "roles", {})
            front.links, front.roles = {"model": "Approved"}, ALL_ROLES
            lines = examined(project, 0)
            assert lines["identity"]["detail"] == "application pipeline, object its-object"
            assert lines["shared private links"]["detail"] == "1 approved"
            assert {line["state"] for n, line in lines.items() if n.endswith(("documents", "definitions"))} == {"ok"}
        finally:
            (project.root / ENVIRONMENT).write_text(text, "utf-8")


def test_a_key_with_roles_is_made_on_the_command_line(project: Project, service: LocalService) -> None:
    data = "--data", service.data
    keys = "--role-key", "planner=Search Index Data Reader@azsearch-ops-ledger"
    assert project.data("local", "start", *data, *keys)["started"] is False
    project.environ[KEY_VARIABLE] = "planner"
    # All that an identity needs which plans production in a pull request
    planned = project.data("plan", "--from-ledger")
    assert planned["plans"]["handbook"]["source"] == "ledger"
    for beyond in (("plan",), ("evaluate", "handbook"), ("query", "handbook", "leave"), ("ship",)):
        refused = project.run(*beyond)
        assert refused.returncode == 1 and "answered 403" in refused.stderr, beyond
    lines = examined(project, 1)
    assert [n for n in ROLE_LINES if lines[n]["state"] == "ok"] == ["read documents"]
    unknown = project.run("local", "start", *data, "--role-key", "k=King")
    assert unknown.returncode == 1 and "There is no role 'King'" in unknown.stderr
    assert project.run("local", "start", *data, "--role-key", "nothing").returncode == 1


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
