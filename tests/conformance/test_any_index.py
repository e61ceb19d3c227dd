"""Indexes that anybody made, measured as they are: small, large, without filters, without vectors, empty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from azsearch_ops.contract.versions import DEFAULT_API_VERSION
from azsearch_ops.errors import DefinitionError, ServiceError, UsageError
from azsearch_ops.reporting.report_files import render_report
from azsearch_ops.service.connect import connect
from azsearch_ops.verbs.any_index.adopting import Adoption
from azsearch_ops.verbs.any_index.measuring import evaluate_any
from azsearch_ops.verbs.any_index.outcome import AnyOutcome
from azsearch_ops.verbs.any_index.wanted import AnyIndex
from azsearch_ops.verbs.any_index.window import told_windows, windows_of
from azsearch_ops.verbs.evaluating.reporting_runs import runs_named
from azsearch_ops.verbs.session import SYSTEM_CLOCK

DOCUMENTS = {
    "leave.md": "Employees have 26 days of annual leave. Unused days lapse at the end of March.",
    "travel.md": "Mileage is paid at 0.42 euro per kilometre. Claims are due within 30 days of the trip.",
    "parts.txt": "Spare part KX-204 is the seal of the pressure sensor. Order it from the Graz warehouse.",
}
QUERIES = """queries:
  - id: q1
    query: How many days of leave?
    relevant: [{document: leave.md, excerpt: "Employees have 26 days of annual leave."}]
  - id: q2
    query: When are travel claims due?
    relevant: [{document: travel.md, excerpt: "Claims are due within 30 days of the trip."}]
  - id: q3
    query: What is part KX-204?
    relevant: [{document: parts.txt, excerpt: "Spare part KX-204 is the seal of the pressure sensor."}]
"""
PLAIN = {"searchable": True, "filterable": False, "sortable": False, "facetable": False}


def text_field(name: str, **told: Any) -> dict[str, Any]:
    return {"name": name, "type": "Edm.String", **PLAIN, **told}


class Anywhere:
    """An empty folder, and a service that anybody filled."""

    def __init__(self, http: httpx.Client, folder: Path) -> None:
        self.http, self.folder = http, folder
        self.service = connect(
            str(http.base_url), key=http.headers["api-key"], api_version=DEFAULT_API_VERSION, environ={}
        )
        self.queries(QUERIES)

    def queries(self, text: str, name: str = "q.yaml") -> Path:
        path = self.folder / name
        path.write_text(text, "utf-8")
        return path

    def index(self, name: str, rows: Sequence[Mapping[str, Any]], *fields: Mapping[str, Any], **key: Any) -> None:
        named = {"name": "id", "type": "Edm.String", "key": True, "filterable": True, "sortable": True, **key}
        fields = fields or (text_field("path"), text_field("body"))
        made = self.http.post("/indexes", json={"name": name, "fields": [named, *fields]})
        assert made.status_code == 201, made.text
        for at in range(0, len(rows), 1000):
            sent = self.http.post(f"/indexes/{name}/docs/index", json={"value": list(rows[at : at + 1000])})
            assert sent.status_code == 200, sent.text

    def measure(self, *indexes: str, queries: str = "q.yaml", **told: Any) -> AnyOutcome:
        wanted = AnyIndex(indexes=indexes, queries=self.folder / queries, root=self.folder, **told)
        return evaluate_any(self.service, wanted, SYSTEM_CLOCK, lambda progress: None)


def rows(path: str = "path", body: str = "body", prefix: str = "") -> list[dict[str, Any]]:
    return [{"id": f"k{n}", path: prefix + name, body: text} for n, (name, text) in enumerate(DOCUMENTS.items())]


FILLER = [{"id": f"f{n}", "path": f"other/{n // 4}.md", "body": f"Filler number {n}."} for n in range(5100)]


@pytest.fixture
def anywhere(http: httpx.Client, tmp_path: Path) -> Anywhere:
    return Anywhere(http, tmp_path)


def recall(outcome: AnyOutcome) -> float:
    metric = outcome.outcome.evaluation.metric("recall@5")
    assert metric is not None
    return metric.candidate


def test_a_small_index_is_read_whole_in_one_call_though_nothing_can_be_filtered(anywhere: Anywhere) -> None:
    anywhere.index("plain", rows(), filterable=False, sortable=False)
    outcome = anywhere.measure("plain")
    assert recall(outcome) == 1.0 and outcome.problems == ()
    assert "all 3 chunks of plain were read (1 call)" in outcome.found
    assert outcome.outcome.verdict.outcome == "pass"


def test_what_does_not_fit_is_told_with_its_line_and_counts_as_said(anywhere: Anywhere) -> None:
    text = QUERIES.replace("26 days of annual", "26 days of yearly").replace(
        "Claims are due within 30 days of the trip.",
        "The cafeteria serves lunch between noon and two, and tea at four.",
    )
    gone = '  - {id: q4, query: What is gone?, relevant: [{document: gone.md, excerpt: "the words of a document"}]}\n'
    anywhere.queries(text + gone)
    anywhere.index("plain", rows())
    outcome = anywhere.measure("plain")
    told = {p.code: (p.severity, p.location.line if p.location else 0) for p in outcome.problems}
    assert told == {"AZS715": ("note", 4), "AZS712": ("warning", 7), "AZS711": ("note", 11)}
    assert any("excerpt lost in extraction" in p.message for p in outcome.problems)
    assert recall(outcome) == pytest.approx(2 / 3)  # The lost one counts, the missing one does not
    with pytest.raises(DefinitionError) as strict:
        anywhere.measure("plain", missing="fail")
    assert {p.code for p in strict.value.problems if p.severity == "error"} == {"AZS711", "AZS712"}


def test_below_half_scored_there_is_no_verdict(anywhere: Anywhere) -> None:
    anywhere.queries(QUERIES.replace("leave.md", "a.md").replace("travel.md", "b.md"))
    anywhere.index("plain", rows())
    outcome = anywhere.measure("plain")
    assert outcome.outcome.verdict.outcome == "undecided"
    assert outcome.outcome.verdict.reasons[0].startswith("only 1 of 3 queries can be scored")


def test_judgements_by_chunk_key_get_no_verdict_but_the_reason(anywhere: Anywhere) -> None:
    """agentops docs/retrieval-optimization.md: labels that die when chunks change are not recall 0."""
    key = "8f2a77c1d0e5_aHR0cHM6Ly9sb2NhbA_pages_{}"
    listed = "".join(f"  - {{query: What of {n}?, relevant: [{{document: {key.format(n)}}}]}}\n" for n in range(3))
    anywhere.queries("queries:\n" + listed)
    anywhere.index("plain", rows())
    verdict = anywhere.measure("plain").outcome.verdict
    assert verdict.outcome == "undecided"
    assert "100 % of the judgements (3 of 3) are unresolved" in verdict.reasons[0] and "chunks" in verdict.reasons[0]


def test_a_large_index_is_asked_for_the_judged_documents_alone(anywhere: Anywhere) -> None:
    prefix = "https://files.blob.core.windows.net/docs/"
    big = [{**row, "path": prefix + row["path"]} for row in [*FILLER, *rows()]]
    anywhere.index("big", big, text_field("path", filterable=True), text_field("body"))
    (how,) = [line for line in anywhere.measure("big").found if "chunks of big" in line]
    assert how.startswith("of 5,103 chunks of big, those of 3 judged documents were read by their addresses")
    anywhere.queries(QUERIES.replace("document: parts.txt", "document: gone.txt"))
    outcome = anywhere.measure("big")
    assert [(p.code, p.severity) for p in outcome.problems] == [("AZS711", "note")]


def test_what_cannot_be_filtered_is_never_called_missing(anywhere: Anywhere) -> None:
    anywhere.index("big", [*FILLER, *rows()], sortable=False, filterable=False)
    anywhere.queries(QUERIES.replace("document: parts.txt", "document: gone.txt"))
    outcome = anywhere.measure("big")
    assert any("'path' cannot be filtered: what was not seen may be there" in line for line in outcome.found)
    assert [(p.code, "it may be there" in p.message) for p in outcome.problems] == [("AZS711", True)]
    assert outcome.outcome.evaluation.query_count == 3


def test_two_indexes_with_other_fields_and_one_of_a_collection(anywhere: Anywhere) -> None:
    anywhere.index("plain", rows())
    anywhere.index(
        "other",
        [
            {**row, "words": row["words"].split(". ")}
            for row in rows("where_from", "words", "https://example.org/docs/")
        ],
        text_field("where_from"),
        {"name": "words", "type": "Collection(Edm.String)", "searchable": True},
    )
    outcome = anywhere.measure("plain", "other")
    assert {i: (f.document, f.text) for i, f in outcome.fields.items()} == {
        "plain": ("path", "body"),
        "other": ("where_from", "words"),
    }
    assert outcome.problems == () and recall(outcome) == 1.0


def test_metrics_that_read_all_chunks_take_those_that_were_read(anywhere: Anywhere) -> None:
    anywhere.index("plain", rows())
    outcome = anywhere.measure("plain", metrics=("recall@5", "precision_omega"))
    whole = outcome.outcome.evaluation.metric("precision_omega")
    spans = {"leave.md": 39, "travel.md": 42, "parts.txt": 53}
    shares = [length / len(DOCUMENTS[name]) for name, length in spans.items()]
    assert whole is not None and whole.candidate == pytest.approx(sum(shares) / 3, abs=0.01)


def test_an_index_against_itself_changes_nothing(anywhere: Anywhere) -> None:
    anywhere.index("plain", rows())
    evaluation = anywhere.measure("plain", "plain").outcome.evaluation
    assert (evaluation.better, evaluation.worse) == (0, 0)


def test_what_cannot_be_measured_says_which_option_tells_it(anywhere: Anywhere) -> None:
    anywhere.index("empty", [])
    anywhere.index("keys", [{"id": "a"}, {"id": "b"}])
    with pytest.raises(UsageError, match="has no documents"):
        anywhere.measure("empty")
    with pytest.raises(UsageError, match="what document a chunk comes from") as keys:
        anywhere.measure("keys")
    assert "--document-field" in keys.value.hint


def test_a_query_that_the_service_refuses_and_a_set_of_drafts_are_named(anywhere: Anywhere) -> None:
    anywhere.index("plain", rows())
    anywhere.queries(QUERIES.replace("- id: q3\n", "- id: q3\n    filter: nothing eq 1\n"))
    with pytest.raises(ServiceError, match="query q3: ") as refused:
        anywhere.measure("plain")
    assert "a filter or request of its own" in refused.value.hint
    anywhere.queries(QUERIES.replace("query:", "draft: true\n    query:"))
    with pytest.raises(UsageError, match="all are drafts"):
        anywhere.measure("plain")


def test_the_run_is_kept_where_it_is_measured_and_read_back(anywhere: Anywhere) -> None:
    anywhere.index("plain", rows())
    outcome = anywhere.measure("plain").outcome
    (run,) = runs_named(anywhere.folder, ("plain",), "local", {})
    assert run.outcome.key == outcome.key and run.measured.chunks == {"candidate": 3}
    assert run.measured.command.startswith("azsearch-ops evaluate --index plain --queries ")
    assert sorted(p.name for p in anywhere.folder.iterdir()) == [".azsearch", "q.yaml"]
    assert (anywhere.folder / ".azsearch/.gitignore").read_text() == "*\n"
    anywhere.measure("plain", out=anywhere.folder / "mine")
    assert (anywhere.folder / "mine/evaluation.json").is_file()


def test_an_unlabelled_log_compares_rankings_and_gates_nothing(anywhere: Anywhere) -> None:
    anywhere.index("plain", rows())
    anywhere.index("fewer", rows()[1:])
    anywhere.queries("queries:\n  - {query: days of leave}\n  - {query: travel claims}\n", "log.yaml")
    outcome = anywhere.measure("plain", "fewer", queries="log.yaml").outcome
    overlap = outcome.evaluation.overlap
    assert overlap is not None and overlap.mean < 1.0
    assert overlap.most_changed[0].text == "days of leave"
    assert outcome.verdict.outcome == "undecided" and "no judgements" in outcome.verdict.reasons[0]
    assert all(line.outcome == "reported" for line in outcome.verdict.lines)
    runs = runs_named(anywhere.folder, ("fewer",), "local", {})
    for form in ("markdown", "html"):
        page = str(render_report(runs, form))
        assert "Most changed rankings" in page and "days of leave" in page
        assert "2 rankings changed; mean rank-biased overlap" in page and "as good as" not in page


def test_windows_are_by_index_told_or_the_vectorizers(anywhere: Anywhere) -> None:
    told = told_windows(["256", "b=512"], ["a", "b"])
    assert (told.of("a"), told.of("b")) == (256, 512)
    for wrong in ("many", "b=", "0", "c=5"):
        with pytest.raises(UsageError):
            told_windows([wrong], ["a", "b"])
    vector = {
        "name": "v", "type": "Collection(Edm.Single)", "searchable": True, "dimensions": 8, "vectorSearchProfile": "p",
    }  # fmt: skip
    parameters = {
        "resourceUri": "https://m.openai.azure.com",
        "deploymentId": "d",
        "modelName": "text-embedding-3-small",
    }
    search = {
        "algorithms": [{"name": "h", "kind": "hnsw"}],
        "profiles": [{"name": "p", "algorithm": "h", "vectorizer": "z"}],
        "vectorizers": [{"name": "z", "kind": "azureOpenAI", "azureOpenAIParameters": parameters}],
    }
    key = {"name": "id", "type": "Edm.String", "key": True}
    made = anywhere.http.post("/indexes", json={"name": "vec", "fields": [key, vector], "vectorSearch": search})
    assert made.status_code == 201, made.text
    settings = {"vectorQueries": [{"kind": "text", "text": "{{query}}", "fields": "v"}]}
    windows, models = windows_of(anywhere.service, ["vec"], settings, told_windows([], ["vec"]), len)
    window = windows["vec"]
    assert window is not None and (window.tokens, models) == (8191, {"vec": "text-embedding-3-small"})


def test_a_document_that_was_seen_in_part_is_not_counted_through(anywhere: Anywhere) -> None:
    """Which passage is the third of a document is not known where its first chunks were not seen."""
    rule = "Receipts are kept for ten years."
    tails = [" ".join(f"zebra{n}x{word}" for word in range(60 if n < 10 else 1)) for n in range(62)]
    chunks = [{"id": f"a_pages_{n}", "path": "a.md", "body": f"{rule} {tail}"} for n, tail in enumerate(tails)]
    query = "{id: q1, query: zebra2x1, relevant: [{document: a.md, excerpt: %s, occurrence: 3}]}"
    anywhere.queries(f"queries: [{query % rule}]")
    anywhere.index("large", [*FILLER, *chunks])
    assert recall(anywhere.measure("large")) == 1.0
    anywhere.index("small", chunks)
    assert recall(anywhere.measure("small")) == 1.0


def test_modes_say_which_option_names_what_a_reader_cannot_see(anywhere: Anywhere) -> None:
    anywhere.index("one", rows())
    anywhere.index("other", rows())
    table = anywhere.measure("one", "other", modes=True).modes
    assert table is not None
    assert {mode.mode: mode.refused for mode in table.modes if mode.refused} == {
        "vector": "not measured: no vector field is known; --vector-field NAME names one",
        "hybrid": "not measured: no vector field is known; --vector-field NAME names one",
        "semantic": "not measured: no semantic configuration is known; --semantic NAME names one",
    }


def test_what_was_found_in_one_of_two_indexes_says_in_which(anywhere: Anywhere) -> None:
    anywhere.index("one", rows())
    anywhere.index("other", [{**row, "body": row["body"][:60]} for row in rows()])
    told = anywhere.measure("one", "other").found
    assert [line.partition(" (")[0] for line in told if "text is in" in line] == [
        "one: the text is in 'body'",
        "other: the text is in 'body'",
    ]
    assert any(line.startswith("the key is 'id'") for line in told)


def test_a_question_may_bring_its_own_words_and_filter(anywhere: Anywhere) -> None:
    """`search` and `filter` are among what a request is made of, so they are among what a question overrides."""
    text = QUERIES.replace(
        "    query: When", '    request: {search: "Mileage", filter: "path ne \'x\'"}\n    query: When'
    )
    anywhere.queries(text)
    anywhere.index("one", rows(), text_field("path", filterable=True), text_field("body"))
    assert recall(anywhere.measure("one")) == 1.0
    anywhere.queries(text.replace("path ne 'x'", "path eq 'x'"))
    assert recall(anywhere.measure("one")) == pytest.approx(2 / 3)


def test_too_many_floors_are_told_before_anything_is_asked(anywhere: Anywhere) -> None:
    metrics = ("recall@5", "mrr@10", "ndcg@5")
    with pytest.raises(UsageError, match="3 metrics have a floor"):
        anywhere.measure("is not there", metrics=metrics, floors=dict.fromkeys(metrics, 0.1))


def test_the_way_into_management_is_by_the_alias_that_serves(anywhere: Anywhere) -> None:
    anywhere.index("plain", rows())
    assert anywhere.measure("plain").adoption == Adoption("azsearch-ops import plain --alias plain-live")
    anywhere.http.post("/aliases", json={"name": "docs-live", "indexes": ["plain"]})
    by_alias = Adoption("azsearch-ops import docs --alias docs-live")
    assert anywhere.measure("docs-live").adoption == anywhere.measure("plain").adoption == by_alias
    # A free alias is advised where the name is taken by one that points elsewhere
    anywhere.index("docs", rows())
    assert anywhere.measure("docs").adoption.command == "azsearch-ops import docs --alias docs-live-2"

    reader = {"reader": {"grants": [{"role": "Search Index Data Reader"}]}}
    assert anywhere.http.post("/__local/roles", json={"identities": reader, "add": True}).is_success
    anywhere.service = connect(str(anywhere.http.base_url), key="reader", api_version=DEFAULT_API_VERSION, environ={})
    unknown = anywhere.measure("docs-live").adoption
    assert "may not read aliases" in unknown.note and "--alias THE-ALIAS" in unknown.note
