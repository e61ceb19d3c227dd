"""The properties of `vectorSearch`: profiles, algorithms, vectorizers, compressions."""

from __future__ import annotations

from typing import Final

from azsearch_ops.contract import sources
from azsearch_ops.contract.property import ObjectType, Property, table

_VECTOR: Final = sources.VECTOR_INDEX

_HNSW_ROWS = table(
    Property("m", "integer", _VECTOR, default=4, minimum=4, maximum=10),
    Property("efConstruction", "integer", _VECTOR, default=400, minimum=100, maximum=1000),
    Property("efSearch", "integer", _VECTOR, default=500, minimum=100, maximum=1000),
    Property("metric", "string", _VECTOR, default="cosine", values=("cosine", "dotProduct", "euclidean", "hamming")),
)

_RESCORING_ROWS = table(
    Property("enableRescoring", "boolean", sources.QUANTIZATION, default=True),
    Property("defaultOversampling", "number", sources.QUANTIZATION, minimum=1, change="candidate"),
    Property(
        "rescoreStorageMethod",
        "string",
        sources.QUANTIZATION,
        default="preserveOriginals",
        values=("preserveOriginals", "discardOriginals"),
    ),
)

_AOAI_VECTORIZER_ROWS = table(
    Property("resourceUri", "string", sources.VECTORIZER, environment=True, change="in place"),
    Property("deploymentId", "string", sources.VECTORIZER, environment=True, change="in place"),
    Property("apiKey", "string", sources.VECTORIZER, environment=True, write_only=True, change="in place"),
    Property("authIdentity", "object", sources.VECTORIZER, environment=True, change="in place"),
    Property("modelName", "string", sources.VECTORIZER),
)

_WEB_VECTORIZER_ROWS = table(
    Property("uri", "string", sources.VECTORIZER, required=True, environment=True, change="in place"),
    Property("httpMethod", "string", sources.VECTORIZER, default="POST", values=("POST", "PUT"), change="in place"),
    Property("httpHeaders", "any", sources.VECTORIZER, environment=True, write_only=True, change="in place"),
    Property("timeout", "string", sources.VECTORIZER, change="in place"),
    Property("authResourceId", "string", sources.VECTORIZER, environment=True, change="in place"),
    Property("authIdentity", "object", sources.VECTORIZER, environment=True, change="in place"),
)

_VISION_VECTORIZER_ROWS = table(
    Property("modelVersion", "string", sources.VECTORIZER, required=True),
    Property("resourceUri", "string", sources.VECTORIZER, environment=True, change="in place"),
    Property("apiKey", "string", sources.VECTORIZER, environment=True, write_only=True, change="in place"),
    Property("authIdentity", "object", sources.VECTORIZER, environment=True, change="in place"),
)

_AML_VECTORIZER_ROWS = table(
    Property("uri", "string", sources.VECTORIZER, environment=True, change="in place"),
    Property("key", "string", sources.VECTORIZER, environment=True, write_only=True, change="in place"),
    Property("resourceId", "string", sources.VECTORIZER, environment=True, change="in place"),
    Property("region", "string", sources.VECTORIZER, environment=True, change="in place"),
    Property("timeout", "string", sources.VECTORIZER, change="in place"),
    Property("modelName", "string", sources.VECTORIZER),
)

VECTOR_SEARCH_OBJECTS: Final[tuple[ObjectType, ...]] = (
    ObjectType(
        "vectorSearch",
        table(
            Property("profiles", "list", _VECTOR, of="vectorProfile", order="named"),
            Property("algorithms", "list", _VECTOR, of="vectorAlgorithm", order="named"),
            Property("vectorizers", "list", sources.VECTORIZER, of="vectorizer", order="named"),
            Property("compressions", "list", sources.QUANTIZATION, of="compression", order="named"),
        ),
    ),
    ObjectType(
        "vectorProfile",
        table(
            Property("name", "string", _VECTOR, required=True),
            Property("algorithm", "string", _VECTOR, required=True),
            Property("vectorizer", "string", sources.VECTORIZER, since="2024-07-01"),
            Property("compression", "string", sources.QUANTIZATION, since="2024-07-01"),
        ),
    ),
    ObjectType(
        "vectorAlgorithm",
        table(
            Property("name", "string", _VECTOR, required=True),
            Property("kind", "string", _VECTOR, required=True, values=("hnsw", "exhaustiveKnn")),
        ),
        discriminator="kind",
        variants={"hnsw": "hnswAlgorithm", "exhaustiveKnn": "exhaustiveAlgorithm"},
    ),
    ObjectType("hnswAlgorithm", table(Property("hnswParameters", "object", _VECTOR, default={}, of="hnswParameters"))),
    ObjectType("hnswParameters", _HNSW_ROWS),
    ObjectType(
        "exhaustiveAlgorithm",
        table(Property("exhaustiveKnnParameters", "object", _VECTOR, default={}, of="exhaustiveParameters")),
    ),
    ObjectType("exhaustiveParameters", {"metric": _HNSW_ROWS["metric"]}),
    ObjectType(
        "vectorizer",
        table(
            Property("name", "string", sources.VECTORIZER, required=True),
            Property("kind", "string", sources.VECTORIZER, required=True),
        ),
        open=True,
        discriminator="kind",
        variants={
            "azureOpenAI": "azureOpenAIVectorizer",
            "customWebApi": "webApiVectorizer",
            "aiServicesVision": "visionVectorizer",
            "aml": "amlVectorizer",
        },
    ),
    ObjectType(
        "azureOpenAIVectorizer",
        table(
            Property("azureOpenAIParameters", "object", sources.VECTORIZER, required=True, of="azureOpenAIParameters")
        ),
    ),
    ObjectType("azureOpenAIParameters", _AOAI_VECTORIZER_ROWS),
    ObjectType(
        "webApiVectorizer",
        table(
            Property("customWebApiParameters", "object", sources.VECTORIZER, required=True, of="customWebApiParameters")
        ),
    ),
    ObjectType("customWebApiParameters", _WEB_VECTORIZER_ROWS),
    ObjectType(
        "visionVectorizer",
        table(Property("aiServicesVisionParameters", "object", sources.VECTORIZER, of="aiServicesVisionParameters")),
        since="2024-05-01-preview",
    ),
    ObjectType("aiServicesVisionParameters", _VISION_VECTORIZER_ROWS),
    ObjectType(
        "amlVectorizer",
        table(Property("amlParameters", "object", sources.VECTORIZER, of="amlParameters")),
        since="2026-04-01",
    ),
    ObjectType("amlParameters", _AML_VECTORIZER_ROWS),
    ObjectType(
        "compression",
        table(
            Property("name", "string", sources.QUANTIZATION, required=True),
            Property(
                "kind",
                "string",
                sources.QUANTIZATION,
                required=True,
                values=("scalarQuantization", "binaryQuantization"),
            ),
            Property("rescoringOptions", "object", sources.QUANTIZATION, of="rescoringOptions", since="2025-09-01"),
            Property("truncationDimension", "integer", sources.QUANTIZATION, minimum=2, since="2025-09-01"),
            Property("rerankWithOriginalVectors", "boolean", sources.QUANTIZATION, since="2024-07-01"),
            Property("defaultOversampling", "number", sources.QUANTIZATION, minimum=1, since="2024-07-01"),
        ),
        discriminator="kind",
        variants={"scalarQuantization": "scalarQuantization", "binaryQuantization": "binaryQuantization"},
    ),
    ObjectType("rescoringOptions", _RESCORING_ROWS),
    ObjectType(
        "scalarQuantization",
        table(Property("scalarQuantizationParameters", "object", sources.QUANTIZATION, of="scalarParameters")),
    ),
    ObjectType("binaryQuantization", {}),
    ObjectType(
        "scalarParameters",
        table(Property("quantizedDataType", "string", sources.QUANTIZATION, default="int8", values=("int8",))),
    ),
)
