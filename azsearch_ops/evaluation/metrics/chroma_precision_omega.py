"""Precision omega as Chroma's chunking study computes it, touching chunks included."""

from __future__ import annotations

from azsearch_ops.evaluation.layout import DocumentLayout, share_of_touched
from azsearch_ops.evaluation.metrics.about import About

ABOUT = About(
    name="chroma_precision_omega",
    title="precision omega of Chroma's study",
    formula="characters of the references that some chunk holds / |chunks that hold or touch any of them ∪ what no "
    "chunk holds of the references|; a chunk touches where it ends at a reference's first character or begins "
    "after its last",
    reference="Smith and Troynikov, Evaluating Chunking Strategies for Retrieval (2024)",
    spans_only=True,
    of_size=True,
    of_corpus=True,
)


def value(layouts: tuple[DocumentLayout, ...]) -> float:
    """The share of characters over the documents of one query; 0.0 without a reference."""
    return share_of_touched(layouts, lambda chunk, part: chunk[0] <= part[1] and part[0] <= chunk[1])
