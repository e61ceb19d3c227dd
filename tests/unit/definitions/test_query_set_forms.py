"""The forms that a query set comes in: what they say, where it stands, and that writing and reading meet."""

import csv
import io
import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from azsearch_ops.definitions.csv_reader import parse_csv
from azsearch_ops.definitions.json_reader import parse_json
from azsearch_ops.definitions.queries import form_of, load_queries, read_queries
from azsearch_ops.definitions.queries_csv import read_csv, write_csv
from azsearch_ops.definitions.queries_entries import JudgementEntry, QueryEntry
from azsearch_ops.definitions.queries_foundry import write_foundry
from azsearch_ops.definitions.queries_jsonl import read_jsonl, write_jsonl
from azsearch_ops.definitions.queries_trec import read_qrels, read_topics, write_qrels, write_topics
from azsearch_ops.definitions.queries_yaml import write_yaml
from azsearch_ops.definitions.yaml_reader import parse_yaml
from azsearch_ops.errors import DefinitionError, Location
from azsearch_ops.verbs.query_sets.checking import convert_queries

HERE = Location("x")
words = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=20).filter(str.strip)
printable = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cn"]), min_size=1, max_size=20)
# The YAML reader joins two escapes to one character and so counts columns behind them short
one_plane = printable.filter(lambda text: max(text) <= "\uffff" and text != "<<")
asked = printable.filter(lambda text: text.strip() == text)
judgements = st.builds(
    JudgementEntry, asked, st.none() | asked, st.just(None), st.integers(0, 4), st.just(HERE)
) | st.builds(JudgementEntry, asked, asked, st.integers(1, 9), st.integers(0, 4), st.just(HERE))
entries = st.builds(
    QueryEntry,
    id=asked,
    query=asked,
    relevant=st.lists(judgements, max_size=3, unique_by=lambda j: j.place).map(tuple),
    tags=st.lists(st.from_regex(r"[a-z]{1,5}", fullmatch=True), max_size=2, unique=True).map(tuple),
    filter=st.none() | asked,
    request=st.dictionaries(asked, st.integers() | st.booleans() | asked, max_size=2),
    location=st.just(HERE),
    holdout=st.booleans(),
    draft=st.booleans(),
    count=st.none() | st.integers(1, 99),
)
sets = st.lists(entries, min_size=1, max_size=4, unique_by=lambda entry: entry.id).map(tuple)


def said(entries):
    return [replace(e, location=HERE, relevant=tuple(replace(j, location=HERE) for j in e.relevant)) for e in entries]


def read(tmp_path, text, name, beside=None):
    (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    if beside:
        (tmp_path / beside[0]).write_text(beside[1], encoding="utf-8", newline="")
    return load_queries(tmp_path / name, tmp_path)


@given(sets)
def test_yaml_is_read_as_it_was_written(tmp_path_factory, given_set):
    path = tmp_path_factory.mktemp("sets") / "queries.yaml"
    path.write_text(write_yaml(given_set), encoding="utf-8", newline="")
    found, problems = read_queries(path, path.parent)
    assert not [p for p in problems if p.code not in ("AZS704", "AZS703")], problems
    assert said(found.entries) == said(given_set)


@given(sets)
def test_json_lines_are_read_as_they_were_written(given_set):
    problems = []
    assert said(read_jsonl(write_jsonl(given_set), "x", problems)) == said(given_set) and not problems


@given(sets)
def test_csv_is_read_as_it_was_written(given_set):
    problems = []
    given_set = tuple(replace(e, id=e.id.strip()) for e in given_set)
    assert said(read_csv(write_csv(given_set), "x", problems)) == said(given_set) and not problems


@given(sets)
def test_trec_keeps_questions_and_the_best_grade_of_a_document(given_set):
    problems = []
    topics = read_topics(write_topics(given_set), "t", problems)
    found = read_qrels(write_qrels(given_set), "q", topics, problems)
    for entry, back in zip(given_set, found, strict=True):
        best = {}
        for judged in entry.relevant:
            best[judged.document] = max(judged.grade, best.get(judged.document, 0))
        assert {j.document: j.grade for j in back.relevant} == best
        assert (back.id, back.query) == (entry.id, " ".join(entry.query.split()))
    assert not problems


@given(st.lists(st.lists(words, min_size=2, max_size=4), min_size=1, max_size=4))
def test_csv_cells_are_those_of_the_standard_library(rows):
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    problems = []
    found = [[cell.text for cell in row] for row in parse_csv(out.getvalue(), "x", problems)]
    assert found == list(csv.reader(io.StringIO(out.getvalue(), newline=""))) and not problems


def test_csv_places_are_counted_through_quoted_line_ends():
    text = 'id,query\r\n"a\n""b""",two\r\n\r\nc,"d"\n'
    rows = parse_csv(text, "x", [])
    assert [[(c.text, c.line, c.column) for c in row] for row in rows[1:]] == [
        [('a\n"b"', 2, 1), ("two", 3, 8)],
        [("c", 5, 1), ("d", 5, 3)],
    ]  # fmt: skip


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers(-9, 9) | one_plane,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(one_plane, inner, max_size=3),
        max_leaves=8,
    ),
    st.sampled_from([None, 1]),
)
def test_json_places_are_those_of_the_yaml_reader(value, indent):
    value = [value]  # The YAML reader takes a text for JSON by its first bracket
    text = json.dumps(value, indent=indent, ensure_ascii=True)
    problems = []
    found, other = parse_json(text, "x", 1, problems), parse_yaml(text, "x", problems)
    assert found.value == value and not problems
    assert dict(found.values) == dict(other.values) and dict(found.keys) == dict(other.keys)


CSV = """\
id,query,tags,document,excerpt,occurrence,grade,filter,request,holdout,draft,count
q1,How many days?,lookup;it,a.md,five days,2,3,,,,,
q1,,,b.md,,,,,,,,
q2,Which?,,a.md,,,0,lang eq 'it',"{""top"": 3}",true,,
,No id?,,c.md,"more
lines",,,,,,TRUE,7
"""


def test_csv_joins_the_rows_of_a_question_and_keeps_places(tmp_path):
    first, second, third = read(tmp_path, CSV, "queries.csv").entries
    assert [
        (j.document, j.excerpt, j.occurrence, j.grade, j.location.line, j.location.column) for j in first.relevant
    ] == [
        ("a.md", "five days", 2, 3, 2, 34),
        ("b.md", None, None, 1, 3, 6),
    ]
    assert first.tags == ("lookup", "it") and second.request == {"top": 3} and second.filter == "lang eq 'it'"
    assert second.holdout and third.draft and third.count == 7
    assert third.id.startswith("q-") and third.relevant[0].excerpt == "more\nlines" and third.location.line == 5


@pytest.mark.parametrize(
    ("old", "new", "places"),
    [
        ("grade", "grad", [("AZS008", 1, 43)]),
        ("query,", "question,", [("AZS009", 1, 1), ("AZS008", 1, 4)]),
        (",2,3,", ",0,3,", [("AZS010", 2, 44)]),
        (",2,3,", ",2,5,", [("AZS010", 2, 46)]),
        ("true", "yes", [("AZS010", 4, 49)]),
        ('"{""top"": 3}"', '"[]"', [("AZS010", 4, 34)]),
        ("q1,,,b.md", "q1,Else?,,b.md", [("AZS010", 3, 4)]),
        ("q1,,,b.md,,", "q1,,,,words,", [("AZS010", 3, 6)]),
        ("q1,,,b.md", "q9,,,b.md", [("AZS010", 3, 4)]),
        ('"more\n', '"more"x\n', [("AZS002", 5, 21)]),
    ],
)
def test_csv_faults_have_their_cell(tmp_path, old, new, places):
    (tmp_path / "queries.csv").write_text(CSV.replace(old, new, 1), "utf-8")
    problems = read_queries(tmp_path / "queries.csv", tmp_path)[1]
    assert [(p.code, p.location.line, p.location.column) for p in problems if p.severity == "error"][
        : len(places)
    ] == places


@pytest.mark.parametrize(("separator", "word"), [(";", "semicolons"), ("\t", ".tsv")])
def test_csv_of_another_separator_is_told_what_separates(tmp_path, separator, word):
    (tmp_path / "queries.csv").write_text(separator.join(("id", "query", "document")) + "\n", "utf-8")
    problems = read_queries(tmp_path / "queries.csv", tmp_path)[1]
    assert problems[0].code == "AZS008" and word in problems[0].hint


def test_forms_with_one_grade_a_document_count_what_they_hold(tmp_path):
    text = "queries: [{id: a, query: b, relevant: [{document: x, excerpt: c, grade: 1}, {document: x, grade: 3}]}]"
    (tmp_path / "q.yaml").write_text(text, "utf-8")
    for name, form in (("q.topics", ""), ("f.jsonl", "foundry")):
        done = convert_queries(tmp_path / "q.yaml", tmp_path / name, form, tmp_path)
        assert done.judgements == len(load_queries(tmp_path / name, tmp_path).entries[0].relevant) == 1
        assert "1 further judgements of one document" in done.lost
    assert convert_queries(tmp_path / "q.yaml", tmp_path / "q.jsonl", "", tmp_path).judgements == 2


JSONL = """\
{"id": "q1", "query": "How many days?", "relevant": [{"document": "a.md", "excerpt": "five\\u2028days"}]}

{"query": "Which?", "holdout": true, "relevant": [{"document": "b.md", "grade": 0}, {"document": "c.md"}]}
"""


def test_json_lines_keep_places_and_every_bad_line_is_told(tmp_path):
    first, second = read(tmp_path, JSONL, "queries.jsonl").entries
    assert first.relevant[0].excerpt == "five\u2028days"
    assert (first.relevant[0].location.line, first.relevant[0].location.column) == (1, JSONL.index('"five') + 1)
    assert second.holdout and second.relevant[1].location.line == 3
    bad = '{"query": 1}\n{"query": "x", "qury": 2}\n{"query": "y"\n{"query": "z", "query": "z"}\n{"query": NaN}\n'
    (tmp_path / "bad.jsonl").write_text(bad, "utf-8")
    problems = read_queries(tmp_path / "bad.jsonl", tmp_path)[1]
    assert [(p.code, p.location.line) for p in problems] == [
        ("AZS010", 1), ("AZS008", 2), ("AZS002", 3), ("AZS003", 4), ("AZS002", 5)
    ]  # fmt: skip


QRELS = "1 0 a.md 2\n1 0 my%20notes.md -1\n2\t0\tb.md\t1\n"


@pytest.mark.parametrize(
    "topics",
    [
        "1\tHow many days?\n2\tWhich?\n",
        "<top>\n<num> Number: 1\n<title> How many days?\n<desc> Description:\nnot this\n</top>\n"
        "<top><num>2</num><title>Which?</title></top>",
        '<?xml version="1.0"?><topics><topic number="1">How many\n days?</topic>'
        '<topic number="2"><query>Which?</query><question>x</question></topic></topics>',
    ],
)
def test_trec_topics_and_their_qrels(tmp_path, topics):
    first, second = read(tmp_path, topics, "hand.topics", ("hand.qrels", QRELS)).entries
    assert (first.id, first.query) == ("1", "How many days?") and (second.id, second.query) == ("2", "Which?")
    assert [(j.document, j.grade) for j in first.relevant] == [("a.md", 2), ("my notes.md", 0)]
    assert (second.relevant[0].location.path, second.relevant[0].location.line) == ("hand.qrels", 3)
    assert second.relevant[0].location.column == 5


def test_trec_faults_have_their_line(tmp_path):
    (tmp_path / "q.topics").write_text("1\tone\nno tab\n", "utf-8")
    (tmp_path / "q.qrels").write_text("1 0 a.md\n1 0 a.md 7\n9 0 a.md 1\n1 0 a.md 1\n", "utf-8")
    problems = read_queries(tmp_path / "q.topics", tmp_path)[1]
    assert [(p.code, p.severity, p.location.path, p.location.line) for p in problems] == [
        ("AZS002", "error", "q.qrels", 1),
        ("AZS010", "error", "q.qrels", 2),
        ("AZS702", "warning", "q.qrels", 3),
        ("AZS703", "error", "q.topics", 2),
    ]


def test_foundry_ground_truth_is_told_by_its_key_and_survives_a_round(tmp_path):
    rows = (
        '{"query_id": 7, "query": "Which?", "retrieval_ground_truth": [{"document_id": "a.md", '
        '"query_relevance_label": 4}, {"document_id": "b.md", "query_relevance_label": 0}], '
        '"retrieved_documents": [{"document_id": "a.md", "relevance_score": 0.9}]}\n'
    )
    found = read(tmp_path, rows, "truth.jsonl")
    assert form_of(tmp_path / "truth.jsonl") == "foundry"
    (entry,) = found.entries
    assert (entry.id, [(j.document, j.grade) for j in entry.relevant]) == ("7", [("a.md", 4), ("b.md", 0)])
    assert entry.relevant[0].location.column == rows.index('"a.md"') + 1
    assert said(read(tmp_path, write_foundry(found.entries), "again.jsonl").entries) == said(found.entries)
    for old, new in [('label": 4', 'label": 5'), ('"document_id": "b.md", ', ""), ('"query": "Which?", ', "")]:
        with pytest.raises(DefinitionError):
            read(tmp_path, rows.replace(old, new), "truth.jsonl")


def test_the_digest_does_not_depend_on_the_form(tmp_path):
    found = read(tmp_path, JSONL, "queries.jsonl")
    for name, text in [("q.yaml", write_yaml(found.entries)), ("q.csv", write_csv(found.entries))]:
        assert read(tmp_path, text, name).digest == found.digest
