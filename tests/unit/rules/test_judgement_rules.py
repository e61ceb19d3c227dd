"""Judgements against documents: edited quotes, missing documents, held-out queries."""

from azsearch_ops.definitions.queries import read_queries
from azsearch_ops.evaluation.anchoring_quotes import DocumentText, find_quote
from azsearch_ops.rules.queries import check_judgements

TEXTS = {"travel.md": "Mileage is paid at 0.42 euro per kilometre. Claims are due within 45 days of the trip."}
QUERIES = """\
queries:
  - id: q1
    query: When are claims due?
    relevant: [{document: travel.md, excerpt: Claims are due within 30 days of the trip.}]
  - id: q2
    query: What of lunch?
    relevant: [{document: travel.md, excerpt: Lunch is free for everybody who eats it.}]
  - id: q3
    query: What of trains?
    relevant: [{document: trains.md}]
"""


def found(tmp_path, text, **more):
    (tmp_path / "q.yaml").write_text(text, "utf-8")
    queries, _ = read_queries(tmp_path / "q.yaml", tmp_path)
    return list(check_judgements(queries, TEXTS, **more))


def nearest(excerpt, text):
    return find_quote(excerpt, DocumentText(text))


def test_an_edited_quote_is_a_note_with_its_likeness_and_a_lost_one_an_error(tmp_path):
    edited, lost, missing = found(tmp_path, QUERIES, nearest_passage=nearest, missing="skip")
    assert (edited.code, edited.severity, edited.location.line) == ("AZS715", "note", 4)
    assert "likeness 0.9" in edited.message and "45 days" in edited.hint
    assert (lost.code, lost.severity, lost.location.line) == ("AZS712", "error", 7)
    assert (missing.code, missing.severity, missing.location.line) == ("AZS711", "note", 10)


def test_without_search_for_edited_quotes_they_are_errors_and_so_are_missing_documents(tmp_path):
    assert [(p.code, p.severity) for p in found(tmp_path, QUERIES)] == [
        ("AZS712", "error"),
        ("AZS712", "error"),
        ("AZS711", "error"),
    ]


def test_a_held_out_query_is_told_by_its_place_alone(tmp_path):
    hidden = QUERIES.replace("    relevant", "    holdout: true\n    relevant")
    for problem in found(tmp_path, hidden, nearest_passage=nearest):
        told = f"{problem.message} {problem.hint}"
        assert "a held-out query" in told and problem.location.line
        assert not any(words in told for words in ("q1", "q2", "q3", "45 days", "Mileage", "Lunch"))
