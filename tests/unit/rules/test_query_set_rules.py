"""Slices that no query belongs to, settings of single questions that nothing heeds, and paths in other spellings."""

import unicodedata

import pytest

from azsearch_ops.definitions.queries import read_queries
from azsearch_ops.rules.queries import check_judgements

GATE = "{recall@5: {}}"


def sliced(tag):
    return f"{{recall@5: {{}}, slices: {{{tag}: {{recall@5: {{max_drop: 0.2}}}}}}}}"


def test_a_slice_needs_queries_with_its_tag(workspace):
    workspace.edit(workspace.index, GATE, sliced("papers"))
    workspace.edit(workspace.queries, "  - id: q1", "  - id: q1\n    tags: [paper]")
    (problem,) = workspace.found()
    assert (problem.code, problem.severity, problem.hint) == ("AZS605", "warning", "did you mean 'paper'?")
    text = (workspace.root / workspace.index).read_text("utf-8").splitlines()
    at = problem.location
    assert text[at.line - 1][at.column - 1 :].startswith("papers")
    workspace.edit(workspace.queries, "[paper]", "[papers]")
    assert workspace.found() == ()
    workspace.edit(workspace.queries, "    tags: [papers]", "    tags: [papers]\n    draft: true")
    assert "only drafts carry the tag 'papers'" in next(p.message for p in workspace.found() if p.code == "AZS605")


@pytest.mark.parametrize(
    ("request_", "named"),
    [("{top: 3}", "top has"), ("{top: 3, select: id}", "top, select have"), ("{scoringProfile: p}", "")],
)
def test_what_is_not_heeded_of_a_question_is_told(workspace, request_, named):
    workspace.edit(workspace.queries, "  - id: q1", f"  - id: q1\n    request: {request_}")
    told = [p for p in workspace.found() if p.code == "AZS707"]
    assert [p.severity for p in told] == (["warning"] if named else [])
    assert all(f"request: {named} no effect" in p.message for p in told)


COMPOSED, DECOMPOSED = (unicodedata.normalize(form, "Gleitzeit für Ämter.md") for form in ("NFC", "NFD"))


@pytest.mark.parametrize(
    ("one", "other"), [("./a/x.md", "a/x.md"), ("/x.md", "x.md"), ("a//x.md", "a/./x.md"), (COMPOSED, DECOMPOSED)]
)
def test_a_path_in_two_spellings_is_one_document(tmp_path, one, other):
    def read(grades):
        first, second = (f"{{document: '{p}', grade: {g}}}" for p, g in zip((one, other), grades, strict=True))
        text = f"queries:\n  - id: q1\n    query: Why?\n    relevant: [{first}, {second}]\n"
        (tmp_path / "q.yaml").write_text(text, "utf-8")
        return read_queries(tmp_path / "q.yaml", tmp_path)

    assert [p.code for p in read((1, 3))[1]] == ["AZS706"]
    agreed, problems = read((2, 2))
    assert [p.code for p in problems] == ["AZS705"]
    assert len(agreed.entries[0].relevant) == 1
    assert list(check_judgements(agreed, {other: "Because."})) == []
    assert [p.code for p in check_judgements(agreed, {"y.md": "Because."})] == ["AZS711"]
