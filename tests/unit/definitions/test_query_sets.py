"""Query sets: places, refusals, and a digest of what they say."""

import pytest

from azsearch_ops.definitions.queries import load_queries, read_queries
from azsearch_ops.errors import DefinitionError

TWO = """\
# a comment
queries:
  - id: q1
    query: How many days?
    tags: [lookup, it]
    relevant:
      - {document: a.md, excerpt: "five days", occurrence: 2, grade: 3}
      - document: b.md
  - {id: q2, query: "{{ not a template }}", relevant: [{document: a.md}], filter: "lang eq 'it'", request: {top: 3}}
"""


def load(tmp_path, text):
    path = tmp_path / "queries.yaml"
    path.write_text(text, encoding="utf-8")
    return load_queries(path, tmp_path)


def faults(tmp_path, text):
    with pytest.raises(DefinitionError) as raised:
        load(tmp_path, text)
    return [(p.code, p.location.line) for p in raised.value.problems]


def test_a_query_set_keeps_what_it_says_and_where(tmp_path):
    queries = load(tmp_path, TWO)
    first, second = queries.entries
    assert (first.id, first.query, first.tags, first.filter) == ("q1", "How many days?", ("lookup", "it"), None)
    assert [(j.document, j.excerpt, j.occurrence, j.grade) for j in first.relevant] == [
        ("a.md", "five days", 2, 3),
        ("b.md", None, None, 1),
    ]
    assert [j.location.line for j in first.relevant] == [7, 8] and first.location.line == 3
    assert second.query == "{{ not a template }}" and second.request == {"top": 3}


def test_the_digest_is_of_content_only(tmp_path):
    plain = load(tmp_path, TWO).digest
    again = TWO.replace("# a comment\n", "").replace("tags: [lookup, it]", "tags:\n      - it\n      - lookup")
    assert load(tmp_path, again).digest == plain
    lines = TWO.splitlines(keepends=True)
    swapped = "".join([lines[1], lines[8], *lines[2:8]])
    assert load(tmp_path, swapped).digest == plain
    for old, new in [
        ("days?", "weeks?"),
        ("grade: 3", "grade: 2"),
        ("occurrence: 2, ", ""),
        ("five", "six"),
        ("'it'", "'en'"),
    ]:
        assert load(tmp_path, TWO.replace(old, new, 1)).digest != plain, old


@pytest.mark.parametrize("text", ["", "# nothing\n", "queries:\n", "queries: []\n"])
def test_an_empty_set_is_an_error(tmp_path, text):
    assert [code for code, _ in faults(tmp_path, text)] == ["AZS701"]


def test_what_is_refused(tmp_path):
    text = (
        TWO.replace("id: q2", "id: q1")
        .replace("grade: 3", "grade: 0")
        .replace("document: b.md", "document: b.md\n        grade: 0")
    )
    assert faults(tmp_path, text) == [("AZS702", 10)]
    assert faults(tmp_path, TWO.replace("tags:", "tgas:")) == [("AZS008", 5)]
    assert faults(tmp_path, TWO.replace('excerpt: "five days", ', "")) == [("AZS703", 7)]
    assert faults(tmp_path, TWO.replace("occurrence: 2", "occurrence: 0")) == [("AZS010", 7)]
    assert faults(tmp_path, TWO.replace("query: How many days?", "query: ' '")) == [("AZS703", 3)]
    assert faults(tmp_path, TWO.replace("grade: 3", "grade: 5")) == [("AZS010", 7)]
    assert faults(tmp_path, "quers: []\nqueries: [{}]") == [("AZS008", 1), ("AZS009", 2)]


def test_a_missing_file(tmp_path):
    with pytest.raises(DefinitionError) as raised:
        load_queries(tmp_path / "none.yaml", tmp_path)
    assert [p.code for p in raised.value.problems] == ["AZS001"]


def found(tmp_path, text, name="queries.yaml"):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    queries, problems = read_queries(path, tmp_path)
    return queries, [(p.code, p.severity, p.location.line) for p in problems]


def test_a_question_without_a_relevant_judgement_is_told_among_labelled_ones_and_only_there(tmp_path):
    one = TWO.replace("relevant: [{document: a.md}]", "relevant: [{document: a.md, grade: 0}]")
    queries, problems = found(tmp_path, one)
    assert problems == [("AZS704", "warning", 9)] and not queries.unlabelled
    queries, problems = found(tmp_path, "queries: [{query: one}, {query: two}]")
    assert problems == [] and queries.unlabelled


def test_what_says_the_same_twice_is_merged_and_what_contradicts_itself_names_both_places(tmp_path):
    twice = """\
queries:
  - id: q1
    query: How many?
    relevant:
      - {document: a.md, excerpt: five days}
      - {document: a.md, excerpt: "five   days"}
      - {document: b.md, grade: 2}
  - {id: q1, query: how many, tags: [again], relevant: [{document: c.md}]}
"""
    queries, problems = found(tmp_path, twice)
    assert problems == [("AZS705", "note", 6), ("AZS705", "note", 8)]
    (entry,) = queries.entries
    assert [j.document for j in entry.relevant] == ["a.md", "b.md", "c.md"] and entry.tags == ("again",)
    path = tmp_path / "queries.yaml"
    path.write_text(twice.replace("c.md", "b.md"), "utf-8")
    with pytest.raises(DefinitionError) as raised:
        load_queries(path, tmp_path)
    conflict = next(p for p in raised.value.problems if p.code == "AZS706")
    assert conflict.location.line == 8 and "line 7" in conflict.message and "graded 1 here and 2" in conflict.message
    apart = twice.replace("query: how many,", "query: something else,")
    assert ("AZS702", "error", 8) in found(tmp_path, apart)[1]


def test_an_id_is_made_of_what_is_asked(tmp_path):
    first = found(tmp_path, "queries: [{query: How many days?}]")[0].entries[0].id
    assert found(tmp_path, "queries:\n  - tags: [x]\n    query: how  many DAYS\n")[0].entries[0].id == first
    assert found(tmp_path, "queries: [{query: How many weeks?}]")[0].entries[0].id != first
    assert found(tmp_path, "queries: [{query: How many days?, filter: a eq 1}]")[0].entries[0].id != first


def test_drafts_are_outside_the_digest_and_holdouts_inside(tmp_path):
    digest = load(tmp_path, TWO).digest
    draft = TWO + "  - {query: a draft, draft: true, relevant: [{document: a.md}]}\n"
    assert load(tmp_path, draft).digest == digest
    assert [e.query for e in load(tmp_path, draft).accepted] == ["How many days?", "{{ not a template }}"]
    assert load(tmp_path, TWO.replace("tags: [lookup, it]", "tags: [lookup, it]\n    holdout: true")).digest != digest
