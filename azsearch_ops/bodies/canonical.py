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
    kind = type(value)
    if kind is str or kind is int or kind is bool or value is None:  # Most values; the rest is asked with more care
        return value
    if kind is dict or isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}  # type: ignore[attr-defined]  # `kind` told
    if kind is list or kind is tuple or isinstance(value, list | tuple):
        return [_plain(item) for item in value]  # type: ignore[attr-defined]  # `kind` told
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value
