"""The positions that Text Split reports beside its pages: offsets and lengths in three encodings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from azsearch_ops.chunking.text_split import Span


@dataclass(frozen=True, slots=True)
class Extent:
    """A distance within a text: bytes of UTF-8, units of UTF-16 and code points."""

    utf8: int
    utf16: int
    code_point: int

    def body(self) -> dict[str, int]:
        """As the skill writes it."""
        return {"utf8": self.utf8, "utf16": self.utf16, "codePoint": self.code_point}


def extent(text: str) -> Extent:
    """The size of `text`."""
    if text.isascii():
        return Extent(len(text), len(text), len(text))
    return Extent(
        len(text.encode("utf-8", "surrogatepass")), len(text.encode("utf-16-le", "surrogatepass")) // 2, len(text)
    )


def offsets(text: str, spans: Sequence[Span]) -> tuple[Extent, ...]:
    """How far each span is from the start of `text`. Spans must be in order of their starts."""
    found: list[Extent] = []
    at, total = 0, Extent(0, 0, 0)
    for span in spans:
        step = extent(text[at : span.start])
        at = span.start
        total = Extent(total.utf8 + step.utf8, total.utf16 + step.utf16, total.code_point + step.code_point)
        found.append(total)
    return tuple(found)


def lengths(text: str, spans: Sequence[Span]) -> tuple[Extent, ...]:
    """The size of each span."""
    return tuple(extent(text[span.start : span.end]) for span in spans)
