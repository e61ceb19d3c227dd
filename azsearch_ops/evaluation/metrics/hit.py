"""Hit: whether the reader comes to at least half of something relevant."""

from __future__ import annotations

from azsearch_ops.evaluation.metrics.about import About
from azsearch_ops.evaluation.reading import Reading

ABOUT = About(
    name="hit",
    title="hit rate, also called success",
    formula="1 if half of some relevant item has been read within the cut, else 0",
    reference="trec_eval `success`; on documents judged as a whole the two are equal",
)


def value(reading: Reading) -> float:
    """1.0 or 0.0."""
    return 1.0 if reading.found_rank() is not None else 0.0
