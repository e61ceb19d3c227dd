"""Fidelity of Microsoft Foundry's document retrieval evaluator: how much of all that is good was retrieved."""

from __future__ import annotations

from azsearch_ops.evaluation.metrics.about import About
from azsearch_ops.evaluation.reading import Reading

ABOUT = About(
    name="foundry_fidelity",
    title="fidelity of Foundry's document retrieval",
    formula="Σ over the documents read with a label above 0 of 2^(label + 1) - 1, divided by the same over all "
    "documents judged",
    reference="azure-ai-evaluation 1.18, DocumentRetrievalEvaluator `fidelity`, labels 0 to 4; equal where the cut "
    "takes in all that was retrieved",
    needs=("labels",),
)


def value(reading: Reading) -> float:
    """The weighted recall of one query; 0.0 where nothing is labelled above 0, as in the package."""
    whole = _weight(list(reading.judged))
    return _weight([label or 0 for label in reading.labels]) / whole if whole else 0.0


def _weight(labels: list[int]) -> float:
    return sum(2.0 ** (label + 1) - 1.0 for label in labels if label >= 1)
