"""What is written for GitHub: outputs that cannot be forged, a summary that fits, sections of one comment, files."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from azsearch_ops.errors import DefinitionError, Location, Problem
from azsearch_ops.planning.plan import Change, Plan
from azsearch_ops.reporting.github import (
    MARKER,
    comment_with,
    result_markdown,
    result_outputs,
    result_report,
    review_markdown,
)
from azsearch_ops.verbs.github.comments import LONGEST, limited
from azsearch_ops.verbs.github.files import github_files
from azsearch_ops.verbs.github.pull_request import Review, Reviewed
from azsearch_ops.verbs.github.runner import SUMMARY_BYTES, runner_from, write_outputs, write_summary

ROOT = Path(__file__).parents[3]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


def test_no_value_can_set_another_output(tmp_path: Path) -> None:
    file = tmp_path / "out"
    runner = runner_from({"GITHUB_OUTPUT": str(file)})
    write_outputs(runner, {"verdict": "fail\nverdict=pass\nEOF\nend-0\n", "report": "x"})
    text = file.read_text("utf-8")
    found = re.findall(r"^([\w-]+)<<(\S+)\n(.*?)\n\2$", text, re.DOTALL | re.MULTILINE)
    assert [(name, value) for name, _, value in found] == [
        ("verdict", "fail\nverdict=pass\nEOF\nend-0\n"),
        ("report", "x"),
    ]
    assert len({mark for _, mark, _ in found}) == 2


def test_a_summary_is_cut_before_github_drops_it(tmp_path: Path) -> None:
    file = tmp_path / "summary"
    runner = runner_from({"GITHUB_STEP_SUMMARY": str(file)})
    assert write_summary(runner, "ü" * SUMMARY_BYTES)
    assert len(file.read_bytes()) < 1024 * 1024
    assert file.read_text("utf-8").endswith("(cut: the report is an artifact)\n\n")
    assert not write_summary(runner_from({}), "x")


def test_sections_of_one_comment(tmp_path: Path) -> None:
    local = comment_with("", "local", "a" * 40, "## local one", is_local=True)
    assert local.startswith(f"{MARKER}\n\n<!-- section local aaaaaaaaaaaa -->\n## local one\n")
    both = comment_with(local, "staging", "a" * 40, "## staging one", is_local=False)
    assert both.index("## staging one") < both.index("## local one")
    again = comment_with(both, "local", "a" * 40, "## local two", is_local=True)
    assert again.index("## staging one") < again.index("## local two")
    assert "## local one" not in again
    newer = comment_with(again, "local", "b" * 40, "## local three", is_local=True)
    assert "staging" not in newer, "what was measured of another commit is no longer said"


def test_a_long_review_of_hostile_words_stays_one_comment_that_calls_nobody(tmp_path: Path) -> None:
    words = "@acme/everyone | `x` <script> <!-- end local --> ::error:: #7 https://evil.example\n| a | b |\n"
    problems = tuple(
        Problem("AZS999", words * 40, Location("indexes/`@x`|.yaml", n, 1), severity="error", hint=words)
        for n in range(400)
    )
    indexes = tuple(
        Reviewed(f"docs{n}|@everyone", error=DefinitionError(problems), moves=(words * 20,)) for n in range(12)
    )
    text = review_markdown(Review("local", True, indexes, problems, words), tmp_path)
    comment = limited(comment_with("", "local", "a" * 40, text, is_local=True))
    assert len(comment) <= LONGEST
    assert not re.search(r"(?<!\w)@\w", comment), "nobody is called"
    assert "<script" not in comment and "https://evil" not in comment and "#7" not in comment
    assert comment.count("<!-- end local -->") <= 1
    assert not [line for line in comment.splitlines() if line.startswith(("| a", "::"))]


def document(command: str, exit_code: int, data: object) -> dict[str, Any]:
    schema = "azsearch-ops/result/1"
    return {
        "schema": schema,
        "command": command,
        "status": "ok",
        "exit_code": exit_code,
        "data": data,
        "problems": [],
    }


def test_outputs_of_results() -> None:
    ship = {"name": "handbook", "verdict": "pass", "candidate": "handbook-1", "release": 3, "evaluation": {"path": "p"}}
    told = result_outputs(document("ship", 0, ship))
    wanted = {"verdict": "pass", "exit-code": "0", "candidate": "handbook-1", "release": "3", "report": "p"}
    assert {k: told[k] for k in wanted} == wanted
    several = result_outputs(document("ship", 3, {"indexes": {"a": ship, "b": {**ship, "verdict": "fail"}}}))
    assert (several["verdict"], several["candidate"]) == ("fail", "")
    assert result_outputs(document("plan", 0, {"changed": ["a"], "plans": {}}))["changed"] == '["a"]'
    imported = {"changed": ["b"], "plans": {"a": {"adopts": "wiki"}, "b": {"adopts": "old"}, "c": {"adopts": None}}}
    told = result_outputs(document("plan", 0, imported))["changed"]
    assert told == '["b", "a"]', "what is only to be adopted has no release yet"
    failed = document("ship", 5, {"error": {"code": "unreachable", "message": "no <b>", "hint": "h"}})
    assert result_outputs(failed)["verdict"] == "error"
    assert "<b>" not in result_markdown(failed, Path())


@pytest.mark.parametrize(
    ("exit_code", "part", "code"),
    [
        (3, {"verdict": "undecided", "tainted": ""}, 0),
        (3, {"verdict": "undecided", "tainted": "an index changed meanwhile"}, 3),
        (3, {"verdict": "fail", "tainted": ""}, 3),
        (4, {"verdict": "undecided", "tainted": ""}, 4),
        (0, {"verdict": "pass", "tainted": ""}, 0),
    ],
)
def test_only_an_undecided_verdict_is_accepted(exit_code: int, part: dict[str, str], code: int) -> None:
    result = document("evaluate", exit_code, {"name": "handbook", **part})
    said, left = result_report(result, Path(), "looked at `q1` @all")
    assert left == code
    assert result_report(result, Path(), None)[1] == exit_code
    assert ("is accepted: looked at" in said) is (part["verdict"] == "undecided" and not part["tainted"])
    assert "@all" not in said
    assert ("run the workflow **ship**" in result_report(result, Path(), None)[0]) is ("is accepted" in said)


def test_what_breaks_is_said_first_and_how_it_is_accepted() -> None:
    rule = "the consumer web reads path"
    gone = Change("index", "/fields/path", "path", {}, None, "breaking", rule, None)
    plan = Plan("handbook", "handbook-live", "rebuild", "handbook-1", "handbook-0", (gone,), (), (), "it is built")
    review = Review("local", True, (Reviewed("handbook", plan, moves=("loosens recall@5",)),))
    first = review_markdown(review, Path()).splitlines()[0]
    assert first.startswith("## ⚠️ handbook: this change is breaking: fields/path: the consumer web reads path.")
    assert first.endswith("Shipping it needs `--accept-breaking --reason TEXT`")
    failed = document("build", 3, {"error": {"code": "breaking", "message": "m", "hint": "h"}})
    said, left = result_report(failed, Path(), "why")
    assert left == 3 and "accept `breaking`, and a reason" in said
    accepted = {"reason": "nobody reads it", "changes": ["/fields/path"]}
    released = {"alias": "handbook-live", "release": 3, "after": "handbook-1", "accepted_breaking": accepted}
    assert "Breaking changes are accepted: nobody reads it" in result_markdown(document("promote", 0, released), Path())


def test_an_error_is_no_verdict_to_accept() -> None:
    failed = document("evaluate", 3, {"error": {"code": "held", "message": "m", "hint": "h"}})
    assert result_report(failed, Path(), "why")[1] == 3


def test_init_writes_the_workflows_that_run_here() -> None:
    files = github_files()
    assert ".github/workflows/pull-request.yml" in files
    for path, text in files.items():
        assert text == (ROOT / path).read_text("utf-8"), f"cp {path} azsearch_ops/verbs/github/workflows/"


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda p: p.stem)
def test_a_workflow_has_least_rights_pins_commits_and_quotes_nobody(path: Path) -> None:
    content = yaml.safe_load(path.read_text("utf-8"))
    assert content["permissions"] in ({}, {"contents": "read"})
    for name, job in content["jobs"].items():
        assert "secrets" not in str(job), "nothing is stored but federated identities"
        assert job.get("permissions") or content["permissions"], name
        for step in job.get("steps", ()):
            assert "${{" not in step.get("run", ""), "values come in as variables"
            action = step.get("uses", "./")
            assert action.startswith("./") or re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", action), action
            if action.startswith("actions/checkout"):
                assert step["with"]["persist-credentials"] is False


def test_rights_to_write_are_where_they_are_needed() -> None:
    found = {}
    for path in WORKFLOWS:
        for name, job in yaml.safe_load(path.read_text("utf-8"))["jobs"].items():
            writes = {k for k, v in (job.get("permissions") or {}).items() if v == "write"}
            if writes - {"id-token"}:
                found[f"{path.stem}/{name}"] = writes - {"id-token"}
    assert found == {
        "pull-request/local": {"pull-requests", "security-events"},
        "pull-request/staging": {"pull-requests"},
        "drift/drift": {"issues"},
    }
