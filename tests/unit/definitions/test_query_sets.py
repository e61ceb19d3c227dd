"""Query sets: places, refusals, and a digest of what they say."""

import pytest

from azsearch_ops.definitions.queries import load_queries
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
    assert faults(tmp_path, text) == [("AZS703", 3), ("AZS702", 10)]
    assert faults(tmp_path, TWO.replace("tags:", "tgas:")) == [("AZS008", 5)]
    assert faults(tmp_path, TWO.replace('excerpt: "five days", ', "")) == [("AZS703", 7)]
    assert faults(tmp_path, TWO.replace("occurrence: 2", "occurrence: 0")) == [("AZS010", 7)]
    assert faults(tmp_path, TWO.replace("query: How many days?", "query: ' '")) == [("AZS703", 3)]
    assert faults(tmp_path, TWO.replace("relevant: [{document: a.md}]", "relevant: []")) == [("AZS703", 9)]
    assert faults(tmp_path, "quers: []\nqueries: [{}]") == [("AZS008", 1), *[("AZS009", 2)] * 3]


def test_a_missing_file(tmp_path):
    with pytest.raises(DefinitionError) as raised:
        load_queries(tmp_path / "none.yaml", tmp_path)
    assert [p.code for p in raised.value.problems] == ["AZS001"]
