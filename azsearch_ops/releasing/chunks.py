"""Read the chunks of an index by key ranges; `$skip` would end at 100,000 and shift under writes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from azsearch_ops.service.client import Service

PAGE: Final = 1000  # The most that one answer holds


def key_field(index: Mapping[str, Any]) -> str:
    """Name of the key field of an index body."""
    return next(str(f["name"]) for f in index["fields"] if f.get("key"))


def read_chunks(
    service: Service, index: str, key: str, select: Sequence[str], *, most: int | None = None
) -> Iterator[dict[str, Any]]:
    """Rows in the order of their keys, with the key and the selected fields; at most `most` of them.

    The key field must be sortable and filterable.
    """
    last: str | None = None
    read = 0
    while most is None or read < most:
        request: dict[str, Any] = {
            "search": "*",
            "select": ",".join(dict.fromkeys([key, *select])),
            "orderby": f"{key} asc",
            "top": PAGE if most is None else min(PAGE, most - read),
        }
        if last is not None:
            request["filter"] = f"{key} gt '{last.replace(chr(39), chr(39) * 2)}'"
        rows = service.search(index, request)["value"]
        yield from rows
        read += len(rows)
        if len(rows) < request["top"]:
            return
        last = str(rows[-1][key])
