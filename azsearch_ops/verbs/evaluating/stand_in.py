"""Whether results were ordered by a stand-in for the semantic ranker, which may be shown and never gates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from azsearch_ops.evaluation.types import Query
from azsearch_ops.service.client import Service


def ranks_semantically(request: Mapping[str, Any]) -> bool:
    """Whether a search request asks for the semantic ranker."""
    return request.get("queryType") == "semantic" or bool(request.get("semanticQuery"))


def by_stand_in(service: Service, requests: Iterable[Mapping[str, Any] | None], queries: Iterable[Query]) -> bool:
    """Whether any of `requests`, with what single queries override, was ranked by a stand-in; asked after searching."""
    if not service.stand_in_ranker:
        return False
    asked = [request for request in requests if request is not None]
    overrides = [query.request for query in queries if query.request]
    return any(map(ranks_semantically, [*asked, *({**r, **o} for r in asked for o in overrides)]))
