"""The search request that applications send: its template, and the template filled in for one query."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from azsearch_ops.bodies.origins import Origin
from azsearch_ops.contract.limits import KNN_DEFAULT
from azsearch_ops.definitions.index import IndexDefinition, Retrieval
from azsearch_ops.definitions.short_forms import vector_fields

QUERY: Final = "{{query}}"
"""What stands in a template wherever the user's question goes."""

_QUESTION_PLACES: Final = ("search", "semanticQuery")


def request_template(index: IndexDefinition) -> tuple[dict[str, Any], tuple[Origin, ...]]:
    """The request that the retrieval settings describe, and where its parts come from."""
    retrieval = index.retrieval
    body: dict[str, Any] = {}
    if retrieval.mode != "vector":
        body["search"] = QUERY
    if retrieval.mode != "text":
        body["vectorQueries"] = _vector_queries(retrieval, vector_fields(index))
    body["top"] = retrieval.top
    body.update(retrieval.request)
    origins = [
        Origin("search", "", "index", "/retrieval"),
        Origin("search", "/search", "index", "/retrieval/mode"),
        Origin("search", "/top", "index", "/retrieval/top"),
        *(Origin("search", f"/{name}", "index", f"/retrieval/request/{name}") for name in retrieval.request),
    ]
    if "vectorQueries" not in retrieval.request:
        for place in range(len(body.get("vectorQueries", ()))):
            at = f"/vectorQueries/{place}"
            origins += [
                Origin("search", f"{at}/{name}", "index", f"/retrieval/{name}") for name in ("fields", "k", "threshold")
            ]
            setting = "weights" if retrieval.weights else "weight"
            origins.append(Origin("search", f"{at}/weight", "index", f"/retrieval/{setting}"))
        origins.append(Origin("search", "/vectorQueries", "index", "/retrieval"))
    return body, tuple(origins)


def search_body(
    search: Mapping[str, Any], query_text: str, filter: str | None = None, /, **overrides: Any
) -> dict[str, Any]:
    """The request for one question: the template with the overrides, the question in both, and its filter added.

    A filter of the template, or the override of it, stays in force beside the question's own. An override of None
    takes a property out.
    """
    template = {**search, **overrides}
    body = {name: _asked(value, query_text) if name in _QUESTION_PLACES else value for name, value in template.items()}
    queries = body.get("vectorQueries")
    if isinstance(queries, list | tuple):
        body["vectorQueries"] = [
            {**query, "text": _asked(query["text"], query_text)} if "text" in query else dict(query)
            for query in queries
        ]
    if filter:
        own = body.get("filter")
        body["filter"] = f"({own}) and ({filter})" if own else filter
    return {name: value for name, value in body.items() if value is not None}


def _asked(value: Any, query_text: str) -> Any:
    return value.replace(QUERY, query_text) if isinstance(value, str) else value


def _vector_queries(retrieval: Retrieval, fields: tuple[str, ...]) -> list[dict[str, Any]]:
    shared: dict[str, Any] = {"kind": "text", "text": QUERY}
    settings: dict[str, Any] = {"k": retrieval.k or KNN_DEFAULT}
    if isinstance(retrieval.threshold, Mapping):
        settings["threshold"] = dict(retrieval.threshold)
    elif retrieval.threshold is not None:
        settings["threshold"] = {"kind": "vectorSimilarity", "value": retrieval.threshold}
    if not retrieval.weights:
        weight = {} if retrieval.weight is None else {"weight": retrieval.weight}
        return [{**shared, "fields": ",".join(fields), **settings, **weight}]
    # One weight belongs to one vector query, so fields that weigh differently are queried one by one
    whole = 1.0 if retrieval.weight is None else retrieval.weight
    return [{**shared, "fields": field, **settings, "weight": retrieval.weights.get(field, whole)} for field in fields]
