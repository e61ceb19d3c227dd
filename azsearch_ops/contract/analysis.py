"""Analyzers, tokenizers, filters and normalizers that an index may define: their types and what each takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from azsearch_ops.contract import languages, sources
from azsearch_ops.contract.property import ObjectType, Property, table

_A: Final = sources.ANALYSIS
_PREFIX: Final = "#Microsoft.Azure.Search."

TOKEN_LENGTH_MAXIMUM: Final = 300
"""No token, gram or word size may be longer."""

_FLAGS: Final = (
    "CANON_EQ",
    "CASE_INSENSITIVE",
    "COMMENTS",
    "DOTALL",
    "LITERAL",
    "MULTILINE",
    "UNICODE_CASE",
    "UNIX_LINES",
)
REGEX_FLAGS: Final = frozenset(_FLAGS)
"""What `flags` takes, several joined by `|`."""


def _yes_no(name: str, default: bool) -> Property:
    return Property(name, "boolean", _A, default=default)


def _words(name: str, *, required: bool = False, ordered: bool = False) -> Property:
    return Property(name, "list", _A, required=required, order="ordered" if ordered else "set")


def _length(name: str, default: int | None, maximum: int | None = TOKEN_LENGTH_MAXIMUM, minimum: int = 1) -> Property:
    return Property(name, "integer", _A, default=default, minimum=minimum, maximum=maximum)


def _text(name: str, default: str | None = None, *, required: bool = False, values: tuple[str, ...] = ()) -> Property:
    return Property(name, "string", _A, default=default, required=required, values=values)


_TOKEN_LENGTH = _length("maxTokenLength", 255)
_GRAMS = (_length("minGram", 1), _length("maxGram", 2))
_TOKEN_CHARS = Property(
    "tokenChars", "list", _A, order="set", values=("letter", "digit", "whitespace", "punctuation", "symbol")
)
_CHAIN = (Property("tokenFilters", "list", _A), Property("charFilters", "list", _A))
_PATTERN = _text("pattern", r"\W+")
_REPLACE = (_text("pattern", required=True), _text("replacement", required=True))
_MICROSOFT = (_TOKEN_LENGTH, _yes_no("isSearchTokenizer", False))
_SCRIPTS = Property("ignoreScripts", "list", _A, order="set", values=("han", "hiragana", "katakana", "hangul"))
_SIDE = _text("side", "front", values=("front", "back"))

_ANALYZERS: Final[Mapping[str, tuple[Property, ...]]] = {
    "CustomAnalyzer": (_text("tokenizer", required=True), *_CHAIN),
    "PatternAnalyzer": (_yes_no("lowercase", True), _PATTERN, _text("flags"), _words("stopwords")),
    "StandardAnalyzer": (_TOKEN_LENGTH, _words("stopwords")),
    "StopAnalyzer": (_words("stopwords"),),
}
_NORMALIZERS: Final[Mapping[str, tuple[Property, ...]]] = {"CustomNormalizer": _CHAIN}
_TOKENIZERS: Final[Mapping[str, tuple[Property, ...]]] = {
    "ClassicTokenizer": (_TOKEN_LENGTH,),
    "EdgeNGramTokenizer": (*_GRAMS, _TOKEN_CHARS),
    "KeywordTokenizer": (Property("bufferSize", "integer", _A, default=256, minimum=1),),
    "KeywordTokenizerV2": (_length("maxTokenLength", 256),),
    "MicrosoftLanguageTokenizer": (*_MICROSOFT, _text("language", "english", values=languages.MICROSOFT_TOKENIZER)),
    "MicrosoftLanguageStemmingTokenizer": (
        *_MICROSOFT,
        _text("language", "english", values=languages.MICROSOFT_STEMMING_TOKENIZER),
    ),
    "NGramTokenizer": (*_GRAMS, _TOKEN_CHARS),
    "PathHierarchyTokenizer": (
        _text("delimiter", "/"),
        _text("replacement"),
        Property("bufferSize", "integer", _A, default=1024),
        _yes_no("reverse", False),
        Property("skip", "integer", _A, default=0, minimum=0),
    ),
    "PathHierarchyTokenizerV2": (
        _text("delimiter", "/"),
        _text("replacement", "/"),
        _length("maxTokenLength", 300),
        _yes_no("reverse", False),
        Property("skip", "integer", _A, default=0, minimum=0),
    ),
    "PatternTokenizer": (_PATTERN, _text("flags"), Property("group", "integer", _A, default=-1, minimum=-1)),
    "StandardTokenizer": (_TOKEN_LENGTH,),
    "StandardTokenizerV2": (_TOKEN_LENGTH,),
    "UaxUrlEmailTokenizer": (_TOKEN_LENGTH,),
}
_TOKEN_FILTERS: Final[Mapping[str, tuple[Property, ...]]] = {
    "AsciiFoldingTokenFilter": (_yes_no("preserveOriginal", False),),
    "CjkBigramTokenFilter": (_SCRIPTS, _yes_no("outputUnigrams", False)),
    "CommonGramTokenFilter": (
        _words("commonWords", required=True),
        _yes_no("ignoreCase", False),
        _yes_no("queryMode", False),
    ),
    "DictionaryDecompounderTokenFilter": (
        _words("wordList", required=True),
        _length("minWordSize", 5),
        _length("minSubwordSize", 2),
        _length("maxSubwordSize", 15),
        _yes_no("onlyLongestMatch", False),
    ),
    "EdgeNGramTokenFilter": (*_GRAMS, _SIDE),
    "EdgeNGramTokenFilterV2": (*_GRAMS, _SIDE),
    "ElisionTokenFilter": (_words("articles"),),
    "KeepTokenFilter": (_words("keepWords", required=True), _yes_no("keepWordsCase", False)),
    "KeywordMarkerTokenFilter": (_words("keywords", required=True), _yes_no("ignoreCase", False)),
    "LengthTokenFilter": (_length("min", 0, minimum=0), _length("max", 300)),
    "LimitTokenFilter": (
        Property("maxTokenCount", "integer", _A, default=1, minimum=1),
        _yes_no("consumeAllTokens", False),
    ),
    "NGramTokenFilter": _GRAMS,
    "NGramTokenFilterV2": _GRAMS,
    "PatternCaptureTokenFilter": (
        _words("patterns", required=True, ordered=True),
        _yes_no("preserveOriginal", True),
    ),
    "PatternReplaceTokenFilter": _REPLACE,
    "PhoneticTokenFilter": (
        _text("encoder", "metaphone", values=languages.PHONETIC),
        _yes_no("replace", True),
    ),
    "ShingleTokenFilter": (
        Property("maxShingleSize", "integer", _A, default=2, minimum=2),
        Property("minShingleSize", "integer", _A, default=2, minimum=2),
        _yes_no("outputUnigrams", True),
        _yes_no("outputUnigramsIfNoShingles", False),
        _text("tokenSeparator", " "),
        _text("filterToken", "_"),
    ),
    "SnowballTokenFilter": (_text("language", required=True, values=languages.SNOWBALL),),
    "StemmerTokenFilter": (_text("language", required=True, values=languages.STEMMER),),
    "StemmerOverrideTokenFilter": (_words("rules", required=True, ordered=True),),
    "StopwordsTokenFilter": (
        _words("stopwords"),
        _text("stopwordsList", "english", values=languages.STOPWORDS),
        _yes_no("ignoreCase", False),
        _yes_no("removeTrailing", True),
    ),
    "SynonymTokenFilter": (
        _words("synonyms", required=True, ordered=True),
        _yes_no("ignoreCase", False),
        _yes_no("expand", True),
    ),
    "TruncateTokenFilter": (_length("length", 300),),
    "UniqueTokenFilter": (_yes_no("onlyOnSamePosition", False),),
    "WordDelimiterTokenFilter": (
        _yes_no("generateWordParts", True),
        _yes_no("generateNumberParts", True),
        _yes_no("catenateWords", False),
        _yes_no("catenateNumbers", False),
        _yes_no("catenateAll", False),
        _yes_no("splitOnCaseChange", True),
        _yes_no("preserveOriginal", False),
        _yes_no("splitOnNumerics", True),
        _yes_no("stemEnglishPossessive", True),
        _words("protectedWords"),
    ),
}
_CHAR_FILTERS: Final[Mapping[str, tuple[Property, ...]]] = {
    "MappingCharFilter": (_words("mappings", required=True, ordered=True),),
    "PatternReplaceCharFilter": _REPLACE,
}

_BY_PART: Final[Mapping[str, Mapping[str, tuple[Property, ...]]]] = {
    "analyzers": _ANALYZERS,
    "normalizers": _NORMALIZERS,
    "tokenizers": _TOKENIZERS,
    "tokenFilters": _TOKEN_FILTERS,
    "charFilters": _CHAR_FILTERS,
}

COMPONENT_TYPES: Final[Mapping[str, tuple[str, ...]]] = {
    part: tuple(_PREFIX + name for name in types) for part, types in _BY_PART.items()
}
"""The `@odata.type`s that each list of an index takes."""


NORMALIZER_TYPES: Final = tuple(
    _PREFIX + name
    for name in ("AsciiFoldingTokenFilter", "ElisionTokenFilter", "MappingCharFilter", "PatternReplaceCharFilter")
)
"""The types of defined filters that a normalizer takes: those that keep a value whole."""


def _object_name(name: str) -> str:
    return name[0].lower() + name[1:]


ANALYSIS_OBJECTS: Final[tuple[ObjectType, ...]] = (
    ObjectType(
        "analysis",
        table(Property("name", "string", _A, required=True), Property("@odata.type", "string", _A, required=True)),
        open=True,
        discriminator="@odata.type",
        variants={_PREFIX + name: _object_name(name) for types in _BY_PART.values() for name in types},
    ),
    *(ObjectType(_object_name(name), table(*rows)) for types in _BY_PART.values() for name, rows in types.items()),
)
