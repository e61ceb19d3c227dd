"""nDCG with exponential gain: a grade of 2 is worth three times a grade of 1, and a 3 seven times."""

from __future__ import annotations

from azsearch_ops.evaluation.metrics.about import About
from azsearch_ops.evaluation.metrics.gain import normalised_gain
from azsearch_ops.evaluation.reading import Reading

ABOUT = About(
    name="ndcg_exp",
    title="normalised discounted cumulative gain, exponential gain",
    formula="as ndcg, with 2^grade - 1 in the place of the grade",
    reference="Burges et al. 2005; equal to ndcg where every grade is 1",
)


def value(reading: Reading) -> float:
    """The normalised gain of one query."""
    return normalised_gain(reading, lambda grade: float(2**grade - 1))
