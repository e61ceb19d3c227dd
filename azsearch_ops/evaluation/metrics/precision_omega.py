"""Precision omega: how precise a search could be at best, given where the chunks were cut."""

from __future__ import annotations

from azsearch_ops.evaluation.layout import DocumentLayout, share_of_touched
from azsearch_ops.evaluation.metrics.about import About

ABOUT = About(
    name="precision_omega",
    title="precision omega, by chunks that hold something of the references",
    formula="characters of the references that some chunk holds / |chunks that hold any of them ∪ what no chunk "
    "holds of the references|",
    reference="chroma_precision_omega, corrected: a chunk that only ends where a reference begins is left out",
    spans_only=True,
    of_size=True,
    of_corpus=True,
)


def value(layouts: tuple[DocumentLayout, ...]) -> float:
    """The share of characters over the documents of one query; 0.0 without a reference."""
    return share_of_touched(layouts, lambda chunk, part: chunk[0] < part[1] and part[0] < chunk[1])
