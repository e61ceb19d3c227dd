"""What a team allows a release to lose."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

ALPHA = 0.05
"""The chance, over all gated metrics together, of failing a candidate that is no worse."""

GATED_AT_MOST = 2
"""Each further gated metric makes every one of them blinder."""


class Limits(Protocol):
    """What the gate needs to know about one metric; see `GateLimits`."""

    @property
    def max_drop(self) -> float: ...
    @property
    def margin(self) -> float: ...
    @property
    def floor(self) -> float | None: ...


@dataclass(frozen=True, slots=True)
class GateLimits:
    """The limits of one gated metric, in the metric's own unit (0 to 1).

    A drop beyond `max_drop` fails, whatever the test says. A pass needs to rule out, at 95 %, a drop of `margin`
    or more. A candidate below `floor` fails, whatever live is.
    """

    max_drop: float = 0.10
    margin: float = 0.05
    floor: float | None = None

    def __post_init__(self) -> None:
        if not 0.0 < self.margin <= 1.0:
            raise ValueError(f"margin has to be above 0 and at most 1, not {self.margin}")
        if not 0.0 < self.max_drop <= 1.0:
            raise ValueError(f"max_drop has to be above 0 and at most 1, not {self.max_drop}")
        if self.floor is not None and not 0.0 <= self.floor <= 1.0:
            raise ValueError(f"floor has to lie between 0 and 1, not {self.floor}")
