"""What every metric says about itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class About:
    """A metric's name, its formula in one line, where it comes from, and its value where nothing was retrieved.

    Every metric ranges from 0 to 1 and is better when higher. `spans_only` says that it is defined on excerpts
    alone, not on documents judged as a whole. `of_size` says that it moves with the size of the chunks even where
    the same answers are found at the same ranks, so that it alone does not make a query a changed one.
    """

    name: str
    title: str
    formula: str
    reference: str
    empty: float = 0.0
    spans_only: bool = False
    of_size: bool = False
