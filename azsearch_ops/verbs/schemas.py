"""JSON Schemas of the definition files."""

from __future__ import annotations

from typing import Any

from azsearch_ops.definitions.json_schema import KINDS, json_schema
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.errors import UsageError


def schemas(kind: str | None) -> dict[str, Any]:
    """The schema of one kind of file, or of all by kind; UsageError when there is no such kind."""
    if kind is None:
        return {name: json_schema(name) for name in KINDS}
    if kind not in KINDS:
        raise UsageError(f"there is no schema {kind!r}", hint=name_hint(kind, KINDS))
    return json_schema(kind)
