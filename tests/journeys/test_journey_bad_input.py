"""Bad input: each a clear error at its place with exit code 1, and nothing is written to any service."""

from __future__ import annotations

import shutil

import pytest
from projects import Project

SKILLSET, INDEX = "skillsets/handbook.yaml", "indexes/handbook/index.yaml"
QUERIES, ENVIRONMENT = "indexes/handbook/queries.yaml", "infra/environments/local.yaml"

EDITS = {
    "malformed YAML": (SKILLSET, "textSplitMode: pages", "textSplitMode: [pages", f"{SKILLSET}:", ""),
    "duplicate key": (
        SKILLSET,
        "  textSplitMode: pages",
        "  unit: characters\n  unit: characters",
        f"{SKILLSET}:4:3",
        "unit",
    ),
    "unknown key": (SKILLSET, "pageOverlapLength:", "pageOverlapLenght:", f"{SKILLSET}:5:3", "pageOverlapLength"),
    "undefined variable": (SKILLSET, "embedding.model }}", "embedding.modle }}", f"{SKILLSET}:", "modle"),
    "overlap at half": (
        SKILLSET,
        "pageOverlapLength: 500",
        "pageOverlapLength: 1000",
        f"{SKILLSET}:5:22",
        "below half",
    ),
    "pages too short": (SKILLSET, "maximumPageLength: 2000", "maximumPageLength: 299", f"{SKILLSET}:4:22", "300"),
    "pages-only setting": (SKILLSET, "textSplitMode: pages", "textSplitMode: sentences", f"{SKILLSET}:", "sentences"),
    "dimensions differ": (INDEX, 'dimensions: "{{ embedding.dimensions }}"', "dimensions: 512", f"{INDEX}:", "256"),
    "missing container": (ENVIRONMENT, "container: handbook", "container: nonesuch", "", "nonesuch"),
    "excerpt not there": (
        QUERIES,
        "Employees have 26 days",
        "Lunch is served at noon in the north canteen",
        f"{QUERIES}:5:",
        "leave.md",
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_is_found_at_its_place(small: Project, name: str) -> None:
    file, old, new, place, words = EDITS[name]
    small.replace(file, old, new)
    for command in (("validate",), ("ship", "handbook")):
        done = small.run(*command)
        said = done.stdout + done.stderr
        assert done.returncode == 1, said
        assert place in said and words in said, said
        assert "Traceback" not in said
    assert not (small.root / ".azsearch/runs").exists()


@pytest.mark.parametrize("name", ["overlap at half", "pages too short", "dimensions differ"])
def test_nothing_is_planned_from_unsound_definitions(small: Project, name: str) -> None:
    file, old, new, place, words = EDITS[name]
    small.replace(file, old, new)
    done = small.run("plan", "handbook")
    assert done.returncode == 1, done.stdout
    assert place in done.stderr and words in done.stderr, done.stderr
    assert "Traceback" not in done.stderr


def test_all_problems_are_shown_in_one_run(small: Project) -> None:
    for name in ("unknown key", "pages too short", "dimensions differ", "excerpt not there"):
        file, old, new, _, _ = EDITS[name]
        small.replace(file, old, new)
    problems = small.run("validate").stdout
    assert problems.count("error:") >= 4, problems


def test_an_empty_query_set_is_an_error(small: Project) -> None:
    (small.root / QUERIES).write_text("queries: []\n", "utf-8")
    done = small.run("ship", "handbook")
    assert done.returncode == 1
    assert QUERIES in done.stderr


def test_a_project_without_definitions_says_where_they_belong(small: Project) -> None:
    shutil.rmtree(small.root / "indexes")
    done = small.run("validate")
    assert done.returncode == 1
    assert "indexes/NAME/index.yaml" in done.stdout + done.stderr


def test_an_unknown_environment_names_those_that_exist(small: Project) -> None:
    done = small.run("ship", "handbook", "--env", "lokal")
    assert done.returncode == 1
    assert "local" in done.stderr
