"""Where the reading of a ranking stops."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Cut:
    """Where reading stops: after `size` chunks, or when `size` tokens have been read."""

    size: int
    unit: Literal["chunks", "tokens"] = "chunks"

    def __str__(self) -> str:
        return f"{self.size}t" if self.unit == "tokens" else str(self.size)
