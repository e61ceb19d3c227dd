"""Holes of Microsoft Foundry's document retrieval evaluator: documents that came and that nobody judged."""

from __future__ import annotations

from azsearch_ops.evaluation.metrics.about import About
from azsearch_ops.evaluation.reading import Reading

ABOUT = About(
    name="foundry_holes",
    title="holes of Foundry's document retrieval",
    formula="the number of documents read that have no label",
    reference="azure-ai-evaluation 1.18, DocumentRetrievalEvaluator `holes`; equal where the cut takes in all that was "
    "retrieved",
    most=None,
    higher_is_better=False,
    needs=("labels",),
)


def value(reading: Reading) -> float:
    """A number of documents; 0.0 where nothing was retrieved."""
    return float(sum(label is None for label in reading.labels))
