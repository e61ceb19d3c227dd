"""The label of the first document, as Microsoft Foundry's document retrieval evaluator reports it."""

from __future__ import annotations

from azsearch_ops.evaluation.metrics.about import About
from azsearch_ops.evaluation.reading import Reading

ABOUT = About(
    name="foundry_top1",
    title="top1_relevance of Foundry's document retrieval",
    formula="the label of the first document; 0 where it has none",
    reference="azure-ai-evaluation 1.18, DocumentRetrievalEvaluator `top1_relevance`",
    most=None,
    needs=("labels",),
)


def value(reading: Reading) -> float:
    """A label; 0.0 where nothing was retrieved."""
    return float(reading.labels[0] or 0) if reading.labels else 0.0
