"""The properties of the skills that read files and images: extraction, layout, OCR, image analysis."""

from __future__ import annotations

from typing import Final

from azsearch_ops.contract import languages, sources
from azsearch_ops.contract.property import ObjectType, Property, table

HEADER_DEPTHS: Final = ("h1", "h2", "h3", "h4", "h5", "h6")
EXTRACTION_OPTIONS: Final = ("images", "locationMetadata")
IMAGE_SIDES: Final = (50, 10_000)
"""Smallest and largest normalizedImageMaxWidth and -Height, in pixels."""

_OCR: Final = sources.SKILL_PAGES + "ocr"
_IMAGE: Final = sources.SKILL_PAGES + "image-analysis"
_EXTRACT: Final = sources.SKILL_PAGES + "document-extraction"
_LAYOUT: Final = sources.SKILL_PAGES + "document-intelligence-layout"
_UNDERSTAND: Final = sources.SKILL_PAGES + "content-understanding"
_VECTORIZE: Final = sources.SKILL_PAGES + "vision-vectorize"


def _chunking(name: str, source: str, *further: Property) -> ObjectType:
    return ObjectType(
        name,
        table(
            Property(
                "unit",
                "string",
                source,
                default="characters",
                values=("characters", "azureOpenAITokens"),
                newer={"azureOpenAITokens": "2026-05-01-preview"},
            ),
            Property("maximumLength", "integer", source, minimum=300, maximum=50_000),
            Property("overlapLength", "integer", source, default=0, minimum=0),
            *further,
        ),
    )


FILE_SKILL_OBJECTS: Final[tuple[ObjectType, ...]] = (
    ObjectType(
        "documentExtractionSkill",
        table(
            Property("parsingMode", "string", _EXTRACT, default="default", values=("default", "text", "json")),
            Property(
                "dataToExtract",
                "string",
                _EXTRACT,
                default="contentAndMetadata",
                values=("contentAndMetadata", "allMetadata"),
            ),
            Property("configuration", "any", _EXTRACT),
        ),
    ),
    ObjectType(
        "layoutSkill",
        table(
            Property("outputMode", "string", _LAYOUT, default="oneToMany", values=("oneToMany",)),
            Property("outputFormat", "string", _LAYOUT, default="markdown", values=("markdown", "text")),
            Property("markdownHeaderDepth", "string", _LAYOUT, default="h6", values=HEADER_DEPTHS),
            Property("extractionOptions", "list", _LAYOUT, order="set", values=EXTRACTION_OPTIONS),
            Property("chunkingProperties", "object", _LAYOUT, of="layoutChunking"),
        ),
        since="2025-09-01",
    ),
    _chunking("layoutChunking", _LAYOUT),
    ObjectType(
        "contentUnderstandingSkill",
        table(
            Property("extractionOptions", "list", _UNDERSTAND, order="set", values=EXTRACTION_OPTIONS),
            Property("chunkingProperties", "object", _UNDERSTAND, of="understandingChunking"),
        ),
        since="2026-04-01",
    ),
    _chunking(
        "understandingChunking",
        _UNDERSTAND,
        Property(
            "method",
            "string",
            sources.SDK_PREVIEW,
            default="fixedSize",
            values=("fixedSize", "semantic"),
            since="2026-05-01-preview",
        ),
    ),
    ObjectType(
        "ocrSkill",
        table(
            Property("defaultLanguageCode", "string", _OCR, default="en", known=languages.OCR),
            Property("detectOrientation", "boolean", _OCR, default=False),
            Property(
                "lineEnding",
                "string",
                _OCR,
                default="space",
                values=("space", "carriageReturn", "lineFeed", "carriageReturnLineFeed"),
            ),
        ),
    ),
    ObjectType(
        "imageAnalysisSkill",
        table(
            Property("defaultLanguageCode", "string", _IMAGE, default="en", known=languages.IMAGE_ANALYSIS),
            Property(
                "visualFeatures",
                "list",
                _IMAGE,
                order="set",
                values=("adult", "brands", "categories", "description", "faces", "objects", "tags"),
            ),
            Property("details", "list", _IMAGE, order="set", values=("celebrities", "landmarks")),
        ),
    ),
    ObjectType(
        "visionVectorizeSkill",
        table(Property("modelVersion", "string", _VECTORIZE, required=True)),
        since="2024-05-01-preview",
    ),
)
