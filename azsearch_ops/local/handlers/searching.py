"""Searches, suggestions and completions, which resolve aliases, and Analyze Text, which does not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from azsearch_ops.local.errors import invalid_request
from azsearch_ops.local.objects.kinds import KINDS
from azsearch_ops.local.service import Service
from azsearch_ops.local.wire import Call, Reply

_TEXT = (
    "search",
    "highlightPreTag",
    "highlightPostTag",
    "queryType",
    "scoringProfile",
    "searchFields",
    "searchMode",
    "sessionId",
    "scoringStatistics",
    "semanticConfiguration",
    "answers",
    "captions",
    "highlight",
    "debug",
    "semanticErrorHandling",
    "semanticQuery",
    "speller",
    "queryLanguage",
    "featuresMode",
)
_RENAMED = {
    "$filter": "filter",
    "$orderby": "orderby",
    "$select": "select",
    "$skip": "skip",
    "$top": "top",
    "$count": "count",
    "facet": "facets",
    "scoringParameter": "scoringParameters",
}
_NUMBERS = ("skip", "top")
_RANKER = "azsearch-local-semantic-ranker"  # Beside Azure's surface: what is ranked by it must never be gated


def search_post(call: Call, service: Service) -> Reply:
    """POST …/docs/search.post.search."""
    return _search(call, service, call.json("parameters"))


def search_get(call: Call, service: Service) -> Reply:
    """GET …/docs?search=…: the same request, spelled in the address."""
    request: dict[str, Any] = {}
    for name, value in call.query_list:
        if name == "api-version":
            continue
        target = _RENAMED.get(name, name)
        if name not in _RENAMED and name not in _TEXT and name != "minimumCoverage":
            raise invalid_request(
                f"The parameter '{name}' is not a valid parameter for the operation 'search'.", parameter=name
            )
        if target in ("facets", "scoringParameters"):
            request.setdefault(target, []).append(value)
        elif target == "count":
            request[target] = call.flag(name)
        elif target in _NUMBERS or target == "minimumCoverage":
            request[target] = _number(name, value)
        else:
            request[target] = value
    return _search(call, service, request)


def analyze(call: Call, service: Service) -> Reply:
    """POST …/search.analyze: tokens; only of an index itself, never through an alias."""
    stored = service.store.get("index", call.parts["name"])
    if stored is None:
        raise KINDS["indexes"].missing(call.parts["name"])
    answer = service.engines.empty(stored.body).analyze(call.json("request"))
    return Reply(200, {**call.type_context("AnalyzeResult"), **answer})


def typing_post(call: Call, service: Service) -> Reply:
    """POST …/docs/search.post.suggest and …autocomplete."""
    return _typing(call, service, call.json("parameters"))


def typing_get(call: Call, service: Service) -> Reply:
    """GET …/docs/search.suggest?search=… and …autocomplete: the same, spelled in the address."""
    request: dict[str, Any] = {}
    for name, value in call.query_list:
        target = _RENAMED.get(name, name)
        if target == "fuzzy":
            request[target] = call.flag(name)
        elif target in ("top", "minimumCoverage"):
            request[target] = _number(target, value)
        elif name != "api-version":
            request[target] = value
    return _typing(call, service, request)


def _typing(call: Call, service: Service, request: Mapping[str, Any]) -> Reply:
    index = service.index(call.parts["name"], call.api_version)
    engine = service.engines.get(index)
    suggest = call.parts["operation"] == "suggest"
    answer = engine.suggest(request) if suggest else engine.autocomplete(request)
    below = f"indexes('{index['name']}')/"
    context = call.context("docs(*)", below=below) if suggest else call.type_context("AutocompleteItem", many=True)
    return Reply(200, {**context, **answer}, media=call.media)


def _search(call: Call, service: Service, request: Mapping[str, Any]) -> Reply:
    index = service.index(call.parts["name"], call.api_version)
    answer = service.engines.get(index).search(request, call.api_version)
    rows = answer.pop("value")
    more = answer.get("@search.nextPageParameters")
    link: dict[str, Any] = {}
    if more is not None and call.method == "GET":
        link = {"@odata.nextLink": f"{call.base_url}/indexes('{call.parts['name']}')/docs?{_as_query(call, more)}"}
        answer.pop("@search.nextPageParameters")
    elif more is not None:
        path = f"indexes('{call.parts['name']}')/docs/search.post.search"
        link = {"@odata.nextLink": f"{call.base_url}/{path}?api-version={call.api_version}"}
    context = call.context("docs(*)", below=f"indexes('{index['name']}')/")
    told = {_RANKER: "stand-in"} if service.settings.stand_in_ranker else {}
    return Reply(200, {**context, **answer, "value": rows, **link}, told, media=call.media)


def _as_query(call: Call, request: Mapping[str, Any]) -> str:
    names = {new: old for old, new in _RENAMED.items()}
    pairs: list[tuple[str, str]] = [("api-version", call.api_version)]
    for name, value in request.items():
        for item in value if isinstance(value, list) else [value]:
            pairs.append((names.get(name, name), str(item).lower() if isinstance(item, bool) else str(item)))
    return urlencode(pairs)


def _number(name: str, value: str) -> int | float:
    try:
        return int(value) if name != "minimumCoverage" else float(value)
    except ValueError as error:
        raise invalid_request(f"The value '{value}' is not a number.", parameter=name) from error
