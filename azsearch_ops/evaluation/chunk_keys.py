"""What the keys of chunks tell: that they are keys of chunks, and which chunk of its document one is.

An index projection makes keys of twelve hexadecimal digits, the parent's key and the name of the path with an ordinal
(`8f2a77c1d0e5_aHR0cHM6_pages_12`); others that cut documents end theirs with `chunk` and an ordinal. The digits that
end any other key, such as one that is base64, say nothing.
"""

from __future__ import annotations

import re

from azsearch_ops.evaluation.types import Chunk

_PROJECTED = re.compile(r"[0-9a-f]{12}_.*_(?P<ordinal>[0-9]+)", re.IGNORECASE | re.DOTALL)
_NAMED = re.compile(
    r".*(?:_pages_|_sentences_|_chunks?_|[-_#:]chunk[-_]?)(?P<ordinal>[0-9]+)", re.IGNORECASE | re.DOTALL
)


def ordinal_in(key: str) -> int | None:
    """The ordinal that ends a chunk's key; None where the key is not of a pattern that has one."""
    found = _PROJECTED.fullmatch(key) or _NAMED.fullmatch(key)
    return int(found["ordinal"]) if found else None


def position(chunk: Chunk) -> int | None:
    """The chunk's ordinal in its document: its own, or the one in a key of a known pattern, or None."""
    return chunk.position if chunk.position is not None else ordinal_in(chunk.key)
