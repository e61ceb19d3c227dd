"""An object in REST's shape against its type of the contract: properties, types, ranges, variants, api-versions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from azsearch_ops.contract import sources
from azsearch_ops.contract.index import USER_ASSIGNED_IDENTITY
from azsearch_ops.contract.objects import ANNOTATIONS, OBJECTS, is_open, properties_of, variant_of
from azsearch_ops.contract.property import Kind, Property
from azsearch_ops.contract.text_split import UNIT_SHOWN_IN, UNIT_SINCE
from azsearch_ops.contract.versions import is_preview, is_unknown_yet, supports
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.tree import Tree, step
from azsearch_ops.errors import Location, Problem
from azsearch_ops.rules.finding import is_integer, is_number, quoted

_ELSEWHERE: Final = ("maximumPageLength", "defaultLanguageCode", "encoderModelName")
"""Whose values the rules of Text Split look at: what they may be depends on unit and mode."""

_KIND_NAMES: Final = {
    "string": "a text",
    "boolean": "true or false",
    "integer": "a whole number",
    "number": "a number",
    "object": "a mapping",
    "list": "a list",
}


@dataclass(frozen=True, slots=True)
class Api:
    """The api-version that a body is written for, whether previews are refused, and the setting that names it."""

    version: str
    strict: bool = False
    setting: str = "apiVersion"

    def lacks(self, since: str) -> bool:
        """Whether something that came with `since` is not to be used; under `strict` no preview is."""
        return not supports(self.version, since) or (self.strict and is_preview(since))


def check_object(
    kind: str,
    body: Mapping[str, Any],
    pointer: str,
    tree: Tree,
    api: Api,
    *,
    given: tuple[str, ...] = (),
) -> Iterator[Problem]:
    """The problems of an object of the contract's type `kind`; `given` names required properties that we add."""
    rows = properties_of(kind, body)
    yield from _check_variant(kind, body, pointer, tree, api)
    if (
        kind == "identity"
        and body.get("@odata.type") == USER_ASSIGNED_IDENTITY
        and not body.get("userAssignedIdentity")
    ):
        message = "a user-assigned identity needs the property 'userAssignedIdentity'"
        yield Problem("AZS204", message, tree.locate_key(pointer))
    for name, value in body.items():
        at = step(pointer, name)
        row = rows.get(name)
        if row is None:
            # JSON from the portal has nulls for what other kinds of the object have
            if value is not None and name not in ANNOTATIONS and not is_open(kind, body):
                yield _unknown(kind, name, tree.locate_key(at), name_hint(name, rows), api)
        elif value is not None:
            yield from check_value(row, value, at, tree, api)
    for row in rows.values():
        if row.required and row.name not in given and body.get(row.name) is None:
            message = f"{with_article(kind)} needs the property {row.name!r}"
            yield Problem("AZS204", message, tree.locate_key(pointer))


def _unknown(kind: str, name: str, place: Location, hint: str, api: Api) -> Problem:
    """An error, or a warning where the api-version is newer than this table; what it has is passed on as it is."""
    message = f"{with_article(kind)} has no property {name!r}"
    if api.strict or not is_unknown_yet(api.version):
        return Problem("AZS201", message, place, hint=hint)
    message = f"{message} as far as is known here, which is less than {api.setting} {api.version} has; it is passed on"
    return Problem("AZS201", message, place, severity="warning", hint=hint)


def _check_variant(kind: str, body: Mapping[str, Any], pointer: str, tree: Tree, api: Api) -> Iterator[Problem]:
    """What the variant that a discriminator names came with, or was replaced by; an unknown one passes with a word."""
    discriminator = OBJECTS[kind].discriminator
    named = body.get(discriminator) if discriminator else None
    if not isinstance(named, str) or discriminator is None:
        return
    place = tree.locate(step(pointer, discriminator))
    variant = variant_of(kind, body)
    short = named.rpartition(".")[2]
    if variant is None:
        hint = name_hint(named, OBJECTS[kind].variants)
        if is_open(kind, body):
            message = f"{named!r} is not known here, so nothing of it is checked"
            yield Problem("AZS207", message, place, severity="warning", hint=hint)
        elif discriminator == "@odata.type":
            yield Problem("AZS202", f"{with_article(kind)} of type {named!r} does not exist", place, hint=hint)
        return
    if api.lacks(variant.since):
        yield newer(short, variant.since, place, api)
    if variant.replaced_by:
        message = f"{short} is retired; Azure offers {variant.replaced_by}"
        yield Problem("AZS206", message, place, severity="warning", hint=f"use {variant.replaced_by}")


def check_value(row: Property, value: Any, at: str, tree: Tree, api: Api) -> Iterator[Problem]:
    """The problems of the value of a property, `at` its pointer in `tree`, and of all below it."""
    if value not in (row.default, [], False) and api.lacks(row.since):
        yield _too_new(row, at, tree, api)
    if not _is_kind(row.kind, value):
        shown = "" if row.write_only else f", not {quoted(value)}"
        message = f"{row.name} takes {_KIND_NAMES[row.kind]}{shown}"
        hint = "write the number without quotes" if row.kind in ("integer", "number") and _digits(value) else ""
        yield Problem("AZS202", message, tree.locate(at), hint=hint)
        return
    if row.name in _ELSEWHERE and row.source == sources.TEXT_SPLIT:
        return
    yield from _check_choices(row, value, at, tree, api)
    if (row.minimum is not None and value < row.minimum) or (row.maximum is not None and value > row.maximum):
        yield Problem("AZS203", f"{row.name} must be {_range(row)}, and is {value}", tree.locate(at))
    if row.name == "authIdentity":
        yield from check_object("identity", value, at, tree, api)
    if row.of is None:
        return
    if row.kind == "object":
        yield from check_object(row.of, value, at, tree, api)
    elif row.kind == "list":
        for place, item in enumerate(value):
            below = step(at, place)
            if isinstance(item, Mapping):
                yield from check_object(row.of, item, below, tree, api)
            else:
                yield Problem("AZS202", f"each item of {row.name} is a mapping", tree.locate(below))


def _check_choices(row: Property, value: Any, at: str, tree: Tree, api: Api) -> Iterator[Problem]:
    """The values, or the items of a list, that are not among those which the property takes."""
    alone = row.kind != "list"
    if not alone and row.of is not None:
        return
    for place, one in ((at, value),) if alone else ((step(at, n), item) for n, item in enumerate(value)):
        if not alone and not _is_kind(row.items, one):
            message = f"each item of {row.name} is {_KIND_NAMES[row.items]}, not {quoted(one)}"
            yield Problem("AZS202", message, tree.locate(place))
        elif row.values and one not in row.values:
            message = f"{row.name} does not take {quoted(one)}"
            yield Problem("AZS202", message, tree.locate(place), hint=name_hint(str(one), row.values))
        elif row.known and one not in row.known:
            message = f"{row.name}: {quoted(one)} is not among the values known here"
            hint = name_hint(str(one), row.known)
            yield Problem("AZS208", message, tree.locate(place), severity="warning", hint=hint)
        elif isinstance(one, str) and one in row.newer and api.lacks(row.newer[one]):
            yield newer(f"{row.name}: {one}", row.newer[one], tree.locate(place), api)


def _too_new(row: Property, at: str, tree: Tree, api: Api) -> Problem:
    return newer(row.name, row.since, tree.locate_key(at), api)


def newer(name: str, since: str, place: Location, api: Api) -> Problem:
    """The problem of something that came with `since`; a preview is a warning, or an error where the api is strict."""
    if not is_preview(since) and is_preview(api.version):
        message = f"{name} is stable since {since}; whether {api.version} has it already is not known here"
        return Problem("AZS205", message, place, severity="warning")
    if not is_preview(since):
        message = f"{name} came with api-version {since}, the environment has {api.version}"
        return Problem("AZS205", message, place, hint=f"set {api.setting} to {since} or later")
    doubt = ""
    if since == UNIT_SINCE and api.version in UNIT_SHOWN_IN:
        doubt = f"; the sources of {api.version} disagree about it"
    has = "and has it as a preview" if supports(api.version, since) else "which may refuse or drop it"
    message = f"{name} is a preview property (since {since}); {api.setting} is {api.version}, {has}{doubt}"
    hint = "api is strict in this environment" if api.strict else ""
    return Problem("AZS205", message, place, severity="error" if api.strict else "warning", hint=hint)


def _is_kind(kind: Kind, value: Any) -> bool:
    if kind == "any":
        return True
    if kind == "string":
        return isinstance(value, str)
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "integer":
        return is_integer(value)
    if kind == "number":
        return is_number(value)
    return isinstance(value, Mapping) if kind == "object" else isinstance(value, list | tuple)


def _digits(value: object) -> bool:
    return isinstance(value, str) and value.strip().lstrip("-").isdigit()


def _range(row: Property) -> str:
    if row.maximum is None:
        return f"at least {row.minimum:g}"
    return f"between {row.minimum:g} and {row.maximum:g}"


def with_article(kind: str) -> str:
    """A type of the contract in words: `dataSource` → "a data source"."""
    spaced = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in kind)
    return f"{'an' if spaced[0] in 'aeiou' else 'a'} {spaced}"
