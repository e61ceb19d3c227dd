"""AZS527 to AZS529, and more of AZS511, AZS521 to AZS524: settings of sources that fail, or that nobody notices."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from azsearch_ops.contract import sources
from azsearch_ops.contract.fields import COMPLEX_TYPES
from azsearch_ops.contract.indexing import BLOB_TYPES, SOFT_DELETE, SOURCE_TYPES
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.tree import step
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import Subject, is_integer, items, member, placed_fields, quoted
from azsearch_ops.rules.rest_objects import Api, check_object

EXPLANATIONS: Final = (
    Explanation(
        "AZS527",
        "File name extensions that select other files than meant",
        "Extensions are listed with their dots and commas between (`.pdf,.docx`). What is excluded stays out, even "
        "when it is among those to be indexed.",
        "Write each with its dot, and in one of the two lists.",
        sources.INDEXER,
    ),
    Explanation(
        "AZS528",
        "Rows that are deleted at the source stay in the index",
        "Without a policy of deletion detection the indexer never hears of a deleted row. (Sources of blobs get the "
        "policy of native soft delete unless another one is stated.)",
        "Add dataDeletionDetectionPolicy with a soft delete column; or silence this where nothing is ever deleted.",
        sources.BLOB_DELETION,
    ),
    Explanation(
        "AZS529",
        "Content that is not extracted",
        "With dataToExtract storageMetadata or allMetadata the indexer leaves `content` empty, so nothing is cut, "
        "embedded or found by its words.",
        "Leave dataToExtract out, or stop reading /document/content.",
        sources.INDEXER,
    ),
)

_PARAMETERS: Final[Mapping[str, Mapping[str, type]]] = {
    "base64Encode": {"useHttpServerUtilityUrlTokenEncode": bool},
    "base64Decode": {"useHttpServerUtilityUrlTokenDecode": bool},
    "extractTokenAtPosition": {"delimiter": str, "position": int},
}
_KINDS: Final = {bool: "true or false", str: "a text", int: "a whole number"}
_QUERY_TIME = re.compile(r"\d{2}:\d{2}:\d{2}")
_DATE_TIME = re.compile(r"\d{4}-\d{2}-\d{2}T")


def check_source_settings(subject: Subject) -> Iterator[Problem]:
    """The problems of a source's schedule, policies, configuration and mappings."""
    index, tree, source = subject.index, subject.index.tree, subject.index.source
    if source.type not in SOURCE_TYPES:
        return
    yield from _check_schedule(subject)
    policy = source.deletion_detection
    if policy is not None and policy.get("@odata.type") == SOFT_DELETE and policy.get("softDeleteMarkerValue") is None:
        message = "without softDeleteMarkerValue no row ever counts as deleted"
        place = tree.locate_key("/source/dataDeletionDetectionPolicy")
        yield Problem("AZS524", message, place, severity="warning")
    if policy is None and source.type not in BLOB_TYPES:
        message = f"rows deleted from a source of type {source.type} stay in the index: no dataDeletionDetectionPolicy"
        yield Problem("AZS528", message, tree.locate("/source/type"), severity="warning")
    nested = source.parameters.get("configuration")
    configurations = [(source.configuration, "/source/configuration")]
    if isinstance(nested, Mapping):
        configurations.append((nested, "/source/parameters/configuration"))
    for configuration, pointer in configurations:
        yield from _check_configuration(subject, configuration, pointer)
    for name, mappings in (
        ("fieldMappings", source.field_mappings),
        ("outputFieldMappings", source.output_field_mappings),
    ):
        yield from _check_targets(subject, name, mappings)
        for mapping, at in items(mappings, f"/source/{name}"):
            function = mapping.get("mappingFunction")
            if isinstance(function, Mapping):
                yield from _check_function(subject, function, step(at, "mappingFunction"))
    for name, projected in index.projection.items():
        if isinstance(projected, Mapping) and projected.get("mappingFunction") is not None:
            place = tree.locate_key(step(step("/projection", name), "mappingFunction"))
            yield Problem("AZS523", "a projection takes no mapping function", place)


def _check_schedule(subject: Subject) -> Iterator[Problem]:
    schedule, tree = subject.index.source.schedule, subject.index.tree
    if not isinstance(schedule, Mapping):
        return
    api = Api(subject.environment.api_version, subject.environment.strict)
    yield from check_object("schedule", schedule, "/source/schedule", tree, api)
    start = schedule.get("startTime")
    if isinstance(start, str):
        try:
            datetime.fromisoformat(start.replace("Z", "+00:00"))
            well = _DATE_TIME.match(start) is not None
        except ValueError:
            well = False
        if not well:
            message = f"startTime is a moment such as 2026-01-01T00:00:00Z, not {quoted(start)}"
            yield Problem("AZS511", message, tree.locate("/source/schedule/startTime"))


def _check_configuration(subject: Subject, configuration: Mapping[str, Any], pointer: str) -> Iterator[Problem]:
    source, tree = subject.index.source, subject.index.tree
    mode = configuration.get("parsingMode")
    if mode is not None and mode != source.parsing_mode:
        stated = f"source.parsingMode is {source.parsing_mode}"
        place = tree.locate(step(pointer, "parsingMode"))
        yield Problem("AZS521", f"{stated}, the configuration says {quoted(mode)}", place, hint="state it once")
    root = configuration.get("documentRoot")
    if isinstance(root, str) and root and not root.startswith("/"):
        place = tree.locate(step(pointer, "documentRoot"))
        message = f"documentRoot is a path from the root, such as /level1/level2, not {quoted(root)}"
        yield Problem("AZS521", message, place, severity="warning", hint=f"/{root}")
    timeout = configuration.get("queryTimeout")
    if isinstance(timeout, str):
        place = tree.locate(step(pointer, "queryTimeout"))
        if source.type != "azuresql":
            message = f"queryTimeout is for SQL, and the source is of type {source.type}"
            yield Problem("AZS521", message, place, severity="warning")
        elif not _QUERY_TIME.fullmatch(timeout):
            yield Problem("AZS521", f"queryTimeout is written hh:mm:ss, not {quoted(timeout)}", place, hint="00:05:00")
    extract = configuration.get("dataToExtract")
    if extract in ("storageMetadata", "allMetadata") and _reads_content(subject):
        message = f"dataToExtract {extract} leaves /document/content empty, which is read"
        yield Problem("AZS529", message, tree.locate(step(pointer, "dataToExtract")), severity="warning")
    yield from _check_extensions(subject, configuration, pointer)


def _check_extensions(subject: Subject, configuration: Mapping[str, Any], pointer: str) -> Iterator[Problem]:
    tree = subject.index.tree
    listed: dict[str, set[str]] = {}
    for name in ("indexedFileNameExtensions", "excludedFileNameExtensions"):
        stated = configuration.get(name)
        if not isinstance(stated, str):
            continue
        listed[name] = {part.strip().lower() for part in stated.split(",") if part.strip()}
        bare = sorted(part for part in listed[name] if not part.startswith("."))
        if bare:
            place = tree.locate(step(pointer, name))
            message = f"{name}: {', '.join(bare)} without a dot"
            yield Problem("AZS527", message, place, severity="warning", hint=",".join(f".{part}" for part in bare))
    both = set.intersection(*listed.values()) if len(listed) == 2 else set()
    if both:
        message = f"{', '.join(sorted(both))} is in both lists, and stays out"
        place = tree.locate(step(pointer, "excludedFileNameExtensions"))
        yield Problem("AZS527", message, place, severity="warning")


def _reads_content(subject: Subject) -> bool:
    """Whether anything that is cut, mapped or projected comes from /document/content."""
    skillset, index = subject.skillset, subject.index
    if skillset is not None and skillset.chunking and not skillset.chunking.get("inputs"):
        return True
    skills = [] if skillset is None else [skillset.chunking, skillset.embedding, *skillset.skills]
    read = [entry.get("source") for skill in skills for entry, _ in items(skill.get("inputs"), "")]
    read += [mapping.get("sourceFieldName") for mapping in index.source.output_field_mappings]
    return "/document/content" in [*read, *index.projection.values()]


def _check_targets(subject: Subject, name: str, mappings: tuple[Mapping[str, object], ...]) -> Iterator[Problem]:
    tree, fields = subject.index.tree, placed_fields(subject.index)
    first: set[str] = set()
    for mapping, at in items(mappings, f"/source/{name}"):
        target = mapping.get("targetFieldName")
        if not isinstance(target, str):
            continue
        place = tree.locate(step(at, "targetFieldName"))
        top = target.partition("/")[0]
        whole = fields[target].body.get("type") in COMPLEX_TYPES if target in fields else False
        if top in fields and (top != target or (whole and name == "fieldMappings")):
            message = f"{name}: a mapping goes to a field at the top that is not complex, and {target!r} is none"
            yield Problem("AZS522", message, place)
        elif target in first:
            message = f"{name}: two mappings go to {target!r}"
            yield Problem("AZS522", message, place, severity="warning")
        first.add(target)


def _check_function(subject: Subject, function: Mapping[str, Any], at: str) -> Iterator[Problem]:
    tree, name, parameters = subject.index.tree, str(function.get("name")), function.get("parameters")
    takes = _PARAMETERS.get(name, {})
    if parameters is not None and not isinstance(parameters, Mapping):
        yield Problem("AZS523", f"the parameters of {name} are a mapping", tree.locate(step(at, "parameters")))
        return
    for parameter, value in (parameters or {}).items():
        pointer = step(step(at, "parameters"), parameter)
        if parameter not in takes:
            if name in _PARAMETERS:
                hint = name_hint(parameter, takes)
                yield Problem("AZS523", f"{name} has no parameter {parameter!r}", tree.locate_key(pointer), hint=hint)
        elif not isinstance(value, takes[parameter]) or (takes[parameter] is int and isinstance(value, bool)):
            message = f"{parameter} of {name} takes {_KINDS[takes[parameter]]}, not {quoted(value)}"
            yield Problem("AZS523", message, tree.locate(pointer))
        elif is_integer(value) and value < 0:
            yield Problem("AZS523", f"{parameter} of {name} counts from 0", tree.locate(pointer))
        elif parameter == "delimiter" and member(parameters, "delimiter") == "":
            yield Problem("AZS523", "the delimiter is empty", tree.locate(pointer))
