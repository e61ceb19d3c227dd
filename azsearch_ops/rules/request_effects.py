"""More of AZS224 and AZS401 to AZS408: vector queries in REST's shape, and settings without an effect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from azsearch_ops.contract import limits
from azsearch_ops.contract.fields import is_vector
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.tree import step
from azsearch_ops.errors import Problem
from azsearch_ops.rules.finding import fields_by_path, is_integer, is_number, items
from azsearch_ops.rules.ranking import only_cosine, threshold_problems

_SEMANTIC = ("answers", "captions", "semanticConfiguration", "semanticErrorHandling", "semanticMaxWaitInMilliseconds")
_TEXT = ("scoringProfile", "scoringParameters", "scoringStatistics")


def check_request_effects(index: IndexDefinition) -> Iterator[Problem]:
    """The problems of a request's settings against its mode and the index."""
    tree, retrieval, request = index.tree, index.retrieval, index.retrieval.request

    def idle(name: str, why: str) -> Problem:
        place = tree.locate_key(f"/retrieval/request/{name}")
        return Problem("AZS406", f"{name} has no effect {why}", place, severity="warning")

    semantic = request.get("queryType") == "semantic"
    asked_semantically = semantic or request.get("semanticQuery") is not None
    for name in _SEMANTIC if not asked_semantically else ():
        if request.get(name) is not None:
            yield idle(name, "without queryType semantic")
    for name in _TEXT if retrieval.mode == "vector" and "search" not in request else ():
        if request.get(name) is not None:
            yield idle(name, "in mode vector: scoring profiles see texts only")
    if request.get("hybridSearch") is not None and retrieval.mode != "hybrid" and "vectorQueries" not in request:
        yield idle("hybridSearch", f"in mode {retrieval.mode}")
    if semantic and retrieval.mode == "vector" and not request.get("search") and not request.get("semanticQuery"):
        message = "without a search text the semantic ranker has nothing to rank by"
        place = tree.locate("/retrieval/request/queryType")
        yield Problem("AZS408", message, place, severity="warning", hint="mode hybrid, or a semanticQuery")
    top = request.get("top")
    if is_number(top) and top > limits.TOP_MAXIMUM:
        place = tree.locate("/retrieval/request/top")
        yield Problem("AZS407", f"top must be at most {limits.TOP_MAXIMUM}, and is {top}", place)
    for query, at in items(request.get("vectorQueries"), "/retrieval/request/vectorQueries"):
        yield from _check_query(index, query, at)


def _check_query(index: IndexDefinition, query: Mapping[str, Any], at: str) -> Iterator[Problem]:
    tree, fields = index.tree, fields_by_path(index.index)
    named = [name.strip() for name in str(query.get("fields") or "").split(",") if name.strip()]
    place = tree.locate(step(at, "fields"))
    if len(named) > limits.VECTOR_FIELDS_PER_QUERY:
        message = f"a query takes {limits.VECTOR_FIELDS_PER_QUERY} vector fields at most, not {len(named)}"
        yield Problem("AZS407", message, place)
    vector = query.get("vector")
    for name in named:
        field = fields.get(name)
        if field is None:
            known = [path for path, placed in fields.items() if is_vector(placed.body)]
            yield Problem("AZS401", f"fields: the index has no field {name!r}", place, hint=name_hint(name, known))
        elif not is_vector(field.body):
            yield Problem("AZS403", f"fields: {name} holds no vector", place)
        elif isinstance(vector, list | tuple) and is_integer(field.body.get("dimensions")):
            dimensions = field.body["dimensions"]
            packed = field.body.get("vectorEncoding") == "packedBit"
            if len(vector) != (dimensions // 8 if packed else dimensions):
                message = f"the vector has {len(vector)} numbers, and {name} takes {dimensions} dimensions"
                yield Problem("AZS224", message, tree.locate(step(at, "vector")))
    weight = query.get("weight")
    if is_number(weight) and weight <= 0:
        yield Problem("AZS407", f"a weight must be above 0, and is {weight:g}", tree.locate(step(at, "weight")))
    threshold = query.get("threshold")
    if isinstance(threshold, Mapping):
        fused = index.retrieval.mode == "hybrid"
        where = tree.locate(step(at, "threshold"))
        yield from threshold_problems(threshold, where, fused=fused, cosine=only_cosine(index))
