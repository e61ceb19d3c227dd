"""XDCG of Microsoft Foundry's document retrieval evaluator: how good the first documents are, by an absolute scale."""

from __future__ import annotations

from azsearch_ops.evaluation.metrics.about import About
from azsearch_ops.evaluation.reading import Reading

ABOUT = About(
    name="foundry_xdcg",
    title="XDCG of Foundry's document retrieval",
    formula="Σ 25 · label · 0.6^(rank - 1) / Σ 0.6^(rank - 1) over the k first ranks; documents without a label "
    "count 0, and so do ranks where none came",
    reference="azure-ai-evaluation 1.18, DocumentRetrievalEvaluator `xdcg@3`, labels 0 to 4; equal at @3 with one "
    "chunk a document",
    most=100.0,
    needs=("labels",),
)

_DISCOUNT = 0.6


def value(reading: Reading) -> float:
    """0 to 100 with labels up to 4; 0.0 where nothing was retrieved."""
    ranks = reading.cut.size if reading.cut.unit == "chunks" else len(reading.labels)
    if not reading.labels or not ranks:
        return 0.0
    real = sum(25.0 * (label or 0) * _DISCOUNT**place for place, label in enumerate(reading.labels))
    return real / sum(_DISCOUNT**place for place in range(ranks))
