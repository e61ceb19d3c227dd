"""The table of routes: method, pattern, handler. Literal patterns stand before those with placeholders."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

from azsearch_ops.local.errors import ServiceFault
from azsearch_ops.local.handlers import (
    admin,
    definitions,
    documents,
    embeddings,
    faults,
    indexers,
    searching,
    statistics,
)
from azsearch_ops.local.objects.kinds import KINDS
from azsearch_ops.local.paths import Segment, match
from azsearch_ops.local.service import Service
from azsearch_ops.local.wire import Call, Reply

Handler = Callable[[Call, Service], Reply]
Surface = Literal["search", "openai", "open", "admin"]


@dataclass(frozen=True, slots=True)
class Route:
    """One entry. `surface` says who may call it: "search" needs an api-version, "open" needs no key."""

    method: str
    pattern: str
    handler: Handler
    surface: Surface = "search"


@dataclass(frozen=True, slots=True)
class Found:
    """The route of a request with the values of its placeholders."""

    route: Route
    parts: dict[str, str]


def _definitions(collection: str) -> tuple[Route, ...]:
    return (
        Route("GET", collection, definitions.list_all),
        Route("POST", collection, definitions.create),
        Route("GET", f"{collection}/{{name}}", definitions.get),
        Route("PUT", f"{collection}/{{name}}", definitions.put),
        Route("DELETE", f"{collection}/{{name}}", definitions.delete),
    )


_DOCS: Final = "indexes/{name}/docs"

ROUTES: Final[tuple[Route, ...]] = (
    Route("GET", "servicestats", statistics.service_statistics),
    Route("GET", "indexstats", statistics.all_index_statistics),
    *(route for collection in KINDS for route in _definitions(collection)),
    Route("GET", "indexes/{name}/search.stats", statistics.index_statistics),
    Route("GET", "indexes/{name}/stats", statistics.index_statistics),
    Route("POST", "indexes/{name}/search.analyze", searching.analyze),
    Route("POST", "indexes/{name}/analyze", searching.analyze),
    Route("GET", _DOCS, searching.search_get),
    Route("GET", f"{_DOCS}/$count", documents.count),
    Route("POST", f"{_DOCS}/search.index", documents.index_documents),
    Route("POST", f"{_DOCS}/index", documents.index_documents),
    Route("POST", f"{_DOCS}/search.post.search", searching.search_post),
    Route("POST", f"{_DOCS}/search", searching.search_post),
    *(
        Route(method, f"{_DOCS}/{path}", searching.typing_post if method == "POST" else searching.typing_get)
        for operation in ("suggest", "autocomplete")
        for method, path in (
            ("POST", f"search.post.{operation}"),
            ("POST", operation),
            ("GET", f"search.{operation}"),
            ("GET", operation),
        )
    ),
    Route("GET", f"{_DOCS}/{{key}}", documents.lookup),
    *(
        Route(method, f"indexers/{{name}}/{prefix}{operation}", handler)
        for prefix in ("search.", "")
        for method, operation, handler in (
            ("POST", "run", indexers.run),
            ("POST", "reset", indexers.reset),
            ("GET", "status", indexers.status),
        )
    ),
    Route("POST", "openai/deployments/{deployment}/embeddings", embeddings.embeddings, "openai"),
    Route("POST", "v1/embeddings", embeddings.embeddings, "openai"),
    Route("GET", "__local/health", admin.health, "open"),
    Route("POST", "__local/reset", admin.reset, "admin"),
    Route("GET", "__local/faults", faults.list_faults, "admin"),
    Route("POST", "__local/faults", faults.set_faults, "admin"),
    Route("POST", "__local/roles", faults.set_roles, "admin"),
)


def find(method: str, path: tuple[Segment, ...]) -> Found:
    """The route of a request.

    Raises:
        ServiceFault: 404 for an address that is not there, 405 for one that does not take the method.
    """
    allowed: list[str] = []
    for route in ROUTES:
        parts = match(route.pattern, path)
        if parts is None:
            continue
        if route.method == method:
            first = path[0].name.lower()
            operation = path[-1].name.rpartition(".")[2].lower()
            return Found(route, {"collection": first, "operation": operation} | parts)
        allowed.append(route.method)
    address = "/".join(segment.name for segment in path)
    if allowed:
        raise ServiceFault(
            405, "MethodNotAllowed", f"'/{address}' does not take {method}; it takes {', '.join(sorted(set(allowed)))}."
        )
    raise ServiceFault(404, "", f"The local service has no '/{address}' (DIFFERENCES.md lists what it leaves out).")
