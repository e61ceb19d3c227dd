"""What an environment says about money, rates and size, for estimates and for the budget that they must keep to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from pydantic import Field

from azsearch_ops.definitions.typed import STRICT

Positive = Annotated[float, Field(gt=0)]
Amount = Annotated[float, Field(ge=0)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """What embedding costs: `embedding` is the price of a million tokens in `currency`."""

    __pydantic_config__ = STRICT

    embedding: Amount
    currency: Annotated[str, Field(min_length=1, max_length=3)] = "USD"


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimits:
    """How fast the bulk embedding deployment answers: its quota of tokens a minute."""

    __pydantic_config__ = STRICT

    tokens_per_minute: Annotated[Positive, Field(alias="tokensPerMinute")]


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """The most that one candidate may take; what is not said is not limited.

    `cost` is in the currency of the prices, `vectors` and `storage` are bytes.
    """

    __pydantic_config__ = STRICT

    cost: Amount | None = None
    tokens: Annotated[int | None, Field(ge=0)] = None
    minutes: Amount | None = None
    chunks: Annotated[int | None, Field(ge=0)] = None
    vectors: Annotated[int | None, Field(ge=0)] = None
    storage: Annotated[int | None, Field(ge=0)] = None


NO_LIMITS: Final = Budget()


@dataclass(frozen=True, slots=True, kw_only=True)
class ServiceSize:
    """The size of the search service, which its data plane does not tell. Search units are replicas × partitions."""

    __pydantic_config__ = STRICT

    tier: str | None = None
    replicas: Annotated[int, Field(ge=1, le=12)] = 1
    partitions: Annotated[int, Field(ge=1, le=12)] = 1

    @property
    def search_units(self) -> int:
        """How many search units there are; as many indexer runs go on at once."""
        return self.replicas * self.partitions
