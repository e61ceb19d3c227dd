"""Precision: how much of the reading was worth it.

At k it counts chunks, as information retrieval always did. Within a token budget it counts characters: by
chunks, one long chunk that holds a short answer would look better than ten short ones of which one holds it.
"""

from __future__ import annotations

from azsearch_ops.evaluation.metrics.about import About
from azsearch_ops.evaluation.reading import Reading

ABOUT = About(
    name="precision",
    title="precision",
    formula="@k: Σ over ranks of min(1, newly read shares of relevant items) / k, also where fewer than k came; "
    "@Nt: newly read relevant characters / characters read",
    reference="trec_eval `P`; at k, on documents judged as a whole, the two are equal",
    of_size=True,
    needs=("sizes",),
)


def value(reading: Reading) -> float:
    """A share of chunks or of characters; 0.0 where nothing was retrieved."""
    if reading.cut.unit == "chunks":
        return sum(min(1.0, share) for _, share in reading.by_rank()) / reading.cut.size
    read = sum(reading.sizes)
    return min(1.0, sum(gain.characters for gain in reading.gains) / read) if read else 0.0
