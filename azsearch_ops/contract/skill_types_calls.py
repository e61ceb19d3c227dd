"""The properties of the skills that call an address of the user's: embedding and chat models, web APIs."""

from __future__ import annotations

from typing import Final

from azsearch_ops.contract import sources
from azsearch_ops.contract.property import ObjectType, Property, table

EMBEDDING_ODATA_TYPE: Final = "#Microsoft.Skills.Text.AzureOpenAIEmbeddingSkill"
WEB_API_ODATA_TYPE: Final = "#Microsoft.Skills.Custom.WebApiSkill"
CHAT_ODATA_TYPE: Final = "#Microsoft.Skills.Custom.ChatCompletionSkill"

_EMBED: Final = sources.EMBEDDING_SKILL
_WEB: Final = sources.WEB_API_SKILL
_CHAT: Final = sources.SKILL_PAGES + "genai-prompt"
_AML: Final = sources.SKILL_PAGES.replace("skill-", "aml-skill")

CHAT_FORMATS: Final = ("text", "jsonObject", "jsonSchema", "json_object", "json_schema")
"""The page writes json_schema, the REST enumeration jsonSchema."""

CALLING_SKILL_OBJECTS: Final[tuple[ObjectType, ...]] = (
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
            Property("uri", "string", _WEB, required=True, environment=True, change="in place"),
            Property("httpHeaders", "any", _WEB, environment=True, write_only=True, change="in place"),
            Property("httpMethod", "string", _WEB, default="POST", values=("POST", "PUT"), change="in place"),
            Property("timeout", "string", _WEB, default="PT30S", change="in place"),
            Property("batchSize", "integer", _WEB, default=1000, minimum=1, change="in place"),
            Property("degreeOfParallelism", "integer", _WEB, minimum=1, maximum=10, change="in place"),
            Property("authResourceId", "string", _WEB, environment=True, change="in place"),
            Property("authIdentity", "object", _WEB, environment=True, change="in place"),
        ),
    ),
    ObjectType(
        "chatCompletionSkill",
        table(
            Property("uri", "string", _CHAT, required=True, environment=True, change="in place"),
            Property("apiKey", "string", _CHAT, environment=True, write_only=True, change="in place"),
            Property("authIdentity", "object", _CHAT, environment=True, change="in place"),
            Property("commonModelParameters", "object", _CHAT, of="chatModelParameters"),
            Property("extraParameters", "any", _CHAT),
            Property(
                "extraParametersBehavior",
                "string",
                _CHAT,
                default="error",
                values=("passThrough", "pass-through", "drop", "error"),
            ),
            Property("responseFormat", "object", _CHAT, of="chatResponseFormat"),
            Property("httpHeaders", "any", _CHAT, environment=True, write_only=True, since="2025-05-01-preview"),
            Property("httpMethod", "string", _CHAT, since="2025-05-01-preview", change="in place"),
            Property("timeout", "string", _CHAT, since="2025-05-01-preview", change="in place"),
            Property("batchSize", "integer", _CHAT, since="2025-05-01-preview", change="in place"),
            Property("degreeOfParallelism", "integer", _CHAT, since="2025-05-01-preview", change="in place"),
            Property("authResourceId", "string", _CHAT, environment=True, since="2025-05-01-preview"),
        ),
        since="2026-04-01",
    ),
    ObjectType(
        "chatModelParameters",
        table(
            Property("model", "string", _CHAT),
            Property("frequencyPenalty", "number", _CHAT, default=0),
            Property("presencePenalty", "number", _CHAT, default=0),
            Property("maxTokens", "integer", _CHAT, minimum=1),
            Property("temperature", "number", _CHAT, default=0.7),
            Property("seed", "integer", _CHAT),
            Property("stop", "list", _CHAT),
        ),
        open=True,
    ),
    ObjectType(
        "chatResponseFormat",
        table(
            Property("type", "string", _CHAT, values=CHAT_FORMATS),
            Property("jsonSchemaProperties", "object", _CHAT, of="chatSchemaProperties"),
        ),
    ),
    ObjectType(
        "chatSchemaProperties",
        table(
            Property("name", "string", _CHAT),
            Property("description", "string", _CHAT),
            Property("strict", "boolean", _CHAT, default=True),
            Property("schema", "any", _CHAT),
        ),
    ),
    ObjectType(
        "amlSkill",
        table(
            Property("uri", "string", _AML, environment=True, change="in place"),
            Property("key", "string", _AML, environment=True, write_only=True, change="in place"),
            Property("resourceId", "string", _AML, environment=True, change="in place"),
            Property("region", "string", _AML, environment=True, change="in place"),
            Property("timeout", "string", _AML, default="PT30S", change="in place"),
            Property("degreeOfParallelism", "integer", _AML, minimum=1, maximum=10, change="in place"),
        ),
        since="2020-06-30-preview",
    ),
)
