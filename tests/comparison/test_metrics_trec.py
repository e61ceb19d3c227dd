"""Where trec_eval defines the same metric, the numbers are the same: documents, one chunk each."""

import random

import pytest

from azsearch_ops.evaluation.items import relevant_items
from azsearch_ops.evaluation.metrics.registry import parse_metric
from azsearch_ops.evaluation.paths import DocumentPaths
from azsearch_ops.evaluation.reading import Reader
from azsearch_ops.evaluation.types import Chunk, Judgement

pytrec_eval = pytest.importorskip("pytrec_eval")

SAME = {
    "recall@5": "recall_5",
    "recall@20": "recall_20",
    "precision@5": "P_5",
    "precision@20": "P_20",
    "ndcg@5": "ndcg_cut_5",
    "ndcg@20": "ndcg_cut_20",
    "map@5": "map_cut_5",
    "map@20": "map_cut_20",
    "hit@5": "success_5",
    "mrr@100": "recip_rank",
    "rprecision@100": "Rprec",
}


@pytest.mark.parametrize("seed", range(5))
def test_document_metrics_equal_those_of_trec_eval(seed: int) -> None:
    chance = random.Random(seed)
    documents = [f"d{i}" for i in range(60)]
    qrels: dict[str, dict[str, int]] = {}
    run: dict[str, dict[str, float]] = {}
    for number in range(80):
        judged = chance.sample(documents, chance.randint(1, 30))
        grades = {document: chance.randint(0, 3) for document in judged}
        grades[judged[0]] = max(1, grades[judged[0]])
        qrels[f"q{number}"] = grades
        retrieved = chance.sample(documents, chance.randint(1, 50))
        run[f"q{number}"] = {document: 100.0 - rank for rank, document in enumerate(retrieved)}
    theirs = pytrec_eval.RelevanceEvaluator(
        qrels, {"recall.5,20", "P.5,20", "ndcg_cut.5,20", "map_cut.5,20", "success.5", "recip_rank", "Rprec"}
    ).evaluate(run)
    for query, grades in qrels.items():
        judgements = [Judgement(document, grade=grade) for document, grade in grades.items()]
        reader = Reader(DocumentPaths(grades), len)
        chunks = [Chunk(document, document, "text", score) for document, score in run[query].items()]
        ranking = reader.ranking(relevant_items(judgements), chunks)
        for ours, name in SAME.items():
            metric = parse_metric(ours)
            assert metric.value(ranking.read(metric.cut)) == pytest.approx(theirs[query][name], abs=1e-9), (query, ours)
