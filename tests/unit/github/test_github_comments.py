"""One comment and one issue, through real HTTP: found by their marker, edited in place, never written twice."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from github_server import GitHubServer, github_server

from azsearch_ops.errors import UnreachableError
from azsearch_ops.verbs.github.api import GitHub
from azsearch_ops.verbs.github.comments import LONGEST, keep_issue, limited, post_comment
from azsearch_ops.verbs.github.runner import Runner, runner_from

MARKER = "<!-- mine -->"


@pytest.fixture
def server() -> Iterator[GitHubServer]:
    with github_server() as made:
        yield made


@pytest.fixture
def waits() -> list[float]:
    return []


@pytest.fixture
def github(server: GitHubServer, waits: list[float]) -> GitHub:
    environ = {"GITHUB_API_URL": server.url, "GITHUB_REPOSITORY": "acme/search", "GITHUB_TOKEN": server.token}
    return GitHub(runner_from(environ), waits.append)


def test_created_then_edited_then_left_alone(github: GitHub, server: GitHubServer) -> None:
    server.add_comments(7, 250)
    server.add(server.comments, {"body": f"quoting {MARKER}", "issue": 7})
    first = post_comment(github, 7, MARKER, lambda old: f"{MARKER}\none{old}")
    second = post_comment(github, 7, MARKER, lambda old: f"{MARKER}\ntwo after {len(old)}")
    third = post_comment(github, 7, MARKER, lambda old: old)
    assert [p.action for p in (first, second, third)] == ["created", "edited", "unchanged"]
    assert first.url == second.url == third.url
    mine = [c["body"] for c in server.comments.values() if c["body"].startswith(MARKER)]
    assert mine == [f"{MARKER}\ntwo after {len(MARKER) + 4}"]


def test_a_token_that_may_not_comment_is_an_outcome(github: GitHub, server: GitHubServer) -> None:
    server.may_write = False
    posted = post_comment(github, 7, MARKER, lambda old: MARKER)
    assert posted.action == "refused"
    assert "403: Resource not accessible by integration" in posted.why
    assert server.token not in posted.why


def test_a_marker_that_somebody_else_wrote_is_left_alone_in_a_job(server: GitHubServer) -> None:
    theirs = server.add(server.comments, {"body": f"{MARKER} trust me", "issue": 7, "user": {"type": "User"}})
    environ = {"GITHUB_API_URL": server.url, "GITHUB_REPOSITORY": "acme/search", "GITHUB_TOKEN": server.token}
    job = GitHub(runner_from({**environ, "GITHUB_ACTIONS": "true"}))
    said = [post_comment(job, 7, MARKER, lambda old, n=n: f"{MARKER} {n}").action for n in range(2)]
    assert said == ["created", "edited"]
    assert server.comments[theirs["id"]]["body"] == f"{MARKER} trust me"


def test_a_wrong_token_is_never_told(server: GitHubServer) -> None:
    runner = Runner("acme/search", server.url, "", "", {}, "", None, None, token="a-wrong-token")
    posted = post_comment(GitHub(runner), 7, MARKER, lambda old: MARKER)
    assert posted.action == "refused"
    assert "a-wrong-token" not in posted.why + repr(runner)


def test_busy_and_rate_limited_calls_are_repeated(github: GitHub, server: GitHubServer, waits: list[float]) -> None:
    server.fail_next = [502, 429, 503]
    assert post_comment(github, 7, MARKER, lambda old: MARKER).action == "created"
    assert len(waits) == 3
    server.fail_next = [503] * 9
    with pytest.raises(UnreachableError, match="answered 503"):
        list(github.pages("issues/7/comments"))


@pytest.mark.parametrize(
    ("failure", "waited"),
    [
        ((403, "You have exceeded a secondary rate limit.", {"Retry-After": "7"}), 7),
        ((403, "You have exceeded a secondary rate limit.", {}), 60),
        ((429, "slow down", {"X-RateLimit-Remaining": "0"}), 60),
    ],
)
def test_a_limit_of_the_rate_is_no_refusal(
    github: GitHub,
    server: GitHubServer,
    waits: list[float],
    failure: tuple[int, str, dict[str, str]],
    waited: float,
) -> None:
    server.fail_next = [failure]
    assert post_comment(github, 7, MARKER, lambda old: MARKER).action == "created"
    assert waits == [waited]
    assert len(server.comments) == 1


def test_a_comment_whose_answer_was_lost_is_looked_for_first(github: GitHub, server: GitHubServer) -> None:
    made = server.add

    def add_and_fail(rows: dict[int, dict[str, object]], row: dict[str, object]) -> dict[str, object]:
        made(rows, row)
        raise BrokenPipeError  # the row is there; its answer never comes

    server.add = add_and_fail  # type: ignore[method-assign]
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    assert post_comment(github, 7, MARKER, lambda old: MARKER).action == "created"
    assert len(server.comments) == 1


def test_an_issue_is_opened_updated_and_closed(github: GitHub, server: GitHubServer) -> None:
    server.add(server.issues, {"title": "a pull request", "body": MARKER, "pull_request": {}})
    said = [
        keep_issue(github, MARKER, "t", f"{MARKER} 1", wanted=True),
        keep_issue(github, MARKER, "t", f"{MARKER} 1", wanted=True),
        keep_issue(github, MARKER, "t", f"{MARKER} 2", wanted=True),
        keep_issue(github, MARKER, "t", "", wanted=False),
        keep_issue(github, MARKER, "t", "", wanted=False),
    ]
    assert [p.action for p in said] == ["created", "unchanged", "edited", "closed", "none"]
    assert [i["state"] for i in server.issues.values()] == ["open", "closed"]


@pytest.mark.parametrize("size", [LONGEST - 1, LONGEST, LONGEST + 1, 4 * LONGEST])
def test_a_body_is_never_longer_than_github_takes(size: int) -> None:
    line = "<details><summary>x</summary>\n```\n" + "word " * 20 + "\n"
    body = (line * (size // len(line) + 1))[:size]
    kept = limited(body)
    assert len(kept) <= LONGEST
    assert (kept == body) == (size <= LONGEST)
    if size > LONGEST:
        assert kept.count("\n```") % 2 == 0
        assert "the whole report is in the job summary" in kept


def test_a_payload_names_pull_request_base_and_head(tmp_path: Path) -> None:
    event = {"pull_request": {"number": 7, "base": {"sha": "b" * 40}, "head": {"sha": "h" * 40}}}
    (tmp_path / "event.json").write_text(json.dumps(event), "utf-8")
    runner = runner_from({"GITHUB_EVENT_PATH": str(tmp_path / "event.json"), "GITHUB_SHA": "m" * 40})
    assert (runner.pull_request, runner.base_commit, runner.head_commit) == (7, "b" * 40, "h" * 40)
    assert runner_from({"GITHUB_SHA": "m" * 40}).head_commit == "m" * 40
