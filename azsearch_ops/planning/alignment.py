"""Scoring profiles and semantic configurations of a definition against those that live has: by content, not by name.

An index that was adopted, or made by an earlier version of this tool, has names of its own: where it says the same
under one of them, that one is kept. What live's released request names is not taken from applications either.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from azsearch_ops.bodies.ranking_parts import (
    PART_KINDS,
    Names,
    PartKind,
    Parts,
    RankingPart,
    called,
    default_part,
    is_named_by_content,
    own_name,
    part_content,
    parts_of,
    renamed_parts,
)
from azsearch_ops.bodies.render import Bodies
from azsearch_ops.contract.fields import field_defaults
from azsearch_ops.planning.live import LiveState

_FLAGS: Final = ("type", "searchable", "filterable", "retrievable")
"""What decides whether a field may be weighed, take part in a function, or be read by the semantic ranker."""


def aligned(desired: Bodies, live: LiveState | None) -> Bodies:
    """`desired` with the names that live has for what is equal, and with what is carried over. Idempotent."""
    if live is None:
        return desired
    names: dict[tuple[PartKind, str], str] = {}
    for kind in PART_KINDS:
        there, wanted = parts_of(live.index, kind), parts_of(desired.index, kind)
        used = sorted(used_parts(live, kind) - set(wanted))
        for part in desired.ranked:
            if part.kind == kind:
                names[kind, part.name] = _name_on_live(part, wanted[part.name], there, used)
    renamed = {key: name for key, name in names.items() if key[1] != name}
    if renamed:
        desired = replace(
            desired,
            index=renamed_parts(desired.index, renamed),
            search=called(desired.search, renamed),
            ranked=tuple(replace(part, name=names[part.kind, part.name]) for part in desired.ranked),
        )
    kept = tuple((kind, body) for kind, body in _named_by_live(desired, live) if not _lost(kind, body, desired, live))
    return replace(desired, carried=kept)


def stranded(desired: Bodies, live: LiveState) -> tuple[tuple[PartKind, str, str], ...]:
    """Kind and name of what live's request names and a candidate cannot have, and the field that it would miss."""
    return tuple(
        (kind, str(body["name"]), lost[0])
        for kind, body in _named_by_live(desired, live)
        if (lost := _lost(kind, body, desired, live))
    )


def used_parts(live: LiveState, kind: PartKind) -> set[str]:
    """The names that live's released request or its default makes use of."""
    named = (live.search or {}).get(kind)
    return {str(name) for name in (named, default_part(live.index, kind)) if name}


def answerable(search: Mapping[str, Any], desired: Bodies, index: Mapping[str, Any]) -> dict[str, Any]:
    """A request that an index answers: what it lacks goes under its plain name where it has that, else unnamed."""
    result = dict(search)
    own = {(part.kind, part.name): part.own for part in desired.ranked}
    for kind in PART_KINDS:
        there, name = parts_of(index, kind), result.get(kind)
        if name is None or name in there:
            continue
        if (plain := own.get((kind, str(name)), own_name(str(name)))) in there:
            result[kind] = plain
        else:
            del result[kind]
    return result


def predecessor(part: RankingPart, live: LiveState) -> Mapping[str, Any] | None:
    """What live ranks by under the definition's name of a part, before this change of it."""
    there = parts_of(live.index, part.kind)
    for name in sorted(used_parts(live, part.kind)):
        if name in there and (name == part.own or own_name(name) == part.own):
            return there[name]
    return None


def names_on_live(desired: Bodies, live: LiveState) -> Names:
    """What live calls the definition's parts as they are released; for questions of a query set that name some."""
    names: dict[tuple[PartKind, str], str] = {}
    for part in desired.ranked:
        there, old = parts_of(live.index, part.kind), predecessor(part, live)
        known = [name for name in there if own_name(name) == part.own]
        used = () if old is None else (str(old["name"]),)
        found = next((name for name in (*used, part.name, part.own, *known) if name in there), None)
        if found is not None:
            names[part.kind, part.own] = found
    return names


def _name_on_live(part: RankingPart, body: Mapping[str, Any], there: Parts, used: list[str]) -> str:
    """Its own name by content, the plain one, or that of a renamed part in use; the first that says the same."""
    content = part_content(part.kind, body)
    named = [name for name in used if name in there and is_named_by_content(part.kind, there[name])]
    for name in (part.name, part.own, *named):
        if name in there and part_content(part.kind, there[name]) == content:
            return name
    return part.name


def _named_by_live(desired: Bodies, live: LiveState) -> Iterator[tuple[PartKind, Mapping[str, Any]]]:
    """What the released request names and the definition does not have (any more)."""
    for kind in PART_KINDS:
        name, there = str((live.search or {}).get(kind) or ""), parts_of(live.index, kind)
        if name in there and name not in parts_of(desired.index, kind):
            yield kind, there[name]


def _lost(kind: PartKind, part: Mapping[str, Any], desired: Bodies, live: LiveState) -> tuple[str, ...]:
    """The fields of a part that the desired index lacks, or has with other flags than live, which took the part."""
    paths = fields_of_part(kind, part)
    return tuple(path for path in paths if _field(desired.index, path) != _field(live.index, path))


def fields_of_part(kind: PartKind, part: Mapping[str, Any]) -> tuple[str, ...]:
    """The fields that a part names, each once."""
    if kind == "scoringProfile":
        text = part.get("text") or {}
        named = [*(text.get("weights") or {}), *(f.get("fieldName") for f in part.get("functions") or ())]
    else:
        said = part.get("prioritizedFields") or {}
        listed = [*(said.get("prioritizedContentFields") or ()), *(said.get("prioritizedKeywordsFields") or ())]
        named = [(field or {}).get("fieldName") for field in (said.get("titleField"), *listed)]
    return tuple(dict.fromkeys(str(name) for name in named if name))


def _field(index: Mapping[str, Any], path: str) -> tuple[object, ...] | None:
    """The flags of a field, by its path through complex fields."""
    fields: Any = index.get("fields")
    found: Mapping[str, Any] | None = None
    for step in path.split("/"):
        found = next((field for field in fields or () if field.get("name") == step), None)
        fields = found.get("fields") if found else None
    if found is None:
        return None
    filled = field_defaults({name: value for name, value in found.items() if value is not None})
    return tuple(filled.get(flag) for flag in _FLAGS)
