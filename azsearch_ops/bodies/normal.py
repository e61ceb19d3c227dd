"""The normal form of a body: what a definition says and what the service returns for it are equal in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from azsearch_ops.bodies.canonical import canonical
from azsearch_ops.contract import text_split
from azsearch_ops.contract.fields import field_defaults
from azsearch_ops.contract.objects import ANNOTATIONS, list_key, properties_of
from azsearch_ops.contract.property import Property

_DURATION = re.compile(r"P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.0+)?S)?)?")
Leave = Callable[[Property], bool]

_PLAIN = frozenset({str, int, float, bool, type(None)})
"""What most values are, asked for first: checks against abstract types take most of the time otherwise."""


def normal(kind: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """The normal form of an object of `kind` (a name of the contract's object types).

    Annotations, nulls, empty lists and objects are gone, defaults filled in, what the service never returns
    (credentials) left out, and lists whose order means nothing are sorted by what tells their items apart.
    Idempotent.
    """
    return normal_without(kind, body, lambda row: False)


def normal_without(kind: str, body: Mapping[str, Any], leave: Leave) -> dict[str, Any]:
    """The normal form without the properties that `leave` names."""
    return _object(kind, body, leave, inside_collection=False)


def _object(kind: str, body: Mapping[str, Any], leave: Leave, *, inside_collection: bool) -> dict[str, Any]:
    filled = _filled(kind, body, inside_collection)
    rows = properties_of(kind, filled)
    inside = inside_collection or (kind == "field" and filled.get("type") == "Collection(Edm.ComplexType)")
    result: dict[str, Any] = {}
    for name, value in filled.items():
        row = rows.get(name)
        if name in ANNOTATIONS or (row is not None and (row.write_only or leave(row))):
            continue
        kept = _open(value) if row is None else _value(row, value, leave, inside)
        if kept or not _hollow(kept):
            result[name] = kept
    return result


def _filled(kind: str, body: Mapping[str, Any], inside_collection: bool) -> dict[str, Any]:
    """The body with the defaults that Azure gives this kind of object."""
    stated = {name: value for name, value in body.items() if value is not None}
    if kind == "field":
        stated = {name: value for name, value in stated.items() if not _hollow(value)}
        return field_defaults(stated, inside_collection=inside_collection)
    for row in properties_of(kind, stated).values():
        if row.default is not None:
            # What has a default is echoed empty where it was left out
            _default(stated, row.name, row.default)
    if kind == "outputMapping":
        _default(stated, "targetName", stated.get("name"))
    elif kind == "fieldMapping":
        _default(stated, "targetFieldName", stated.get("sourceFieldName"))
    elif kind == "skillset":
        stated["skills"] = _named_skills(stated.get("skills"))
    elif kind == "schedule":
        # The service fills in a start of its own, which cannot be told from a stated one
        stated.pop("startTime", None)
        stated["interval"] = _seconds(stated.get("interval"))
    elif kind == "skill" and stated.get("@odata.type") == text_split.ODATA_TYPE:
        _only_what_counts(stated)
    return stated


def _named_skills(skills: object) -> list[Any]:
    """Azure calls a skill without a name #1, #2 … by its place."""
    if not isinstance(skills, list | tuple):
        return []
    return [
        {**skill, "name": f"#{place}" if _hollow(skill.get("name") or None) else skill["name"]}
        if isinstance(skill, Mapping)
        else skill
        for place, skill in enumerate(skills, start=1)
    ]


def _only_what_counts(split: dict[str, Any]) -> None:
    """Drops what Text Split ignores, so that it makes no difference; fills in the encoder where it counts."""
    if split.get("textSplitMode") == "sentences":
        for name in text_split.PAGES_ONLY:
            split.pop(name, None)
    elif split.get("unit") == "azureOpenAITokens":
        _default(split, "azureOpenAITokenizerParameters", {"encoderModelName": text_split.DEFAULT_ENCODER})
    else:
        split.pop("azureOpenAITokenizerParameters", None)


def _value(row: Property, value: Any, leave: Leave, inside_collection: bool) -> Any:
    if type(value) in _PLAIN and row.order != "set" and row.name != "resourceUri":
        return value
    if row.kind == "object" and row.of and isinstance(value, Mapping):
        return _object(row.of, value, leave, inside_collection=inside_collection)
    if row.name == "resourceUri" and isinstance(value, str):
        return value.rstrip("/")
    if row.kind == "string" and row.order == "set" and isinstance(value, str):
        return ",".join(sorted({part.strip() for part in value.split(",")} - {""}))
    if row.kind != "list" or not isinstance(value, list | tuple):
        return _open(value)
    items = [
        _object(row.of, item, leave, inside_collection=inside_collection)
        if row.of and isinstance(item, Mapping)
        else _open(item)
        for item in value
    ]
    if row.order == "named":
        names = [list_key(row, item) or "" for item in items]
        if len(set(names)) < len(names):  # Only among namesakes their content has to decide
            return sorted(items, key=lambda item: (list_key(row, item) or "", canonical(item)))
        return [items[place] for place in sorted(range(len(items)), key=names.__getitem__)]
    if row.order == "set":
        return sorted(items, key=canonical)
    return items


def _open(value: Any) -> Any:
    """A value that the contract does not describe: only nulls, empties and annotations go."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Mapping):
        inner = {name: _open(item) for name, item in value.items() if name not in ANNOTATIONS}
        return {name: item for name, item in inner.items() if item not in (None, [], {})}
    if isinstance(value, list | tuple):
        return [_open(item) for item in value]
    return value


def _default(stated: dict[str, Any], name: str, value: Any) -> None:
    if _hollow(stated.get(name)):
        stated[name] = value


def _hollow(value: Any) -> bool:
    """Whether nothing would be left of a value: it counts as left out, and a default takes its place."""
    if type(value) in _PLAIN:
        return value is None
    return isinstance(value, (Mapping, list, tuple)) and _open(value) in ([], {})


def _seconds(interval: object) -> object:
    """An ISO 8601 duration in one spelling, PT…S; anything else as it is."""
    found = _DURATION.fullmatch(interval) if isinstance(interval, str) else None
    if found is None or not any(found.groups()):
        return interval
    days, hours, minutes, seconds = (int(group or 0) for group in found.groups())
    return f"PT{((days * 24 + hours) * 60 + minutes) * 60 + seconds}S"
