"""Judgements with the keys of other tools: refused, and told what to write instead."""

from __future__ import annotations

from pathlib import Path

import pytest

from azsearch_ops.definitions.queries import read_queries

OFFSETS = "write the words that stand there as `excerpt`"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "q.yaml",
            "queries:\n  - {query: What?, relevant: [{document: a.md, start: 3, end: 9, chunk_id: x_pages_1}]}\n",
        ),
        ("q.jsonl", '{"query": "What?", "relevant": [{"document": "a.md", "start": 3, "end": 9, "chunk_id": "x"}]}\n'),
        ("q.csv", "query,document,start,end,chunk_id\nWhat?,a.md,3,9,x\n"),
    ],
)
def test_offsets_and_chunk_ids_are_refused_with_what_to_write(tmp_path: Path, name: str, text: str) -> None:
    """agentops docs/retrieval-optimization.md: labels that do not outlive an edit, or a re-chunking."""
    (tmp_path / name).write_text(text, "utf-8")
    _, problems = read_queries(tmp_path / name, tmp_path)
    told = {problem.message.split("'")[1]: problem.hint for problem in problems if problem.code == "AZS008"}
    assert set(told) == {"start", "end", "chunk_id"}
    assert OFFSETS in told["start"] and OFFSETS in told["end"]
    assert "name the document they are of as `document`" in told["chunk_id"]


def test_other_names_of_our_keys_are_told_ours(tmp_path: Path) -> None:
    (tmp_path / "q.yaml").write_text("queries:\n  - {query: What?, relevant: [{doc: a.md, quote: words}]}\n", "utf-8")
    _, problems = read_queries(tmp_path / "q.yaml", tmp_path)
    hints = " ".join(problem.hint for problem in problems)
    assert "it is called `document`" in hints and "it is called `excerpt`" in hints


def test_the_same_word_outside_of_a_judgement_keeps_its_own_hint(tmp_path: Path) -> None:
    (tmp_path / "q.yaml").write_text("queries:\n  - {query: What?, start: 1, relevant: [{document: a.md}]}\n", "utf-8")
    _, problems = read_queries(tmp_path / "q.yaml", tmp_path)
    (unknown,) = [problem for problem in problems if problem.code == "AZS008"]
    assert "offsets" not in unknown.hint
