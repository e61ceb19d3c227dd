"""The analysis components that exist without being defined, by name.

Source: the pages on language analyzers and on custom analyzers.
"""

from __future__ import annotations

from typing import Final

# fmt: off
_LUCENE: Final = (
    "ar", "bg", "ca", "cs", "da", "de", "el", "en", "es", "eu", "fa", "fi", "fr", "ga", "gl", "hi", "hu", "hy", "id",
    "it", "ja", "ko", "lv", "nl", "no", "pl", "pt-BR", "pt-PT", "ro", "ru", "sv", "th", "tr", "zh-Hans", "zh-Hant",
)
_MICROSOFT: Final = (
    "ar", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "es", "et", "fi", "fr", "gu", "he", "hi", "hr", "hu", "id",
    "is", "it", "ja", "kn", "ko", "lt", "lv", "ml", "mr", "ms", "nb", "nl", "pa", "pl", "pt-BR", "pt-PT", "ro", "ru",
    "sk", "sl", "sr-cyrillic", "sr-latin", "sv", "ta", "te", "th", "tr", "uk", "ur", "vi", "zh-Hans", "zh-Hant",
)
LANGUAGE_ANALYZERS: Final = frozenset(
    [f"{code}.lucene" for code in _LUCENE] + [f"{code}.microsoft" for code in _MICROSOFT]
)
"""Only `analyzer` takes them; they cannot be customised, nor stand alone for indexing or searching."""

SPECIAL_ANALYZERS: Final = frozenset({
    "standard.lucene", "standardasciifolding.lucene", "keyword", "pattern", "simple", "stop", "whitespace",
})
ANALYZERS: Final = LANGUAGE_ANALYZERS | SPECIAL_ANALYZERS

TOKENIZERS: Final = frozenset({
    "classic", "edgeNGram", "keyword_v2", "letter", "lowercase", "microsoft_language_tokenizer",
    "microsoft_language_stemming_tokenizer", "nGram", "path_hierarchy_v2", "pattern", "standard_v2", "uax_url_email",
    "whitespace",
})
TOKEN_FILTERS: Final = frozenset({
    "apostrophe", "arabic_normalization", "asciifolding", "cjk_bigram", "cjk_width", "classic", "common_grams",
    "edgeNGram_v2", "elision", "german_normalization", "hindi_normalization", "indic_normalization", "keyword_repeat",
    "kstem", "length", "limit", "lowercase", "nGram_v2", "persian_normalization", "phonetic", "porter_stem", "reverse",
    "scandinavian_folding", "scandinavian_normalization", "shingle", "snowball", "sorani_normalization", "stemmer",
    "stopwords", "trim", "truncate", "unique", "uppercase", "word_delimiter",
})
CHAR_FILTERS: Final = frozenset({"html_strip"})
NORMALIZERS: Final = frozenset({"asciifolding", "elision", "lowercase", "standard", "uppercase"})

NORMALIZER_TOKEN_FILTERS: Final = frozenset({
    "arabic_normalization", "asciifolding", "cjk_width", "elision", "german_normalization", "hindi_normalization",
    "indic_normalization", "lowercase", "persian_normalization", "scandinavian_folding", "scandinavian_normalization",
    "sorani_normalization", "uppercase",
})
"""The token filters that a custom normalizer takes by name: those that work on the value as a whole."""
# fmt: on
