"""R-precision: precision at the rank that is as many as there are relevant items."""

from __future__ import annotations

from azsearch_ops.evaluation.metrics.about import About
from azsearch_ops.evaluation.reading import Reading

ABOUT = About(
    name="rprecision",
    title="R-precision",
    formula="Σ over the first R ranks within the cut of min(1, newly read shares) / R, R being the number of "
    "relevant items",
    reference="trec_eval `Rprec`, which does not cut; on documents judged as a whole and a cut of R or more the two "
    "are equal",
)


def value(reading: Reading) -> float:
    """The precision of one query at its own R; 0.0 without a relevant item."""
    wanted = len(reading.grades)
    if not wanted:
        return 0.0
    return sum(min(1.0, share) for rank, share in reading.by_rank() if rank <= wanted) / wanted
