"""Analyzers, tokenizers, filters and normalizers that an index names: built in, or defined in the index.

Names: https://learn.microsoft.com/azure/search/index-add-language-analyzers and index-add-custom-analyzers. The
definition is accepted with any of them; a search over a field whose analyzer the local service cannot run is refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from azsearch_ops.contract.analysis import COMPONENT_TYPES, NORMALIZER_TYPES
from azsearch_ops.contract.analysis_names import (
    ANALYZERS,
    CHAR_FILTERS,
    NORMALIZER_TOKEN_FILTERS,
    NORMALIZERS,
    TOKEN_FILTERS,
    TOKENIZERS,
)
from azsearch_ops.contract.names import check_name
from azsearch_ops.contract.objects import properties_of
from azsearch_ops.local.errors import ServiceFault, invalid_request

ANALYSIS_PARTS: Final = ("analyzers", "normalizers", "tokenizers", "tokenFilters", "charFilters")

_ANALYZER: Final = "#Microsoft.Azure.Search.CustomAnalyzer"
_NORMALIZER: Final = "#Microsoft.Azure.Search.CustomNormalizer"
_OLD: Final = frozenset({"keyword", "nGram", "edgeNGram", "path_hierarchy", "standard", "standard_v1"})
"""Names of earlier components that the service still takes beside those it lists."""
_TOKENIZERS: Final = TOKENIZERS | _OLD
_FILTERS: Final = {"tokenFilters": TOKEN_FILTERS | _OLD, "charFilters": CHAR_FILTERS}


def check_analysis(index: Mapping[str, Any]) -> None:
    """Holds every analyzer and normalizer that a field names against what there is.

    Raises:
        ServiceFault: 400 for a name that is neither built in nor defined, or defined twice.
    """
    own = {part: _names(index, part) for part in ANALYSIS_PARTS}
    for part in ANALYSIS_PARTS:
        for item in index[part]:
            _check_component(part, item, index, own)
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


def _check_component(part: str, item: Mapping[str, Any], index: Mapping[str, Any], own: Mapping[str, set[str]]) -> None:
    """The list that a component stands in, its name, and the components that it names."""
    kind, name = str(item["@odata.type"]), item["name"]
    home = next((other for other, kinds in COMPONENT_TYPES.items() if kind in kinds), part)
    if home != part:
        raise _refused(f"'{name}' of type '{kind}' belongs to '{home}', not to '{part}'.", "InvalidComponent")
    reason = check_name("analysis", name)
    if reason is not None:
        raise _refused(f"Invalid name '{name}' in '{part}': it {reason}.", "InvalidName")
    if kind == _ANALYZER and item["tokenizer"] not in _TOKENIZERS | own["tokenizers"]:
        raise _refused(f"'{name}' names the tokenizer '{item['tokenizer']}', which does not exist.", "UnknownTokenizer")
    if kind not in (_ANALYZER, _NORMALIZER):
        return
    for chain, built_in in _FILTERS.items():
        for used in item.get(chain) or ():
            if used not in built_in | own[chain]:
                raise _refused(f"'{name}' names '{used}', which is not among the {chain}.", "UnknownFilter")
            if kind == _NORMALIZER and not _keeps_whole(chain, used, index):
                raise _refused(f"The normalizer '{name}' cannot use '{used}' of the {chain}.", "InvalidNormalizer")


def _keeps_whole(chain: str, used: str, index: Mapping[str, Any]) -> bool:
    """Whether a filter neither splits nor drops what it is given, as a normalizer needs it."""
    defined = next((item["@odata.type"] for item in index[chain] if item["name"] == used), None)
    return defined in NORMALIZER_TYPES if defined is not None else used in NORMALIZER_TOKEN_FILTERS


def with_analysis_defaults(item: Mapping[str, Any]) -> dict[str, Any]:
    """The entry with the defaults that the contract has for its type; one of an unknown type stays as it is.

    That they come back in answers is recorded for the pattern analyzer (net2020-SearchIndexClientTests-UpdateIndex).
    """
    rows = properties_of("analysis", item).values()
    defaults = {row.name: row.default for row in rows if row.default is not None}
    return {**defaults, **{name: value for name, value in item.items() if value is not None}}


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
