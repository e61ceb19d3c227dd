"""Intersection over union as Chroma's chunking study computes it, whose union is not a union of sets."""

from __future__ import annotations

from azsearch_ops.evaluation.metrics.about import About
from azsearch_ops.evaluation.reading import Reading

ABOUT = About(
    name="chroma_iou",
    title="IoU of Chroma's study",
    formula="characters of the references read, each once / (characters of all chunks read, overlaps counted "
    "again + characters of the references not read)",
    reference="Smith and Troynikov, Evaluating Chunking Strategies for Retrieval (2024)",
    spans_only=True,
    of_size=True,
    needs=("sizes",),
)


def value(reading: Reading) -> float:
    """The quotient; 0.0 where nothing was retrieved."""
    read = sum(gain.characters for gain in reading.gains)
    below = sum(reading.sizes) + sum(reading.lengths) - read
    return read / below if below else 0.0
