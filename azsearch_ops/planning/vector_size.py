"""How much of the vector quota and of the disk the vectors of an index take.

Source: learn.microsoft.com/azure/search/vector-search-index-size. The documented overheads of a graph with m = 4
(20 % at 96 dimensions, 8 % at 200, 2 % at 768, 1 % at 1536, 0.5 % at 3072) come to about 16 bytes times m a vector.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from azsearch_ops.contract.fields import is_vector

GRAPH_BYTES: Final = 16
DISK_FACTOR: Final = 3
"""Vectors take about three times the room on disk that they take in memory."""

_BYTES: Final = {"Edm.Single": 4.0, "Edm.Half": 2.0, "Edm.Int16": 2.0, "Edm.SByte": 1.0, "Edm.Byte": 1.0}
_QUANTIZED: Final = {"scalarQuantization": 1.0, "binaryQuantization": 1 / 8}


def vector_bytes(index: Mapping[str, Any], chunks: int) -> int:
    """Bytes of vector quota that so many documents take; fields that are searched exhaustively take none."""
    return round(sum(_in_memory(index, field) for field in _fields(index)) * chunks)


def vector_disk_bytes(index: Mapping[str, Any], chunks: int) -> int:
    """About how many bytes on disk the vectors of so many documents take."""
    return round(sum(_raw(field) for field in _fields(index)) * DISK_FACTOR * chunks)


def _fields(index: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return [field for field in index.get("fields") or () if is_vector(field)]


def _raw(field: Mapping[str, Any]) -> float:
    """Bytes of one vector as it is sent."""
    width = _BYTES[str(field["type"])[len("Collection(") : -1]]
    return width * int(field.get("dimensions") or 0)


def _in_memory(index: Mapping[str, Any], field: Mapping[str, Any]) -> float:
    search = index.get("vectorSearch") or {}
    profile = _named(search.get("profiles"), field.get("vectorSearchProfile"))
    algorithm = _named(search.get("algorithms"), profile.get("algorithm"))
    if algorithm.get("kind", "hnsw") != "hnsw":
        return 0.0
    m = int((algorithm.get("hnswParameters") or {}).get("m") or 4)
    compression = _named(search.get("compressions"), profile.get("compression"))
    size = _raw(field)
    if compression:
        kept = compression.get("truncationDimension") or field.get("dimensions") or 0
        size = int(kept) * _QUANTIZED.get(str(compression.get("kind")), 1.0)
    return size + GRAPH_BYTES * m


def _named(items: object, name: object) -> Mapping[str, Any]:
    if not isinstance(items, list | tuple):
        return {}
    return next((item for item in items if isinstance(item, Mapping) and item.get("name") == name), {})
