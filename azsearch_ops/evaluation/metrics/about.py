"""What every metric says about itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Need = Literal["sizes", "fresh", "labels", "leading"]
"""What a reading has to bring along for a metric: see `Reading`."""


@dataclass(frozen=True, slots=True)
class About:
    """A metric's name, its formula in one line, where it comes from, and its value where nothing was retrieved.

    Its values range from `least` to `most` (None: without end), and `higher_is_better` says which way is good; only
    metrics of which more is better can be gated. `spans_only` says that it is defined on excerpts alone, not on
    documents judged as a whole. `of_size` says that it moves with the size of the chunks even where the same answers
    are found at the same ranks, so that it alone does not make a query a changed one. `of_corpus` says that it reads
    all chunks of the documents concerned, not a ranking, so that its name carries no cut.
    """

    name: str
    title: str
    formula: str
    reference: str
    empty: float = 0.0
    least: float = 0.0
    most: float | None = 1.0
    higher_is_better: bool = True
    spans_only: bool = False
    of_size: bool = False
    of_corpus: bool = False
    needs: tuple[Need, ...] = ()
