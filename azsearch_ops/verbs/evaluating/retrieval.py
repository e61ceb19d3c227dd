"""The search callable that an evaluation is given: one query, sent as applications send it, down to some depth."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from azsearch_ops.bodies.ranking_parts import Names, called
from azsearch_ops.bodies.request import search_body
from azsearch_ops.errors import ServiceError
from azsearch_ops.evaluation.types import Chunk, Query, Search
from azsearch_ops.service.client import Service
from azsearch_ops.verbs.evaluating.chunk_fields import ChunkFields

UNREAD: Final[Mapping[str, None]] = MappingProxyType({"captions": None, "answers": None})
"""What is taken out of a request to measure it: it costs time, is read by nobody here, and moves no ranking."""


def searcher(
    service: Service,
    index: str,
    settings: Mapping[str, Any],
    fields: ChunkFields,
    *,
    wait: bool = True,
    names: Names = MappingProxyType({}),
) -> Search:
    """A callable that answers a query from `index` under `settings`.

    The ranking is that of the applications, read as deep as the metrics need: only `top`, `select` and what is of no
    use here (`UNREAD`) are changed.
    Without `wait` a throttled search raises at once, for a caller that slows down everybody. `names` are what the
    index calls the scoring profiles and semantic configurations that single queries name.
    """
    selected = fields.selected

    def search(query: Query, depth: int) -> tuple[Chunk, ...]:
        overrides = {**called(query.request, names), **UNREAD, "top": depth, "select": selected, "count": False}
        body = search_body(settings, query.text, query.filter, **overrides)
        try:
            rows = service.search(index, body, wait=wait)["value"]
        except ServiceError as refused:
            raise _by_query(refused, query) from refused
        ordered_by_score = "orderby" not in body
        return tuple(chunk_of(row, fields, ordered_by_score) for row in rows[:depth])

    return search


def _by_query(refused: ServiceError, query: Query) -> ServiceError:
    """`refused`, and whose it is where a query's own filter or request may be what the service does not take."""
    if refused.status != 400 or (query.filter is None and not query.request):
        return refused
    named = "a held-out query" if query.holdout else f"query {query.id}"
    return ServiceError(
        f"{named}: {refused.message}",
        status=refused.status,
        service_code=refused.service_code,
        call=refused.call,
        request_id=refused.request_id,
        hint="it has a filter or request of its own in the query set",
    )


def chunk_of(row: Mapping[str, Any], fields: ChunkFields, ordered_by_score: bool) -> Chunk:
    """A row of a search answer as an evaluation takes it."""
    score: float | None = None
    if ordered_by_score:  # Beyond the first 50 the semantic ranker gives no score, and the one before it counts
        reranked = row.get("@search.rerankerScore")
        score = row.get("@search.score") if reranked is None else reranked
    return Chunk(
        key=str(row[fields.key]),
        document=str(row.get(fields.document) or ""),
        text=text_of(row.get(fields.text)),
        score=score,
        parent=str(row.get(fields.parent) or "") if fields.parent else "",
    )


def text_of(value: object) -> str:
    """The text that a field holds: a string, or the strings of a collection, one a line."""
    return "\n".join(map(str, value)) if isinstance(value, list) else str(value or "")
