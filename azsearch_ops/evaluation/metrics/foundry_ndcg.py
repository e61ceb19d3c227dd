"""nDCG of Microsoft Foundry's document retrieval evaluator: documents, exponential gain."""

from __future__ import annotations

from math import log2

from azsearch_ops.evaluation.metrics.about import About
from azsearch_ops.evaluation.reading import Reading

ABOUT = About(
    name="foundry_ndcg",
    title="nDCG of Foundry's document retrieval",
    formula="Σ over the first k documents, each once where its best chunk stands, of (2^label - 1) / log2(rank + 1), "
    "divided by its value for the k best labels; documents without a label count 0",
    reference="azure-ai-evaluation 1.18, DocumentRetrievalEvaluator `ndcg@3` of the list of documents; given chunks, "
    "the package ranks a document by its last one",
    needs=("leading",),
)


def value(reading: Reading) -> float:
    """The normalised gain of one query; 0.0 where nothing labelled above 0 was retrieved."""
    size = reading.cut.size if reading.cut.unit == "chunks" else len(reading.judged)
    ideal = _gain(sorted(reading.judged, reverse=True)[:size])
    return _gain([label or 0 for label in reading.leading]) / ideal if ideal else 0.0


def _gain(labels: list[int]) -> float:
    return sum((2.0**label - 1.0) / log2(rank + 1) for rank, label in enumerate(labels, start=1))
