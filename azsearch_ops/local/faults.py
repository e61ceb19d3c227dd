"""Faults on demand: what a service in the cloud does now and then, made to happen here by `POST /__local/faults`.

Nothing of it is stored: a service that is started again has none. Addresses are matched in one form, such as
`indexes/NAME/docs/$count` or `indexers/NAME/search.run`, whatever spelling the caller used.
"""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeVar


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """Which calls a fault is for: by method and by a pattern in the address; the first `skip` are spared, then
    `times` are met (None: all until the faults are replaced)."""

    method: str = ""
    address: str = ""
    skip: int = 0
    times: int | None = None

    def matches(self, method: str, address: str) -> bool:
        """Whether a call is meant; empty members mean any."""
        return self.method in ("", method) and re.search(self.address, address) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered(Where):
    """The call is not carried out and answered with `status`; `retry_after` is in seconds."""

    kind: Literal["answer"]
    status: int
    code: str = ""
    message: str = "This answer was asked for as a fault."
    retry_after: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency(Where):
    """The answer comes `seconds` later."""

    kind: Literal["latency"]
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LostResponse(Where):
    """The call is carried out, then the connection is cut with no answer."""

    kind: Literal["lost-response"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CountLag(Where):
    """Counts of documents are `missing` too low; with `seconds` only so long after the last write to the index."""

    kind: Literal["count-lag"]
    missing: int
    seconds: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexerCapped(Where):
    """A run takes `items` documents at most and ends in success, as one does that reached its limit of time."""

    kind: Literal["indexer-capped"]
    items: int


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexerSlow(Where):
    """A run takes `seconds` longer, so that it is met while it is on its way."""

    kind: Literal["indexer-slow"]
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AliasLag(Where):
    """A moved alias answers from where it was for `seconds`; with `alternates` every other call already sees the new
    index, as when some replicas know of the move and others do not. A new alias is not found meanwhile."""

    kind: Literal["alias-lag"]
    seconds: float
    alternates: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class EtagBump(Where):
    """An object gets another ETag right after it was written, though nobody edited it."""

    kind: Literal["etag-bump"]


Fault = Answered | Latency | LostResponse | CountLag | IndexerCapped | IndexerSlow | AliasLag | EtagBump
_F = TypeVar("_F", bound=Where)


@dataclass(slots=True)
class _Lagging:
    """Where an alias was (None: nowhere) and until when, on the monotonic clock, it still answers from there."""

    target: str | None
    until: float
    alternates: bool
    asked: int = 0


@dataclass(slots=True)
class _Set:
    fault: Fault
    met: int = 0


@dataclass(slots=True)
class Faults:
    """The faults that are set. Safe from any thread."""

    _set: list[_Set] = field(default_factory=list)
    _lagging: dict[str, _Lagging] = field(default_factory=dict)
    _written: dict[str, float] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def replace(self, faults: Sequence[Fault]) -> None:
        """Set these instead of those that were set; aliases lag no longer."""
        with self._lock:
            self._set = [_Set(fault) for fault in faults]
            self._lagging.clear()

    def listed(self) -> list[tuple[Fault, int]]:
        """Each fault and how often it was met."""
        with self._lock:
            return [(entry.fault, max(0, entry.met - entry.fault.skip)) for entry in self._set]

    def take(
        self, kind: type[_F], method: str, address: str, when: Callable[[_F], bool] = lambda fault: True
    ) -> _F | None:
        """The first fault of a kind that is for this call and meets `when`, counted as met, or None."""
        with self._lock:
            for entry in self._set:
                fault = entry.fault
                if not isinstance(fault, kind) or not fault.matches(method, address) or not when(fault):
                    continue
                if fault.times is not None and entry.met >= fault.skip + fault.times:
                    continue
                entry.met += 1
                if entry.met > fault.skip:
                    return fault
            return None

    # What the parts of the service tell and ask

    def wrote(self, index: str) -> None:
        """Documents of an index were written just now."""
        self._written[index] = time.monotonic()

    def missing_from_count(self, index: str) -> int:
        """By how much the count of an index is to be too low."""
        address = f"indexes/{index}/docs/$count"
        since = time.monotonic() - self._written.get(index, float("-inf"))
        lag = self.take(CountLag, "GET", address, lambda lag: lag.seconds is None or since < lag.seconds)
        return lag.missing if lag else 0

    def moved(self, alias: str, before: str | None) -> None:
        """An alias was written; `before` is where it was."""
        lag = self.take(AliasLag, "PUT", f"aliases/{alias}")
        if lag is not None:
            with self._lock:
                self._lagging[alias] = _Lagging(before, time.monotonic() + lag.seconds, lag.alternates)

    def target(self, alias: str, now: str) -> str | None:
        """The index that a call through an alias is answered from; None while a new alias is not known yet."""
        with self._lock:
            lagging = self._lagging.get(alias)
            if lagging is None:
                return now
            if time.monotonic() >= lagging.until:
                del self._lagging[alias]
                return now
            lagging.asked += 1
            return now if lagging.alternates and lagging.asked % 2 == 0 else lagging.target

    def most_items(self, indexer: str) -> int | None:
        """How many documents a run may take, or None."""
        cap = self.take(IndexerCapped, "", f"indexers/{indexer}")
        return cap.items if cap else None

    def run_seconds(self, indexer: str) -> float:
        """How much longer a run is to take."""
        slow = self.take(IndexerSlow, "", f"indexers/{indexer}")
        return slow.seconds if slow else 0.0

    def bumps(self, collection: str, name: str) -> bool:
        """Whether an object that was just written is to get another ETag."""
        return self.take(EtagBump, "PUT", f"{collection}/{name}") is not None
