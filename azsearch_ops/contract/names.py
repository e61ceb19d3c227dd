"""Which names Azure takes, by kind of object (REST naming rules; alias: preview reference of 2021)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from azsearch_ops.contract import sources


@dataclass(frozen=True, slots=True)
class NameRule:
    """Length in characters, the characters, and what no name of the kind may have."""

    minimum: int
    maximum: int
    characters: re.Pattern[str]
    described: str
    refused: tuple[tuple[re.Pattern[str], str], ...]
    source: str = sources.NAMING


OWN_DIGITS: Final = "-00000000"
"""What the name of every object gets at its end, in shape: a dash and eight hexadecimal digits."""

_LOWER_DASH = re.compile(r"[a-z0-9-]*")
_EDGE_DASH = (re.compile(r"^-|-$"), "must not start or end with a dash")
_DOUBLE_DASH = (re.compile(r"--"), "must not have two dashes in a row")
_OBJECT = NameRule(1, 128, _LOWER_DASH, "lower-case letters, digits and dashes", (_EDGE_DASH,))

NAME_RULES: Final[Mapping[str, NameRule]] = {
    "index": NameRule(
        2,
        128,
        re.compile(r"[a-z0-9_-]*"),
        "lower-case letters, digits, dashes and underscores",
        (
            (re.compile(r"^[^a-z0-9]"), "must start with a letter or digit"),
            (re.compile(r"--|__"), "must not have two dashes or underscores in a row"),
        ),
    ),
    "service": NameRule(
        2,
        60,
        _LOWER_DASH,
        "lower-case letters, digits and dashes",
        (_EDGE_DASH, _DOUBLE_DASH, (re.compile(r"^.-"), "must not have a dash in its second place")),
    ),
    "alias": NameRule(
        1, 128, _LOWER_DASH, "lower-case letters, digits and dashes", (_EDGE_DASH, _DOUBLE_DASH), sources.ALIAS
    ),
    "field": NameRule(
        1,
        128,
        re.compile(r"[A-Za-z0-9_]*"),
        "letters, digits and underscores",
        (
            (re.compile(r"^[^A-Za-z]"), "must start with a letter"),
            (re.compile(r"^azureSearch", re.IGNORECASE), "must not start with azureSearch"),
        ),
    ),
    "skillset": _OBJECT,
    "indexer": _OBJECT,
    "dataSource": _OBJECT,
    "synonymMap": _OBJECT,
    # The naming rules name no dash, but the service took `product-score` (py2026-index-scoring-profile-product)
    "scoringProfile": NameRule(
        1,
        128,
        re.compile(r"[A-Za-z0-9_-]*"),
        "letters, digits, underscores and dashes",
        ((re.compile(r"^[_-]"), "must start with a letter or digit"),),
        sources.RECORDED,
    ),
    "suggester": NameRule(
        1,
        128,
        re.compile(r"[A-Za-z0-9_]*"),
        "letters, digits and underscores",
        ((re.compile(r"^_"), "must start with a letter or digit"),),
    ),
    "analysis": NameRule(
        1,
        127,
        re.compile(r"[A-Za-z0-9 _-]*"),
        "letters, digits, blanks, dashes and underscores",
        ((re.compile(r"^[ _-]|[ _-]$"), "must start and end with a letter or digit"),),
        sources.ANALYSIS,
    ),
    "key": NameRule(
        1,
        1024,
        re.compile(r"[A-Za-z0-9_=-]*"),
        "letters, digits, underscores, dashes and equal signs",
        ((re.compile(r"^_"), "must not start with an underscore"),),
    ),
}


def check_name(kind: str, name: str) -> str | None:
    """Why Azure refuses `name` for an object of `kind`, or None when it takes it.

    Kinds: index, service, alias, field, skillset, indexer, dataSource, synonymMap, scoringProfile, suggester, analysis
    (analyzers, tokenizers, filters, normalizers), key (a document's key).
    """
    rule = NAME_RULES[kind]
    if not rule.minimum <= len(name) <= rule.maximum:
        return f"must have {rule.minimum} to {rule.maximum} characters, and has {len(name)}"
    if rule.characters.fullmatch(name) is None:
        return f"may only have {rule.described}"
    for pattern, reason in rule.refused:
        if pattern.search(name):
            return reason
    return None
