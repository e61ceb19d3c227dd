"""The search callable that an evaluation is given: one query, sent as applications send it, down to some depth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from azsearch_ops.bodies.request import search_body
from azsearch_ops.evaluation.types import Chunk, Query, Search
from azsearch_ops.service.client import Service
from azsearch_ops.verbs.chunk_fields import ChunkFields


def searcher(
    service: Service, index: str, settings: Mapping[str, Any], fields: ChunkFields, *, wait: bool = True
) -> Search:
    """A callable that answers a query from `index` under `settings`.

    Only `top` and `select` are changed: the ranking is that of the applications, read as deep as the metrics need.
    Without `wait` a throttled search raises at once, for a caller that slows down everybody.
    """
    selected = fields.selected

    def search(query: Query, depth: int) -> tuple[Chunk, ...]:
        overrides = {**query.request, "top": depth, "select": selected, "count": False}
        body = search_body(settings, query.text, filter=query.filter, **overrides)
        rows = service.search(index, body, wait=wait)["value"]
        ordered_by_score = "orderby" not in body
        return tuple(chunk_of(row, fields, ordered_by_score) for row in rows[:depth])

    return search


def chunk_of(row: Mapping[str, Any], fields: ChunkFields, ordered_by_score: bool) -> Chunk:
    """A row of a search answer as an evaluation takes it."""
    score = row.get("@search.rerankerScore", row.get("@search.score")) if ordered_by_score else None
    return Chunk(
        key=str(row[fields.key]),
        document=str(row.get(fields.document) or ""),
        text=str(row.get(fields.text) or ""),
        score=score,
        parent=str(row.get(fields.parent) or "") if fields.parent else "",
    )
