"""A search request read and checked: what is not supported, or not known, is refused by name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from azsearch_ops.local.errors import ServiceFault, invalid_request, not_supported_here
from azsearch_ops.local.search.facet_request import Facet, read_facets
from azsearch_ops.local.search.highlighting import Highlights, read_highlights
from azsearch_ops.local.search.odata.parser import parse_filter, parse_orderby
from azsearch_ops.local.search.odata.syntax import Expression, Ordering
from azsearch_ops.local.search.parameters import Parameters, api_date, is_preview
from azsearch_ops.local.search.query import Occur
from azsearch_ops.local.search.schema import Field, Schema
from azsearch_ops.local.search.scoring_profile import Profile, read_profile
from azsearch_ops.local.search.selection import Selection, read_selection
from azsearch_ops.local.search.semantic_request import SemanticRequest, read_semantic
from azsearch_ops.local.search.vector_query import VectorQuery, read_vector_queries

MAX_SEARCH_LENGTH = 100_000
MAX_SKIP = 100_000
DEFAULT_RECALL = 1000

_KNOWN = frozenset(
    [
        "search",
        "queryType",
        "searchMode",
        "searchFields",
        "filter",
        "orderby",
        "select",
        "top",
        "skip",
        "count",
        "vectorQueries",
        "vectorFilterMode",
        "hybridSearch",
        "minimumCoverage",
        "scoringStatistics",
        "sessionId",
        "debug",
        "facets",
        "highlight",
        "highlightPreTag",
        "highlightPostTag",
        "scoringProfile",
        "scoringParameters",
        "semanticConfiguration",
        "semanticErrorHandling",
        "semanticMaxWaitInMilliseconds",
        "semanticQuery",
        "semanticFields",
        "answers",
        "captions",
        "queryLanguage",
        "speller",
        "queryRewrites",
        "featuresMode",
    ]
)
_FILTER_MODES = ("preFilter", "postFilter", "strictPostFilter")
_REFUSED = ("semanticFields", "queryLanguage", "speller", "queryRewrites")


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What to search, in the terms of the index. `text` is None where only vectors are asked for.

    `recall` limits the text results that take part in a hybrid search; `count_all` says whether the others count.
    """

    body: Mapping[str, Any]
    text: str | None
    full: bool
    default: Occur
    fields: tuple[Field, ...]
    filter: Expression | None
    orderby: tuple[Ordering, ...]
    selection: Selection
    top: int | None
    skip: int
    count: bool
    coverage: bool
    debug: bool
    vectors: tuple[VectorQuery, ...]
    post_filter: bool
    facets: tuple[Facet, ...]
    profile: Profile | None
    recall: int
    count_all: bool
    semantic: SemanticRequest | None
    highlights: Highlights | None


def read_request(body: Mapping[str, Any], schema: Schema, api_version: str, *, ranker: bool = False) -> SearchRequest:
    """The request of a REST body; ServiceFault 400 for the first thing that is wrong with it.

    `ranker` says whether there is anything that ranks semantically.
    """
    parameters = Parameters(body, "search", _KNOWN)
    for name in _REFUSED:
        if parameters.given(name):
            raise not_supported_here(f"the search parameter '{name}'", name)
    _check_choices(parameters)
    semantic = read_semantic(parameters, schema, offered=ranker)
    profile = read_profile(parameters.string("scoringProfile"), parameters.strings("scoringParameters"), schema)
    if semantic is not None and profile is not None and profile.functions:
        raise not_supported_here("scoring functions together with semantic ranking", "scoringProfile")
    vectors = read_vector_queries(parameters.list("vectorQueries"), schema, api_version)
    text = parameters.string("search")
    if text is not None and len(text) > MAX_SEARCH_LENGTH:
        raise invalid_request(
            f"The search text has {len(text)} characters; the maximum is {MAX_SEARCH_LENGTH}.",
            "InvalidSearchSyntax",
            "search",
        )
    if vectors and (text is None or not text.strip()):
        text = None
    elif text is None:
        text = ""
    recall, count_all = _hybrid(parameters, api_version)
    filter_text = parameters.string("filter")
    order_text = parameters.string("orderby")
    return SearchRequest(
        body=body,
        text=text,
        full=parameters.string("queryType") == "full",
        default=Occur.MUST if parameters.string("searchMode") == "all" else Occur.SHOULD,
        fields=_searched(parameters.string("searchFields"), schema),
        filter=parse_filter(filter_text) if filter_text and filter_text.strip() else None,
        orderby=parse_orderby(order_text) if order_text and order_text.strip() else (),
        selection=read_selection(parameters.string("select"), schema),
        top=parameters.integer("top", 0),
        skip=parameters.integer("skip", 0, MAX_SKIP) or 0,
        count=bool(parameters.boolean("count")),
        coverage=parameters.number("minimumCoverage", 0, 100) is not None,
        debug=parameters.string("debug") in ("vector", "all"),
        vectors=vectors,
        # Both other modes filter the k nearest; they differ only in whether that is done by shard
        post_filter=parameters.choice("vectorFilterMode", _FILTER_MODES, "preFilter") != "preFilter",
        facets=read_facets(parameters.strings("facets"), schema),
        profile=profile,
        recall=recall,
        count_all=count_all,
        semantic=semantic,
        highlights=read_highlights(parameters, schema),
    )


def _check_choices(parameters: Parameters) -> None:
    parameters.choice("queryType", ("simple", "full", "semantic"), "simple")
    parameters.choice("searchMode", ("any", "all"), "any")
    parameters.choice("scoringStatistics", ("local", "global"), "local")
    debug = parameters.choice(
        "debug", ("disabled", "vector", "all", "semantic", "queryRewrites", "innerHits"), "disabled"
    )
    if debug in ("queryRewrites", "innerHits"):
        raise not_supported_here(f"the debug mode '{debug}'", "debug")
    features = parameters.choice("featuresMode", ("none", "enabled"), "none")
    if features != "none":
        raise not_supported_here("the search parameter 'featuresMode'", "featuresMode")
    session = parameters.string("sessionId")
    if session is not None and session.startswith("_"):
        raise invalid_request("A session identifier must not begin with '_'.", "InvalidSessionId", "sessionId")
    if (parameters.string("highlightPreTag") is None) != (parameters.string("highlightPostTag") is None):
        raise invalid_request("'highlightPreTag' and 'highlightPostTag' must be set together.", "", "highlightPreTag")


def _hybrid(parameters: Parameters, api_version: str) -> tuple[int, bool]:
    settings = parameters.mapping("hybridSearch")
    if settings is None:
        return DEFAULT_RECALL, True
    if not is_preview(api_version) or api_date(api_version) < "2024-05-01":
        raise parameters.unknown("hybridSearch")
    inner = Parameters(settings, "search", frozenset(("maxTextRecallSize", "countAndFacetMode")))
    recall = inner.integer("maxTextRecallSize", 1, 10_000)
    mode: Literal["countAllResults", "countRetrievableResults"] | str
    mode = inner.choice("countAndFacetMode", ("countAllResults", "countRetrievableResults"), "countAllResults")
    return recall or DEFAULT_RECALL, mode == "countAllResults"


def _searched(text: str | None, schema: Schema) -> tuple[Field, ...]:
    names = [name.strip() for name in (text or "").split(",") if name.strip()]
    if not names:
        return schema.searchable
    found: list[Field] = []
    for name in names:
        field = schema.by_path.get(name)
        if field is None:
            raise _no_search_field(f"The field '{name}' in the search field list does not exist in the index.")
        if field not in schema.searchable:
            raise _no_search_field(f"The field '{name}' in the search field list is not searchable.")
        if field not in found:
            found.append(field)
    return tuple(found)


def _no_search_field(message: str) -> ServiceFault:
    return invalid_request(message, "FieldNotSearchable", "searchFields")
