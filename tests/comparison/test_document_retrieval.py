"""The document retrieval metrics of Microsoft Foundry are those of azure-ai-evaluation, of the list of documents.

The package wants each document once. A ranking of chunks names some again: ours takes a document where its best chunk
stands. Given the chunks, the package keeps the last score of a document, so that its worst chunk places it, and its
ratio of holes divides documents by chunks.
"""

import random
from typing import Any

import pytest

from azsearch_ops.evaluation.items import relevant_items
from azsearch_ops.evaluation.metrics.registry import parse_metric
from azsearch_ops.evaluation.paths import DocumentPaths
from azsearch_ops.evaluation.reading import Reader
from azsearch_ops.evaluation.types import Chunk, Judgement

pytest.importorskip("azure.ai.evaluation", reason="azure-ai-evaluation is not installed")

SAME = {
    "foundry_ndcg@3": "ndcg@3",
    "foundry_xdcg@3": "xdcg@3",
    "foundry_fidelity@100": "fidelity",
    "foundry_top1@100": "top1_relevance",
    "foundry_top3_max@100": "top3_max_relevance",
    "foundry_holes@100": "holes",
    "foundry_holes_ratio@100": "holes_ratio",
}


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.filterwarnings("ignore")
def test_document_retrieval_equals_that_of_the_package(seed: int) -> None:
    from azure.ai.evaluation import DocumentRetrievalEvaluator

    chance = random.Random(seed)
    documents = [f"d{i}" for i in range(30)]
    grades = {name: chance.randint(0, 4) for name in chance.sample(documents, chance.randint(1, 15))}
    grades[next(iter(grades))] = chance.randint(1, 4)
    retrieved = chance.sample(documents, chance.randint(0, 20))
    if seed % 2:  # Some documents come in several chunks
        retrieved = [d for d in retrieved for _ in range(chance.randint(1, 3))]
        chance.shuffle(retrieved)
    evaluator = DocumentRetrievalEvaluator()
    theirs = evaluate_with(evaluator, grades, list(dict.fromkeys(retrieved)))
    judgements = [Judgement(document, grade=grade) for document, grade in grades.items()]
    chunks = [Chunk(f"{d}-{i}", d, "text", 99.0 - i) for i, d in enumerate(retrieved)]
    ranking = Reader(DocumentPaths(grades), len).ranking(relevant_items(judgements), chunks, judgements)
    for ours, name in SAME.items():
        metric = parse_metric(ours)
        value = metric.value(ranking.read(metric.cut, metric.about.needs))
        assert value == pytest.approx(theirs[name], abs=1e-9), ours


@pytest.mark.filterwarnings("ignore")
def test_given_chunks_the_package_ranks_a_document_by_its_last_one() -> None:
    from azure.ai.evaluation import DocumentRetrievalEvaluator

    evaluator = DocumentRetrievalEvaluator()
    theirs = evaluate_with(evaluator, {"a": 4, "b": 1}, ["a", "b", "x", "x", "a"])
    in_its_order = evaluate_with(evaluator, {"a": 4, "b": 1}, ["b", "x", "a"])
    assert {**in_its_order, **theirs} == {**in_its_order, "holes_ratio": 1 / 5, "total_retrieved_documents": 5}
    assert theirs["top1_relevance"] == 1, "though the best chunk of all is of a document labelled 4"


def evaluate_with(evaluator: Any, grades: dict[str, int], retrieved: list[str]) -> dict[str, Any]:
    """The package's figures for documents in the order in which they were retrieved."""
    found = evaluator(
        retrieval_ground_truth=[{"document_id": d, "query_relevance_label": g} for d, g in grades.items()],
        retrieved_documents=[{"document_id": d, "relevance_score": 99.0 - i} for i, d in enumerate(retrieved)],
    )
    return dict(found.get("document_retrieval_properties", found))
