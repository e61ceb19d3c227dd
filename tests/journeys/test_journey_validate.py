"""`validate`, `explain` and `schema` as a pipeline and a person meet them."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest
from projects import COMMAND, Project, small_project


@pytest.fixture
def broken(tmp_path: Path) -> Project:
    """An overlap that Azure refuses, and a k that is too small."""
    project = small_project(tmp_path)
    project.replace("skillsets/handbook.yaml", "pageOverlapLength: 500", "pageOverlapLength: 1000")
    project.replace("indexes/handbook/index.yaml", "top: 5", "top: 60")
    return project


def test_text_shows_the_line_and_a_caret(broken: Project) -> None:
    done = broken.run("validate")
    assert done.returncode == 1
    lines = done.stdout.splitlines()
    at = next(n for n, line in enumerate(lines) if "AZS101" in line)
    assert lines[at].startswith("skillsets/handbook.yaml:")
    assert "pageOverlapLength: 1000" in lines[at + 1]
    assert lines[at + 1][lines[at + 2].index("^")] == "1"
    assert lines[-1].startswith("1 error, 1 warning")


def test_json_sarif_and_annotations_tell_the_same(broken: Project) -> None:
    data = json.loads(broken.run("validate", "--format", "json").stdout)
    assert {p["code"] for p in data["problems"]} == {"AZS101", "AZS407"} and data["exit_code"] == 1
    sarif = json.loads(broken.run("validate", "--format", "sarif").stdout)
    assert [r["ruleId"] for r in sarif["runs"][0]["results"]] == [p["code"] for p in data["problems"]]
    github = broken.run("validate", "--format", "github")
    assert github.returncode == 1 and github.stdout.count("::error file=") == 1
    assert github.stdout.count("::warning file=") == 1


def test_a_comment_with_a_reason_silences(broken: Project) -> None:
    broken.replace("indexes/handbook/index.yaml", "retrieval:", "# azsearch: ignore AZS407 because wide\nretrieval:")
    assert "AZS407" not in broken.run("validate").stdout


def test_one_definition_by_name(broken: Project) -> None:
    assert broken.run("validate", "handbook").returncode == 1
    wrong = broken.run("validate", "handbok")
    assert (wrong.returncode, "did you mean 'handbook'?" in wrong.stderr) == (1, True)


def bare(*arguments: str) -> subprocess.CompletedProcess[str]:
    """A command that needs no project."""
    return subprocess.run([str(COMMAND), *arguments], capture_output=True, text=True, check=False, timeout=60)


def test_a_code_can_be_explained() -> None:
    told = bare("explain", "AZS101")
    assert told.returncode == 0 and "fix" in told.stdout and "https://" in told.stdout


def test_schemas_are_printed() -> None:
    schema = json.loads(bare("schema", "skillset").stdout)
    assert schema["$schema"].startswith("https://json-schema.org/") and "chunking" in schema["properties"]
    assert bare("schema", "nothing").returncode == 1


def test_a_missing_container_does_not_hide_what_else_is_wrong(broken: Project) -> None:
    broken.replace("infra/environments/local.yaml", "container: handbook", "container: handbok")
    codes = {p["code"] for p in json.loads(broken.run("validate", "--format", "json").stdout)["problems"]}
    assert codes == {"AZS101", "AZS407", "AZS503"}
