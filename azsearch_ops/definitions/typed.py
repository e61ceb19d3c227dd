"""Trees to typed values by pydantic, and pydantic's complaints to located problems."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeVar

from pydantic import ConfigDict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from azsearch_ops.contract.objects import ANNOTATIONS
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.tree import Tree, step
from azsearch_ops.errors import Problem

T = TypeVar("T")

STRICT: Final = ConfigDict(extra="forbid", strict=True, arbitrary_types_allowed=True)
"""For every dataclass that a file fills: unknown keys and silent conversions are refused."""

_UNKNOWN: Final = ("extra_forbidden", "unexpected_keyword_argument")
_MISSING: Final = ("missing", "missing_argument", "missing_keyword_only_argument")


def typed(adapter: TypeAdapter[T], tree: Tree, problems: list[Problem], *, at: str = "") -> T | None:
    """The value of the tree at pointer `at` as the adapter's type; each complaint is a problem at its place.

    Unknown keys are reported and then left out, so that the rest of the definition can still be checked. None when
    more than that is wrong.
    """
    value = tree.at(at)
    if not at and isinstance(value, Mapping):
        # JSON from the portal describes its answer, and has a null for whatever is not set
        value = {key: item for key, item in value.items() if item is not None and key not in ANNOTATIONS}
        source = value.get("source")
        if isinstance(source, Mapping):  # REST's words stand one level deeper here
            value["source"] = {key: item for key, item in source.items() if item is not None}
    try:
        return _validated(adapter, value)
    except ValidationError as error:
        errors = error.errors(include_url=False, include_input=False)
    unknown: list[str] = []
    for detail in errors:
        pointer = _pointer(at, tree, detail["loc"])
        known = _known_keys(adapter, detail["loc"]) if detail["type"] in _UNKNOWN else ()
        problems.append(_problem(detail, pointer, tree, known))
        if detail["type"] in _UNKNOWN:
            unknown.append(pointer)
    if len(unknown) < len(errors):
        return None
    try:
        return _validated(adapter, _without(value, at, frozenset(unknown)))
    except ValidationError:
        return None


def _validated(adapter: TypeAdapter[T], value: object) -> T:
    # Strict validation takes mappings for dataclasses and lists for tuples only where the input is JSON
    return adapter.validate_json(json.dumps(value))


def _pointer(at: str, tree: Tree, loc: Iterable[int | str]) -> str:
    """pydantic's path as a pointer; the steps that name a branch of a union or "[key]" are left out."""
    pointer = at
    for part in loc:
        below = step(pointer, part)
        if below in tree.values or tree.at(below) is not None or _is_key(part, pointer, tree):
            pointer = below
    return pointer


def _is_key(part: int | str, pointer: str, tree: Tree) -> bool:
    holder = tree.at(pointer)
    return isinstance(part, str) and isinstance(holder, Mapping) and part in holder


def _problem(detail: ErrorDetails, pointer: str, tree: Tree, known: tuple[str, ...]) -> Problem:
    name = str(detail["loc"][-1]) if detail["loc"] else ""
    if detail["type"] in _UNKNOWN:
        hint = name_hint(name, known) if known else ""
        return Problem("AZS008", f"unknown key {name!r}", tree.locate_key(pointer), hint=hint)
    if detail["type"] in _MISSING:
        message = f"the key {name!r} is missing"
        return Problem("AZS009", message, tree.locate_key(pointer), hint=_form(pointer))
    message = detail["msg"].removeprefix("Value error, ")
    message = message[:1].lower() + message[1:]
    shown = f"{name}: {message}" if name and not name.isdigit() else message
    return Problem("AZS010", shown, tree.locate(pointer), hint=_form(pointer))


def _form(pointer: str) -> str:
    """How an entry is written whose form is asked for again and again."""
    return "{document: PATH, reason: WHY}" if re.fullmatch(r"/source/accept(/\d+)?", pointer) else ""


def _known_keys(adapter: TypeAdapter[Any], loc: tuple[int | str, ...]) -> tuple[str, ...]:
    """The keys that the mapping around an unknown key takes, from the adapter's JSON schema."""
    schema = adapter.json_schema()
    definitions = schema.get("$defs", {})
    here: dict[str, Any] = schema
    for part in loc[:-1]:
        here = _below(here, part, definitions)
    return tuple(_resolved(here, definitions).get("properties", {}))


def _below(schema: dict[str, Any], part: int | str, definitions: Mapping[str, Any]) -> dict[str, Any]:
    here = _resolved(schema, definitions)
    if isinstance(part, int):
        found = here.get("items", {})
    else:
        found = here.get("properties", {}).get(part) or here.get("additionalProperties")
        if found is None and here.get("title") == part:
            return here
    return found if isinstance(found, dict) else here


def _resolved(schema: dict[str, Any], definitions: Mapping[str, Any]) -> dict[str, Any]:
    """The schema behind a reference, and the branch with properties of a choice."""
    if "$ref" in schema:
        return _resolved(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    for branch in schema.get("anyOf", []):
        inner = _resolved(branch, definitions)
        if "properties" in inner or "additionalProperties" in inner or "items" in inner:
            return inner
    return schema


def _without(value: object, pointer: str, unknown: frozenset[str]) -> object:
    if isinstance(value, Mapping):
        return {
            key: _without(item, at, unknown) for key, item in value.items() if (at := step(pointer, key)) not in unknown
        }
    if isinstance(value, list):
        return [_without(item, step(pointer, i), unknown) for i, item in enumerate(value)]
    return value
