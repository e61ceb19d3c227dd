"""Pieces of a text with tags around them."""

from __future__ import annotations

from collections.abc import Iterable


def marked(text: str, spans: Iterable[tuple[int, int]], pre: str, post: str) -> str:
    """`text` with `pre` and `post` around each span (code points, ascending, none inside another)."""
    parts: list[str] = []
    last = 0
    for start, end in spans:
        parts += (text[last:start], pre, text[start:end], post)
        last = end
    return "".join((*parts, text[last:]))
