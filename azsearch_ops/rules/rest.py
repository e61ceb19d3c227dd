"""AZS20x: parts in REST's shape against the contract: properties, types, ranges, api-versions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from azsearch_ops.contract import sources
from azsearch_ops.contract.indexing import DATA_SOURCE_ELSEWHERE, INDEXER_ELSEWHERE, OWN_NAMES
from azsearch_ops.contract.objects import properties_of
from azsearch_ops.contract.skills import EMBEDDING_NEEDS, EMBEDDING_ODATA_TYPE, EMBEDDING_SHORT_FORM
from azsearch_ops.contract.text_split import ODATA_TYPE, SHORT_FORM
from azsearch_ops.definitions.environment import Environment
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.project import Project
from azsearch_ops.definitions.skillset import SkillsetDefinition
from azsearch_ops.definitions.tree import Tree, step
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import Subject, items
from azsearch_ops.rules.rest_objects import Api, check_object, check_value, newer, with_article

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
        yield from check_value(row, source.cache, "/source/cache", tree, version)


def _check_short_request(index: IndexDefinition, asked: Api) -> Iterator[Problem]:
    """Settings of `retrieval` that become properties of a vector query, by the version that these came with."""
    if index.retrieval.mode == "text" or index.retrieval.request.get("vectorQueries") is not None:
        return
    rows = properties_of("vectorQuery")
    for setting, name in (("threshold", "threshold"), ("weight", "weight"), ("weights", "weight")):
        if getattr(index.retrieval, setting) and asked.lacks(rows[name].since):
            yield newer(name, rows[name].since, index.tree.locate_key(f"/retrieval/{setting}"), asked)


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
            message = f"{name} of {with_article(kind)} has a place of its own"
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
            yield from check_value(rows[name], value, at, tree, api)
