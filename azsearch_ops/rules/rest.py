"""AZS20x: parts in REST's shape against the contract: properties, types, ranges, api-versions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from azsearch_ops.contract import sources
from azsearch_ops.contract.index import USER_ASSIGNED_IDENTITY
from azsearch_ops.contract.indexing import DATA_SOURCE_ELSEWHERE, INDEXER_ELSEWHERE, OWN_NAMES
from azsearch_ops.contract.objects import ANNOTATIONS, OBJECTS, is_open, properties_of, variant_of
from azsearch_ops.contract.property import Kind, Property
from azsearch_ops.contract.skills import EMBEDDING_NEEDS, EMBEDDING_ODATA_TYPE, EMBEDDING_SHORT_FORM
from azsearch_ops.contract.text_split import ODATA_TYPE, SHORT_FORM, UNIT_SHOWN_IN, UNIT_SINCE
from azsearch_ops.contract.versions import is_preview, is_unknown_yet, supports
from azsearch_ops.definitions.environment import Environment
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.project import Project
from azsearch_ops.definitions.skillset import SkillsetDefinition
from azsearch_ops.definitions.tree import Tree, step
from azsearch_ops.errors import Location, Problem
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import Subject, is_integer, is_number, items, quoted

EXPLANATIONS: Final = (
    Explanation(
        "AZS201",
        "A property that Azure does not have",
        "Azure refuses, or silently drops, what it does not know; the SDK passes anything on.",
        "Use the name that the message suggests.",
        sources.CREATE_INDEX,
    ),
    Explanation(
        "AZS202",
        "A value that Azure does not take",
        "The property has another type, or takes only the listed values.",
        "Write a value of the kind that the message names.",
        sources.CREATE_INDEX,
    ),
    Explanation(
        "AZS203",
        "A number outside its range",
        "Azure refuses the whole object.",
        "Stay within the bounds that the message names.",
        sources.CREATE_INDEX,
    ),
    Explanation(
        "AZS204",
        "A required property is missing",
        "Azure refuses the whole object.",
        "Add it.",
        sources.CREATE_INDEX,
    ),
    Explanation(
        "AZS206",
        "A kind of skill that Azure has retired",
        "Its replacement has other properties and outputs; the retired one may be refused any day.",
        "Use the one that the message names.",
        sources.SKILLSET,
    ),
    Explanation(
        "AZS207",
        "A kind of object that is not known here",
        "It may be newer than this tool, or misspelled. It is passed on as it is.",
        "Mend the name, or silence this with the reason.",
        sources.SKILLSET,
    ),
    Explanation(
        "AZS208",
        "A value that is not known here",
        "The property takes names of a list that Azure lengthens from time to time, languages above all. Another name "
        "is refused, or the skill answers with a warning for every document.",
        "Mend the name, or silence this with the reason.",
        sources.SKILLSET,
    ),
    Explanation(
        "AZS205",
        "A property that this api-version may not have",
        "Preview properties may change or vanish; a version that does not know one may refuse or drop it. About some "
        "(`unit` of Text Split, `threshold`) the published sources of 2026-04-01 disagree.",
        "Leave it out, or set an apiVersion (queryApiVersion for requests) that has it.",
        sources.SPEC_CHANGES,
    ),
)


@dataclass(frozen=True, slots=True)
class Api:
    """The api-version that a body is written for, whether previews are refused, and the setting that names it."""

    version: str
    strict: bool = False
    setting: str = "apiVersion"

    def lacks(self, since: str) -> bool:
        """Whether something that came with `since` is not to be used; under `strict` no preview is."""
        return not supports(self.version, since) or (self.strict and is_preview(since))


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


def check_rest(subject: Subject) -> Iterator[Problem]:
    """The problems of an index body and of its search request."""
    tree, environment = subject.index.tree, subject.environment
    version = Api(environment.api_version, environment.strict)
    yield from check_object("index", subject.index.index, "/index", tree, version, given=("name",))
    request = subject.index.retrieval.request
    asked = Api(environment.query_api_version, environment.strict, "queryApiVersion")
    yield from check_object("searchRequest", request, "/retrieval/request", tree, asked)
    yield from _check_short_request(subject.index, asked)
    source = subject.index.source
    yield from check_object("indexerConfiguration", source.configuration, "/source/configuration", tree, version)
    yield from check_object("indexingParameters", source.parameters, "/source/parameters", tree, version)
    for name, mappings in (
        ("fieldMappings", source.field_mappings),
        ("outputFieldMappings", source.output_field_mappings),
    ):
        for mapping, pointer in items(mappings, f"/source/{name}"):
            yield from check_object("fieldMapping", mapping, pointer, tree, version)
    for kind, body, name in (
        ("changeDetection", source.change_detection, "dataChangeDetectionPolicy"),
        ("deletionDetection", source.deletion_detection, "dataDeletionDetectionPolicy"),
        ("encryptionKey", source.encryption_key, "encryptionKey"),
    ):
        if body is not None:
            yield from check_object(kind, body, f"/source/{name}", tree, version)
    for kind, body, given, elsewhere in (
        ("dataSource", source.data_source, "/source/dataSource", DATA_SOURCE_ELSEWHERE),
        ("indexer", source.indexer, "/source/indexer", INDEXER_ELSEWHERE),
    ):
        yield from _further(kind, body, given, elsewhere, tree, version)
    if source.cache is not None:
        row = properties_of("indexer")["cache"]
        yield from _check_value(row, source.cache, "/source/cache", tree, version)


def _check_short_request(index: IndexDefinition, asked: Api) -> Iterator[Problem]:
    """Settings of `retrieval` that become properties of a vector query, by the version that these came with."""
    if index.retrieval.mode == "text" or index.retrieval.request.get("vectorQueries") is not None:
        return
    rows = properties_of("vectorQuery")
    for setting, name in (("threshold", "threshold"), ("weight", "weight"), ("weights", "weight")):
        if getattr(index.retrieval, setting) and asked.lacks(rows[name].since):
            yield _newer(name, rows[name].since, index.tree.locate_key(f"/retrieval/{setting}"), asked)


def check_beside(project: Project) -> Iterator[Problem]:
    """The problems of what stands in REST's shape beside indexes and skillsets: identities of connections, and keys
    that synonym maps are encrypted with.
    """
    environment = project.environment
    api = Api(environment.api_version, environment.strict)
    for name, connection in environment.connections.items():
        if connection.identity is not None:
            at = step(step("/connections", name), "identity")
            yield from check_object("identity", connection.identity, at, environment.tree, api)
    for synonym_map in project.synonym_maps.values():
        if synonym_map.encryption_key is not None:
            yield from check_object(
                "encryptionKey", synonym_map.encryption_key, "/encryptionKey", synonym_map.tree, api
            )


def _further(
    kind: str, body: Mapping[str, Any], pointer: str, elsewhere: Mapping[str, str], tree: Tree, api: Api
) -> Iterator[Problem]:
    """What REST has for an object beside the keys of `source`; each of those has one place, and is refused here.

    Nulls, annotations and own names of JSON from the portal pass.
    """
    for name, value in body.items():
        if name in elsewhere and name not in OWN_NAMES and value not in (None, [], {}):
            message = f"{name} of {_article(kind)} has a place of its own"
            yield Problem("AZS201", message, tree.locate_key(step(pointer, name)), hint=f"use {elsewhere[name]}")
    rest = {name: value for name, value in body.items() if name not in elsewhere}
    yield from check_object(kind, rest, pointer, tree, api, given=tuple(elsewhere))


def check_skillset_rest(skillset: SkillsetDefinition, environment: Environment) -> Iterator[Problem]:
    """The problems of the short forms and skills of a skillset."""
    tree, api = skillset.tree, Api(environment.api_version, environment.strict)
    yield from _short_form(skillset.chunking, "/chunking", ODATA_TYPE, SHORT_FORM, tree, api)
    embedding = skillset.embedding
    yield from _short_form(embedding, "/embedding", EMBEDDING_ODATA_TYPE, EMBEDDING_SHORT_FORM, tree, api)
    for name in EMBEDDING_NEEDS if embedding else ():
        if embedding.get(name) is None:
            yield Problem("AZS204", f"embedding needs the setting {name!r}", tree.locate_key("/embedding"))
    for skill, pointer in items(skillset.skills, "/skills"):
        yield from check_object("skill", skill, pointer, tree, api)
    for kind, body in (
        ("cognitiveServices", skillset.cognitive_services),
        ("knowledgeStore", skillset.knowledge_store),
        ("indexProjections", skillset.index_projections),
        ("encryptionKey", skillset.encryption_key),
    ):
        if body is not None:
            # Without selectors, `projection` of the index says what is projected, and this how
            yield from check_object(kind, body, f"/{kind}", tree, api, given=("selectors",))


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
            yield from _check_value(row, value, at, tree, api)
    for row in rows.values():
        if row.required and row.name not in given and body.get(row.name) is None:
            message = f"{_article(kind)} needs the property {row.name!r}"
            yield Problem("AZS204", message, tree.locate_key(pointer))


def _unknown(kind: str, name: str, place: Location, hint: str, api: Api) -> Problem:
    """An error, or a warning where the api-version is newer than this table; what it has is passed on as it is."""
    message = f"{_article(kind)} has no property {name!r}"
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
            yield Problem("AZS202", f"{_article(kind)} of type {named!r} does not exist", place, hint=hint)
        return
    if api.lacks(variant.since):
        yield _newer(short, variant.since, place, api)
    if variant.replaced_by:
        message = f"{short} is retired; Azure offers {variant.replaced_by}"
        yield Problem("AZS206", message, place, severity="warning", hint=f"use {variant.replaced_by}")


def _short_form(
    body: Mapping[str, Any], pointer: str, odata_type: str, takes: tuple[str, ...], tree: Tree, api: Api
) -> Iterator[Problem]:
    if not body:
        return
    rows = properties_of("skill", {"@odata.type": odata_type})
    for name, value in body.items():
        at = step(pointer, name)
        if name not in takes:
            message = f"{pointer[1:]} has no setting {name!r}"
            yield Problem("AZS201", message, tree.locate_key(at), hint=name_hint(name, takes))
        elif value is not None:
            yield from _check_value(rows[name], value, at, tree, api)


def _check_value(row: Property, value: Any, at: str, tree: Tree, api: Api) -> Iterator[Problem]:
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
            yield _newer(f"{row.name}: {one}", row.newer[one], tree.locate(place), api)


def _too_new(row: Property, at: str, tree: Tree, api: Api) -> Problem:
    return _newer(row.name, row.since, tree.locate_key(at), api)


def _newer(name: str, since: str, place: Location, api: Api) -> Problem:
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


def _article(kind: str) -> str:
    spaced = "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in kind)
    return f"{'an' if spaced[0] in 'aeiou' else 'a'} {spaced}"
