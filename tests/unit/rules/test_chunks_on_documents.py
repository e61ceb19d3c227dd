"""Text Split on documents: overlap, what the model reads, languages; counted, with the tokenizers handed in."""

import pytest

from azsearch_ops.models.tokenizer import tokenizer
from azsearch_ops.rules.check import check_project

SENTENCE = "The north gate opens at seven and closes at nine in the evening of every working day. "
JAPANESE = "北門は毎営業日の午前七時に開き、午後九時に閉まります。休暇の申請は上司の承認が必要です。"


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


def test_one_token_budget_for_two_languages_is_measured(workspace):
    workspace.edit(workspace.skillset, "maximumPageLength: 2000", "unit: azureOpenAITokens\n  maximumPageLength: 400")
    workspace.edit(workspace.skillset, "pageOverlapLength: 500", "pageOverlapLength: 100")
    texts = {"en.md": SENTENCE * 50, "ja.md": JAPANESE * 40}
    (problem,) = found(workspace, texts)
    assert problem.code == "AZS115" and "of en.md" in problem.message and "of ja.md" in problem.message
    assert found(workspace, {"en.md": SENTENCE * 50}) == []


def test_a_detected_language_is_said_and_documents_in_other_scripts_are_counted(workspace):
    workspace.edit(
        workspace.skillset,
        "textSplitMode: pages",
        "inputs: [{name: text, source: /document/content}, {name: languageCode, source: /document/lang}]\n"
        "  textSplitMode: pages",
    )
    codes = [p.message for p in found(workspace, {"a.md": "Η βόρεια πύλη ανοίγει στις επτά.", "b.md": SENTENCE})]
    assert len(codes) == 2 and any("1 document in a script" in m and "a.md" in m for m in codes)
