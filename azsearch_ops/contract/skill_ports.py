"""What each kind of skill reads and puts out, by `@odata.type`. Source: the page of each skill."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from azsearch_ops.contract import text_split
from azsearch_ops.contract.skill_types_calls import CHAT_ODATA_TYPE, EMBEDDING_ODATA_TYPE

Shape = Literal["value", "list", "tree"]
"""One value; a list of values, each at `…/*`; or objects whose members are not listed here."""


@dataclass(frozen=True, slots=True)
class Ports:
    """Names of inputs (those without which the skill does nothing first), and outputs with their shapes.

    `any_input` skills take inputs of any name; those without `outputs` answer whatever they like.
    """

    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    outputs: Mapping[str, Shape] | None = None
    any_input: bool = False

    def shape(self, output: str) -> Shape:
        """The shape of an output; unknown ones may be anything."""
        return (self.outputs or {}).get(output, "tree")


_TEXT = ("text",)
_LANGUAGE = ("languageCode",)
_ENTITIES: Final[Mapping[str, Shape]] = {
    **dict.fromkeys(
        (
            "persons",
            "locations",
            "organizations",
            "quantities",
            "dateTimes",
            "urls",
            "emails",
            "personTypes",
            "events",
            "products",
            "skills",
            "addresses",
            "phoneNumbers",
            "ipAddresses",
        ),
        "list",
    ),
    "namedEntities": "tree",
    "entities": "tree",
}

SKILL_PORTS: Final[Mapping[str, Ports]] = {
    text_split.ODATA_TYPE: Ports(
        _TEXT,
        _LANGUAGE,
        {"textItems": "list", "offsets": "tree", "lengths": "tree", "ordinalPositions": "tree"},
    ),
    EMBEDDING_ODATA_TYPE: Ports(_TEXT, (), {"embedding": "value"}),
    CHAT_ODATA_TYPE: Ports(
        ("userMessage",),
        ("systemMessage", "text", "image", "imageDetail"),
        {"response": "tree", "usageInformation": "tree"},
        any_input=True,
    ),
    "#Microsoft.Skills.Custom.WebApiSkill": Ports(any_input=True),
    "#Microsoft.Skills.Custom.AmlSkill": Ports(any_input=True),
    "#Microsoft.Skills.Text.KeyPhraseExtractionSkill": Ports(_TEXT, _LANGUAGE, {"keyPhrases": "list"}),
    "#Microsoft.Skills.Text.LanguageDetectionSkill": Ports(
        _TEXT, ("countryHint",), {"languageCode": "value", "languageName": "value", "score": "value"}
    ),
    "#Microsoft.Skills.Text.EntityRecognitionSkill": Ports(_TEXT, _LANGUAGE, _ENTITIES),
    "#Microsoft.Skills.Text.V3.EntityRecognitionSkill": Ports(_TEXT, _LANGUAGE, _ENTITIES),
    "#Microsoft.Skills.Text.V3.EntityLinkingSkill": Ports(_TEXT, _LANGUAGE, {"entities": "tree"}),
    "#Microsoft.Skills.Text.SentimentSkill": Ports(_TEXT, _LANGUAGE, {"score": "value"}),
    "#Microsoft.Skills.Text.V3.SentimentSkill": Ports(
        _TEXT, _LANGUAGE, {"sentiment": "value", "confidenceScores": "tree", "sentences": "tree"}
    ),
    "#Microsoft.Skills.Text.PIIDetectionSkill": Ports(_TEXT, _LANGUAGE, {"piiEntities": "tree", "maskedText": "value"}),
    "#Microsoft.Skills.Text.TranslationSkill": Ports(
        _TEXT,
        ("toLanguageCode", "fromLanguageCode"),
        {"translatedText": "value", "translatedToLanguageCode": "value", "translatedFromLanguageCode": "value"},
    ),
    "#Microsoft.Skills.Text.CustomEntityLookupSkill": Ports(_TEXT, _LANGUAGE, {"entities": "tree"}),
    "#Microsoft.Skills.Text.MergeSkill": Ports(
        (), ("text", "itemsToInsert", "offsets"), {"mergedText": "value", "mergedOffsets": "list"}
    ),
    "#Microsoft.Skills.Util.ShaperSkill": Ports(outputs={"output": "tree"}, any_input=True),
    "#Microsoft.Skills.Util.ConditionalSkill": Ports(("condition",), ("whenTrue", "whenFalse"), {"output": "tree"}),
    "#Microsoft.Skills.Util.DocumentExtractionSkill": Ports(
        ("file_data",), (), {"content": "value", "normalized_images": "tree"}
    ),
    "#Microsoft.Skills.Util.DocumentIntelligenceLayoutSkill": Ports(
        ("file_data",),
        (),
        {"markdown_document": "tree", "markdownDocument": "tree", "text_sections": "tree", "normalized_images": "tree"},
    ),
    "#Microsoft.Skills.Util.ContentUnderstandingSkill": Ports(
        ("file_data",), (), {"text_sections": "tree", "normalized_images": "tree"}
    ),
    "#Microsoft.Skills.Vision.OcrSkill": Ports(("image",), (), {"text": "value", "layoutText": "tree"}),
    "#Microsoft.Skills.Vision.ImageAnalysisSkill": Ports(("image",), ()),
    "#Microsoft.Skills.Vision.VectorizeSkill": Ports((), ("text", "image", "url", "queryString"), {"vector": "value"}),
}
