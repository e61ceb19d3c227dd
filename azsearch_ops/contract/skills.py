"""The properties of a skillset: skills, projections, and what surrounds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from azsearch_ops.contract import sources
from azsearch_ops.contract.property import ObjectType, Property, table
from azsearch_ops.contract.skill_types import SKILL_TYPE_OBJECTS, SKILL_TYPES
from azsearch_ops.contract.skill_types_calls import EMBEDDING_ODATA_TYPE

__all__ = [
    "EMBEDDING_MODELS",
    "EMBEDDING_NEEDS",
    "EMBEDDING_ODATA_TYPE",
    "EMBEDDING_READS",
    "EMBEDDING_SHORT_FORM",
    "FIXED_LENGTH_MODELS",
    "INCLUDE_PARENTS",
    "SKILL_OBJECTS",
    "SKIP_PARENTS",
]

EMBEDDING_MODELS: Final[Mapping[str, tuple[int, int]]] = {
    "text-embedding-ada-002": (1536, 1536),
    "text-embedding-3-small": (1, 1536),
    "text-embedding-3-large": (1, 3072),
}
"""Smallest and largest `dimensions` of the models that Azure names. Source: the embedding skill's page."""

FIXED_LENGTH_MODELS: Final = ("text-embedding-ada-002", "Cohere-embed-v3-english", "Cohere-embed-v3-multilingual")
"""Models that were not trained for vectors cut short. Source: the quantization page."""

EMBEDDING_NEEDS: Final = ("resourceUri", "deploymentId", "modelName")
"""Skill and vectorizer cannot be called without them, and the model is part of what names a candidate."""

EMBEDDING_READS: Final[Mapping[str, int]] = {
    "text-embedding-ada-002": 8_191,
    "text-embedding-3-small": 8_191,
    "text-embedding-3-large": 8_191,
    "Cohere-embed-v3-english": 512,
    "Cohere-embed-v3-multilingual": 512,
    "BAAI/bge-m3": 8_192,
    "BAAI/bge-small-en-v1.5": 512,
    "BAAI/bge-base-en-v1.5": 512,
    "BAAI/bge-large-en-v1.5": 512,
}
"""How many tokens of a text a model reads; the rest is cut off. Sources: the chunking page, the models' own pages.

Those that are not from OpenAI count with tokenizers of their own, for which cl100k_base is a stand-in.
"""

EMBEDDING_SHORT_FORM: Final = (
    "resourceUri",
    "deploymentId",
    "apiKey",
    "authIdentity",
    "modelName",
    "dimensions",
    "name",
    "description",
    "context",
    "inputs",
)
"""What `embedding:` of a skillset definition takes."""

SKIP_PARENTS: Final = "skipIndexingParentDocuments"
INCLUDE_PARENTS: Final = "includeIndexingParentDocuments"

_SKILLSET: Final = sources.SKILLSET
_STORE: Final = sources.KNOWLEDGE_STORE
_PROJECT: Final = sources.PROJECTIONS

_KEY = Property("key", "string", sources.BILLING, environment=True, write_only=True, change="in place")
_SUBDOMAIN = Property("subdomainUrl", "string", sources.BILLING, environment=True, change="in place")

SKILL_OBJECTS: Final[tuple[ObjectType, ...]] = (
    *SKILL_TYPE_OBJECTS,
    ObjectType(
        "skillset",
        table(
            Property("name", "string", sources.NAMING, required=True),
            Property("description", "string", _SKILLSET, change="in place"),
            Property("skills", "list", _SKILLSET, required=True, of="skill", order="named"),
            Property(
                "cognitiveServices", "object", _SKILLSET, of="cognitiveServices", environment=True, change="in place"
            ),
            Property("knowledgeStore", "object", _SKILLSET, of="knowledgeStore"),
            Property("indexProjections", "object", _PROJECT, of="indexProjections", since="2024-07-01"),
            Property("encryptionKey", "object", _SKILLSET, environment=True, change="in place"),
        ),
    ),
    ObjectType(
        "cognitiveServices",
        table(
            Property("@odata.type", "string", _SKILLSET, required=True),
            Property("description", "string", _SKILLSET, change="in place"),
        ),
        open=True,
        discriminator="@odata.type",
        variants={
            "#Microsoft.Azure.Search.DefaultCognitiveServices": "defaultCognitiveServices",
            "#Microsoft.Azure.Search.CognitiveServicesByKey": "cognitiveServicesByKey",
            "#Microsoft.Azure.Search.AIServicesByKey": "aiServicesByKey",
            "#Microsoft.Azure.Search.AIServicesByIdentity": "aiServicesByIdentity",
        },
    ),
    ObjectType("defaultCognitiveServices", {}),
    ObjectType("cognitiveServicesByKey", table(_KEY)),
    ObjectType("aiServicesByKey", table(_KEY, _SUBDOMAIN), since="2024-11-01-preview"),
    ObjectType(
        "aiServicesByIdentity",
        table(
            Property("identity", "object", sources.BILLING, of="identity", environment=True, change="in place"),
            _SUBDOMAIN,
        ),
        since="2024-11-01-preview",
    ),
    ObjectType(
        "knowledgeStore",
        table(
            Property("storageConnectionString", "string", _STORE, environment=True, write_only=True),
            Property("projections", "list", _STORE, of="knowledgeProjection"),
            Property("identity", "object", _STORE, of="identity", environment=True),
            Property("parameters", "any", _STORE, since="2024-05-01-preview"),
        ),
    ),
    ObjectType(
        "knowledgeProjection",
        table(
            *(
                Property(name, "list", _STORE, of="knowledgeSelector", order="named", key=f"{key}|source")
                for name, key in (
                    ("tables", "tableName"),
                    ("objects", "storageContainer"),
                    ("files", "storageContainer"),
                )
            )
        ),
    ),
    ObjectType(
        "knowledgeSelector",
        table(
            *(
                Property(name, "string", _STORE)
                for name in (
                    "tableName",
                    "storageContainer",
                    "referenceKeyName",
                    "generatedKeyName",
                    "source",
                    "sourceContext",
                )
            ),
            Property("inputs", "list", _STORE, of="inputMapping", order="named"),
        ),
    ),
    ObjectType(
        "skill",
        table(
            Property("@odata.type", "string", _SKILLSET, required=True),
            Property("name", "string", _SKILLSET),
            Property("description", "string", _SKILLSET, change="in place"),
            Property("context", "string", _SKILLSET, default="/document"),
            Property("inputs", "list", _SKILLSET, required=True, of="inputMapping", order="named"),
            Property("outputs", "list", _SKILLSET, required=True, of="outputMapping", order="named"),
        ),
        open=True,
        discriminator="@odata.type",
        variants=SKILL_TYPES,
    ),
    ObjectType(
        "inputMapping",
        table(
            Property("name", "string", _SKILLSET, required=True),
            Property("source", "string", _SKILLSET),
            Property("sourceContext", "string", _SKILLSET),
            Property("inputs", "list", _SKILLSET, of="inputMapping", order="named"),
        ),
    ),
    ObjectType(
        "outputMapping",
        table(
            Property("name", "string", _SKILLSET, required=True),
            Property("targetName", "string", _SKILLSET),
        ),
    ),
    ObjectType(
        "indexProjections",
        table(
            Property("selectors", "list", _PROJECT, required=True, of="selector", order="named", key="targetIndexName"),
            Property("parameters", "object", _PROJECT, default={}, of="projectionParameters"),
        ),
    ),
    ObjectType(
        "selector",
        table(
            Property("targetIndexName", "string", _PROJECT, required=True),
            Property("parentKeyFieldName", "string", _PROJECT, required=True),
            Property("sourceContext", "string", _PROJECT, required=True),
            Property("mappings", "list", _PROJECT, required=True, of="inputMapping", order="named"),
        ),
    ),
    ObjectType(
        "projectionParameters",
        table(
            Property(
                "projectionMode",
                "string",
                _PROJECT,
                default=INCLUDE_PARENTS,
                values=(SKIP_PARENTS, INCLUDE_PARENTS),
            ),
        ),
        open=True,
    ),
)
