"""The document retrieval metrics of Microsoft Foundry are those of azure-ai-evaluation: documents, one chunk each."""

import random

import pytest

from azsearch_ops.evaluation.metrics.registry import parse_metric
from azsearch_ops.evaluation.paths import DocumentPaths
from azsearch_ops.evaluation.reading import Reader, relevant_items
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
    theirs = DocumentRetrievalEvaluator()(
        retrieval_ground_truth=[{"document_id": d, "query_relevance_label": g} for d, g in grades.items()],
        retrieved_documents=[{"document_id": d, "relevance_score": 50.0 - i} for i, d in enumerate(retrieved)],
    )
    theirs = theirs.get("document_retrieval_properties", theirs)
    judgements = [Judgement(document, grade=grade) for document, grade in grades.items()]
    chunks = [Chunk(d, d, "text", 50.0 - i) for i, d in enumerate(retrieved)]
    ranking = Reader(DocumentPaths(grades), len).ranking(relevant_items(judgements), chunks, judgements)
    for ours, name in SAME.items():
        metric = parse_metric(ours)
        value = metric.value(ranking.read(metric.cut, metric.about.needs))
        assert value == pytest.approx(theirs[name], abs=1e-9), ours
