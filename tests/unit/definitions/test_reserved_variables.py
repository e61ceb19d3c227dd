"""What a pipeline logs in with reaches no definition, in whatever way a stranger's definition asks for it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from azsearch_ops.bodies.render import render
from azsearch_ops.definitions.project import load_project
from azsearch_ops.definitions.secrets import resolve_secrets
from azsearch_ops.errors import DefinitionError, UsageError

ROOT = Path(__file__).parents[3]
RESERVED = ("GITHUB_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_TOKEN", "AZURE_CLIENT_SECRET")
ENVIRON = {**dict.fromkeys(RESERVED, "a-token"), "TEAM": "search"}


def project_saying(folder: Path, description: str) -> Path:
    for part in ("indexes", "skillsets", "infra/environments"):
        shutil.copytree(ROOT / part, folder / part)
    index = folder / "indexes/handbook/index.yaml"
    text = index.read_text("utf-8")
    index.write_text(text.replace("\nindex:", f"\nindex:\n  description: {description!r}", 1), "utf-8")
    assert description in index.read_text("utf-8")
    return folder


def test_other_variables_are_there(tmp_path: Path) -> None:
    project = load_project(project_saying(tmp_path, "{{ env.TEAM }}"), "local", ENVIRON)
    assert render(project, "handbook").index["description"] == "search"


@pytest.mark.parametrize("name", RESERVED)
@pytest.mark.parametrize("form", ["{{ env.NAME }}", "{{ env['NAME'] }}", "{{ secret('NAME') }}"])
def test_a_reserved_one_is_a_problem_with_its_place(tmp_path: Path, form: str, name: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        load_project(project_saying(tmp_path, form.replace("NAME", name)), "local", ENVIRON)
    (problem,) = refused.value.problems
    assert name in problem.message and str(problem.location).startswith("indexes/handbook/index.yaml:")


@pytest.mark.parametrize("name", RESERVED)
def test_a_reference_that_was_typed_out_is_refused_at_the_call(name: str) -> None:
    with pytest.raises(UsageError, match="no definition may send it"):
        resolve_secrets({"httpHeaders": {"x": f"Bearer ${{secret:{name}}}"}}, ENVIRON.__getitem__)


def test_everything_else_of_the_environment_leaves_them_out(tmp_path: Path) -> None:
    project = load_project(project_saying(tmp_path, "{{ env.GITHUB_TOKEN | default('none') }}"), "local", ENVIRON)
    assert render(project, "handbook").index["description"] == "none"
