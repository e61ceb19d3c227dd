"""Time as an argument: what the releasing steps may ask of a clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True, slots=True)
class Clock:
    """`now` is aware UTC, `monotonic` counts seconds, `sleep` waits for seconds."""

    now: Callable[[], datetime]
    monotonic: Callable[[], float]
    sleep: Callable[[float], None]

    def stamp(self) -> str:
        """Now, as the service writes dates: ISO 8601 in UTC with Z."""
        return self.now().astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
