"""What every metric says about itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class About:
    """A metric's name, its formula in one line, where it comes from, and its value where nothing was retrieved.

    Every metric ranges from 0 to 1 and is better when higher. `spans_only` says that it is defined on excerpts
    alone, not on documents judged as a whole.
    """

    name: str
    title: str
    formula: str
    reference: str
    empty: float = 0.0
    spans_only: bool = False
