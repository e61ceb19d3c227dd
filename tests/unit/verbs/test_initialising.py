"""`init`: a new project, workflows for one that is there, and what a repository has of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from azsearch_ops.errors import UsageError
from azsearch_ops.reporting.projects import render_init
from azsearch_ops.verbs.github.files import github_files
from azsearch_ops.verbs.initialising import initialise, starter_files


def test_a_project_that_is_there_gets_its_workflows_and_no_starter(tmp_path: Path) -> None:
    definition = tmp_path / "indexes/wiki/index.yaml"
    definition.parent.mkdir(parents=True)
    definition.write_text("name: wiki\n", "utf-8")
    made = initialise(tmp_path, github=True)
    assert set(made.files) == set(github_files())
    assert not (tmp_path / "indexes/handbook").exists()
    assert definition.read_text("utf-8") == "name: wiki\n"
    assert "workflows for the project" in render_init(made, tmp_path)
    with pytest.raises(UsageError, match=r"action\.yml"):
        initialise(tmp_path, github=True)


@pytest.mark.parametrize("force", [False, True])
def test_owners_and_ignored_files_of_a_repository_stay(tmp_path: Path, force: bool) -> None:
    (tmp_path / ".github").mkdir()
    own = {".gitignore": "build/\n", ".github/CODEOWNERS": "* @acme\n"}
    for path, text in own.items():
        (tmp_path / path).write_text(text, "utf-8")
    made = initialise(tmp_path, github=True, force=force)
    assert set(made.files) == (set(starter_files()) | set(github_files())) - set(own)
    assert {path: (tmp_path / path).read_text("utf-8") for path in own} == own
    assert ".github/CODEOWNERS is there and stays" in render_init(made, tmp_path)
