"""Addresses of the pages that the rows of the contract rest on."""

from __future__ import annotations

from typing import Final

_LEARN: Final = "https://learn.microsoft.com/azure/search/"
_REST: Final = "https://learn.microsoft.com/rest/api/searchservice/"

NAMING: Final = _REST + "naming-rules"
ALIAS: Final = _LEARN + "search-how-to-alias"
UPDATE_INDEX: Final = _REST + "update-index"
REINDEX: Final = _LEARN + "search-howto-reindex"
CREATE_INDEX: Final = _REST + "indexes/create"
DATA_TYPES: Final = _REST + "supported-data-types"
VECTOR_INDEX: Final = _LEARN + "vector-search-how-to-create-index"
VECTORIZER: Final = _LEARN + "vector-search-how-to-configure-vectorizer"
VECTOR_STORAGE: Final = _LEARN + "vector-search-how-to-storage-options"
QUANTIZATION: Final = _LEARN + "vector-search-how-to-quantization"
SIMILARITY: Final = _LEARN + "index-ranking-similarity"
SCORING: Final = _LEARN + "index-similarity-and-scoring"
SEMANTIC: Final = _LEARN + "semantic-how-to-configure"
TEXT_SPLIT: Final = _LEARN + "cognitive-search-skill-textsplit"
CHUNKING: Final = _LEARN + "vector-search-how-to-chunk-documents"
EMBEDDING_SKILL: Final = _LEARN + "cognitive-search-skill-azure-openai-embedding"
PROJECTIONS: Final = _LEARN + "search-how-to-define-index-projections"
SKILLSET: Final = _REST + "skillsets/create"
DATA_SOURCE: Final = _REST + "data-sources/create"
INDEXER: Final = _REST + "indexers/create"
FIELD_MAPPINGS: Final = _LEARN + "search-indexer-field-mappings"
BLOB_DELETION: Final = _LEARN + "search-howto-index-changed-deleted-blobs"
SEARCH: Final = _REST + "documents/search-post"
VECTOR_QUERY: Final = _LEARN + "vector-search-how-to-query"
HYBRID: Final = _LEARN + "hybrid-search-how-to-query"
HYBRID_RANKING: Final = _LEARN + "hybrid-search-ranking"
LIMITS: Final = _LEARN + "search-limits-quotas-capacity"
VERSIONS: Final = _REST + "search-service-api-versions"
SPEC_CHANGES: Final = (
    "https://github.com/Azure/azure-rest-api-specs/blob/main/specification/search/data-plane/Search"
    "/stable/2026-04-01/CHANGELOG.md"
)
RECORDED: Final = "recorded answers of the hosted service (azure-sdk-assets), e.g. py2026-alias-lifecycle"
