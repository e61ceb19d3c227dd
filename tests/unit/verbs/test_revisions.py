"""Definitions of another revision: all their folders, and nothing of what came later."""

import re
import subprocess
from pathlib import Path

import pytest
import yaml

from azsearch_ops.definitions.project import DEFINITION_FOLDERS
from azsearch_ops.errors import UsageError
from azsearch_ops.verbs.github.base_revision import base_project
from azsearch_ops.verbs.revisions import named_revision, project_at

REPOSITORY = Path(__file__).parents[3]
SYNONYMS = "name: terms\nsynonyms: '{}'\n"


def git(root, *arguments):
    identity = ("-c", "user.name=Someone", "-c", "user.email=someone@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def repository(workspace):
    """A commit with a synonym map, and a working tree in which everything about it is different."""
    workspace.edit(workspace.index, "analyzer: en.lucene}", "analyzer: en.lucene, synonymMaps: [terms]}")
    workspace.write("synonymmaps/terms.yaml", SYNONYMS.format("holiday, vacation"))
    workspace.write("notes.txt", "beside")
    git(workspace.root, "init", "--quiet")
    git(workspace.root, "add", ".")
    git(workspace.root, "commit", "--quiet", "-m", "Begin")
    workspace.write("synonymmaps/terms.yaml", SYNONYMS.format("holiday, vacation, leave"))
    workspace.write("synonymmaps/later.yaml", SYNONYMS.format("a, b"))
    return workspace


def test_the_base_of_a_review_has_its_own_synonym_maps(repository):
    base = base_project(repository.root, "HEAD")
    assert (base / "synonymmaps/terms.yaml").read_text("utf-8") == SYNONYMS.format("holiday, vacation")
    assert not (base / "synonymmaps/later.yaml").exists()
    assert (base / "notes.txt").is_symlink() and not (base / "indexes").is_symlink()
    assert (base / "infra/local").is_symlink() or not (repository.root / "infra/local").exists()


def test_a_folder_that_came_later_is_not_in_the_base(repository):
    git(repository.root, "rm", "-r", "--quiet", "--cached", "synonymmaps")
    git(repository.root, "commit", "--quiet", "-m", "Without")
    assert not (base_project(repository.root, "HEAD") / "synonymmaps").exists()


def test_an_earlier_project_renders_with_the_maps_of_then(repository):
    _, commit = named_revision(repository.root, "HEAD", "--base")
    with project_at(repository.root, commit, "local", {}) as project:
        assert project.synonym_maps["terms"].rules == ("holiday, vacation",)


def test_an_environment_that_came_later_is_taken_from_the_working_tree_in_any_form(repository):
    environment = repository.root / repository.environment
    git(repository.root, "rm", "--quiet", "--cached", repository.environment)
    git(repository.root, "commit", "--quiet", "-m", "Without")
    environment.rename(environment.with_suffix(".yml"))
    _, commit = named_revision(repository.root, "HEAD", "--base")
    with project_at(repository.root, commit, "local", {}) as project:
        assert project.environment.name == "local"


def test_a_revision_that_is_not_there_is_named(repository):
    with pytest.raises(UsageError, match="there is no revision 'nowhere'"):
        base_project(repository.root, "nowhere")


def test_workflows_and_the_hook_look_at_every_folder_of_definitions():
    for folder in (REPOSITORY / ".github/workflows", REPOSITORY / "azsearch_ops/verbs/github/workflows"):
        for name in ("ship.yml", "pull-request.yml"):
            triggers = re.findall(r"paths: (\[.*\])", (folder / name).read_text("utf-8"))
            assert triggers and all({f"{f}/**" for f in DEFINITION_FOLDERS} <= set(yaml.safe_load(t)) for t in triggers)
    (hook,) = yaml.safe_load((REPOSITORY / ".pre-commit-hooks.yaml").read_text("utf-8"))
    assert all(re.match(hook["files"], f"{folder}/docs.yaml") for folder in DEFINITION_FOLDERS)
