"""Drafts that are accepted: the mark goes, and every other character of the file stays."""

from __future__ import annotations

from pathlib import Path

import pytest

from azsearch_ops.definitions.queries import load_queries
from azsearch_ops.definitions.queries_edit import accept_queries
from azsearch_ops.errors import EvaluationError

YAML = """\
# ours
queries:
  - id: q1
    query: Who?   # asked often
    relevant: [{document: a.md}]
  - id: d1
    query: What is a fee?
    draft: true   # from a heading
    # kept
    relevant:
      - {document: a.md, excerpt: "A fee is paid."}   # kept too
  - draft: true
    id: d2
    query: When?
    relevant: [{document: b.md}]
  - {id: d3, draft: true, query: Where?, relevant: [{document: c.md}]}   # flow
  - {id: d4, query: How?, relevant: [{document: c.md}], draft: true}
  - id: d5
    query: Why?
    relevant: [{document: d.md}]
    draft: true
"""
ACCEPTED = """\
# ours
queries:
  - id: q1
    query: Who?   # asked often
    relevant: [{document: a.md}]
  - id: d1
    query: What is a fee?
    # kept
    relevant:
      - {document: a.md, excerpt: "A fee is paid."}   # kept too
  - id: d2
    query: When?
    relevant: [{document: b.md}]
  - {id: d3, query: Where?, relevant: [{document: c.md}]}   # flow
  - {id: d4, query: How?, relevant: [{document: c.md}]}
  - id: d5
    query: Why?
    relevant: [{document: d.md}]
"""
JSONL = (
    '{"id": "d1", "query": "Ä?", "draft": true, "relevant": [{"document": "a.md"}]}\n'
    '{"id": "d2", "query": "B?", "draft": true, "relevant": [{"document": "a.md"}]}\r\n'
)
CSV = (
    "id,query,document,excerpt,draft\n"
    'd1,What?,a.md,"two\nlines, ""quoted""",true\n'
    "d1,,b.md,,\n"
    'd2,"When?",a.md,,"true"\n'
    ",Who?,c.md,,1\n"
)


def accepted(tmp_path: Path, name: str, text: str, *ids: str) -> tuple[str, set[str]]:
    path = tmp_path / name
    path.write_bytes(text.encode())
    accept_queries(path, tmp_path, ids)
    return path.read_bytes().decode(), {entry.id for entry in load_queries(path, tmp_path).entries if entry.draft}


def test_yaml_keeps_every_other_character(tmp_path: Path) -> None:
    text, drafts = accepted(tmp_path, "q.yaml", YAML, "d1", "d2", "d3", "d4", "d5")
    assert text == ACCEPTED and drafts == set()


def test_one_of_several_is_accepted(tmp_path: Path) -> None:
    text, drafts = accepted(tmp_path, "q.yaml", YAML, "d3")
    assert text == YAML.replace("id: d3, draft: true,", "id: d3,") and drafts == {"d1", "d2", "d4", "d5"}


def test_json_lines_and_rows(tmp_path: Path) -> None:
    text, drafts = accepted(tmp_path, "q.jsonl", JSONL, "d2")
    assert drafts == {"d1"} and text.splitlines()[0] == JSONL.splitlines()[0] and text.endswith("\r\n")
    made = load_queries_of(tmp_path, CSV)
    text, drafts = accepted(tmp_path, "q.csv", CSV, "d1", made)
    assert drafts == {"d2"}
    assert text == CSV.replace('""",true', '""",').replace(",Who?,c.md,,1", ",Who?,c.md,,")


def load_queries_of(tmp_path: Path, text: str) -> str:
    """The id that a row without one is given."""
    (tmp_path / "all.csv").write_bytes(text.encode())
    return next(e.id for e in load_queries(tmp_path / "all.csv", tmp_path).entries if e.query == "Who?")


@pytest.mark.parametrize("name", ["q1", "nothing"])
def test_what_is_no_draft_is_refused_and_the_file_left_alone(tmp_path: Path, name: str) -> None:
    with pytest.raises(EvaluationError, match=f"has no draft {name}"):
        accepted(tmp_path, "q.yaml", YAML, "d1", name)
    assert (tmp_path / "q.yaml").read_text("utf-8") == YAML
