"""A path that makes too long a key is known before anything is built."""

from dataclasses import dataclass

import pytest

from azsearch_ops.definitions.index import Accepted
from azsearch_ops.errors import Location
from azsearch_ops.rules.check import check_project
from azsearch_ops.rules.document_keys import check_document_keys


@dataclass(frozen=True)
class Source:
    type: str = "azureblob"
    container: str = "docs"
    accept: tuple[Accepted, ...] = ()


@dataclass(frozen=True)
class Index:
    source: Source

    def locate(self, pointer: str) -> Location:
        return Location("indexes/docs/index.yaml", 5, 3, pointer)


@pytest.mark.parametrize(("length", "found"), [(40, 0), (712, 0), (713, 1), (1100, 1)])
def test_the_limit_is_met_by_the_encoded_address(length: int, found: int) -> None:
    assert len(list(check_document_keys(Index(Source()), ["a" * length]))) == found  # type: ignore[arg-type]


def test_letters_that_are_escaped_count_as_they_are_sent() -> None:
    (problem,) = check_document_keys(Index(Source()), ["ü" * 125])  # type: ignore[arg-type]
    assert problem.code == "AZS531"
    assert "1,024" in problem.message


def test_what_is_accepted_by_name_and_what_is_no_blob_is_left_alone() -> None:
    path = "a" * 1100
    accepted = Source(accept=(Accepted(path, "an old scan"),))
    assert not list(check_document_keys(Index(accepted), [path]))  # type: ignore[arg-type]
    assert not list(check_document_keys(Index(Source(type="azuresql")), [path]))  # type: ignore[arg-type]


def test_an_accepted_document_that_is_not_there_is_warned_of(workspace):
    workspace.edit(workspace.index, "schedule: PT1H", "accept: [{document: leaf.md, reason: a scan}]")
    (problem,) = check_project(workspace.load(), {"docs": {"leave.md": "up to five unused days"}})
    assert (problem.code, problem.severity, problem.hint) == ("AZS532", "warning", "did you mean 'leave.md'?")


def test_the_form_of_an_accepted_document_is_shown(workspace):
    workspace.edit(workspace.index, "schedule: PT1H", "accept: [leave.md]")
    (problem,) = workspace.found()
    assert problem.hint == "{document: PATH, reason: WHY}"
