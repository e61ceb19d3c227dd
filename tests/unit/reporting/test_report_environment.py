from pathlib import Path

import pytest
from projects import small_project

from azsearch_ops.definitions.project import Project, load_project
from azsearch_ops.errors import DefinitionError, Problem
from azsearch_ops.rules.unquoted import unquoted


def loaded(folder: Path, reports: str) -> Project:
    root = small_project(folder).root
    file = root / "infra/environments/local.yaml"
    file.write_text(f"{reports}\n{file.read_text('utf-8')}", "utf-8")
    return load_project(root, "local", {})


@pytest.mark.parametrize(
    ("said", "text"), [("", "full"), ("reports: {text: full}", "full"), ("reports: {text: ids}", "ids")]
)
def test_words_are_kept_unless_an_environment_keeps_ids_only(tmp_path: Path, said: str, text: str) -> None:
    assert loaded(tmp_path, said).environment.reports.text == text


@pytest.mark.parametrize("said", ["reports: {text: some}", "reports: {words: ids}", "reports: ids"])
def test_anything_else_is_refused_with_its_place(tmp_path: Path, said: str) -> None:
    with pytest.raises(DefinitionError) as refused:
        loaded(tmp_path, said)
    (problem,) = refused.value.problems
    assert problem.location is not None
    assert (problem.location.path, problem.location.line) == ("infra/environments/local.yaml", 1)


def test_problems_that_quote_a_document_lose_the_quote_and_nothing_else() -> None:
    quoting = Problem("AZS715", "query q1: a.md has the excerpt in other words", hint="it reads now: secret words")
    plain = Problem("AZS711", "query q1: there is no document 'a.md'", hint="did you mean 'b.md'?")
    kept, same = unquoted([quoting, plain])
    assert "secret" not in kept.hint
    assert (kept.code, kept.message) == (quoting.code, quoting.message)
    assert same == plain
