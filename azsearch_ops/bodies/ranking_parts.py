"""Scoring profiles and semantic configurations, called by their content: NAME-DIGEST.

What such a name stands for never changes. So a new one can be put beside the old one on an index that answers, be
measured by naming it in the request, and stay for as long as a released request names it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from azsearch_ops.bodies.canonical import digest
from azsearch_ops.bodies.normal import normal

PartKind = Literal["scoringProfile", "semanticConfiguration"]
"""The contract's object type, which is also what the setting of a request is called that names one."""

PART_KINDS: Final[tuple[PartKind, ...]] = ("scoringProfile", "semanticConfiguration")

_DIGITS: Final = 8
_LONGEST: Final = 128 - 1 - _DIGITS
"""Names of scoring profiles have 128 characters at most."""
_CALLED = re.compile(rf"-[0-9a-f]{{{_DIGITS}}}\Z")

Parts = Mapping[str, Mapping[str, Any]]
Names = Mapping[tuple[PartKind, str], str]
"""From one name of a part to another."""


@dataclass(frozen=True, slots=True)
class RankingPart:
    """A part that the definition has: `own` is its name there, `name` the one in the bodies."""

    kind: PartKind
    own: str
    name: str


def parts_of(index: Mapping[str, Any], kind: PartKind) -> dict[str, Mapping[str, Any]]:
    """The parts of an index body by name, in their order."""
    if kind == "scoringProfile":
        listed = index.get("scoringProfiles")
    else:
        semantic = index.get("semantic")
        listed = semantic.get("configurations") if isinstance(semantic, Mapping) else None
    items = listed if isinstance(listed, list | tuple) else ()
    return {str(item["name"]): item for item in items if isinstance(item, Mapping) and item.get("name")}


def with_parts(index: Mapping[str, Any], kind: PartKind, parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The index body with these parts of a kind and no others."""
    if not parts and not parts_of(index, kind):
        return dict(index)
    if kind == "scoringProfile":
        return {**index, "scoringProfiles": [dict(part) for part in parts]}
    return {**index, "semantic": {**(index.get("semantic") or {}), "configurations": [dict(part) for part in parts]}}


def with_kept_parts(index: Mapping[str, Any], there: Mapping[str, Any]) -> dict[str, Any]:
    """The index body with its own parts, and those besides that an index has which is there already."""
    result = dict(index)
    for kind in PART_KINDS:
        own = parts_of(index, kind)
        kept = tuple(part for name, part in parts_of(there, kind).items() if name not in own)
        if kept:
            result = with_parts(result, kind, (*own.values(), *kept))
    return result


def default_part(index: Mapping[str, Any], kind: PartKind) -> str | None:
    """The part that ranks requests which name none, or None."""
    holder = index if kind == "scoringProfile" else index.get("semantic")
    found = holder.get(_default_name(kind)) if isinstance(holder, Mapping) else None
    return str(found) if found else None


def with_default_part(index: Mapping[str, Any], kind: PartKind, name: str | None) -> dict[str, Any]:
    """The index body with another default, or none."""
    if default_part(index, kind) == name:
        return dict(index)
    setting = _default_name(kind)
    if kind == "scoringProfile":
        return _with(index, setting, name)
    return {**index, "semantic": _with(index.get("semantic") or {}, setting, name)}


def part_content(kind: PartKind, part: Mapping[str, Any]) -> dict[str, Any]:
    """What a part says, whatever it is called: its normal form without the name."""
    return {name: value for name, value in normal(kind, part).items() if name != "name"}


def part_name(kind: PartKind, part: Mapping[str, Any], own: str) -> str:
    """The name by content; one that ends in its digest already, as names copied from a service do, is left alone."""
    ending = f"-{digest(part_content(kind, part))[:_DIGITS]}"
    return own if own.endswith(ending) else f"{own[:_LONGEST]}{ending}"


def is_named_by_content(kind: PartKind, part: Mapping[str, Any]) -> bool:
    """Whether a part is called by its content. One that was edited on the service is not."""
    name = str(part.get("name"))
    return _CALLED.search(name) is not None and part_name(kind, part, name) == name


def without_parts_by_content(index: Mapping[str, Any]) -> dict[str, Any]:
    """The index body without what may be added to it, or taken from it, without moving the ranking of any request."""
    result = dict(index)
    for kind in PART_KINDS:
        parts = parts_of(index, kind).values()
        result = with_parts(result, kind, tuple(part for part in parts if not is_named_by_content(kind, part)))
    return result


def own_name(name: str) -> str:
    """A name without the digest that `part_name` puts behind it."""
    return _CALLED.sub("", name)


def plain_names(index: Mapping[str, Any]) -> Names:
    """From the plain names of an index's parts to NAME-DIGEST, as far as there is one of each and no part called so."""
    names: dict[tuple[PartKind, str], str] = {}
    for kind in PART_KINDS:
        there = parts_of(index, kind)
        for name in there:
            plain = own_name(name)
            if plain not in there and sum(own_name(other) == plain for other in there) == 1:
                names[kind, plain] = name
    return names


def ranked_by(search: Mapping[str, Any], index: Mapping[str, Any], kind: PartKind) -> str | None:
    """The part that a request ranks by on an index: the one that it names, else the default."""
    if search.get(kind):
        return str(search[kind])
    return default_part(index, kind) if kind == "scoringProfile" or _is_semantic(search) else None


def explicit(search: Mapping[str, Any], index: Mapping[str, Any]) -> dict[str, Any]:
    """The request, naming what it would rank by without a word: what it means outlives a change of defaults."""
    result = dict(search)
    for kind in PART_KINDS:
        if (name := ranked_by(search, index, kind)) is not None:
            result[kind] = name
    return result


def called(search: Mapping[str, Any], names: Names) -> dict[str, Any]:
    """The request with other names for what it names."""
    result = dict(search)
    for kind in PART_KINDS:
        if search.get(kind):
            result[kind] = names.get((kind, str(search[kind])), search[kind])
    return result


def name_by_content(
    index: Mapping[str, Any], search: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any], tuple[RankingPart, ...]]:
    """Index body and request with every part called by its content, and which names were given."""
    ranked = tuple(
        RankingPart(kind, own, part_name(kind, part, own))
        for kind in PART_KINDS
        for own, part in parts_of(index, kind).items()
    )
    names = {(part.kind, part.own): part.name for part in ranked}
    return renamed_parts(index, names), called(explicit(search, index), names), ranked


def renamed_parts(index: Mapping[str, Any], names: Names) -> dict[str, Any]:
    """The index body with other names for its parts, its defaults too; parts that come to one name are one."""
    result = dict(index)
    for kind in PART_KINDS:
        renamed = {
            names.get((kind, name), name): {**part, "name": names.get((kind, name), name)}
            for name, part in parts_of(index, kind).items()
        }
        default = default_part(index, kind)
        result = with_parts(result, kind, tuple(renamed.values()))
        if default is not None:
            result = with_default_part(result, kind, names.get((kind, default), default))
    return result


def _is_semantic(search: Mapping[str, Any]) -> bool:
    return search.get("queryType") == "semantic" or bool(search.get("semanticQuery"))


def _default_name(kind: PartKind) -> str:
    return "defaultScoringProfile" if kind == "scoringProfile" else "defaultConfiguration"


def _with(body: Mapping[str, Any], name: str, value: object) -> dict[str, Any]:
    rest = {key: item for key, item in body.items() if key != name}
    return rest if value is None else {**rest, name: value}
