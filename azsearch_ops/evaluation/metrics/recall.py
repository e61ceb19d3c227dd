"""Recall: how much of what is relevant the reader has read, each relevant item counting alike."""

from __future__ import annotations

from azsearch_ops.evaluation.metrics.about import About
from azsearch_ops.evaluation.reading import Reading

ABOUT = About(
    name="recall",
    title="recall",
    formula="mean over the relevant items of the share of it read within the cut",
    reference="trec_eval `recall`; on documents judged as a whole the two are equal",
)


def value(reading: Reading) -> float:
    """The mean share; 0.0 without a relevant item."""
    if not reading.grades:
        return 0.0
    return min(1.0, sum(gain.share for gain in reading.gains) / len(reading.grades))
