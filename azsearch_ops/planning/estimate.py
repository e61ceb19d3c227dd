"""What a candidate will take, told before anything is built: work, time, money, room on the service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Literal

Basis = Literal["documents", "sample", "live index", "unknown"]

COUNTERS: Final[Mapping[str, str]] = {
    "indexes": "indexesCount",
    "indexers": "indexersCount",
    "skillsets": "skillsetCount",
    "data sources": "dataSourcesCount",
    "aliases": "aliasesCount",
    "vectors": "vectorIndexSize",
    "storage": "storageSize",
}
"""What is counted, and the counter of `/servicestats` that holds it."""

BYTES: Final = ("vectors", "storage")


@dataclass(frozen=True, slots=True)
class Workload:
    """What has to be read, cut and embedded. None where it cannot be told from here.

    `tokens` are those that the embedding model is sent; `cached` of them are answered from the local cache. `texts`
    is the size of all chunks in bytes. `note` says what the figures rest on beyond `basis`.
    """

    basis: Basis
    documents: int | None = None
    chunks: int | None = None
    tokens: int | None = None
    cached: int | None = None
    texts: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Quota:
    """One quota of the service: what is used, what the candidate adds, and how much there may be (None: no limit).

    `why` says what of `adds` is not the candidate's own.
    """

    name: str
    usage: int
    adds: int
    quota: int | None
    why: str = ""

    @property
    def full(self) -> bool:
        """Whether the candidate does not fit."""
        return self.quota is not None and self.adds > 0 and self.usage + self.adds > self.quota


@dataclass(frozen=True, slots=True)
class Standstill:
    """How long live is not refreshed while the candidate is filled, in minutes; None where that is not known."""

    minutes: float | None
    search_units: int | None
    why: str


@dataclass(frozen=True, slots=True)
class Estimate:
    """The estimate for one candidate. `vectors` and `storage` are bytes; `live_*` are what live has now.

    `built` says that a candidate of this name is there already, so that only what it lacks is still to be done.
    `tokens_per_minute` is what `minutes` rest on. `quotas` is empty where the service's statistics may not be read.
    """

    workload: Workload
    minutes: float | None
    tokens_per_minute: float | None
    cost: float | None
    currency: str | None
    vectors: int | None
    storage: int | None
    live_chunks: int | None
    live_vectors: int | None
    built: bool
    standstill: Standstill
    quotas: tuple[Quota, ...]


def quotas_of(
    statistics: Mapping[str, Any] | None, adds: Mapping[str, int], why: Mapping[str, str] = MappingProxyType({})
) -> tuple[Quota, ...]:
    """The quotas in the order of COUNTERS, from the body of `/servicestats`; empty without one."""
    if statistics is None:
        return ()
    counters = statistics.get("counters") or {}
    return tuple(
        Quota(name, int(counter.get("usage") or 0), adds.get(name, 0), counter.get("quota"), why.get(name, ""))
        for name, key in COUNTERS.items()
        if (counter := counters.get(key)) is not None
    )


def embedding_minutes(tokens: int | None, per_minute: float | None) -> float | None:
    """Minutes that the embedding deployment needs at its rate limit; None where either is not known."""
    return None if tokens is None or per_minute is None else tokens / per_minute


def standstill(minutes: float | None, search_units: int | None, *, scheduled: bool, local: bool) -> Standstill:
    """How long live waits: a service runs as many indexers at once as it has search units.

    Source: limits of the service, indexer runs (one job a search unit).
    """
    if not scheduled:
        return Standstill(0.0, search_units, "live has no scheduled indexer")
    if local:
        return Standstill(0.0, search_units, "the local service runs indexers side by side")
    if search_units is None:
        return Standstill(minutes, None, "if the service has one search unit; the environment's `service` does not say")
    if search_units > 1:
        return Standstill(0.0, search_units, f"{search_units} search units run as many indexers at once")
    return Standstill(minutes, 1, "one search unit runs one indexer at a time")
