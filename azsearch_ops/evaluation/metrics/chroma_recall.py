"""Recall as Chroma's chunking study computes it: by characters, so that a long reference counts for more."""

from __future__ import annotations

from azsearch_ops.evaluation.metrics.about import About
from azsearch_ops.evaluation.reading import Reading

ABOUT = About(
    name="chroma_recall",
    title="recall of Chroma's study",
    formula="characters of the references read within the cut, each once / characters of the references, "
    "overlapping references not merged",
    reference="Smith and Troynikov, Evaluating Chunking Strategies for Retrieval (2024); their report speaks of "
    "tokens, their code counts characters",
    spans_only=True,
)


def value(reading: Reading) -> float:
    """The share of characters; 0.0 without a span."""
    total = sum(reading.lengths)
    return sum(gain.characters for gain in reading.gains) / total if total else 0.0
