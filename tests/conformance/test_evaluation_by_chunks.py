"""A project whose documents lie where nobody here can read them, as on Azure: measured by the chunks of its indexes."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from azsearch_ops.bodies.ranking_parts import part_name
from azsearch_ops.errors import DefinitionError, GateNotPassedError
from azsearch_ops.gate.coverage import STAND_IN
from azsearch_ops.gate.outcome import EvaluationOutcome
from azsearch_ops.releasing.outcomes import Progress
from azsearch_ops.service.connect import connect
from azsearch_ops.verbs.any_index.measuring import evaluate_any
from azsearch_ops.verbs.any_index.wanted import AnyIndex
from azsearch_ops.verbs.asking_one import explain_query
from azsearch_ops.verbs.evaluating.modes_of_project import modes_one
from azsearch_ops.verbs.evaluating.thresholds import calibrate
from azsearch_ops.verbs.session import SYSTEM_CLOCK, Session, open_session
from azsearch_ops.verbs.shipping.shipping import Talk
from azsearch_ops.verbs.shipping.steps import build_one, evaluate_one, promote_one

REPOSITORY = Path(__file__).resolve().parents[2]
INDEX = "indexes/handbook/index.yaml"
ENVIRONMENT = """\
endpoint: {endpoint}
apiVersion: "2026-04-01"
key: "{{{{ secret('SEARCH_KEY') }}}}"
aliasPropagationSeconds: 0
connections: {{docs: {{{docs}}}}}
variables:
  docs: {{container: handbook}}
  embedding: {{resourceUri: "https://m.openai.azure.com", deployment: d, model: m, dimensions: 256}}
"""
DOCUMENTS = {
    "leave.md": "# Leave\n\nEmployees have 26 days of annual leave. Unused days lapse at the end of March.\n",
    "travel.md": "# Travel\n\nMileage is paid at 0.42 euro per kilometre. Claims are due within 30 days of the trip.\n",
    "parts.txt": "Spare part KX-204 is the seal of the pressure sensor. Order it from the Graz warehouse.\n",
}
QUERIES = """\
queries:
  - {id: q1, query: How many days?, relevant: [{document: leave.md, excerpt: Employees have 26 days of annual leave.}]}
  - {id: q2, query: Until when?, relevant: [{document: leave.md, excerpt: Unused days lapse at the end of April.}]}
  - {id: q3, query: What is KX-204?, relevant: [{document: parts.txt, excerpt: Order it from the Graz warehouse.}]}
"""
GONE = "  - {id: q4, query: What is gone?, relevant: [{document: gone.md, excerpt: Nobody knows this any more.}]}\n"
LOST = "  - {id: q5, query: What is lost?, relevant: [{document: travel.md, excerpt: The cafeteria serves soup.}]}\n"
SEMANTIC = """  semantic:
    configurations: [{name: c, prioritizedFields: {prioritizedContentFields: [{fieldName: chunk}]}}]
  vectorSearch:
"""
KEY = "conformance-key"
TALK = Talk(report=lambda _: None, show=lambda _: None, confirm=lambda _: True)


class Cloud:
    """The sample's definitions with three documents, which `folder` can read and `cloud` cannot."""

    def __init__(self, root: Path, endpoint: str) -> None:
        self.root, self.endpoint = root, endpoint
        for part in ("indexes", "skillsets", "infra/environments"):
            shutil.copytree(REPOSITORY / part, root / part)
        container = root / "documents/handbook"
        container.mkdir(parents=True)
        for name, text in DOCUMENTS.items():
            (container / name).write_text(text, "utf-8")
        docs = {"cloud": "connectionString: \"{{ secret('DOCS') }}\"", "folder": "folder: documents"}
        for name, connection in docs.items():
            told = ENVIRONMENT.format(endpoint=endpoint, docs=connection)
            (root / f"infra/environments/{name}.yaml").write_text(told, "utf-8")
        self.queries(QUERIES)

    def queries(self, text: str) -> None:
        (self.root / "indexes/handbook/queries.yaml").write_text(text, "utf-8")

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.root / file
        text = path.read_text("utf-8")
        assert old in text, f"{old!r} is not in {file}"
        path.write_text(text.replace(old, new), "utf-8")

    def session(self, environment: str = "cloud") -> AbstractContextManager[Session]:
        environ = {"SEARCH_KEY": KEY, "DOCS": f"LocalFolder={self.root / 'documents'}"}
        return open_session(self.root, environment, environ)

    def evaluate(self, environment: str = "cloud", **meanwhile: Any) -> EvaluationOutcome:
        """The outcome of `evaluate`; another pipeline writes `meanwhile` to live, which is the candidate."""
        with self.session(environment) as session:
            left = [meanwhile] if meanwhile else []

            def report(progress: Progress) -> None:
                if left and progress.text == "queries":
                    write_to_live(session, **left.pop())

            return evaluate_one(session, "handbook", replace(TALK, report=report))

    def build(self) -> str:
        with self.session() as session:
            return build_one(session, "handbook", TALK).candidate

    def promote(self, reason: str | None = None) -> int:
        with self.session() as session:
            return promote_one(session, "handbook", TALK, accept_undecided=reason).release


@pytest.fixture
def cloud(tmp_path: Path, http: httpx.Client) -> Cloud:
    return Cloud(tmp_path, str(http.base_url))


def test_judgements_are_held_against_the_chunks_of_both_sides(cloud: Cloud) -> None:
    cloud.queries(QUERIES + GONE + LOST)
    cloud.build()
    with pytest.raises(DefinitionError) as refused:
        cloud.evaluate()
    told = {(p.code, p.severity, p.location.line if p.location else 0) for p in refused.value.problems}
    assert told == {("AZS715", "note", 3), ("AZS711", "error", 5), ("AZS712", "error", 6)}
    assert "excerpt lost in extraction" in str(refused.value.problems) and "missing_documents" in refused.value.hint

    cloud.queries(QUERIES + GONE)
    cloud.edit(INDEX, "evaluation:\n", "evaluation:\n  missing_documents: skip\n")
    cloud.edit(INDEX, "ndcg@10]", "ndcg@10, precision_omega]")
    first = cloud.evaluate()
    assert first.notes[0].startswith("judgements checked against chunks of the index")
    assert "the documents cannot be read from here; all 3 chunks of handbook-" in first.notes[0]
    assert first.notes[1].startswith("1 quote stands in other words in its document and was re-anchored")
    assert first.notes[2].startswith("1 of 4 queries left out")
    assert "queries.yaml:5" in " ".join(first.notes[3:]) and "March" not in str(first.notes)
    values = {m.name: m.candidate for m in first.evaluation.metrics}
    assert values["recall@5"] == 1.0, "what lapses at the end of March now is found"
    by_texts = cloud.evaluate("folder")
    assert not any("checked against chunks" in note for note in by_texts.notes)
    assert {m.name: m.candidate for m in by_texts.evaluation.metrics} == pytest.approx(values)
    assert cloud.evaluate().verdict.outcome == "pass" and cloud.promote() == 1

    cloud.edit("skillsets/handbook.yaml", "maximumPageLength: 2000", "maximumPageLength: 1600")
    cloud.build()
    second = cloud.evaluate()
    assert second.notes[0].count("all 3 chunks of handbook-") == 2
    cloud.queries(QUERIES[: QUERIES.index("  - {id: q2")] + GONE + GONE.replace("q4", "q6"))
    less = cloud.evaluate()
    assert less.verdict.outcome == "undecided" and "only 1 of 3 queries can be scored" in less.verdict.reasons[0]


def test_a_semantic_configuration_is_measured_and_published_under_its_new_name(
    tmp_path: Path, new_service: Callable[..., Any]
) -> None:
    service = new_service("--semantic-ranker", "stand-in")
    cloud = Cloud(tmp_path / "project", service.endpoint)
    cloud.edit(INDEX, "  vectorSearch:\n", SEMANTIC)
    cloud.edit(INDEX, "request: {", "request: {queryType: semantic, semanticConfiguration: c, captions: extractive, ")
    own = "query: How many days?, request: {queryType: semantic, semanticConfiguration: c}"
    cloud.queries(QUERIES.replace("query: How many days?", own))
    cloud.build()
    first = cloud.evaluate()
    assert (first.verdict.outcome, first.verdict.reasons[0]) == ("undecided", STAND_IN)
    assert first.notes[-1].startswith("asked without the captions of the request")
    assert cloud.promote("the stand-in's order is no verdict") == 1
    old = released(cloud)
    asked = AnyIndex(
        indexes=(first.candidate,),
        queries=cloud.root / "indexes/handbook/queries.yaml",
        root=tmp_path,
        semantic="c",
        modes=True,
    )
    client = connect(service.endpoint, key=KEY, api_version="2026-04-01", environ={})
    try:
        modes = evaluate_any(client, asked, SYSTEM_CLOCK, TALK.report).modes
    finally:
        client.close()
    assert modes is not None and next(m for m in modes.modes if m.mode == "semantic").refused == "", "found by NAME"
    cloud.edit(INDEX, "prioritizedFields: {", "prioritizedFields: {titleField: {fieldName: title}, ")
    cloud.edit(INDEX, "  semantic:\n", "  semantic:\n    defaultConfiguration: c\n")
    assert cloud.build() == first.candidate, "put beside the old one: nothing is built"
    assert cloud.evaluate(corsOptions={"allowedOrigins": ["*"]}).tainted
    theirs = {"name": "theirs", "prioritizedFields": {"prioritizedKeywordsFields": [{"fieldName": "title"}]}}
    theirs["name"] = part_name("semanticConfiguration", theirs, "theirs")
    measured = cloud.evaluate(theirs=theirs)
    assert measured.settings_only and measured.verdict.outcome == "undecided"
    assert measured.tainted == "", "what another pipeline puts beside the others ranks none of these requests"
    with cloud.session() as session:
        assert "theirs" in str(session.service.get("index", first.candidate)["semantic"])
        write_to_live(session, corsOptions={"allowedOrigins": ["https://a.example"]})
        with pytest.raises(GateNotPassedError, match="no evaluation of exactly"):
            promote_one(session, "handbook", TALK, accept_undecided="looked at")
        write_to_live(session, corsOptions={"allowedOrigins": ["*"]})
    assert cloud.promote("looked at") == 2
    new = released(cloud)
    assert new != old and new.startswith("c-") and old.startswith("c-")

    with cloud.session() as session:
        held = session.service.get("index", first.candidate)["semantic"]
        assert (held["defaultConfiguration"], {c["name"] for c in held["configurations"]}) == (
            new,
            {old, new, theirs["name"]},
        )
        semantic = next(m for m in modes_one(session, "handbook", TALK).modes if m.mode == "semantic")
        assert semantic.candidate is not None and not semantic.refused, "a question names it by its plain name"
        assert explain_query(session, "handbook", "q1").sides[0].chunks
        assert calibrate(session, "handbook", "recall", 0.9, TALK.report).answers_found


def write_to_live(session: Session, *, theirs: dict[str, Any] | None = None, **told: Any) -> None:
    """Change what is live, as another pipeline may; `theirs` is one more semantic configuration."""
    name = session.service.get("alias", "handbook-live")["indexes"][0]
    body = {**session.service.get("index", name), **told}
    body.pop("@odata.etag", None)
    if theirs is not None:
        body["semantic"]["configurations"].append(theirs)
    session.service.put("index", body)


def released(cloud: Cloud) -> str:
    with cloud.session() as session:
        current = session.ledger.current("handbook-live")
        assert current is not None
        return str(current["search"]["semanticConfiguration"])
