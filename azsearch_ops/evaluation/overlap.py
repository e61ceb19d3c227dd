"""What chunks of one document have in common at their ends."""

from __future__ import annotations

from collections.abc import Sequence

LEAST = 16
"""Characters below which what one text ends with and the next begins with is chance."""


def shared_end(first: str, second: str) -> int:
    """The length of the longest end of `first` that `second` begins with; 0 below `LEAST`."""
    seed = second[:LEAST]
    if len(seed) < LEAST:
        return 0
    at = first.find(seed, max(0, len(first) - len(second)))
    while at >= 0:
        if second.startswith(first[at:]):
            return len(first) - at
        at = first.find(seed, at + 1)
    return 0


def fresh_sizes(documents: Sequence[str], texts: Sequence[str]) -> tuple[int, ...]:
    """The characters of each text that none before it of the same document has, by what their ends share."""
    read: dict[str, list[str]] = {}
    sizes: list[int] = []
    for document, text in zip(documents, texts, strict=True):
        earlier = read.setdefault(document, [])
        if any(text in other for other in earlier):
            sizes.append(0)
        else:
            before = max((shared_end(other, text) for other in earlier), default=0)
            behind = max((shared_end(text, other) for other in earlier), default=0)
            inside = sum(len(other) for other in earlier if other in text)
            sizes.append(max(0, len(text) - max(before + behind, inside)))
        earlier.append(text)
    return tuple(sizes)
