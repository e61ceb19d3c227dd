"""The properties of a search request (POST /docs/search) and of its vector queries."""

from __future__ import annotations

from typing import Final

from azsearch_ops.contract import sources
from azsearch_ops.contract.property import ObjectType, Property, table

_SEARCH: Final = sources.SEARCH
_VECTOR: Final = sources.VECTOR_QUERY
_SEMANTIC: Final = sources.SEMANTIC

SEARCH_OBJECTS: Final[tuple[ObjectType, ...]] = (
    ObjectType(
        "searchRequest",
        table(
            Property("search", "string", _SEARCH),
            Property("count", "boolean", _SEARCH, default=False),
            Property("facets", "list", _SEARCH),
            Property("filter", "string", _SEARCH),
            Property("highlight", "string", _SEARCH, order="set"),
            Property("highlightPreTag", "string", _SEARCH, default="<em>"),
            Property("highlightPostTag", "string", _SEARCH, default="</em>"),
            Property("minimumCoverage", "number", _SEARCH, default=100, minimum=0, maximum=100),
            Property("orderby", "string", _SEARCH),
            Property("queryType", "string", _SEARCH, default="simple", values=("simple", "full", "semantic")),
            Property("scoringStatistics", "string", _SEARCH, default="local", values=("local", "global")),
            Property("sessionId", "string", _SEARCH),
            Property("scoringParameters", "list", _SEARCH, order="set"),
            Property("scoringProfile", "string", _SEARCH),
            Property(
                "debug",
                "string",
                _SEARCH,
                default="disabled",
                values=("disabled", "semantic", "vector", "queryRewrites", "innerHits", "all"),
                since="2025-09-01",
            ),
            Property("searchFields", "string", _SEARCH, order="set"),
            Property("searchMode", "string", _SEARCH, default="any", values=("any", "all")),
            Property("select", "string", _SEARCH, order="set"),
            Property("skip", "integer", _SEARCH, default=0, minimum=0, maximum=100_000),
            Property("top", "integer", _SEARCH, default=50, minimum=0),
            Property("semanticConfiguration", "string", _SEMANTIC, since="2023-11-01"),
            Property(
                "semanticErrorHandling",
                "string",
                _SEMANTIC,
                default="partial",
                values=("partial", "fail"),
                since="2023-11-01",
            ),
            Property("semanticMaxWaitInMilliseconds", "integer", _SEMANTIC, minimum=700, since="2023-11-01"),
            Property("semanticQuery", "string", _SEMANTIC, since="2023-11-01"),
            Property("answers", "string", _SEMANTIC, since="2023-11-01"),
            Property("captions", "string", _SEMANTIC, since="2023-11-01"),
            Property("vectorQueries", "list", _VECTOR, of="vectorQuery", since="2023-11-01"),
            Property(
                "vectorFilterMode",
                "string",
                _VECTOR,
                default="preFilter",
                values=("preFilter", "postFilter", "strictPostFilter"),
                newer={"strictPostFilter": "2025-08-01-preview"},
                since="2023-11-01",
            ),
            Property("hybridSearch", "object", sources.HYBRID, of="hybridSearch", since="2024-05-01-preview"),
            Property("queryLanguage", "string", _SEARCH, since="2021-04-30-preview"),
            Property("speller", "string", _SEARCH, since="2021-04-30-preview"),
            Property("queryRewrites", "string", _SEARCH, since="2024-11-01-preview"),
            Property("semanticFields", "string", _SEMANTIC, since="2023-10-01-preview"),
            Property("featuresMode", "string", _SEARCH, values=("none", "enabled"), since="2021-04-30-preview"),
        ),
    ),
    ObjectType(
        "vectorQuery",
        table(
            Property("kind", "string", _VECTOR, required=True, values=("vector", "text", "imageUrl", "imageBinary")),
            Property("vector", "list", _VECTOR, items="number"),
            Property("text", "string", _VECTOR, since="2024-07-01"),
            Property("url", "string", _VECTOR, since="2024-09-01-preview"),
            Property("base64Image", "string", _VECTOR, since="2024-09-01-preview"),
            Property("fields", "string", _VECTOR, order="set"),
            Property("k", "integer", _VECTOR, default=50, minimum=1),
            Property("exhaustive", "boolean", _VECTOR, default=False),
            Property("oversampling", "number", sources.QUANTIZATION, minimum=1, since="2024-07-01"),
            Property("weight", "number", sources.HYBRID_RANKING, default=1.0, since="2024-07-01"),
            Property("threshold", "object", _VECTOR, of="threshold", since="2024-05-01-preview"),
            Property("filterOverride", "string", _VECTOR, since="2024-09-01-preview"),
            Property("perDocumentVectorLimit", "integer", _VECTOR, since="2025-05-01-preview"),
            Property("queryRewrites", "string", _VECTOR, since="2024-11-01-preview"),
        ),
    ),
    ObjectType(
        "threshold",
        table(
            Property("kind", "string", _VECTOR, required=True, values=("vectorSimilarity", "searchScore")),
            Property("value", "number", _VECTOR, required=True),
        ),
    ),
    ObjectType(
        "hybridSearch",
        table(
            Property("maxTextRecallSize", "integer", sources.HYBRID, default=1000, minimum=1, maximum=10_000),
            Property(
                "countAndFacetMode",
                "string",
                sources.HYBRID,
                default="countAllResults",
                values=("countAllResults", "countRetrievableResults"),
            ),
        ),
    ),
)
