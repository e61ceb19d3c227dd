"""The workflows' own `run:` steps, in order, against the local service, and servers that play GitHub and Entra ID."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request

import pytest
from cloud_front import DIRECT, CloudFront, cloud_front
from github_server import GitHubServer, github_server
from projects import COMMAND, REPOSITORY, Project, small_project
from workflow_steps import Run, clean_environ

from azsearch_ops.verbs.local_service import start_local, stop_local

LABEL = "evaluate-on-staging"
# A query whose answer the change hides, and a floor that its loss breaks
WORSE = ("maximumPageLength: 2000", "maximumPageLength: 300"), ("pageOverlapLength: 500", "pageOverlapLength: 0")


@pytest.fixture
def github() -> Iterator[GitHubServer]:
    """GitHub."""
    with github_server() as server:
        yield server


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Project]:
    """The small project with the workflows, on a branch off main, in a repository of its own."""
    made = small_project(tmp_path)
    shutil.copytree(REPOSITORY / ".github", made.root / ".github")
    (made.root / ".gitignore").write_text(".azsearch/\n*.json\n*.sarif\n", "utf-8")
    _git(made, "init", "--quiet", "--initial-branch=main")
    _commit(made, "before")
    _git(made, "switch", "--quiet", "--create", "change")
    yield made
    assert made.run("local", "stop").returncode == 0


def _git(project: Project, *arguments: str) -> str:
    who = ["-c", "user.name=t", "-c", "user.email=t@t", "-c", "commit.gpgsign=false"]
    done = subprocess.run(["git", *who, *arguments], cwd=project.root, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def _commit(project: Project, message: str) -> str:
    _git(project, "add", "--all")
    _git(project, "commit", "--quiet", "--message", message)
    return _git(project, "rev-parse", "HEAD")


def _edit(project: Project, *changes: tuple[str, str]) -> str:
    for old, new in changes:
        project.replace("skillsets/handbook.yaml", old, new)
    return _commit(project, "change `$(touch /tmp/x)`")


def _pull_request(project: Project, *, fork: bool = False, labels: tuple[str, ...] = ()) -> dict[str, Any]:
    head = "somebody/search" if fork else "acme/search"
    return {
        "action": "synchronize",
        "pull_request": {
            "number": 7,
            "title": '"; echo pwned; "',
            "base": {"sha": _git(project, "rev-parse", "main")},
            "head": {"sha": _git(project, "rev-parse", "HEAD"), "ref": "$(id)", "repo": {"full_name": head}},
            "labels": [{"name": label} for label in labels],
        },
    }


def _run(project: Project, github: GitHubServer, event_name: str, event: dict[str, Any], **variables: str) -> Run:
    environ = {**clean_environ(project.root.parent / "home", COMMAND.parent), "GITHUB_API_URL": github.url}
    return Run(project.root, environ, event_name, event, dict(variables), github.token)


def _nothing_secret(run: Run, *secrets: str) -> None:
    for secret in secrets:
        assert secret not in run.said


def test_a_pull_request_gets_one_comment_that_is_edited(project: Project, github: GitHubServer) -> None:
    github.add_comments(7, 130)
    _edit(project, ("maximumPageLength: 2000", "maximumPageLength: 1900"))
    first = _run(project, github, "pull_request", _pull_request(project))
    first.workflow("pull-request")
    job = first.jobs["local"]
    assert job.result == "success", job.said
    assert (job.outputs["verdict"], job.outputs["exit-code"]) == ("pass", "0")
    assert job.outputs["candidate"].startswith("handbook-")
    assert Path(job.outputs["report"]).read_text("utf-8") in job.summary
    assert {n: j.result for n, j in first.jobs.items() if n != "local"} == {"staging": "skipped", "closed": "skipped"}
    mine = [c for c in github.comments.values() if "azsearch-ops" in c["body"]]
    assert len(mine) == 1
    assert mine[0]["body"].startswith("<!-- azsearch-ops pull-request -->\n")
    shown = [line for line in mine[0]["body"].splitlines() if line and not line.startswith("<!--")]
    assert shown[0].startswith("## ✅ handbook: pass")

    head = _edit(project, ("maximumPageLength: 1900", "maximumPageLength: 1800"))
    second = _run(project, github, "pull_request", _pull_request(project))
    second.workflow("pull-request")
    assert second.jobs["local"].result == "success", second.jobs["local"].said
    again = [c for c in github.comments.values() if "azsearch-ops" in c["body"]]
    assert [c["id"] for c in again] == [mine[0]["id"]]
    assert head[:12] in again[0]["body"]
    assert "PATCH /repos/acme/search/issues/comments/" in " ".join(github.calls)
    key = json.loads((project.root / ".azsearch/local/service.json").read_text("utf-8"))["key"]
    _nothing_secret(first, github.token, key)
    _nothing_secret(second, github.token, key)
    assert "pwned" not in first.said + second.said


@pytest.mark.parametrize("wins", [True, False], ids=["pass", "fail"])
def test_a_fork_gets_summary_and_artifact_and_the_verdicts_exit_code(
    project: Project, github: GitHubServer, wins: bool
) -> None:
    """P48: the comment is refused with 403; the verdict is what counts."""
    github.may_write = False
    if wins:
        _edit(project, ("maximumPageLength: 2000", "maximumPageLength: 1900"))
    else:
        project.replace("indexes/handbook/queries.yaml", "document: leave.md, excerpt", "document: travel.md, excerpt")
        project.replace("indexes/handbook/queries.yaml", "Employees have 26 days of annual leave.", "Mileage is paid")
        project.replace("indexes/handbook/index.yaml", "mrr@10: {}", "mrr@10: {floor: 1.0}")
        _edit(project, *WORSE)
    run = _run(project, github, "pull_request", _pull_request(project, fork=True, labels=(LABEL,)))
    run.workflow("pull-request")
    job = run.jobs["local"]
    assert job.exit_codes[-1] == (0 if wins else 3), job.summary + job.said
    assert job.outputs["verdict"] == ("pass" if wins else "fail")
    assert "Resource not accessible by integration" in job.said
    assert f"handbook: {'pass' if wins else 'fail'}" in job.summary
    assert "handbook" in Path(job.outputs["report"]).read_text("utf-8")
    assert not github.comments
    assert run.jobs["staging"].result == "skipped", "a fork never reaches staging"
    _nothing_secret(run, github.token)


def test_definitions_that_are_wrong_are_said_and_exit_1(project: Project, github: GitHubServer) -> None:
    project.replace("skillsets/handbook.yaml", "pageOverlapLength: 500", "pageOverlapLength: 5000")
    _commit(project, "wrong")
    run = _run(project, github, "pull_request", _pull_request(project))
    run.workflow("pull-request")
    assert run.jobs["local"].exit_codes[-1] == 1
    assert run.jobs["local"].outputs["verdict"] == "error"
    (comment,) = github.comments.values()
    assert "skillsets/handbook.yaml:" in comment["body"]


def test_a_change_of_its_own_yardstick_is_called_out_first(project: Project, github: GitHubServer) -> None:
    project.replace("indexes/handbook/index.yaml", "floor: 0.50", "floor: 0.25")
    text = (project.root / "indexes/handbook/queries.yaml").read_text("utf-8")
    (project.root / "indexes/handbook/queries.yaml").write_text(text[: text.index("  - id: q4")], "utf-8")
    _commit(project, "easier")
    run = _run(project, github, "pull_request", _pull_request(project))
    run.workflow("pull-request")
    (comment,) = github.comments.values()
    first = next(line for line in comment["body"].splitlines() if line and not line.startswith("<!--"))
    assert first.startswith(
        "## ⚠️ handbook: this change lowers the floor of recall@2000t from 0.5 to 0.25; it deletes query q4"
    )


@pytest.fixture
def front(tmp_path: Path, project: Project, github: GitHubServer) -> Iterator[CloudFront]:
    """A service in the cloud; its tokens live for three seconds."""
    service = start_local(tmp_path / "cloud", containers=project.root / "infra/local/containers")
    with cloud_front(service, github, tmp_path, seconds=3) as made:
        yield made
    assert stop_local(tmp_path / "cloud") is not None


def _environment(project: Project, front: CloudFront, name: str) -> None:
    local = (project.root / "infra/environments/local.yaml").read_text("utf-8")
    text = local.replace("endpoint: local ", f"endpoint: {front.url}\naudience: https://search.example\n#")
    text = text.replace("{folder: infra/local/containers}", '{connectionString: "ResourceId=/subscriptions/x"}')
    text = text.replace("connections:", "aliasPropagationSeconds: 0.5\nprotected: true\nconnections:")
    (project.root / f"infra/environments/{name}.yaml").write_text(text, "utf-8")
    _commit(project, "environment")


def _cloud_run(
    project: Project, github: GitHubServer, front: CloudFront, event_name: str, event: dict[str, Any]
) -> Run:
    run = _run(
        project,
        github,
        event_name,
        event,
        AZURE_CLIENT_ID="client",
        AZURE_TENANT_ID="tenant",
        ACTIONS_ID_TOKEN_REQUEST_URL=f"{github.url}/token?x=1",
        ACTIONS_ID_TOKEN_REQUEST_TOKEN=github.request_token,
    )
    bundle = project.root.parent / "localhost.pem"
    run.environ |= {"REQUESTS_CA_BUNDLE": str(bundle), "AZURE_AUTHORITY_HOST": front.url}
    return run


def test_a_push_ships_in_jobs_that_log_in_anew_and_a_manual_run_rolls_back(
    project: Project, github: GitHubServer, front: CloudFront
) -> None:
    _environment(project, front, "prod")
    pushed = _cloud_run(project, github, front, "push", {"ref": "refs/heads/main"})
    pushed.workflow("ship")
    assert {n: j.result for n, j in pushed.jobs.items()} == dict.fromkeys(pushed.jobs, "success"), pushed.said
    assert list(pushed.jobs)[2:] == [f"index/handbook/{n}" for n in ("start", "wait", "evaluate", "promote")]
    assert pushed.jobs["plan"].outputs["changed"] == '["handbook"]'
    assert pushed.jobs["index/handbook/evaluate"].outputs["verdict"] == "pass"
    assert pushed.jobs["index/handbook/promote"].outputs["release"] == "1"
    assert "release 1" in pushed.jobs["index/handbook/promote"].summary
    said = json.loads((project.root / "evaluation.json").read_text("utf-8"))["data"]["metrics"]["recall@2000t"]
    assert set(said) == {"live", "candidate", "difference", "low", "high", "p", "limit", "verdict"}

    # The second build takes longer than any token lives
    faults = {"faults": [{"kind": "indexer-slow", "seconds": 5, "times": 1}]}
    _tell(front, "faults", faults)
    _edit(project, ("maximumPageLength: 2000", "maximumPageLength: 1900"))
    second = _cloud_run(project, github, front, "push", {"ref": "refs/heads/main"})
    second.workflow("ship")
    assert second.jobs["index/handbook/promote"].outputs["release"] == "2", second.said

    unchanged = _cloud_run(project, github, front, "push", {"ref": "refs/heads/main"})
    unchanged.workflow("ship")
    assert {n: j.result for n, j in unchanged.jobs.items()} == {"plan": "success", "index": "skipped"}

    by_hand = _cloud_run(project, github, front, "workflow_dispatch", {})
    inputs = {"name": "handbook", "release": "", "reason": 'worse; echo "$(id)"', "environment": "prod", "runner": "r"}
    by_hand.workflow("rollback", inputs)
    assert by_hand.jobs["rollback"].result == "success", by_hand.said
    assert "handbook-live" in by_hand.jobs["rollback"].summary
    swept = _cloud_run(project, github, front, "schedule", {})
    swept.workflow("drift", {"environment": "prod"})
    swept.workflow("prune", {"environment": "prod"})
    assert {n: j.result for n, j in swept.jobs.items()} == {"drift": "success", "prune": "success"}, swept.said
    assert not github.issues, "nothing was edited behind our back"
    for run in (pushed, second, by_hand, swept):
        _nothing_secret(run, github.token, github.request_token, *front.tokens, *github.assertions, front.upstream.key)


def test_a_label_measures_on_staging_and_both_stand_in_one_comment(
    project: Project, github: GitHubServer, front: CloudFront
) -> None:
    _environment(project, front, "staging")
    _edit(project, ("maximumPageLength: 2000", "maximumPageLength: 1900"))
    run = _cloud_run(project, github, front, "pull_request", _pull_request(project, labels=(LABEL,)))
    run.workflow("pull-request")
    assert run.jobs["staging"].result == "success", run.jobs["staging"].summary + run.jobs["staging"].said
    (comment,) = github.comments.values()
    places = [comment["body"].index(f"<!-- section {name} ") for name in ("staging", "local")]
    assert places == sorted(places)
    _nothing_secret(run, github.token, github.request_token, *front.tokens, *github.assertions)


def _tell(front: CloudFront, route: str, body: dict[str, Any]) -> None:

    request = Request(
        f"{front.upstream.endpoint}/__local/{route}",
        data=json.dumps(body).encode(),
        headers={"api-key": front.upstream.key},
    )
    with DIRECT.open(request, timeout=30) as answer:
        assert answer.status in (200, 204)
