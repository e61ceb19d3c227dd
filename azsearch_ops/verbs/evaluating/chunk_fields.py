"""Which fields of an index hold what an evaluation reads."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ChunkFields:
    """Which fields of an index hold a chunk's key, document and text, and its parent where there is one."""

    key: str
    document: str
    text: str
    parent: str | None = None

    @property
    def selected(self) -> str:
        """The fields as a search request selects them."""
        return ",".join(dict.fromkeys(f for f in (self.key, self.document, self.text, self.parent) if f))
