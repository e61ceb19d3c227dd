"""XDCG of Microsoft Foundry's document retrieval evaluator: how good the first documents are, by an absolute scale."""

from __future__ import annotations

from azsearch_ops.evaluation.metrics.about import About
from azsearch_ops.evaluation.reading import Reading

ABOUT = About(
    name="foundry_xdcg",
    title="XDCG of Foundry's document retrieval",
    formula="Σ 25 · label · 0.6^(rank - 1) / Σ 0.6^(rank - 1) over the first k documents, each once where its best "
    "chunk stands; documents without a label count 0, and so do ranks where none came",
    reference="azure-ai-evaluation 1.18, DocumentRetrievalEvaluator `xdcg@3` of the list of documents, labels 0 to 4; "
    "given chunks, the package ranks a document by its last one",
    most=100.0,
    needs=("leading",),
)

_DISCOUNT = 0.6


def value(reading: Reading) -> float:
    """0 to 100 with labels up to 4; 0.0 where nothing was retrieved."""
    ranks = reading.cut.size if reading.cut.unit == "chunks" else len(reading.leading)
    if not reading.leading or not ranks:
        return 0.0
    real = sum(25.0 * (label or 0) * _DISCOUNT**place for place, label in enumerate(reading.leading))
    return real / sum(_DISCOUNT**place for place in range(ranks))
