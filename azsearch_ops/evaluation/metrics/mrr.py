"""MRR: how early the reader comes to half of something relevant."""

from __future__ import annotations

from azsearch_ops.evaluation.metrics.about import About
from azsearch_ops.evaluation.reading import Reading

ABOUT = About(
    name="mrr",
    title="mean reciprocal rank",
    formula="1 / rank at which half of some relevant item has been read; 0 where that is not within the cut",
    reference="trec_eval `recip_rank` on the cut ranking; on documents judged as a whole the two are equal",
)


def value(reading: Reading) -> float:
    """The reciprocal rank of one query."""
    rank = reading.found_rank()
    return 0.0 if rank is None else 1.0 / rank
