"""The gate on a small project: its yardstick, its noise, its limits, and how long an evaluation counts."""

from __future__ import annotations

import json
import subprocess
import time
from dataclasses import replace

import httpx
from projects import Project

INDEX = "indexes/handbook/index.yaml"
SKILLSET = "skillsets/handbook.yaml"


def git(project: Project, *arguments: str) -> None:
    who = ("-c", "user.name=Tests", "-c", "user.email=tests@example.com", "-c", "init.defaultBranch=main")
    subprocess.run(["git", *who, *arguments], cwd=project.root, check=True, capture_output=True)


def committed(project: Project) -> Project:
    """The project as a Git repository with one commit on main."""
    (project.root / ".gitignore").write_text(".azsearch/\n", "utf-8")
    git(project, "init")
    git(project, "add", "-A")
    git(project, "commit", "-m", "first")
    return replace(project, environ={**project.environ, "GIT_CEILING_DIRECTORIES": ""})


def test_a_change_that_moves_its_yardstick_is_held_to_the_old_one_too(small: Project) -> None:
    project = committed(small)
    project.replace(INDEX, "mrr@10: {}", "mrr@10: {floor: 1.0}")
    git(project, "commit", "-am", "nothing below rank 1")
    first = project.data("ship", "handbook")
    assert first["evaluation"]["yardstick"]["base"].startswith("HEAD ("), "nothing was released yet"
    assert first["evaluation"]["yardstick"]["changed"] == []

    git(project, "checkout", "-b", "change")
    misled = "  - id: q5\n    query: orange badge\n    relevant: [{document: leave.md}]\n"
    queries = project.root / "indexes/handbook/queries.yaml"
    queries.write_text(queries.read_text("utf-8") + misled, "utf-8")
    git(project, "commit", "-am", "a question that no page answers")
    project.replace(SKILLSET, "maximumPageLength: 2000", "maximumPageLength: 1500")
    project.replace(INDEX, "mrr@10: {floor: 1.0}", "mrr@10: {}")
    project.data("build", "handbook")
    # Against main both changed; by its yardstick the floor holds, for it does not ask the new question
    evaluated = project.data("evaluate", "handbook")
    told = evaluated["yardstick"]
    assert told["base"].startswith("main (")
    assert told["changed"] == ["queries (1 added)", "gate"]
    assert (told["own"]["outcome"], told["under_base"]["outcome"], evaluated["verdict"]) == ("pass", "pass", "pass")
    # Against the commit before, only the gate changed; by that yardstick the new question fails
    blocked = project.data("evaluate", "handbook", "--base", "HEAD", code=3)
    assert blocked["yardstick"]["changed"] == ["gate"]
    assert (blocked["yardstick"]["own"]["outcome"], blocked["verdict"]) == ("pass", "fail")
    assert blocked["reasons"][0].startswith("under the yardstick of HEAD (")
    assert "floor 1.000" in blocked["reasons"][0]
    text = project.run("evaluate", "handbook", "--base", "HEAD").stdout
    assert "yardstick changed since HEAD (" in text
    assert project.run("promote", "handbook", "--base", "HEAD").returncode == 3
    unreasoned = project.run("promote", "handbook", "--base", "HEAD", "--accept-yardstick", " ")
    assert (unreasoned.returncode, "needs a reason" in unreasoned.stderr) == (1, True)
    unknown = project.run("evaluate", "handbook", "--base", "nowhere")
    assert (unknown.returncode, "there is no revision 'nowhere'" in unknown.stderr) == (1, True)
    reason = "the floor was meant for another index"
    moved = project.data("promote", "handbook", "--base", "HEAD", "--accept-yardstick", reason)
    assert moved["after"] == evaluated["candidate"]
    project.replace(SKILLSET, "maximumPageLength: 1500", "maximumPageLength: 1400")
    shipped = project.data("ship", "handbook", "--base", "HEAD", "--accept-yardstick", reason)
    assert (shipped["promoted"], shipped["evaluation"]["yardstick"]["accepted"]) == (True, reason)


def test_noise_is_measured_beside_live_and_leaves_nothing_behind(small: Project) -> None:
    shipped = small.data("ship", "handbook")
    before = small.data("history", "handbook")
    noise = small.data("noise", "handbook")
    assert (noise["changed"], noise["queries"], noise["steady"], noise["probe"]) == (0, 4, True, "")
    assert noise["chunks"][0] == noise["chunks"][1] > 0
    assert noise["deviations"]["mrr@10"] == 0.0
    assert noise["twins"] == [f"{shipped['candidate']}-noise-a", f"{shipped['candidate']}-noise-b"]
    assert small.data("history", "handbook") == before
    running = small.data("local", "status")["running"]
    names = _names(running["endpoint"], running["key"])
    assert not [name for name in names if "noise" in name]
    assert shipped["candidate"] in names
    itself = small.data("evaluate", "handbook", "--self")
    assert (itself["changed"], itself["verdict"]) == ([], "pass")
    assert itself["reasons"] == ["0 of 4 queries changed"]
    queries = small.root / "indexes/handbook/queries.yaml"
    whole = queries.read_text("utf-8")
    queries.write_text(whole.replace("26 days of annual leave", "a canteen that closes at noon"), "utf-8")
    lost = small.run("evaluate", "handbook", "--self")
    assert lost.returncode == 1 and "the excerpt is not in leave.md [AZS712]" in lost.stderr, "no recall of 0.75"
    queries.write_text(whole, "utf-8")
    small.replace(SKILLSET, "maximumPageLength: 2000", "maximumPageLength: 1500")
    small.data("build", "handbook")
    assert small.run("promote", "handbook").returncode == 3, "neither of them lets anything be promoted"


def _names(endpoint: str, key: str) -> list[str]:
    names: list[str] = []
    for kind in ("indexes", "skillsets", "indexers"):
        answer = httpx.get(f"{endpoint}/{kind}?api-version=2026-04-01&$select=name", headers={"api-key": key})
        names += [str(found["name"]) for found in answer.json()["value"]]
    return names


def test_an_evaluation_expires(small: Project) -> None:
    small.data("ship", "handbook")
    small.replace(INDEX, "mrr@10: {}", "mrr@10: {}\n  max_age: 1s")
    small.replace(SKILLSET, "maximumPageLength: 2000", "maximumPageLength: 1500")
    small.data("build", "handbook")
    assert small.data("evaluate", "handbook")["verdict"] == "pass"
    time.sleep(1.1)
    late = small.run("promote", "handbook")
    assert late.returncode == 3
    assert "has expired: it counts for 1 seconds" in late.stderr
    small.replace(INDEX, "max_age: 1s", "max_age: 7d")
    assert small.data("promote", "handbook")["moved"] is True, "how long it counts is not part of what was measured"


def test_slices_and_prices_stand_beside_the_metrics(small: Project) -> None:
    small.data("ship", "handbook")
    metrics = "metrics: [recall@2000t, mrr@10, recall@5, ndcg@10, precision_omega]"
    small.replace(INDEX, "metrics: [recall@2000t, mrr@10, recall@5, ndcg@10]", metrics)
    limits = (
        "mrr@10: {}\n  slices: {code: {mrr@10: {max_drop: 0.1}}}\n  lost_queries: 0\n  growth: {chunks: 0.2, p95: 99}"
    )
    small.replace(INDEX, "mrr@10: {}", limits.replace("{mrr@10: {max", "{mr@10: {max"))
    wrong = small.run("validate")
    assert (wrong.returncode, "Did you mean mrr?" in wrong.stdout + wrong.stderr) == (1, True)
    small.replace(INDEX, "mr@10", "mrr@10")
    (small.root / "indexes/handbook/queries.yaml").write_text(
        (small.root / "indexes/handbook/queries.yaml")
        .read_text("utf-8")
        .replace(
            "relevant: [{document: visitors.html}]", 'relevant: [{document: visitors.html, excerpt: "orange badge"}]'
        ),
        "utf-8",
    )
    small.replace(SKILLSET, "maximumPageLength: 2000", "maximumPageLength: 300")
    small.replace(SKILLSET, "pageOverlapLength: 500", "pageOverlapLength: 0")
    shipped = small.data("ship", "handbook")
    evaluation = shipped["evaluation"]
    assert [(line["name"], line["outcome"]) for line in evaluation["limits"]] == [
        ("mrr@10, code (1)", "pass"),
        ("lost queries", "pass"),
        ("growth of chunks", "pass"),
        ("growth of p95", "pass"),
    ]
    price = evaluation["price"]
    assert price["live"]["chunks"] == price["candidate"]["chunks"] == 4
    assert price["candidate"]["storage_bytes"] > 0
    assert price["candidate"]["vector_bytes"] > 0
    assert price["candidate"]["timed"] == 4
    assert 0.0 < evaluation["metrics"]["precision_omega"]["candidate"] < 1.0


def test_a_throttled_evaluation_slows_down_and_measures_the_same(small: Project) -> None:
    small.data("ship", "handbook")
    plain = small.data("evaluate", "handbook", "--self")
    running = small.data("local", "status")["running"]
    busy = {"kind": "answer", "status": 429, "retryAfter": 1, "address": "search.post.search", "skip": 3, "times": 2}
    httpx.post(
        f"{running['endpoint']}/__local/faults", json={"faults": [busy]}, headers={"api-key": running["key"]}
    ).raise_for_status()
    started = time.monotonic()
    throttled = small.data("evaluate", "handbook", "--self")
    assert time.monotonic() - started > 1.0, "Retry-After was heard"
    assert throttled["changed"] == plain["changed"] == []
    assert throttled["metrics"] == plain["metrics"]
    record = json.loads((small.root / throttled["path"]).read_text("utf-8"))
    assert 1 <= record["evaluation"]["pauses"] <= 2
    assert throttled["price"]["live"]["p95"] < 0.9, "the wait is not taken for the service's answer"
