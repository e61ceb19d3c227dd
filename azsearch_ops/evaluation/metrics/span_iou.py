"""Intersection over union of what was read and what is relevant, with a union that is one."""

from __future__ import annotations

from azsearch_ops.evaluation.metrics.about import About
from azsearch_ops.evaluation.reading import Reading

ABOUT = About(
    name="span_iou",
    title="IoU by characters, of sets",
    formula="|references ∩ chunks read| / |references ∪ chunks read| in characters, each once",
    reference="chroma_iou, corrected: its denominator counts overlaps again, so that it is no union (Jaccard 1901)",
    spans_only=True,
    of_size=True,
    needs=("fresh",),
)


def value(reading: Reading) -> float:
    """The quotient; 0.0 where nothing was retrieved."""
    read = sum(gain.characters for gain in reading.gains)
    below = sum(reading.fresh) + sum(reading.lengths) - read
    return min(1.0, read / below) if below else 0.0
