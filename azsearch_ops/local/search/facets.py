"""Facets over the matching documents: how many of them have each value, or a value in each range.

Documents count, not elements of collections; null has no bucket. Forms and orders are recorded (see the tests),
except for intervals of numbers, which carry their lower bound as dates do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from azsearch_ops.local.search.columns import Column, ColumnStore
from azsearch_ops.local.search.facet_request import Facet
from azsearch_ops.local.search.values import TICKS_PER_SECOND

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MINUTES = {"minute": 1, "hour": 60, "day": 1440}
_MONTHS = {"month": 1, "quarter": 3, "year": 12}


def facet_counts(facets: Sequence[Facet], matching: NDArray[np.bool_], columns: ColumnStore) -> dict[str, Any]:
    """The buckets of every facet by its name; `matching` is a Boolean by document row."""
    found: dict[str, Any] = {}
    for facet in facets:
        column = columns.tables[facet.field.scope].columns[facet.field.path]
        owners = columns.owners(facet.field.scope)
        chosen = np.flatnonzero(column.present & matching[owners])
        found[facet.name] = _buckets(facet, column, chosen, owners[chosen])
    return found


def _buckets(
    facet: Facet, column: Column, chosen: NDArray[np.int64], owners: NDArray[np.int64]
) -> list[dict[str, Any]]:
    values = column.values[chosen]
    if facet.bounds:
        return _ranges(facet, np.searchsorted(np.array(facet.bounds), values, side="right"), owners)
    if facet.interval:
        keys = _periods(values, facet) if facet.field.type == "Edm.DateTimeOffset" else _steps(values, facet)
        counted = _counted(keys, owners)
        return [{"value": _shown(facet, key, column), "count": count} for key, count in sorted(counted.items())]
    counted = _counted(values, owners)
    order: Callable[[Any], Any] = _value_order(column)
    entries = sorted(counted.items(), key=lambda item: order(item[0]), reverse=facet.sort == "-value")
    if facet.sort in ("count", "-count"):
        entries.sort(key=lambda item: item[1], reverse=facet.sort == "count")
    shown = entries[: facet.count or None]
    return [{"value": _shown(facet, key, column), "count": count} for key, count in shown]


def _counted(keys: NDArray[Any], owners: NDArray[np.int64]) -> dict[Any, int]:
    """How many different owners each key has."""
    names, numbers = np.unique(keys, return_inverse=True)
    pairs = np.unique(numbers * (int(owners.max()) + 1 if len(owners) else 1) + owners)
    counts = np.bincount((pairs // (int(owners.max()) + 1)).astype(np.int64)) if len(owners) else np.empty(0, np.int64)
    return dict(zip(names.tolist(), counts.tolist(), strict=True))


def _value_order(column: Column) -> Callable[[Any], Any]:
    if column.field.type != "Edm.String":
        return lambda key: key
    strings = column.strings
    return lambda key: strings[key]


def _ranges(facet: Facet, places: NDArray[np.int64], owners: NDArray[np.int64]) -> list[dict[str, Any]]:
    counted = _counted(places, owners)
    found: list[dict[str, Any]] = []
    for place in range(len(facet.bounds) + 1):
        bucket: dict[str, Any] = {}
        if place > 0:
            bucket["from"] = _bound(facet, facet.bounds[place - 1])
        if place < len(facet.bounds):
            bucket["to"] = _bound(facet, facet.bounds[place])
        found.append({**bucket, "count": counted.get(place, 0)})
    return found


def _steps(values: NDArray[Any], facet: Facet) -> NDArray[Any]:
    step = int(facet.interval)
    floors: NDArray[Any] = np.floor_divide(values, step) * step
    return floors


def _periods(values: NDArray[np.int64], facet: Facet) -> NDArray[np.int64]:
    """The tick at which the period of each date begins."""
    offset = facet.offset_minutes * 60 * TICKS_PER_SECOND
    local = values + offset
    if facet.interval in _MINUTES:
        size = _MINUTES[facet.interval] * 60 * TICKS_PER_SECOND
        return local // size * size - offset
    months = (local // (TICKS_PER_SECOND)).astype("datetime64[s]").astype("datetime64[M]").astype(np.int64)
    first = (months // _MONTHS[facet.interval] * _MONTHS[facet.interval]).astype("datetime64[M]")
    return first.astype("datetime64[s]").astype(np.int64) * TICKS_PER_SECOND - offset


def _shown(facet: Facet, key: Any, column: Column) -> Any:
    kind = facet.field.type
    if kind == "Edm.String":
        return column.strings[key]
    if kind == "Edm.Boolean":
        return bool(key)
    if kind == "Edm.DateTimeOffset":
        when, rest = _moment(key)
        return when.strftime("%Y-%m-%dT%H:%M:%S") + (f".{rest:07}".rstrip("0") if rest else "") + "Z"
    return key


def _bound(facet: Facet, bound: float) -> Any:
    if facet.field.type != "Edm.DateTimeOffset":
        return bound
    when, rest = _moment(int(bound))
    return f"{when:%Y-%m-%dT%H:%M:%S}.{rest // 10_000:03}+0000"


def _moment(when: int) -> tuple[datetime, int]:
    """The second of a tick count, and the ticks beyond it."""
    seconds, rest = divmod(when, TICKS_PER_SECOND)
    return _EPOCH + timedelta(seconds=seconds), rest
