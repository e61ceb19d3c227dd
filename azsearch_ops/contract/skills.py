"""The properties of a skillset: skills, projections, and what surrounds them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from azsearch_ops.contract import sources, text_split
from azsearch_ops.contract.property import ObjectType, Property, table

EMBEDDING_ODATA_TYPE: Final = "#Microsoft.Skills.Text.AzureOpenAIEmbeddingSkill"
EMBEDDING_MODELS: Final[Mapping[str, tuple[int, int]]] = {
    "text-embedding-ada-002": (1536, 1536),
    "text-embedding-3-small": (1, 1536),
    "text-embedding-3-large": (1, 3072),
}
"""Smallest and largest `dimensions` of the models that Azure names. Source: the embedding skill's page."""

EMBEDDING_SHORT_FORM: Final = (
    "resourceUri",
    "deploymentId",
    "apiKey",
    "authIdentity",
    "modelName",
    "dimensions",
    "name",
    "context",
    "inputs",
)
"""What `embedding:` of a skillset definition takes."""

SKIP_PARENTS: Final = "skipIndexingParentDocuments"
INCLUDE_PARENTS: Final = "includeIndexingParentDocuments"

_SKILLSET: Final = sources.SKILLSET
_SPLIT: Final = text_split.SOURCE
_EMBED: Final = sources.EMBEDDING_SKILL
_PROJECT: Final = sources.PROJECTIONS

SKILL_OBJECTS: Final[tuple[ObjectType, ...]] = (
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
            Property("key", "string", _SKILLSET, environment=True, write_only=True, change="in place"),
        ),
        open=True,
    ),
    ObjectType(
        "knowledgeStore",
        table(
            Property("storageConnectionString", "string", _SKILLSET, environment=True, write_only=True),
            Property("projections", "list", _SKILLSET),
        ),
        open=True,
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
        variants={
            text_split.ODATA_TYPE: "splitSkill",
            EMBEDDING_ODATA_TYPE: "embeddingSkill",
            "#Microsoft.Skills.Custom.WebApiSkill": "webApiSkill",
        },
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
        "splitSkill",
        table(
            Property("textSplitMode", "string", _SPLIT, default=text_split.DEFAULT_MODE, values=text_split.MODES),
            Property(
                "maximumPageLength",
                "integer",
                _SPLIT,
                default=text_split.DEFAULT_PAGE_LENGTH,
                minimum=text_split.MINIMUM_PAGE_LENGTH,
                maximum=text_split.MAXIMUM_PAGE_LENGTH,
            ),
            Property("pageOverlapLength", "integer", _SPLIT, default=0, minimum=0, since="2024-07-01"),
            Property("maximumPagesToTake", "integer", _SPLIT, default=0, minimum=0, since="2024-07-01"),
            Property("defaultLanguageCode", "string", _SPLIT, default="en", values=text_split.LANGUAGES),
            Property(
                "unit",
                "string",
                _SPLIT,
                default=text_split.DEFAULT_UNIT,
                values=text_split.UNITS,
                since=text_split.UNIT_SINCE,
            ),
            Property(
                "azureOpenAITokenizerParameters",
                "object",
                _SPLIT,
                of="tokenizerParameters",
                since=text_split.UNIT_SINCE,
            ),
        ),
    ),
    ObjectType(
        "tokenizerParameters",
        table(
            Property(
                "encoderModelName",
                "string",
                _SPLIT,
                default=text_split.DEFAULT_ENCODER,
                values=text_split.ENCODERS,
            ),
            Property("allowedSpecialTokens", "list", _SPLIT, order="set"),
        ),
    ),
    ObjectType(
        "embeddingSkill",
        table(
            Property("resourceUri", "string", _EMBED, environment=True, change="in place"),
            Property("deploymentId", "string", _EMBED, environment=True, change="in place"),
            Property("apiKey", "string", _EMBED, environment=True, write_only=True, change="in place"),
            Property("authIdentity", "object", _EMBED, environment=True, change="in place"),
            Property("modelName", "string", _EMBED),
            Property("dimensions", "integer", _EMBED, minimum=1),
        ),
    ),
    ObjectType(
        "webApiSkill",
        table(
            Property("uri", "string", _SKILLSET, required=True, environment=True, change="in place"),
            Property("httpHeaders", "any", _SKILLSET, environment=True, write_only=True, change="in place"),
            Property("httpMethod", "string", _SKILLSET, default="POST", change="in place"),
            Property("timeout", "string", _SKILLSET, default="PT30S", change="in place"),
            Property("batchSize", "integer", _SKILLSET, default=1000, change="in place"),
            Property("degreeOfParallelism", "integer", _SKILLSET, change="in place"),
            Property("authResourceId", "string", _SKILLSET, environment=True, change="in place"),
            Property("authIdentity", "object", _SKILLSET, environment=True, change="in place"),
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
