"""Precision as Chroma's chunking study computes it: by characters, what overlaps being paid for each time."""

from __future__ import annotations

from azsearch_ops.evaluation.metrics.about import About
from azsearch_ops.evaluation.reading import Reading

ABOUT = About(
    name="chroma_precision",
    title="precision of Chroma's study",
    formula="characters of the references read within the cut, each once / characters of all chunks read, of any "
    "document, overlaps counted again",
    reference="Smith and Troynikov, Evaluating Chunking Strategies for Retrieval (2024)",
    spans_only=True,
    of_size=True,
    needs=("sizes",),
)


def value(reading: Reading) -> float:
    """The share of characters; 0.0 where nothing was retrieved."""
    read = sum(reading.sizes)
    return sum(gain.characters for gain in reading.gains) / read if read else 0.0
