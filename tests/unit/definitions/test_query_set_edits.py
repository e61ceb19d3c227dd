"""Judgements and questions written into a file that people look after."""

import pytest

from azsearch_ops.definitions.queries import load_queries, read_queries
from azsearch_ops.definitions.queries_edit import add_judgements, add_queries
from azsearch_ops.definitions.queries_entries import JudgementEntry, QueryEntry
from azsearch_ops.errors import EvaluationError, Location

HERE = Location("x")
NEW = JudgementEntry("new.md", 'He said: "yes", # and\nmore', 2, 3, HERE)
OTHER = JudgementEntry("b.md", None, None, 0, HERE)

YAML = """\
# Questions of the people team
queries:
  - id: q1                     # asked every week
    query: How many days?
    relevant:
      # from the leave policy
      - {document: a.md, excerpt: "five days"}   # as of March
      - document: b.md
        excerpt: |
          two
          lines

  # travel
  - {id: q2, query: Which?, relevant: [{document: a.md}, {document: c.md}]}   # short
  - id: q3
    relevant: []
    query: What?   # nothing yet
  - id: q4
    query: Who?

    # the end
"""


def judge(tmp_path, text, name, judged, beside=None):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8", newline="")
    if beside:
        (tmp_path / beside[0]).write_text(beside[1], encoding="utf-8")
    add_judgements(path, tmp_path, judged)
    return path.read_text("utf-8"), {e.id: e.relevant for e in load_queries(path, tmp_path).entries}


def test_yaml_keeps_every_line_that_was_there(tmp_path):
    text, found = judge(
        tmp_path,
        YAML,
        "q.yaml",
        {"q1": [NEW, JudgementEntry("z.md", None, None, 1, HERE)], "q2": [NEW], "q3": [OTHER], "q4": [NEW]},
    )
    assert text == YAML.replace(
        "          lines\n",
        "          lines\n"
        '      - {document: new.md, excerpt: "He said: \\"yes\\", # and\\nmore", occurrence: 2, grade: 3}\n'
        "      - {document: z.md}\n",
    ).replace(
        "{document: c.md}]",
        '{document: c.md}, {document: new.md, excerpt: "He said: \\"yes\\", # and\\nmore", occurrence: 2, grade: 3}]',
    ).replace("relevant: []", "relevant: [{document: b.md, grade: 0}]").replace(
        "    query: Who?\n",
        "    query: Who?\n    relevant:\n"
        '      - {document: new.md, excerpt: "He said: \\"yes\\", # and\\nmore", occurrence: 2, grade: 3}\n',
    )
    assert [j.place for j in found["q1"]][2:] == [NEW.place, ("z.md", "", 1)] and found["q2"][2].grade == 3


@pytest.mark.parametrize(
    "text",
    [
        "queries: [{id: q1, query: x}, {id: q2, query: y, relevant: [{document: a.md}]}]",
        "queries:\n- id: q1\n  query: x\n- id: q2\n  query: y\n  relevant:\n  - document: a.md\n    excerpt: x",
        '{"queries": [{"id": "q1", "query": "x", "relevant": []},\n {"id": "q2", "query": "y"}]}',
        "queries:\n  -\n    id: q1\n    query: x\n    tags: []\n  - {id: q2, query: y}\n",
        "queries:\r\n  - id: q1\r\n    query: x\r\n  - id: q2\r\n    query: y\r\n",
    ],
)
def test_yaml_in_other_layouts(tmp_path, text):
    _, found = judge(tmp_path, text, "q.yaml", {"q1": [NEW], "q2": [OTHER, NEW]})
    assert [j.place for j in found["q1"]] == [NEW.place]
    assert [j.document for j in found["q2"]][-2:] == ["b.md", "new.md"]


def test_other_forms(tmp_path):
    lines = '{"id": "q1", "query": "x"}\n\n{"id": "q2", "query": "y", "relevant": [{"document": "a.md"}]}\n'
    text, found = judge(tmp_path, lines, "q.jsonl", {"q2": [NEW]})
    assert text.startswith('{"id": "q1", "query": "x"}\n\n') and found["q2"][1].place == NEW.place
    rows = "query,document,excerpt,occurrence,grade\nx,a.md,,,\ny,b.md,,,"
    text, found = judge(tmp_path, rows, "q.csv", {})
    ids = list(found)
    text, found = judge(tmp_path, rows, "q.csv", {ids[0]: [NEW], ids[1]: [JudgementEntry("c.md", None, None, 0, HERE)]})
    assert text.startswith(rows + "\n") and found[ids[0]][1].place == NEW.place and found[ids[1]][1].grade == 0
    _, found = judge(tmp_path, "1\tx\n", "q.topics", {"1": [NEW]}, ("q.qrels", "1 0 a.md 1"))
    assert (tmp_path / "q.qrels").read_text() == "1 0 a.md 1\n1 0 new.md 3\n"
    truth = '{"query_id": "1", "query": "x", "retrieval_ground_truth": []}\n'
    assert [j.document for j in judge(tmp_path, truth, "t.jsonl", {"1": [OTHER]})[1]["1"]] == ["b.md"]


def test_a_file_that_would_not_say_what_it_should_stays(tmp_path):
    shared = (
        "queries:\n  - {id: q1, query: x, relevant: &all [{document: a.md}]}\n  - {id: q2, query: y, relevant: *all}\n"
    )
    path = tmp_path / "q.yaml"
    path.write_text(shared, "utf-8")
    with pytest.raises(EvaluationError, match="left as it was"):
        add_judgements(path, tmp_path, {"q2": [NEW]})
    assert path.read_text("utf-8") == shared
    with pytest.raises(EvaluationError, match="no query q9"):
        add_judgements(path, tmp_path, {"q9": [NEW]})
    path.write_text(YAML, "utf-8")
    with pytest.raises(EvaluationError, match="graded 2 here and 1"):
        add_judgements(path, tmp_path, {"q2": [JudgementEntry("a.md", None, None, 2, HERE)]})
    assert path.read_text("utf-8") == YAML


ENTRY = QueryEntry("d1", "What is it?", (NEW,), ("heading",), None, {}, HERE, draft=True)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("q.yaml", YAML),
        ("q.yaml", ""),
        ("q.yaml", "# only a comment\nqueries:\n"),
        ("q.yaml", "queries: [{id: q1, query: x}]"),
        ("q.yaml", "queries:\n- id: q1\n  query: x"),
        ("q.jsonl", '{"query": "x"}'),
        ("q.csv", ""),
        ("q.csv", "id,query,tags,document,excerpt,occurrence,grade,draft\nq1,x,,a.md,,,1,\n"),
    ],
)
def test_questions_go_to_the_end(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    before = read_queries(path, tmp_path)[0]
    add_queries(path, tmp_path, [ENTRY])
    found = load_queries(path, tmp_path)
    assert [e.id for e in found.entries] == [*(e.id for e in (before.entries if before else ())), "d1"]
    last = found.entries[-1]
    assert last.draft and last.relevant[0].place == NEW.place and last.tags == ("heading",)
    kept = iter(path.read_text("utf-8").splitlines())
    assert all(line in kept for line in text.splitlines() if not line.endswith("]"))  # In order
