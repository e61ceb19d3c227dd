"""Text Split on documents: overlap, what the model reads; counted, with the tokenizers handed in."""

import pytest

from azsearch_ops.models.tokenizer import tokenizer
from azsearch_ops.rules.check import check_project

SENTENCE = "The north gate opens at seven and closes at nine in the evening of every working day. "


def found(workspace, texts, environ=None):
    problems = check_project(workspace.load(environ=environ), {"docs": texts}, tokenizers=tokenizer)
    return [p for p in problems if p.code.startswith("AZS11") and p.location.path.startswith("skillsets")]


@pytest.fixture
def workspace(workspace):
    return workspace.write(workspace.queries, "queries: [{id: q1, query: x, relevant: [{document: a.md}]}]\n")


def test_sound_chunks_have_no_finding(workspace):
    assert found(workspace, {"a.md": SENTENCE * 200}) == []


def test_an_overlap_that_gives_none_is_said(workspace):
    workspace.edit(workspace.skillset, "pageOverlapLength: 500", "pageOverlapLength: 1")
    (problem,) = found(workspace, {"a.md": SENTENCE * 200})
    assert problem.code == "AZS111" and "overlap of 1 gives none on 1 of 1 document" in problem.message


def test_an_overlap_that_multiplies_chunks_says_by_how_much(workspace):
    workspace.edit(workspace.skillset, "pageOverlapLength: 500", "pageOverlapLength: 950")
    (problem,) = found(workspace, {"a.md": SENTENCE * 400})
    assert problem.code == "AZS112" and "times the chunks" in problem.message and problem.severity == "warning"


def test_chunks_beyond_the_model_are_counted(workspace):
    workspace.edit(workspace.environment, "model: wordllama", "model: BAAI/bge-small-en-v1.5")
    workspace.edit(workspace.skillset, "maximumPageLength: 2000", "maximumPageLength: 4000")
    (problem,) = found(workspace, {"a.md": SENTENCE * 400})
    assert problem.code == "AZS113" and "512 tokens" in problem.message
    workspace.edit(
        workspace.environment, "endpoint: local", "endpoint: local\nmodels: {BAAI/bge-small-en-v1.5: {reads: 2000}}"
    )
    assert found(workspace, {"a.md": SENTENCE * 400}) == []
