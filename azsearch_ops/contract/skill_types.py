"""The properties that each kind of skill has of its own, and which type name means which kind."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from azsearch_ops.contract import sources, text_split
from azsearch_ops.contract.property import ObjectType, Property, table
from azsearch_ops.contract.skill_types_calls import (
    CALLING_SKILL_OBJECTS,
    CHAT_ODATA_TYPE,
    EMBEDDING_ODATA_TYPE,
    WEB_API_ODATA_TYPE,
)
from azsearch_ops.contract.skill_types_files import FILE_SKILL_OBJECTS
from azsearch_ops.contract.skill_types_language import LANGUAGE_SKILL_OBJECTS

_SPLIT: Final = text_split.SOURCE
_MERGE: Final = sources.SKILL_PAGES + "textmerger"

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
            Property(
                "defaultLanguageCode",
                "string",
                _SPLIT,
                default=text_split.DEFAULT_LANGUAGE,
                values=text_split.LANGUAGES,
            ),
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
    *CALLING_SKILL_OBJECTS,
    *LANGUAGE_SKILL_OBJECTS,
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
