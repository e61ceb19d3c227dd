"""The best label of the first three documents, as Microsoft Foundry's document retrieval evaluator reports it."""

from __future__ import annotations

from azsearch_ops.evaluation.metrics.about import About
from azsearch_ops.evaluation.reading import Reading

ABOUT = About(
    name="foundry_top3_max",
    title="top3_max_relevance of Foundry's document retrieval",
    formula="the highest label of the first three documents read; those without one count 0",
    reference="azure-ai-evaluation 1.18, DocumentRetrievalEvaluator `top3_max_relevance`",
    most=None,
    needs=("labels",),
)


def value(reading: Reading) -> float:
    """A label; 0.0 where nothing was retrieved."""
    return float(max((label or 0 for label in reading.labels[:3]), default=0))
