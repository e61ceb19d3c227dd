"""The gate block of an index definition: limits by metric, and beside them slices, lost queries, growth and age."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field

from azsearch_ops.definitions.durations import Duration
from azsearch_ops.definitions.typed import STRICT

LONGEST_AGE = timedelta(days=30)
"""An evaluation that nobody repeated for longer says nothing about today's documents."""


def _nothing_said(value: object) -> object:
    return {} if value is None else value


def _at_most_a_month(value: timedelta) -> timedelta:
    if not timedelta(0) < value <= LONGEST_AGE:
        raise ValueError("must be above zero and at most 30d")
    return value


@dataclass(frozen=True, slots=True)
class GateLimits:
    """How far a metric may fall (absolute), the margin of the interval, and its floor."""

    __pydantic_config__ = STRICT

    max_drop: Annotated[float, Field(gt=0, le=1)] = 0.10
    margin: Annotated[float, Field(gt=0, le=1)] = 0.05
    floor: Annotated[float | None, Field(ge=0, le=1)] = None


@dataclass(frozen=True, slots=True)
class SliceLimits:
    """How far a metric may fall (absolute) on the queries of one tag, and its floor there; they know no margin."""

    __pydantic_config__ = STRICT

    max_drop: Annotated[float | None, Field(gt=0, le=1)] = None
    floor: Annotated[float | None, Field(ge=0, le=1)] = None

    def __post_init__(self) -> None:
        if self.max_drop is None and self.floor is None:
            raise ValueError("needs a max_drop or a floor: with few queries a slice decides by these alone")


Grown = Annotated[float | None, Field(ge=0)]


@dataclass(frozen=True, slots=True)
class GrowthLimits:
    """How far the price of a release may grow, relative to live: 0.5 allows half as much again."""

    __pydantic_config__ = STRICT

    chunks: Grown = None
    storage: Grown = None
    vector_storage: Grown = None
    tokens_to_reader: Grown = None
    p95: Grown = None

    def said(self) -> dict[str, float]:
        """The limits that the definition gives."""
        return {name: value for name, value in asdict(self).items() if value is not None}


class GateBlock(BaseModel):
    """What `gate:` takes: every key that is not one of these is the name of a metric."""

    model_config = ConfigDict(extra="allow", strict=True, frozen=True)
    __pydantic_extra__: dict[str, Annotated[GateLimits, BeforeValidator(_nothing_said)]]

    slices: Mapping[str, Mapping[str, SliceLimits]] = Field(default_factory=dict)
    lost_queries: Annotated[int | None, Field(ge=0)] = None
    growth: GrowthLimits = GrowthLimits()
    max_age: Annotated[Duration, AfterValidator(_at_most_a_month)] | None = None

    @classmethod
    def empty(cls) -> GateBlock:
        """A gate that holds nothing back."""
        return cls.model_validate({})

    def metrics(self) -> dict[str, GateLimits]:
        """The limits of the gated metrics, by name."""
        return dict(self.__pydantic_extra__)

    def rules(self) -> GateRules:
        """What the block says beside the metrics."""
        return GateRules(self.slices, self.lost_queries, self.growth, self.max_age)


@dataclass(frozen=True, slots=True)
class GateRules:
    """The gate beside its metrics. `slices` is by tag and metric; `max_age` is how long an evaluation counts."""

    slices: Mapping[str, Mapping[str, SliceLimits]] = field(default_factory=dict)
    lost_queries: int | None = None
    growth: GrowthLimits = GrowthLimits()
    max_age: timedelta | None = None

    def as_json(self) -> dict[str, Any]:
        """What decides, as plain values; how long it counts is not part of it."""
        slices = {tag: {name: asdict(limit) for name, limit in by.items()} for tag, by in self.slices.items()}
        return {"slices": slices, "lost_queries": self.lost_queries, "growth": self.growth.said()}
