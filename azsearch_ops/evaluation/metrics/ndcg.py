"""nDCG with linear gain: a grade of 2 is worth twice a grade of 1."""

from __future__ import annotations

from azsearch_ops.evaluation.metrics.about import About
from azsearch_ops.evaluation.metrics.gain import normalised_gain
from azsearch_ops.evaluation.reading import Reading

ABOUT = About(
    name="ndcg",
    title="normalised discounted cumulative gain, linear gain",
    formula="Σ grade · newly read share / log2(rank + 1), divided by its value when the judged items come one a "
    "rank, highest grade first; several items in one chunk are credited no faster than that",
    reference="Järvelin and Kekäläinen 2002; trec_eval `ndcg_cut`; equal on documents judged as a whole",
)


def value(reading: Reading) -> float:
    """The normalised gain of one query."""
    return normalised_gain(reading, float)
