"""The main job on a small project: first release, nothing to do, a change, a blocked change, rollback and hold."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from pathlib import Path

import pytest
from projects import COMMAND, Project

from azsearch_ops.service.connect import connect
from azsearch_ops.verbs.local.service import DATA, find_local


def test_first_ship_releases_and_a_second_one_has_nothing_to_do(small: Project) -> None:
    first = small.data("ship", "handbook")
    assert (first["verdict"], first["promoted"], first["live"], first["release"]) == ("pass", True, None, 1)
    assert first["alias"] == "handbook-live"
    assert first["metrics"]["mrr@10"]["live"] is None
    assert first["build"]["documents"] == 4
    status = small.data("status")["indexes"]["handbook"]
    assert (status["alias"], status["live"]) == ("handbook-live", first["candidate"])
    assert first["candidate"].endswith(status["digest"][:8])
    again = small.data("ship", "handbook")
    assert (again["promoted"], again["unchanged"], again["action"]) == (False, True, "none")
    assert small.data("plan", "handbook", "--detailed-exitcode")["changed"] == []


def test_a_change_builds_beside_live_and_rollback_holds_what_it_left(small: Project) -> None:
    first = small.data("ship", "handbook")
    small.replace("skillsets/handbook.yaml", "maximumPageLength: 2000", "maximumPageLength: 1500")
    changed = small.data("plan", "handbook", "--detailed-exitcode", code=2)
    assert changed["changed"] == ["handbook"]
    second = small.data("ship", "handbook")
    assert (second["promoted"], second["live"]) == (True, first["candidate"])
    assert second["candidate"] != first["candidate"]
    metric = second["metrics"]["recall@2000t"]
    assert {"live", "candidate", "difference", "low", "high", "p"} <= set(metric)
    back = small.data("rollback", "handbook", "--reason", "answers got worse")
    assert (back["before"], back["after"]) == (second["candidate"], first["candidate"])
    assert small.data("status")["indexes"]["handbook"]["live"] == first["candidate"]
    again = small.data("rollback", "handbook")
    assert again["after"] == first["candidate"], "run again, a rollback stays where it is"
    refused = small.run("ship", "handbook")
    assert refused.returncode == 3
    assert "answers got worse" in refused.stderr
    assert small.data("status")["indexes"]["handbook"]["live"] == first["candidate"]
    lifted = small.data("ship", "handbook", "--lift-hold", "--reason", "it was the network")
    assert (lifted["promoted"], lifted["candidate"]) == (True, second["candidate"])
    releases = small.data("history", "handbook")["releases"]
    assert [(r["release"], r["kind"]) for r in releases] == [
        (4, "promotion"),
        (3, "rollback"),
        (2, "promotion"),
        (1, "promotion"),
    ]


def test_a_changed_definition_ships_after_a_rollback(small: Project) -> None:
    small.data("ship", "handbook")
    small.replace("skillsets/handbook.yaml", "maximumPageLength: 2000", "maximumPageLength: 1500")
    small.data("ship", "handbook")
    small.data("rollback", "handbook")
    small.replace("skillsets/handbook.yaml", "maximumPageLength: 1500", "maximumPageLength: 1600")
    switched_off = "  schedule: {interval: PT2H, startTime: 2026-01-05T06:00:00Z}\n  indexer: {disabled: true}\n"
    small.replace("indexes/handbook/index.yaml", "  schedule: PT1H\n", switched_off)
    shipped = small.data("ship", "handbook")
    assert (shipped["promoted"], shipped["build"]["documents"]) == (True, 4), "a candidate fills, switched off or not"
    service = find_local(small.root / DATA)
    assert service is not None
    client = connect(service.endpoint, key=service.key, api_version="2026-04-01")
    try:
        indexer = client.get("indexer", shipped["candidate"])
        assert indexer["disabled"] is True, "and what is live runs no more"
        assert indexer["schedule"] == {"interval": "PT2H", "startTime": "2026-01-05T06:00:00Z"}
        assert client.get("indexer", shipped["live"])["disabled"] is False
    finally:
        client.close()
    assert small.data("plan", "handbook")["changed"] == []


def test_settings_alone_build_nothing_and_move_no_alias(small: Project) -> None:
    first = small.data("ship", "handbook")
    small.replace("indexes/handbook/index.yaml", "k: 50", "k: 40")
    second = small.data("ship", "handbook")
    assert (second["action"], second["promoted"], second["build"]) == ("settings", True, None)
    assert second["candidate"] == first["candidate"]
    published = small.data("settings", "handbook")
    assert published["search"]["vectorQueries"][0]["k"] == 40
    assert small.data("plan", "handbook")["changed"] == []
    back = small.data("rollback", "handbook")
    assert back["after"] == first["candidate"]
    assert small.data("settings", "handbook")["search"]["vectorQueries"][0]["k"] == 50


def test_promote_wants_an_evaluation_of_exactly_these_two(small: Project) -> None:
    small.data("ship", "handbook")
    small.replace("skillsets/handbook.yaml", "maximumPageLength: 2000", "maximumPageLength: 1500")
    unbuilt = small.run("evaluate", "handbook")
    assert unbuilt.returncode == 1
    assert "azsearch-ops build handbook" in unbuilt.stderr
    built = small.data("build", "handbook")
    refused = small.run("promote", "handbook")
    assert refused.returncode == 3
    assert "no evaluation" in refused.stderr
    evaluated = small.data("evaluate", "handbook")
    assert evaluated["verdict"] == "pass"
    document = small.root / "infra/local/containers/handbook/leave.md"
    document.write_text(document.read_text("utf-8") + "\nUnpaid leave is granted by the manager.\n", "utf-8")
    small.data("build", "handbook")
    assert small.run("promote", "handbook").returncode == 3, "the candidate is not what was evaluated any more"
    small.data("evaluate", "handbook")
    assert small.data("promote", "handbook")["after"] == built["candidate"]


def test_promoting_what_is_live_makes_no_second_release(small: Project) -> None:
    small.data("ship", "handbook")
    small.data("evaluate", "handbook")
    again = small.data("promote", "handbook")
    assert (again["release"], again["moved"], again["recorded"]) == (1, False, False)
    assert [r["release"] for r in small.data("history", "handbook")["releases"]] == [1]


def test_a_gate_that_fails_leaves_the_alias(small: Project) -> None:
    first = small.data("ship", "handbook")
    small.replace("indexes/handbook/index.yaml", "mrr@10: {}", "mrr@10: {floor: 1.0}")
    misled = "  - id: q5\n    query: orange badge\n    relevant: [{document: leave.md}]\n"
    queries = small.root / "indexes/handbook/queries.yaml"
    queries.write_text(queries.read_text("utf-8") + misled, "utf-8")
    small.replace("skillsets/handbook.yaml", "maximumPageLength: 2000", "maximumPageLength: 1500")
    blocked = small.data("ship", "handbook", code=3)
    assert (blocked["verdict"], blocked["promoted"]) == ("fail", False)
    assert "floor" in blocked["why_not"]
    assert small.data("status")["indexes"]["handbook"]["live"] == first["candidate"]


def test_json_is_alone_on_standard_output(small: Project) -> None:
    done = small.run("ship", "handbook", "--output", "json")
    document = json.loads(done.stdout)
    assert set(document) == {"schema", "command", "status", "exit_code", "data", "problems"}
    assert document["command"] == "ship"


def test_protected_environments_are_not_written_to_unasked(small: Project) -> None:
    environment = small.root / "infra/environments/local.yaml"
    environment.write_text("protected: true\n" + environment.read_text("utf-8"), "utf-8")
    refused = small.run("ship", "handbook")
    assert refused.returncode == 1
    assert "refusing to ask without a terminal" in refused.stderr
    assert "create" in refused.stdout.lower(), "the plan is shown before anything is asked"
    assert small.data("status")["indexes"]["handbook"]["live"] is None
    assert small.run("ship", "handbook", "--yes").returncode == 0


def test_a_corrupt_document_stops_the_build_until_it_is_accepted(small: Project) -> None:
    (small.root / "infra/local/containers/handbook/broken.pdf").write_bytes(b"%PDF-1.7\nnothing of the kind\n")
    stopped = small.run("ship", "handbook")
    assert stopped.returncode == 1
    assert "broken.pdf" in stopped.stderr
    assert small.data("status")["indexes"]["handbook"]["live"] is None
    accepted = "  schedule: PT1H\n  accept: [{document: broken.pdf, reason: the scan is lost}]\n"
    small.replace("indexes/handbook/index.yaml", "  schedule: PT1H\n", accepted)
    shipped = small.data("ship", "handbook")
    assert shipped["build"]["accepted"] == [{"document": "broken.pdf", "reason": "the scan is lost"}]


def test_the_service_killed_in_the_middle_of_a_build(small: Project) -> None:
    started = small.data("local", "start")
    process = small.start("ship", "handbook")
    container = small.root / "infra/local/containers/handbook"
    for n in range(200):
        (container / f"more-{n}.md").write_text(f"# Page {n}\n\n" + f"Rule {n} says little. " * 400, "utf-8")
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        log = small.root / ".azsearch/local/store.sqlite-wal"
        if log.exists() and log.stat().st_size > 100_000:
            break
        time.sleep(0.01)
    subprocess.run(["kill", f"-{int(signal.SIGKILL)}", str(started["pid"])], check=True)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 5, out + err
    assert "run the command again" in err
    assert small.data("ship", "handbook")["promoted"] is True


def test_a_taken_port_is_said(small: Project, tmp_path: Path) -> None:
    running = small.data("local", "start")
    port = running["endpoint"].rpartition(":")[2]
    refused = small.run("local", "start", "--data", str(tmp_path / "other"), "--port", port)
    assert refused.returncode == 1
    assert port in refused.stderr
    assert find_local(tmp_path / "other") is None


@pytest.mark.parametrize("arguments", [("ship", "nonesuch"), ("ship", "--nonesuch"), ("nonesuch",)])
def test_wrong_usage_is_exit_code_1(small: Project, arguments: tuple[str, ...]) -> None:
    assert small.run(*arguments).returncode == 1
    assert COMMAND.exists()
