"""A semantic answer in Azure's form, over HTTP through the SDK: its order, scores, and which of its words are kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

import pytest

from azsearch_ops.evaluation.diagnosis.instruments import Variation
from azsearch_ops.evaluation.outcome import Evaluation
from azsearch_ops.evaluation.record import record
from azsearch_ops.evaluation.run import evaluate
from azsearch_ops.evaluation.types import Judgement, Query
from azsearch_ops.evaluation.wordless import without_words
from azsearch_ops.gate.policy import GateLimits
from azsearch_ops.service.client import Service
from azsearch_ops.service.connect import connect
from azsearch_ops.verbs.evaluating.chunk_fields import ChunkFields
from azsearch_ops.verbs.evaluating.diagnosing import instruments
from azsearch_ops.verbs.evaluating.legs import subscores
from azsearch_ops.verbs.evaluating.queries import judged
from azsearch_ops.verbs.evaluating.retrieval import searcher
from azsearch_ops.verbs.evaluating.stand_in import by_stand_in

FIELDS = ChunkFields("id", "path", "chunk", None)
REQUEST = {
    "search": "{{query}}",
    "queryType": "semantic",
    "semanticConfiguration": "mine",
    "captions": "extractive",
    "answers": "extractive|count-3",
}
QUERIES = (Query("q1", "how long is parental leave", (Judgement("a.md", "twelve weeks", None, 1),), (), None, {}),)

# As the preview and stable versions of the service answer: highlights may be empty, a hit that was not ranked anew may
# have no score or null, and the order is that of the ranker, not that of @search.score.
ANSWER: dict[str, Any] = {
    "@search.answers": [
        {"key": "2", "text": "SECRET answer", "highlights": "<em> SECRET </em> answer", "score": 0.94},
    ],
    "value": [
        {
            "@search.score": 0.016,
            "@search.rerankerScore": 2.613231658935547,
            "@search.captions": [{"text": "SECRET caption", "highlights": "SECRET<em> caption </em>"}],
            "id": "2",
            "path": "a.md",
            "chunk": "Leave lasts twelve weeks.",
        },
        {
            "@search.score": 0.033,
            "@search.rerankerScore": 1.2,
            "@search.rerankerBoostedScore": 3.6,
            "@search.captions": [{"text": "SECRET other", "highlights": ""}],
            "id": "1",
            "path": "b.md",
            "chunk": "Leave is granted.",
        },
        {"@search.score": 0.012, "@search.rerankerScore": None, "id": "3", "path": "c.md", "chunk": "Trains."},
        {"@search.score": 0.011, "id": "4", "path": "d.md", "chunk": "Planes."},
    ],
}


class _Azure(ThreadingHTTPServer):
    asked: list[dict[str, Any]]
    headers: dict[str, str]


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, _Azure)
        self.server.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        content = json.dumps(ANSWER).encode()
        self.send_response(200)
        for name, value in {"Content-Type": "application/json", **self.server.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


@pytest.fixture
def azure() -> Iterator[_Azure]:
    server = _Azure(("127.0.0.1", 0), _Handler)
    server.asked, server.headers = [], {}
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def service(azure: _Azure) -> Iterator[Service]:
    opened = connect(f"http://127.0.0.1:{azure.server_port}", key="key", api_version="2026-04-01")
    yield opened
    opened.close()


def measured(service: Service) -> Evaluation:
    search = searcher(service, "i", REQUEST, FIELDS)
    return evaluate(QUERIES, None, search, ("mrr@10",), lambda text: len(text.split()), seed=1)


def test_the_order_is_the_answers_and_the_score_is_the_rankers(azure: _Azure, service: Service) -> None:
    chunks = searcher(service, "i", REQUEST, FIELDS)(QUERIES[0], 10)
    assert [(chunk.key, chunk.score) for chunk in chunks] == [
        ("2", 2.613231658935547), ("1", 1.2), ("3", 0.012), ("4", 0.011),
    ]  # fmt: skip
    assert azure.asked[0]["search"] == QUERIES[0].text and azure.asked[0]["queryType"] == "semantic"


def test_captions_and_answers_are_not_asked_for_which_nobody_reads(azure: _Azure, service: Service) -> None:
    own = Query("q2", "x", (), (), None, {"captions": "extractive|highlight-true"})
    searcher(service, "i", REQUEST, FIELDS)(own, 10)
    instruments(service, "i", REQUEST, FIELDS).ask(own, 10, Variation())
    assert len(azure.asked) == 2
    for asked in azure.asked:
        assert asked["semanticConfiguration"] == "mine" and not {"captions", "answers"} & set(asked)


def test_the_leg_of_the_ranker_is_told_apart(service: Service) -> None:
    asked = instruments(service, "i", REQUEST, FIELDS).ask(QUERIES[0], 10, Variation())
    assert asked[0].subscores["reranker"] == 2.613231658935547 and "reranker" not in asked[2].subscores
    assert "stand-in semantic ranker" in subscores(ANSWER["value"][0], REQUEST, stand_in=True)


def test_no_word_of_captions_or_answers_is_kept(service: Service) -> None:
    evaluation = measured(service)
    assert evaluation.metrics[0].candidate == 1.0
    assert "SECRET" not in json.dumps(record(evaluation))
    wordless = json.dumps(record(without_words(evaluation)))
    assert "SECRET" not in wordless and "twelve" not in wordless and "parental" not in wordless


def test_azures_own_ranker_is_gated_and_a_stand_in_never(azure: _Azure, service: Service) -> None:
    limits = {"mrr@10": GateLimits(floor=0.5)}
    verdict = judged(measured(service), limits, stand_in=by_stand_in(service, (REQUEST,), QUERIES))
    assert verdict.outcome == "pass"
    azure.headers["azsearch-local-semantic-ranker"] = "stand-in"
    evaluation = measured(service)
    verdict = judged(evaluation, limits, stand_in=by_stand_in(service, (REQUEST,), QUERIES))
    assert (verdict.outcome, [line.outcome for line in verdict.lines]) == ("undecided", ["reported"])
    assert "stand-in semantic ranker" in verdict.reasons[0]
    failed = judged(evaluation, {"mrr@10": GateLimits(floor=1.0)}, stand_in=True)
    assert failed.outcome == "undecided"


def test_only_requests_that_it_ranked_are_withheld(azure: _Azure, service: Service) -> None:
    azure.headers["azsearch-local-semantic-ranker"] = "stand-in"
    measured(service)
    plain = {"search": "{{query}}"}
    override = Query("q2", "x", (), (), None, {"queryType": "semantic"})
    assert not by_stand_in(service, (plain, None), QUERIES)
    assert by_stand_in(service, (plain, REQUEST), QUERIES)
    assert by_stand_in(service, (plain,), (*QUERIES, override))
    assert by_stand_in(service, ({**plain, "semanticQuery": "{{query}}"},), QUERIES)
