"""Precision of Chroma's study with its flaw mended: a character that overlapping chunks share is paid for once."""

from __future__ import annotations

from azsearch_ops.evaluation.metrics.about import About
from azsearch_ops.evaluation.reading import Reading

ABOUT = About(
    name="span_precision",
    title="precision by characters, overlaps counted once",
    formula="characters of the references read within the cut, each once / characters of the chunks read, of any "
    "document, each once: what a chunk shares with one read before is not counted again",
    reference="chroma_precision, corrected: there an overlap lowers precision though the reader has seen it already",
    spans_only=True,
    of_size=True,
    needs=("fresh",),
)


def value(reading: Reading) -> float:
    """The share of characters; 0.0 where nothing was retrieved."""
    read = sum(reading.fresh)
    return min(1.0, sum(gain.characters for gain in reading.gains) / read) if read else 0.0
