"""Analyze Text: the tokens of a text, with offsets in UTF-16 units as the service counts them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from azsearch_ops.local.errors import invalid_request, not_supported_here
from azsearch_ops.local.search.analysis import tokenizers
from azsearch_ops.local.search.analysis.analyzers import Analyzer, analyzer
from azsearch_ops.local.search.analysis.terms import lowercase
from azsearch_ops.local.search.parameters import Parameters

_KNOWN = frozenset(("text", "analyzer", "tokenizer", "tokenFilters", "charFilters", "normalizer"))
_TOKENIZERS = {
    "standard": Analyzer("standard", tokenizers.STANDARD),
    "standard_v2": Analyzer("standard_v2", tokenizers.STANDARD),
    "letter": Analyzer("letter", tokenizers.LETTER),
    "lowercase": Analyzer("lowercase", tokenizers.LETTER, lowercase),
    "whitespace": Analyzer("whitespace", tokenizers.WHITESPACE),
    "keyword_v2": Analyzer("keyword_v2", tokenizers.KEYWORD),
}
_LOWERCASED = {name: Analyzer(name, found.tokenizer, lowercase) for name, found in _TOKENIZERS.items()}


def analyze(request: Mapping[str, Any]) -> dict[str, Any]:
    """The `tokens` of an Analyze request; ServiceFault for what only the cloud can do."""
    parameters = Parameters(request, "analyze", _KNOWN)
    text = parameters.string("text")
    if text is None:
        raise invalid_request("The text to analyze is missing.", "InvalidParameter", "text")
    found = _chosen(parameters)
    units = _utf16_offsets(text)
    return {
        "tokens": [
            {
                "token": token.term,
                "startOffset": units[token.start] if units else token.start,
                "endOffset": units[token.end] if units else token.end,
                "position": token.position,
            }
            for token in found.tokens(text)
        ]
    }


def _chosen(parameters: Parameters) -> Analyzer:
    for name in ("charFilters", "normalizer"):
        if parameters.given(name):
            raise not_supported_here(f"'{name}' in Analyze Text", name)
    named, tokenizer = parameters.string("analyzer"), parameters.string("tokenizer")
    if (named is None) == (tokenizer is None):
        raise invalid_request(
            "Exactly one of 'analyzer' and 'tokenizer' must be given.", "InvalidParameter", "analyzer"
        )
    filters = parameters.list("tokenFilters")
    if named is not None:
        if filters:
            raise invalid_request("'tokenFilters' need a 'tokenizer'.", "InvalidParameter", "tokenFilters")
        return analyzer(named)
    for name in filters:
        if name != "lowercase":
            raise not_supported_here(f"the token filter '{name}'", "tokenFilters")
    found = (_LOWERCASED if filters else _TOKENIZERS).get(str(tokenizer))
    if found is None:
        raise not_supported_here(f"the tokenizer '{tokenizer}'", "tokenizer")
    return found


def _utf16_offsets(text: str) -> list[int]:
    """The UTF-16 offset of each code point and of the end; empty where both are the same."""
    if not text or max(text) <= "\uffff":
        return []
    offsets = [0]
    for char in text:
        offsets.append(offsets[-1] + (2 if char > "\uffff" else 1))
    return offsets
