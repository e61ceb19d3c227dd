"""One text for one JSON value, and digests of it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping


def canonical(value: object) -> str:
    """The value as JSON: keys sorted, no blanks, 1.0 written as 1."""
    return json.dumps(_plain(value), sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def digest(value: object) -> str:
    """SHA-256 of the canonical text, 64 hexadecimal digits."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def _plain(value: object) -> object:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
