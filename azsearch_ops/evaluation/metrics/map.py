"""MAP: precision at every point where something relevant is met, averaged over all that is relevant."""

from __future__ import annotations

from azsearch_ops.evaluation.metrics.about import About
from azsearch_ops.evaluation.reading import Reading

ABOUT = About(
    name="map",
    title="mean average precision",
    formula="Σ over ranks of newly read shares · P(rank) / number of relevant items, where P(rank) is the "
    "sum of min(1, newly read shares) up to the rank / rank",
    reference="trec_eval `map_cut`; on documents judged as a whole the two are equal",
)


def value(reading: Reading) -> float:
    """The average precision of one query; 0.0 without a relevant item."""
    if not reading.grades:
        return 0.0
    useful = total = 0.0
    for rank, share in reading.by_rank():
        useful += min(1.0, share)
        total += share * useful / rank
    return min(1.0, total / len(reading.grades))
