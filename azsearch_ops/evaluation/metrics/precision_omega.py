"""Precision omega: how precise a search could be at best, given where the chunks were cut."""

from __future__ import annotations

from azsearch_ops.evaluation.layout import DocumentLayout, covered, measure
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
    held = below = 0
    for layout in layouts:
        touching = [
            chunk
            for chunk in layout.chunks
            if any(chunk[0] < reference[1] and reference[0] < chunk[1] for reference in layout.references)
        ]
        inside, outside = covered(layout.references, touching)
        held += measure(inside)
        below += measure([*touching, *outside])
    return held / below if below else 0.0
