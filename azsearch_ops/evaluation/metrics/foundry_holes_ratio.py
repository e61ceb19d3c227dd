"""The share of holes, as Microsoft Foundry's document retrieval evaluator reports it."""

from __future__ import annotations

from azsearch_ops.evaluation.metrics.about import About
from azsearch_ops.evaluation.reading import Reading

ABOUT = About(
    name="foundry_holes_ratio",
    title="holes_ratio of Foundry's document retrieval",
    formula="documents read without a label / documents read",
    reference="azure-ai-evaluation 1.18, DocumentRetrievalEvaluator `holes_ratio` of the list of documents; equal "
    "where the cut takes in all that was retrieved. Given chunks, the package divides documents by chunks",
    higher_is_better=False,
    needs=("labels",),
)


def value(reading: Reading) -> float:
    """A share; 0.0 where nothing was retrieved."""
    if not reading.labels:
        return 0.0
    return sum(label is None for label in reading.labels) / len(reading.labels)
