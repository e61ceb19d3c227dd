"""What a team allows a release to lose and to cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

ALPHA = 0.05
"""The chance, over all gated metrics together, of failing a candidate that is no worse."""

GATED_AT_MOST = 2
"""Each further gated metric makes every one of them blinder."""

GROWTH = ("chunks", "storage", "vector_storage", "tokens_to_reader", "p95")
"""What can be kept from growing."""


class Limits(Protocol):
    """What the gate needs to know about one metric; see `GateLimits`."""

    @property
    def max_drop(self) -> float: ...
    @property
    def margin(self) -> float: ...
    @property
    def floor(self) -> float | None: ...


class SliceLimits(Protocol):
    """What the gate needs to know about one metric on the queries of one tag.

    A tag has few queries, so there is no margin to rule out: only a drop of the mean beyond `max_drop` and a mean
    below `floor` decide, and they fail.
    """

    @property
    def max_drop(self) -> float | None: ...
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


@dataclass(frozen=True, slots=True)
class Policy:
    """Everything that a gate holds a candidate to.

    `metrics` is by metric name, `slices` by tag and metric name. `lost_queries` is how many queries may go from found
    to lost. `growth` is by one of `GROWTH`, relative to live: 0.5 allows half as much again.
    """

    metrics: Mapping[str, Limits] = field(default_factory=dict)
    slices: Mapping[str, Mapping[str, SliceLimits]] = field(default_factory=dict)
    lost_queries: int | None = None
    growth: Mapping[str, float] = field(default_factory=dict)
