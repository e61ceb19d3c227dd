"""What Azure fills into analyzers, tokenizers and filters that an index defines.

Source: the defaults of the 2024-11-01-preview REST specification; that they come back in answers is recorded for the
pattern analyzer (net2020-SearchIndexClientTests-UpdateIndex).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_GRAMS: Final = {"minGram": 1, "maxGram": 2}
_EDGE_GRAMS: Final = {**_GRAMS, "side": "front"}
_LONG_TOKENS: Final = {"maxTokenLength": 255}
_MICROSOFT: Final = {"maxTokenLength": 255, "isSearchTokenizer": False}

_DEFAULTS: Final[Mapping[str, Mapping[str, object]]] = {
    "PatternAnalyzer": {"lowercase": True, "pattern": "\\W+"},
    "StandardAnalyzer": _LONG_TOKENS,
    "ClassicTokenizer": _LONG_TOKENS,
    "EdgeNGramTokenizer": _GRAMS,
    "KeywordTokenizer": {"bufferSize": 256},
    "KeywordTokenizerV2": {"maxTokenLength": 256},
    "MicrosoftLanguageTokenizer": _MICROSOFT,
    "MicrosoftLanguageStemmingTokenizer": _MICROSOFT,
    "NGramTokenizer": _GRAMS,
    "PathHierarchyTokenizerV2": {
        "delimiter": "/",
        "replacement": "/",
        "maxTokenLength": 300,
        "reverse": False,
        "skip": 0,
    },
    "PatternTokenizer": {"pattern": "\\W+", "group": -1},
    "StandardTokenizer": _LONG_TOKENS,
    "StandardTokenizerV2": _LONG_TOKENS,
    "UaxUrlEmailTokenizer": _LONG_TOKENS,
    "AsciiFoldingTokenFilter": {"preserveOriginal": False},
    "CjkBigramTokenFilter": {"outputUnigrams": False},
    "CommonGramTokenFilter": {"ignoreCase": False, "queryMode": False},
    "DictionaryDecompounderTokenFilter": {
        "minWordSize": 5,
        "minSubwordSize": 2,
        "maxSubwordSize": 15,
        "onlyLongestMatch": False,
    },
    "EdgeNGramTokenFilter": _EDGE_GRAMS,
    "EdgeNGramTokenFilterV2": _EDGE_GRAMS,
    "KeepTokenFilter": {"keepWordsCase": False},
    "KeywordMarkerTokenFilter": {"ignoreCase": False},
    "LengthTokenFilter": {"min": 0, "max": 300},
    "LimitTokenFilter": {"maxTokenCount": 1, "consumeAllTokens": False},
    "NGramTokenFilter": _GRAMS,
    "NGramTokenFilterV2": _GRAMS,
    "PatternCaptureTokenFilter": {"preserveOriginal": True},
    "PhoneticTokenFilter": {"encoder": "metaphone", "replace": True},
    "ShingleTokenFilter": {
        "maxShingleSize": 2,
        "minShingleSize": 2,
        "outputUnigrams": True,
        "outputUnigramsIfNoShingles": False,
        "tokenSeparator": " ",
        "filterToken": "_",
    },
    "StopwordsTokenFilter": {"stopwordsList": "english", "ignoreCase": False, "removeTrailing": True},
    "SynonymTokenFilter": {"ignoreCase": False, "expand": True},
    "TruncateTokenFilter": {"length": 300},
    "UniqueTokenFilter": {"onlyOnSamePosition": False},
    "WordDelimiterTokenFilter": {
        "generateWordParts": True,
        "generateNumberParts": True,
        "catenateWords": False,
        "catenateNumbers": False,
        "catenateAll": False,
        "splitOnCaseChange": True,
        "preserveOriginal": False,
        "splitOnNumerics": True,
        "stemEnglishPossessive": True,
    },
}


def with_analysis_defaults(item: Mapping[str, Any]) -> dict[str, Any]:
    """The entry with the defaults of its type; types without any, and unknown ones, stay as they are."""
    name = str(item.get("@odata.type", "")).rpartition(".")[2]
    stated = {key: value for key, value in item.items() if value is not None}
    return {**_DEFAULTS.get(name, {}), **stated}
