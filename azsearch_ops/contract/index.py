"""The properties of an index and of everything inside it but its fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from azsearch_ops.contract import sources
from azsearch_ops.contract.fields import FIELD_PROPERTIES
from azsearch_ops.contract.property import ObjectType, Property, table

_INDEX: Final = sources.CREATE_INDEX
_UPDATE: Final = sources.UPDATE_INDEX
_VECTOR: Final = sources.VECTOR_INDEX
_SEMANTIC: Final = sources.SEMANTIC

BM25: Final[Mapping[str, object]] = {"@odata.type": "#Microsoft.Azure.Search.BM25Similarity", "k1": 1.2, "b": 0.75}
"""What `similarity` means when an index leaves it out, or leaves k1 and b null."""

CLASSIC_SIMILARITY: Final = "#Microsoft.Azure.Search.ClassicSimilarity"
"""What services made before July 2020 still take; later ones answer 400."""

USER_ASSIGNED_IDENTITY: Final = "#Microsoft.Azure.Search.DataUserAssignedIdentity"
NO_IDENTITY: Final = "#Microsoft.Azure.Search.DataNoneIdentity"

_PROFILE: Final = sources.SCORING_PROFILES

FUNCTION_FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "distance": ("Edm.GeographyPoint",),
    "freshness": ("Edm.DateTimeOffset",),
    "magnitude": ("Edm.Int32", "Edm.Int64", "Edm.Double"),
    "tag": ("Edm.String", "Collection(Edm.String)"),
}
"""The types of field that each scoring function takes; all must be filterable."""

_INDEX_ROWS = table(
    Property("name", "string", sources.NAMING, required=True),
    Property("description", "string", _INDEX, change="in place", since="2025-09-01"),
    Property("fields", "list", _INDEX, required=True, of="field", order="named"),
    Property("scoringProfiles", "list", _UPDATE, of="scoringProfile", order="named", change="in place"),
    Property("defaultScoringProfile", "string", _UPDATE, change="in place"),
    Property("corsOptions", "object", _UPDATE, of="corsOptions", change="in place"),
    Property("suggesters", "list", _UPDATE, of="suggester", order="named"),
    Property("analyzers", "list", _UPDATE, of="analysis", order="named"),
    Property("tokenizers", "list", _UPDATE, of="analysis", order="named"),
    Property("tokenFilters", "list", _UPDATE, of="analysis", order="named"),
    Property("charFilters", "list", _UPDATE, of="analysis", order="named"),
    Property("normalizers", "list", _UPDATE, of="analysis", order="named", since="2025-09-01"),
    Property("encryptionKey", "object", _UPDATE, of="encryptionKey", change="in place", environment=True),
    Property("similarity", "object", sources.SIMILARITY, default=BM25, of="similarity", change="downtime"),
    Property("semantic", "object", _SEMANTIC, of="semantic", change="in place", since="2023-11-01"),
    Property("vectorSearch", "object", _VECTOR, of="vectorSearch", since="2023-11-01"),
    Property("permissionFilterOption", "string", sources.RECORDED, since="2025-05-01-preview", change="in place"),
    Property(
        "sharePointConnectorAppRegistration",
        "object",
        sources.SDK_PREVIEW,
        of="sharePointRegistration",
        since="2026-05-01-preview",
        environment=True,
    ),
    Property("purviewEnabled", "boolean", sources.RECORDED, default=False, since="2025-11-01-preview"),
)

INDEX_OBJECTS: Final[tuple[ObjectType, ...]] = (
    ObjectType("index", _INDEX_ROWS),
    ObjectType("field", FIELD_PROPERTIES),
    ObjectType(
        "scoringProfile",
        table(
            Property("name", "string", sources.NAMING, required=True),
            Property("text", "object", _PROFILE, of="textWeights"),
            Property("functions", "list", _PROFILE, of="scoringFunction"),
            Property(
                "functionAggregation",
                "string",
                _PROFILE,
                default="sum",
                values=("sum", "average", "minimum", "maximum", "firstMatching", "product"),
            ),
        ),
    ),
    ObjectType("textWeights", table(Property("weights", "any", _PROFILE, required=True))),
    ObjectType(
        "scoringFunction",
        table(
            Property("type", "string", _PROFILE, values=tuple(FUNCTION_FIELDS)),
            Property("fieldName", "string", _PROFILE, required=True),
            Property("boost", "number", _PROFILE, required=True),
            Property(
                "interpolation",
                "string",
                _PROFILE,
                default="linear",
                values=("linear", "constant", "quadratic", "logarithmic"),
            ),
            *(Property(kind, "object", _PROFILE, of=f"{kind}Function") for kind in FUNCTION_FIELDS),
        ),
    ),
    ObjectType(
        "distanceFunction",
        table(
            Property("referencePointParameter", "string", _PROFILE, required=True),
            Property("boostingDistance", "number", _PROFILE, required=True),
        ),
    ),
    ObjectType("freshnessFunction", table(Property("boostingDuration", "string", _PROFILE, required=True))),
    ObjectType(
        "magnitudeFunction",
        table(
            Property("boostingRangeStart", "number", _PROFILE, required=True),
            Property("boostingRangeEnd", "number", _PROFILE, required=True),
            Property("constantBoostBeyondRange", "boolean", _PROFILE, default=False),
        ),
    ),
    ObjectType("tagFunction", table(Property("tagsParameter", "string", _PROFILE, required=True))),
    ObjectType(
        "corsOptions",
        table(
            Property("allowedOrigins", "list", _INDEX, required=True, order="set"),
            Property("maxAgeInSeconds", "integer", _INDEX, default=300, minimum=0),
        ),
    ),
    ObjectType(
        "suggester",
        table(
            Property("name", "string", sources.NAMING, required=True),
            Property(
                "searchMode", "string", _INDEX, default="analyzingInfixMatching", values=("analyzingInfixMatching",)
            ),
            Property("sourceFields", "list", _INDEX, required=True, order="set"),
        ),
    ),
    ObjectType(
        "encryptionKey",
        table(
            Property("keyVaultKeyName", "string", _INDEX, required=True),
            Property("keyVaultKeyVersion", "string", _INDEX),
            Property("keyVaultUri", "string", _INDEX, required=True),
            Property("accessCredentials", "object", _INDEX, of="accessCredentials", write_only=True),
            Property("identity", "object", _INDEX, of="identity"),
            Property("isServiceLevelKey", "boolean", sources.SDK_PREVIEW, default=False, since="2026-05-01-preview"),
        ),
    ),
    ObjectType(
        "sharePointRegistration",
        table(
            Property("applicationId", "string", sources.SDK_PREVIEW, required=True, environment=True),
            Property("federatedCredentialId", "string", sources.SDK_PREVIEW, required=True, environment=True),
            Property("tenantId", "string", sources.SDK_PREVIEW, environment=True),
        ),
        since="2026-05-01-preview",
    ),
    ObjectType(
        "accessCredentials",
        table(
            Property("applicationId", "string", _INDEX, environment=True),
            Property("applicationSecret", "string", _INDEX, environment=True, write_only=True),
        ),
    ),
    ObjectType(
        "identity",
        table(
            Property("@odata.type", "string", _INDEX, required=True, values=(USER_ASSIGNED_IDENTITY, NO_IDENTITY)),
            Property("userAssignedIdentity", "string", _INDEX, environment=True),
            Property(
                "federatedIdentityClientId", "string", sources.SDK_PREVIEW, environment=True, since="2026-05-01-preview"
            ),
        ),
    ),
    ObjectType(
        "similarity",
        table(
            Property(
                "@odata.type",
                "string",
                sources.SIMILARITY,
                default=BM25["@odata.type"],
                values=(str(BM25["@odata.type"]), CLASSIC_SIMILARITY),
            ),
            Property("k1", "number", sources.SIMILARITY, default=1.2, minimum=0),
            Property("b", "number", sources.SIMILARITY, default=0.75, minimum=0, maximum=1),
        ),
    ),
    ObjectType(
        "semantic",
        table(
            Property("defaultConfiguration", "string", _SEMANTIC),
            Property("configurations", "list", _SEMANTIC, of="semanticConfiguration", order="named"),
        ),
    ),
    ObjectType(
        "semanticConfiguration",
        table(
            Property("name", "string", _SEMANTIC, required=True),
            Property("prioritizedFields", "object", _SEMANTIC, required=True, of="prioritizedFields"),
            Property(
                "rankingOrder",
                "string",
                _SEMANTIC,
                values=("BoostedRerankerScore", "RerankerScore"),
                since="2025-09-01",
            ),
            Property("flightingOptIn", "boolean", _SEMANTIC, default=False, since="2025-03-01-preview"),
        ),
    ),
    ObjectType(
        "prioritizedFields",
        table(
            Property("titleField", "object", _SEMANTIC, of="semanticField"),
            Property("prioritizedContentFields", "list", _SEMANTIC, of="semanticField"),
            Property("prioritizedKeywordsFields", "list", _SEMANTIC, of="semanticField"),
        ),
    ),
    ObjectType("semanticField", table(Property("fieldName", "string", _SEMANTIC, required=True))),
)
