"""Analyzers, tokenizers, filters and normalizers that an index names: built in, or defined in the index.

Names: https://learn.microsoft.com/azure/search/index-add-language-analyzers and index-add-custom-analyzers. The
definition is accepted with any of them; a search over a field whose analyzer the local service cannot run is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from azsearch_ops.local.errors import ServiceFault, invalid_request

# fmt: off
_LUCENE: Final = [
    "ar", "bg", "ca", "cs", "da", "de", "el", "en", "es", "eu", "fa", "fi", "fr", "ga", "gl", "hi", "hu", "hy", "id",
    "it", "ja", "ko", "lv", "nl", "no", "pl", "pt-BR", "pt-PT", "ro", "ru", "sv", "th", "tr", "zh-Hans", "zh-Hant",
]
_MICROSOFT: Final = [
    "ar", "bg", "bn", "ca", "cs", "da", "de", "el", "en", "es", "et", "fi", "fr", "gu", "he", "hi", "hr", "hu", "id",
    "is", "it", "ja", "kn", "ko", "lt", "lv", "ml", "mr", "ms", "nb", "nl", "pa", "pl", "pt-BR", "pt-PT", "ro", "ru",
    "sk", "sl", "sr-cyrillic", "sr-latin", "sv", "ta", "te", "th", "tr", "uk", "ur", "vi", "zh-Hans", "zh-Hant",
]
# fmt: on
ANALYZERS: Final = frozenset(
    [f"{code}.lucene" for code in _LUCENE]
    + [f"{code}.microsoft" for code in _MICROSOFT]
    + ["standard.lucene", "standardasciifolding.lucene", "keyword", "pattern", "simple", "stop", "whitespace"]
)
ANALYSIS_PARTS: Final = ("analyzers", "normalizers", "tokenizers", "tokenFilters", "charFilters")
NORMALIZERS: Final = frozenset(["standard", "asciifolding", "elision", "lowercase", "uppercase"])


def check_analysis(index: Mapping[str, Any]) -> None:
    """Holds every analyzer and normalizer that a field names against what there is.

    Raises:
        ServiceFault: 400 for a name that is neither built in nor defined, or defined twice.
    """
    own = {part: _names(index, part) for part in ANALYSIS_PARTS}
    for field in _leaves(index["fields"]):
        for property_name in ("analyzer", "indexAnalyzer", "searchAnalyzer"):
            name = field.get(property_name)
            if name is not None and name not in ANALYZERS and name not in own["analyzers"]:
                raise _refused(
                    f"The field '{field['name']}' names the {property_name} '{name}', which is neither "
                    "built in nor defined in the index.",
                    "UnknownAnalyzer",
                )
        name = field.get("normalizer")
        if name is not None and name not in NORMALIZERS and name not in own["normalizers"]:
            raise _refused(
                f"The field '{field['name']}' names the normalizer '{name}', which is neither built in nor "
                "defined in the index.",
                "UnknownNormalizer",
            )


def _names(index: Mapping[str, Any], part: str) -> set[str]:
    names = [item["name"] for item in index[part]]
    for name in names:
        if names.count(name) > 1:
            raise _refused(f"The name '{name}' is there twice in '{part}'.", "DuplicateName")
    return set(names)


def _leaves(fields: list[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for field in fields:
        inner = field.get("fields")
        if inner:
            yield from _leaves(inner)
        else:
            yield field


def _refused(message: str, detail: str) -> ServiceFault:
    return invalid_request(f"The request is invalid. Details: definition : {message}", detail)
