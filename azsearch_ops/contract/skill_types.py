"""The properties that each kind of skill has of its own; Text Split, embedding and Web API among them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from azsearch_ops.contract import languages, sources, text_split
from azsearch_ops.contract.property import ObjectType, Property, table
from azsearch_ops.contract.skill_types_files import FILE_SKILL_OBJECTS

EMBEDDING_ODATA_TYPE: Final = "#Microsoft.Skills.Text.AzureOpenAIEmbeddingSkill"
WEB_API_ODATA_TYPE: Final = "#Microsoft.Skills.Custom.WebApiSkill"
CHAT_ODATA_TYPE: Final = "#Microsoft.Skills.Custom.ChatCompletionSkill"

_SPLIT: Final = text_split.SOURCE
_EMBED: Final = sources.EMBEDDING_SKILL
_WEB: Final = sources.WEB_API_SKILL

CHAT_FORMATS: Final = ("text", "jsonObject", "jsonSchema", "json_object", "json_schema")
"""The page writes json_schema, the REST enumeration jsonSchema."""

ENTITY_CATEGORIES: Final = ("Person", "Quantity", "Organization", "URL", "Email", "Location", "DateTime")
"""What the retired entity skill takes for granted. Source: recorded answers (py2021 skillset cases)."""


def _page(name: str) -> str:
    return sources.SKILL_PAGES + name


def _language(source: str, known: tuple[str, ...] = ()) -> Property:
    return Property("defaultLanguageCode", "string", source, default="en", known=known)


def _model(source: str) -> Property:
    return Property("modelVersion", "string", source, since="2021-04-30-preview")


def _precision(source: str) -> Property:
    return Property("minimumPrecision", "number", source, minimum=0, maximum=1)


def _own_language_skill(name: str, page: str, *rows: Property, known: tuple[str, ...] = ()) -> ObjectType:
    source = _page(page)
    return ObjectType(name, table(_language(source, known), *rows))


_KEY_PHRASES = _page("keyphrases")
_DETECT = _page("language-detection")
_ENTITIES = _page("entity-recognition-v3")
_LINKING = _page("entity-linking-v3")
_SENTIMENT = _page("sentiment-v3")
_PII = _page("pii-detection")
_TRANSLATE = _page("text-translation")
_LOOKUP = _page("custom-entity-lookup")
_MERGE = _page("textmerger")
_CHAT = _page("genai-prompt")
_AML = sources.SKILL_PAGES.replace("skill-", "aml-skill")

_CUSTOM_ENTITY_FLAGS = (
    Property("caseSensitive", "boolean", _LOOKUP),
    Property("accentSensitive", "boolean", _LOOKUP),
    Property("fuzzyEditDistance", "integer", _LOOKUP, minimum=0, maximum=5),
)

SKILL_TYPES: Final[Mapping[str, str]] = {
    text_split.ODATA_TYPE: "splitSkill",
    EMBEDDING_ODATA_TYPE: "embeddingSkill",
    WEB_API_ODATA_TYPE: "webApiSkill",
    CHAT_ODATA_TYPE: "chatCompletionSkill",
    "#Microsoft.Skills.Custom.AmlSkill": "amlSkill",
    "#Microsoft.Skills.Text.KeyPhraseExtractionSkill": "keyPhraseSkill",
    "#Microsoft.Skills.Text.LanguageDetectionSkill": "languageDetectionSkill",
    "#Microsoft.Skills.Text.EntityRecognitionSkill": "entityRecognitionSkillV1",
    "#Microsoft.Skills.Text.V3.EntityRecognitionSkill": "entityRecognitionSkill",
    "#Microsoft.Skills.Text.V3.EntityLinkingSkill": "entityLinkingSkill",
    "#Microsoft.Skills.Text.SentimentSkill": "sentimentSkillV1",
    "#Microsoft.Skills.Text.V3.SentimentSkill": "sentimentSkill",
    "#Microsoft.Skills.Text.PIIDetectionSkill": "piiDetectionSkill",
    "#Microsoft.Skills.Text.TranslationSkill": "translationSkill",
    "#Microsoft.Skills.Text.CustomEntityLookupSkill": "customEntityLookupSkill",
    "#Microsoft.Skills.Text.MergeSkill": "mergeSkill",
    "#Microsoft.Skills.Util.ShaperSkill": "shaperSkill",
    "#Microsoft.Skills.Util.ConditionalSkill": "conditionalSkill",
    "#Microsoft.Skills.Util.DocumentExtractionSkill": "documentExtractionSkill",
    "#Microsoft.Skills.Util.DocumentIntelligenceLayoutSkill": "layoutSkill",
    "#Microsoft.Skills.Util.ContentUnderstandingSkill": "contentUnderstandingSkill",
    "#Microsoft.Skills.Vision.OcrSkill": "ocrSkill",
    "#Microsoft.Skills.Vision.ImageAnalysisSkill": "imageAnalysisSkill",
    "#Microsoft.Skills.Vision.VectorizeSkill": "visionVectorizeSkill",
}
"""Object type by `@odata.type`."""

SKILL_TYPE_OBJECTS: Final[tuple[ObjectType, ...]] = (
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
    _own_language_skill(
        "keyPhraseSkill",
        "keyphrases",
        Property("maxKeyPhraseCount", "integer", _KEY_PHRASES, minimum=1),
        _model(_KEY_PHRASES),
        known=languages.KEY_PHRASES,
    ),
    ObjectType(
        "languageDetectionSkill",
        table(Property("defaultCountryHint", "string", _DETECT), _model(_DETECT)),
    ),
    ObjectType(
        "entityRecognitionSkillV1",
        table(
            _language(_ENTITIES),
            Property("categories", "list", _ENTITIES, default=ENTITY_CATEGORIES, order="set"),
            Property("includeTypelessEntities", "boolean", _ENTITIES),
            _precision(_ENTITIES),
        ),
        replaced_by="#Microsoft.Skills.Text.V3.EntityRecognitionSkill",
    ),
    _own_language_skill(
        "entityRecognitionSkill",
        "entity-recognition-v3",
        Property("categories", "list", _ENTITIES, order="set"),
        _precision(_ENTITIES),
        _model(_ENTITIES),
    ),
    _own_language_skill("entityLinkingSkill", "entity-linking-v3", _precision(_LINKING), _model(_LINKING)),
    ObjectType(
        "sentimentSkillV1",
        table(_language(_SENTIMENT)),
        replaced_by="#Microsoft.Skills.Text.V3.SentimentSkill",
    ),
    _own_language_skill(
        "sentimentSkill",
        "sentiment-v3",
        Property("includeOpinionMining", "boolean", _SENTIMENT, default=False),
        _model(_SENTIMENT),
        known=languages.SENTIMENT,
    ),
    _own_language_skill(
        "piiDetectionSkill",
        "pii-detection",
        _precision(_PII),
        Property("maskingMode", "string", _PII, default="none", values=("none", "replace")),
        Property("maskingCharacter", "string", _PII),
        Property("domain", "string", _PII, default="none", values=("none", "phi")),
        Property("piiCategories", "list", _PII, order="set"),
        _model(_PII),
    ),
    ObjectType(
        "translationSkill",
        table(
            Property("defaultToLanguageCode", "string", _TRANSLATE, required=True, known=languages.TRANSLATION),
            Property("defaultFromLanguageCode", "string", _TRANSLATE, known=languages.TRANSLATION),
            Property("suggestedFrom", "string", _TRANSLATE, known=languages.TRANSLATION),
        ),
    ),
    ObjectType(
        "customEntityLookupSkill",
        table(
            Property("defaultLanguageCode", "string", _LOOKUP, known=languages.ENTITY_LOOKUP),
            Property("entitiesDefinitionUri", "string", _LOOKUP, environment=True),
            Property("inlineEntitiesDefinition", "list", _LOOKUP, of="customEntity", order="named"),
            Property("globalDefaultCaseSensitive", "boolean", _LOOKUP, default=False),
            Property("globalDefaultAccentSensitive", "boolean", _LOOKUP, default=False),
            Property("globalDefaultFuzzyEditDistance", "integer", _LOOKUP, default=0, minimum=0, maximum=5),
        ),
    ),
    ObjectType(
        "customEntity",
        table(
            Property("name", "string", _LOOKUP, required=True),
            *(Property(name, "string", _LOOKUP) for name in ("description", "type", "subtype", "id")),
            *_CUSTOM_ENTITY_FLAGS,
            Property("defaultCaseSensitive", "boolean", _LOOKUP),
            Property("defaultAccentSensitive", "boolean", _LOOKUP),
            Property("defaultFuzzyEditDistance", "integer", _LOOKUP, minimum=0, maximum=5),
            Property("aliases", "list", _LOOKUP, of="customEntityAlias", order="named", key="text"),
        ),
    ),
    ObjectType("customEntityAlias", table(Property("text", "string", _LOOKUP, required=True), *_CUSTOM_ENTITY_FLAGS)),
    ObjectType(
        "mergeSkill",
        table(
            Property("insertPreTag", "string", _MERGE, default=" "),
            Property("insertPostTag", "string", _MERGE, default=" "),
        ),
    ),
    ObjectType("shaperSkill", {}),
    ObjectType("conditionalSkill", {}),
    *FILE_SKILL_OBJECTS,
)
