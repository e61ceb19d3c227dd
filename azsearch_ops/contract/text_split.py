"""What the Text Split skill takes: ranges, units, encoders, languages."""

from __future__ import annotations

from typing import Final

from azsearch_ops.contract import sources

ODATA_TYPE: Final = "#Microsoft.Skills.Text.SplitSkill"
SOURCE: Final = sources.TEXT_SPLIT

MODES: Final = ("pages", "sentences")
DEFAULT_MODE: Final = "pages"

MINIMUM_PAGE_LENGTH: Final = 300
MAXIMUM_PAGE_LENGTH: Final = 50_000
"""Bounds of maximumPageLength in characters, counted as UTF-16 units. For tokens only the model's limit is named."""

DEFAULT_PAGE_LENGTH: Final = 5_000
"""What the documentation says; the REST reference says 10,000. A definition therefore always states its length."""

PAGES_ONLY: Final = (
    "maximumPageLength",
    "pageOverlapLength",
    "maximumPagesToTake",
    "unit",
    "azureOpenAITokenizerParameters",
)
"""Settings that the service ignores when textSplitMode is `sentences`."""

UNITS: Final = ("characters", "azureOpenAITokens")
DEFAULT_UNIT: Final = "characters"
UNIT_SINCE: Final = "2024-09-01-preview"
"""`unit` and `azureOpenAITokenizerParameters`; the examples of 2026-04-01 use them, its SDK does not have them."""
UNIT_SHOWN_IN: Final = ("2026-04-01",)

ENCODERS: Final = ("r50k_base", "p50k_base", "p50k_edit", "cl100k_base")
DEFAULT_ENCODER: Final = "cl100k_base"

DEFAULT_LANGUAGE: Final = "en"
# fmt: off
LANGUAGES: Final = (
    "am", "bs", "cs", "da", "de", "en", "es", "et", "fr", "he", "hi", "hr", "hu",
    "fi", "id", "is", "it", "ja", "ko", "lv", "nb", "nl", "no", "pl", "pt", "pt-PT",
    "pt-BR", "pt-br", "ru", "sk", "sl", "sr", "sv", "tr", "ur", "zh", "zh-Hans",
)
# fmt: on
"""The documentation's list and the REST enumeration, which differ in `no`/`nb`, Portuguese and Chinese, together."""

OUTPUTS: Final = ("textItems", "offsets", "lengths", "ordinalPositions")

SHORT_FORM: Final = (
    "textSplitMode",
    "maximumPageLength",
    "pageOverlapLength",
    "maximumPagesToTake",
    "defaultLanguageCode",
    "unit",
    "azureOpenAITokenizerParameters",
    "name",
    "description",
    "context",
    "inputs",
)
"""What `chunking:` of a skillset definition takes; the rest of the skill (outputs) is ours to write."""
