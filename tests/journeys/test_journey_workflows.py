"""The workflows' own `run:` steps, in order, against the local service, and servers that play GitHub and Entra ID."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.request import Request

import pytest
from cloud_front import DIRECT, CloudFront, cloud_front
from github_server import GitHubServer, github_server
from projects import COMMAND, REPOSITORY, Project, small_project
from workflow_steps import Run, clean_environ

from azsearch_ops.verbs.local.service import start_local, stop_local

LABEL = "evaluate-on-staging"


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


def _regress(project: Project) -> str:
    """A change that hides what was found before: a new chunk size, and a threshold that nothing reaches."""
    settings = "mode: vector, top: 5, k: 50, threshold: 0.95"
    project.replace("indexes/handbook/index.yaml", "mode: hybrid, top: 5, k: 50", settings)
    return _edit(project, ("maximumPageLength: 2000", "maximumPageLength: 1200"))


def _pull_request(project: Project, *, fork: bool = False, label: str = "", number: int = 7) -> dict[str, Any]:
    """The payload of a new commit, or with `label` of that label being set."""
    head = "somebody/search" if fork else "acme/search"
    return {
        "action": "labeled" if label else "synchronize",
        **({"label": {"name": label}} if label else {}),
        "pull_request": {
            "number": number,
            "title": '"; echo pwned; "',
            "base": {"sha": _git(project, "rev-parse", "main")},
            "head": {"sha": _git(project, "rev-parse", "HEAD"), "ref": "$(id)", "repo": {"full_name": head}},
            "labels": [{"name": label}] if label else [],
        },
    }


def _run(project: Project, github: GitHubServer, event_name: str, event: dict[str, Any], **variables: str) -> Run:
    environ = {**clean_environ(project.root.parent / "home", COMMAND.parent), "GITHUB_API_URL": github.url}
    # Whatever is asked of the SDK, and of every library, no token is in a log
    environ["AZURE_LOG_LEVEL"] = "debug"
    talkative = project.root.parent / "talkative"
    talkative.mkdir(exist_ok=True)
    (talkative / "sitecustomize.py").write_text("import logging\n\nlogging.basicConfig(level=logging.DEBUG)\n", "utf-8")
    environ["PYTHONPATH"] = os.pathsep.join([str(talkative), *filter(None, [environ.get("PYTHONPATH")])])
    return Run(project.root, environ, event_name, event, dict(variables), github.token)


def _nothing_secret(run: Run, *secrets: str) -> None:
    """In what was printed, written for GitHub, or uploaded; and all was told that libraries log."""
    assert "DEBUG:azure.identity" in run.said or not run.environ.get("AZURE_AUTHORITY_HOST")
    uploaded = b"\n".join(file.read_bytes() for file in run.artifacts.rglob("*") if file.is_file())
    for secret in secrets:
        assert secret not in run.said
        assert secret.encode() not in uploaded


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
    for run in (first, second):
        assert len(run.keys) == 1
        _nothing_secret(run, github.token, *run.keys)
    assert "pwned" not in first.said + second.said


def test_a_fork_gets_summary_and_artifact_and_the_verdicts_exit_code(project: Project, github: GitHubServer) -> None:
    """P48: the comment is refused with 403; the verdict is what counts."""
    github.may_write = False
    _regress(project)
    run = _run(project, github, "pull_request", _pull_request(project, fork=True, label=LABEL))
    run.workflow("pull-request")
    job = run.jobs["local"]
    assert job.exit_codes[-1] == 3, job.summary + job.said
    assert job.outputs["verdict"] == "fail"
    assert "Resource not accessible by integration" in job.said
    assert "handbook: fail" in job.summary
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


def _merge(project: Project) -> None:
    """Main is what the branch was, and the next branch begins there."""
    _git(project, "branch", "--force", "main", "HEAD")


POOR, GOOD = "mode: vector, top: 5, k: 50, threshold: 0.6", "mode: hybrid, top: 5, k: 50"


def test_a_change_that_improves_goes_from_pull_request_to_production_and_a_rollback_of_it_holds(
    project: Project, github: GitHubServer, front: CloudFront
) -> None:
    index = "indexes/handbook/index.yaml"
    project.replace(index, GOOD, POOR)
    project.replace(index, "floor: 0.50", "floor: 0.20")
    _environment(project, front, "prod")
    _merge(project)
    pushed = _cloud_run(project, github, front, "push", {"ref": "refs/heads/main"})
    _command(pushed, project, "ship", "handbook", "--env", "prod", "--yes")

    project.replace(index, POOR, GOOD)
    head = _edit(project, ("maximumPageLength: 2000", "maximumPageLength: 1900"))
    reviewed = _run(project, github, "pull_request", _pull_request(project))
    reviewed.workflow("pull-request")
    assert (reviewed.jobs["local"].result, reviewed.jobs["local"].outputs["verdict"]) == ("success", "pass")
    (comment,) = github.comments.values()
    assert head[:12] in comment["body"] and "3 better" in comment["body"]
    _merge(project)
    # This build takes longer than any token lives
    _tell(front, "faults", {"faults": [{"kind": "indexer-slow", "seconds": 5, "times": 1}]})
    pushed.workflow("ship")
    assert {n: j.result for n, j in pushed.jobs.items()} == dict.fromkeys(pushed.jobs, "success"), pushed.said
    assert list(pushed.jobs)[2:] == [f"index/handbook/{n}" for n in ("start", "wait", "evaluate", "promote")]
    assert pushed.jobs["plan"].outputs["changed"] == '["handbook"]'
    evaluated, promoted = (pushed.jobs[f"index/handbook/{n}"] for n in ("evaluate", "promote"))
    assert (evaluated.outputs["verdict"], promoted.outputs["release"]) == ("pass", "2")
    assert "release 2" in promoted.summary
    said = json.loads((evaluated.folder / "evaluation.json").read_text("utf-8"))["data"]["metrics"]["recall@2000t"]
    assert set(said) == {"live", "candidate", "difference", "low", "high", "p", "limit", "verdict"}
    assert said["difference"] == 0.75

    unchanged = _cloud_run(project, github, front, "push", {"ref": "refs/heads/main"})
    unchanged.workflow("ship")
    assert {n: j.result for n, j in unchanged.jobs.items()} == {"plan": "success", "index": "skipped"}

    by_hand = _cloud_run(project, github, front, "workflow_dispatch", {})
    inputs = {"name": "handbook", "release": "", "reason": 'worse; echo "$(id)"', "environment": "prod", "runner": ""}
    by_hand.workflow("rollback", inputs)
    assert by_hand.jobs["rollback"].result == "success", by_hand.said
    assert "handbook-live" in by_hand.jobs["rollback"].summary

    again = _cloud_run(project, github, front, "push", {"ref": "refs/heads/main"})
    again.workflow("ship")
    held = again.jobs["index/handbook/start"]
    assert (held.exit_codes[-1], held.result) == (3, "failure"), again.said
    assert "was rolled back by someone" in held.summary and "accept `hold`" in held.summary
    assert {again.jobs[f"index/handbook/{n}"].result for n in ("wait", "evaluate", "promote")} == {"skipped"}
    live = _command(by_hand, project, "status", "--env", "prod")["indexes"]["handbook"]
    assert (live["release"], live["candidate_state"]) == (3, "held"), "the rollback holds"
    swept = _cloud_run(project, github, front, "schedule", {})
    swept.workflow("drift", {"environment": "prod"})
    swept.workflow("prune", {"environment": "prod"})
    assert {n: j.result for n, j in swept.jobs.items()} == {"drift": "success", "prune": "success"}, swept.said
    assert not github.issues, "nothing was edited behind our back"
    assert front.scopes == {"https://search.example/.default"}, "the environment names the audience"
    for run in (pushed, reviewed, by_hand, again, swept):
        _nothing_secret(run, github.token, github.request_token, *front.tokens, *github.assertions, front.upstream.key)


def test_an_undecided_verdict_ends_a_shipment_unless_somebody_accepts_it_with_a_reason(
    project: Project, github: GitHubServer, front: CloudFront
) -> None:
    index = "indexes/handbook/index.yaml"
    project.replace(index, "  recall@2000t: {floor: 0.50}\n  mrr@10: {}", "  recall@2000t: {max_drop: 0.9}")
    _environment(project, front, "prod")
    _merge(project)
    run = _cloud_run(project, github, front, "push", {"ref": "refs/heads/main"})
    _command(run, project, "ship", "handbook", "--env", "prod", "--yes")
    project.replace(index, GOOD, POOR)
    _commit(project, "doubtful")
    run.workflow("ship-index", {"name": "handbook", "environment": "prod", "accept": "nothing", "reason": ""})
    assert (run.jobs["evaluate"].exit_codes[-1], run.jobs["evaluate"].outputs["verdict"]) == (3, "undecided"), run.said
    assert run.jobs["promote"].result == "skipped"
    assert "run the workflow **ship** by hand with index `handbook`" in run.jobs["evaluate"].summary

    accepting = _cloud_run(project, github, front, "workflow_dispatch", {})
    reason = 'three are obsolete; "$(id)" `id`'
    inputs = {"environment": "prod", "index": "handbook", "accept": "undecided", "reason": reason, "runner": ""}
    accepting.workflow("ship", inputs)
    assert {n: j.result for n, j in accepting.jobs.items()} == dict.fromkeys(accepting.jobs, "success"), accepting.said
    assert "The undecided verdict is accepted: three are obsolete" in accepting.jobs["index/handbook/evaluate"].summary
    (released, _) = _command(run, project, "history", "handbook", "--env", "prod")["releases"]
    assert (released["verdict"], released["reason"], released["by"]) == ("undecided", reason, "someone")
    assert "uid=" not in accepting.said


def _command(run: Run, project: Project, *arguments: str, code: int = 0) -> Any:
    """The `data` of a command that somebody else carries out under the same identity."""
    done = subprocess.run(
        [str(COMMAND), *arguments, "--output", "json", "--project", str(project.root)],
        env={**run.environ, **run.variables},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == code, done.stdout + done.stderr
    return json.loads(done.stdout)["data"]


def test_what_was_approved_is_refused_as_stale_when_anything_moved(
    project: Project, github: GitHubServer, front: CloudFront
) -> None:
    _environment(project, front, "prod")
    run = _cloud_run(project, github, front, "push", {"ref": "refs/heads/main"})
    first = _command(run, project, "ship", "handbook", "--env", "prod", "--yes")["candidate"]
    planned = _edit(project, ("maximumPageLength: 2000", "maximumPageLength: 1900"))
    definition = project.root / "skillsets/handbook.yaml"
    before = definition.read_text("utf-8")

    def refused(move: Callable[[], object]) -> str:
        """Everything up to the approval, then `move`, then the promotion, which ends with exit code 4."""

        def between(job: str) -> None:
            if job == "promote":
                move()

        run.before = between
        run.workflow("ship-index", {"name": "handbook", "environment": "prod", "runner": "r"})
        assert {n: j.result for n, j in run.jobs.items()} == {
            **dict.fromkeys(("start", "wait", "evaluate"), "success"),
            "promote": "failure",
        }, run.said
        job = run.jobs["promote"]
        assert (job.exit_codes[-1], job.outputs["verdict"], job.outputs["exit-code"]) == (4, "error", "4")
        live = _command(run, project, "status", "--env", "prod")["indexes"]["handbook"]
        assert (live["live"], live["release"]) == (first, 1), "live is untouched"
        return job.summary

    def another_definition() -> None:
        definition.write_text(before.replace("1900", "1850"), "utf-8")
        _commit(project, "moved")

    assert "the definitions moved since" in refused(another_definition)
    _git(project, "reset", "--quiet", "--hard", planned)

    def edited_by_hand() -> None:
        body = _service(front, "GET", f"indexes/{first}")
        _service(front, "PUT", f"indexes/{first}", {**body, "corsOptions": {"allowedOrigins": ["*"]}})

    again = "evaluate", "handbook", "--env", "prod"
    assert "it was measured again at" in refused(lambda: _command(run, project, *again))
    assert f"what is live ({first} was changed on the service)" in refused(edited_by_hand)
    plan = json.loads(next(run.artifacts.rglob("plan.json")).read_text("utf-8"))
    assert (plan["environment"], [i["live_index"] for i in plan["indexes"]]) == ("prod", [first])
    assert "maximumPageLength" in run.jobs["start"].summary, "what is approved is there to be read"
    _nothing_secret(run, github.request_token, *front.tokens, *github.assertions, front.upstream.key)


def test_a_label_measures_on_staging_and_a_change_that_regresses_is_blocked(
    project: Project, github: GitHubServer, front: CloudFront
) -> None:
    _environment(project, front, "staging")
    project.replace("indexes/handbook/index.yaml", "failed: 1d", "failed: 0s")  # Only claims keep candidates
    _commit(project, "retention")
    run = _cloud_run(project, github, front, "pull_request", {})
    before = _command(run, project, "ship", "handbook", "--env", "staging", "--yes")["candidate"]
    _edit(project, ("maximumPageLength: 2000", "maximumPageLength: 1300"))
    claimed = "build", "handbook", "--env", "staging", "--yes", "--claim"
    older = _command(run, project, *claimed, "pull/7")["candidate"]
    _edit(project, ("maximumPageLength: 1300", "maximumPageLength: 2000"))
    _regress(project)
    run.event = _pull_request(project, label=LABEL)
    run.workflow("pull-request")
    assert [run.jobs[n].exit_codes[-1] for n in ("local", "staging")] == [3, 3], run.said
    assert [run.jobs[n].outputs["verdict"] for n in ("local", "staging")] == ["fail", "fail"]
    status = _command(run, project, "status", "--env", "staging")["indexes"]["handbook"]
    assert (status["live"], status["release"]) == (before, 1), "live is untouched"

    (comment,) = github.comments.values()
    places = [comment["body"].index(f"<!-- section {name} ") for name in ("staging", "local")]
    assert places == sorted(places)
    for section in comment["body"].split("<!-- section ")[1:]:
        shown = [line for line in section.splitlines()[1:] if line and not line.startswith("<!--")]
        assert shown[0].startswith("## ❌ handbook: fail. Shipping this would leave `handbook-live` where it is."), (
            shown[0]
        )
        worst = section[section.index("### Worst queries") :]
        assert "When are travel claims due?" in worst
        assert "threshold" in worst

    # Two pull requests may share a candidate, and a newer commit takes the place of an older one
    candidate = status["candidate"]
    assert _command(run, project, *claimed, "pull/8")["candidate"] == candidate
    for number, action, left in ((7, "unlabeled", {before, candidate}), (8, "closed", {before})):
        closing = {**_pull_request(project, label=LABEL, number=number), "action": action}
        closed = _cloud_run(project, github, front, "pull_request", closing)
        closed.workflow("pull-request")
        results = {n: j.result for n, j in closed.jobs.items()}
        assert results == {"local": "skipped", "staging": "skipped", "closed": "success"}, closed.said
        assert f"the claim of pull/{number} on {candidate} is dropped" in closed.said
        found = {row["name"] for row in _service(front, "GET", "indexes")["value"]}
        assert found - {"azsearch-ops-ledger"} == left, (older, closed.said)
    _nothing_secret(run, github.token, github.request_token, *front.tokens, *github.assertions)


NEW_PROFILE = "  scoringProfiles: [{name: titles, text: {weights: {title: 2}}}]\n  vectorSearch:\n"


@pytest.mark.parametrize(
    ("edits", "action"),
    [
        ((("  schedule: PT1H", "  schedule: PT2H"),), "in_place"),
        (
            (("  vectorSearch:\n", NEW_PROFILE), ("request: {select", "request: {scoringProfile: titles, select")),
            "settings",
        ),
    ],
    ids=["in place", "settings"],
)
def test_what_builds_nothing_goes_the_same_way_and_reaches_live_when_it_is_promoted(
    small: Project, tmp_path: Path, edits: tuple[tuple[str, str], ...], action: str
) -> None:
    plan = str(tmp_path / "plan.json")
    planned = "handbook", "--plan", plan
    if action == "in_place":  # The first release goes that way as well
        small.data("plan", "handbook", "--out", plan)
        small.data("build", *planned)
        record = small.data("evaluate", *planned)["path"]
        assert small.data("promote", *planned, "--evaluation", str(small.root / record))["release"] == 1
    else:
        small.data("ship", "handbook")
    before = small.data("settings", "handbook")
    for old, new in edits:
        small.replace("indexes/handbook/index.yaml", old, new)
    assert small.data("plan", "handbook", "--out", plan)["plans"]["handbook"]["action"] == action
    small.data("build", "handbook", "--no-wait", "--plan", plan)
    record = small.data("evaluate", *planned)["path"]
    assert small.data("plan", "handbook")["changed"] == ["handbook"], "nothing is released before it is approved"
    assert small.data("settings", "handbook") == before
    approved = "promote", *planned, "--evaluation", str(small.root / record)
    assert small.data(*approved)["release"] == 2
    assert small.data("plan", "handbook")["changed"] == []
    assert small.data(*approved)["recorded"] is False, "run again, it finds its own release"


def _service(front: CloudFront, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
    """A call of the service's own API, by somebody who has its key."""
    request = Request(
        f"{front.upstream.endpoint}/{path}?api-version=2026-04-01",
        data=json.dumps(body).encode() if body is not None else None,
        headers={"api-key": front.upstream.key, "Content-Type": "application/json"},
        method=method,
    )
    with DIRECT.open(request, timeout=30) as answer:
        return json.loads(answer.read() or b"null")


def _tell(front: CloudFront, route: str, body: dict[str, Any]) -> None:

    request = Request(
        f"{front.upstream.endpoint}/__local/{route}",
        data=json.dumps(body).encode(),
        headers={"api-key": front.upstream.key},
    )
    with DIRECT.open(request, timeout=30) as answer:
        assert answer.status in (200, 204)
