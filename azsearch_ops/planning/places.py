"""From a difference back to the line of the definition that says it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from azsearch_ops.bodies.origins import Origin, trace
from azsearch_ops.contract.objects import list_key, properties_of
from azsearch_ops.errors import Location

Locate = Callable[[str, str], Location]
"""The place of a value, by file ("index", "skillset", "environment") and pointer in it."""


def pointer_of(path: tuple[str | int, ...]) -> str:
    """The steps as a JSON pointer."""
    pointer = ""
    for part in path:
        pointer = _step(pointer, part)
    return pointer


def _step(pointer: str, part: str | int) -> str:
    return f"{pointer}/{str(part).replace('~', '~0').replace('/', '~1')}"


def place_of(
    kind: str,
    path: tuple[str | int, ...],
    body: Mapping[str, Any],
    origins: tuple[Origin, ...],
    locate: Locate,
) -> Location:
    """Where the definition says what stands at `path` in `body`, or the nearest place around it."""
    file, pointer = trace(origins, kind, _counted(kind, path, body))
    return locate(file, pointer)


def _counted(kind: str, path: tuple[str | int, ...], body: Mapping[str, Any]) -> str:
    """The pointer into the body itself, where items are counted; it ends where the body has nothing more."""
    contract_kind: str | None = "searchRequest" if kind == "search" else kind
    pointer = ""
    here: Any = body
    row = None
    for part in path:
        if isinstance(here, Mapping):
            row = properties_of(contract_kind, here).get(str(part)) if contract_kind else None
            if part not in here:
                # A default that the definition leaves unsaid
                return _step(pointer, part)
            pointer, here = _step(pointer, part), here[part]
            contract_kind = row.of if row else None
        elif isinstance(here, list | tuple):
            place = part if isinstance(part, int) else _place(row, here, part)
            if place is None or place >= len(here):
                return pointer
            pointer, here = _step(pointer, place), here[place]
        else:
            return pointer
    return pointer


def _place(row: Any, items: list[Any] | tuple[Any, ...], name: str) -> int | None:
    for place, item in enumerate(items):
        if row is not None and list_key(row, item) == name:
            return place
        if name == f"#{place + 1}" and isinstance(item, Mapping) and not item.get("name"):
            return place
    return None
