"""The properties of the skills that read language: phrases, entities, sentiment, translation, lookup."""

from __future__ import annotations

from typing import Final

from azsearch_ops.contract import languages, sources
from azsearch_ops.contract.property import ObjectType, Property, table

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


_KEY_PHRASES: Final = _page("keyphrases")
_DETECT: Final = _page("language-detection")
_ENTITIES: Final = _page("entity-recognition-v3")
_LINKING: Final = _page("entity-linking-v3")
_SENTIMENT: Final = _page("sentiment-v3")
_PII: Final = _page("pii-detection")
_TRANSLATE: Final = _page("text-translation")
_LOOKUP: Final = _page("custom-entity-lookup")

_CUSTOM_ENTITY_FLAGS = (
    Property("caseSensitive", "boolean", _LOOKUP),
    Property("accentSensitive", "boolean", _LOOKUP),
    Property("fuzzyEditDistance", "integer", _LOOKUP, minimum=0, maximum=5),
)

LANGUAGE_SKILL_OBJECTS: Final[tuple[ObjectType, ...]] = (
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
)
