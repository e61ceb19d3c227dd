"""AZS52x: what an indexer's source, parameters and mappings say, against each other and against the index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from azsearch_ops.contract import sources
from azsearch_ops.contract.indexing import (
    BLOB_TYPES,
    HIGH_WATER_MARK,
    NATIVE_SOFT_DELETE,
    PREVIEW_SOURCE_TYPES,
    SQL_TRACKING,
)
from azsearch_ops.definitions.environment import Environment
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.tree import step
from azsearch_ops.errors import Problem, Severity
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import items, member, placed_fields, quoted

EXPLANATIONS: Final = (
    Explanation(
        "AZS521",
        "A setting that belongs to another parsing mode",
        "The indexer ignores it, or is refused.",
        "Remove it, or change parsingMode.",
        sources.INDEXER,
    ),
    Explanation(
        "AZS522",
        "A field mapping to a field that is not there, or that cannot take it",
        "The indexer is refused after index and data source were made. Mappings go to top-level fields.",
        "Mend the name, or add the field.",
        sources.FIELD_MAPPINGS,
    ),
    Explanation(
        "AZS523",
        "A mapping function without what it needs",
        "extractTokenAtPosition needs a delimiter and a position; the others take no or other parameters.",
        "Add the parameters that the message names.",
        sources.FIELD_MAPPINGS,
    ),
    Explanation(
        "AZS524",
        "A policy of change or deletion detection that the source does not have",
        "Blobs are followed by their own time stamps; SQL tracking is of SQL, native soft delete of blobs.",
        "Remove it, or use the policy of this kind of source.",
        sources.BLOB_DELETION,
    ),
    Explanation(
        "AZS525",
        "A kind of source that is a preview",
        "No stable api-version promises it.",
        "Use another kind of source, or silence this with the reason.",
        sources.DATA_SOURCE,
    ),
    Explanation(
        "AZS526",
        "Nothing can fill a candidate",
        "A definition without a source is of an index that applications push to. It can be adopted, its search request "
        "and whatever Azure changes in place can change, and live can be measured; a change that needs a new index "
        "would leave that one empty.",
        "Add `source`. Or fill a new index from your applications, and adopt it by a definition of its own.",
        sources.INDEXER,
    ),
)

_MODES: Final[Mapping[str, tuple[str, ...]]] = {
    "documentRoot": ("jsonArray", "json", "jsonLines"),
    "delimitedTextHeaders": ("delimitedText",),
    "delimitedTextDelimiter": ("delimitedText",),
    "firstLineContainsHeaders": ("delimitedText",),
    "markdownParsingSubmode": ("markdown",),
    "markdownHeaderDepth": ("markdown",),
}
_NEEDED: Final[Mapping[str, tuple[str, ...]]] = {"extractTokenAtPosition": ("delimiter", "position")}
_SQL: Final = ("azuresql",)


def check_source(index: IndexDefinition, environment: Environment) -> Iterator[Problem]:
    """The problems of a source's settings."""
    source, tree = index.source, index.tree
    if index.pushed:
        return
    nested = source.parameters.get("configuration")
    places = [(source.configuration, "/source/configuration")]
    if isinstance(nested, Mapping):
        places.append((nested, "/source/parameters/configuration"))
    for configuration, pointer in places:
        yield from _check_configuration(index, configuration, pointer)
    for name in ("fieldMappings", "outputFieldMappings"):
        yield from _check_mappings(index, name)
    blob = source.type in BLOB_TYPES
    for name, policy, refused in (
        ("dataChangeDetectionPolicy", source.change_detection, (HIGH_WATER_MARK, SQL_TRACKING) if blob else ()),
        ("dataChangeDetectionPolicy", source.change_detection, () if source.type in _SQL else (SQL_TRACKING,)),
        ("dataDeletionDetectionPolicy", source.deletion_detection, () if blob else (NATIVE_SOFT_DELETE,)),
    ):
        kind = member(policy, "@odata.type")
        if kind in refused:
            # Blobs are followed by their time stamps; the examples of the reference state that as a policy
            told = blob and kind == HIGH_WATER_MARK
            what = "needs" if told else "takes"
            message = f"a source of type {source.type} {what} no {str(kind).rpartition('.')[2]}"
            grade: Severity = "warning" if told else "error"
            yield Problem("AZS524", message, tree.locate(f"/source/{name}/@odata.type"), severity=grade)
            break
    if source.type in PREVIEW_SOURCE_TYPES:
        message = (
            f"the source type {source.type} is a preview, which no stable version promises; "
            f"apiVersion is {environment.api_version}"
        )
        severity: Severity = "error" if environment.strict else "warning"
        hint = "api is strict in this environment" if environment.strict else ""
        yield Problem("AZS525", message, tree.locate("/source/type"), severity=severity, hint=hint)


def _check_configuration(index: IndexDefinition, configuration: Mapping[str, Any], pointer: str) -> Iterator[Problem]:
    tree, mode = index.tree, index.source.parsing_mode
    for name, modes in _MODES.items():
        if configuration.get(name) is not None and mode not in modes:
            message = f"{name} belongs to parsingMode {' or '.join(modes)}, not to {mode}"
            yield Problem("AZS521", message, tree.locate_key(step(pointer, name)))
    delimiter = configuration.get("delimitedTextDelimiter")
    if isinstance(delimiter, str) and len(delimiter) != 1:
        place = tree.locate(step(pointer, "delimitedTextDelimiter"))
        yield Problem("AZS521", f"the delimiter is one character, not {quoted(delimiter)}", place)
    headers = configuration.get("firstLineContainsHeaders") is not False or configuration.get("delimitedTextHeaders")
    if mode == "delimitedText" and not headers:
        place = tree.locate_key(step(pointer, "firstLineContainsHeaders"))
        yield Problem("AZS521", "without a first line of headers, delimitedTextHeaders must name them", place)
    if configuration.get("imageAction") not in (None, "none") and index.skillset is None:
        place = tree.locate_key(step(pointer, "imageAction"))
        yield Problem("AZS521", "imageAction needs a skillset that reads the images", place)


def _check_mappings(index: IndexDefinition, name: str) -> Iterator[Problem]:
    tree, fields = index.tree, placed_fields(index)
    stated = index.source.field_mappings if name == "fieldMappings" else index.source.output_field_mappings
    for mapping, at in items(stated, f"/source/{name}"):
        stated_target = mapping.get("targetFieldName")
        target = stated_target or mapping.get("sourceFieldName")
        place = tree.locate(step(at, "targetFieldName" if stated_target else "sourceFieldName"))
        if str(target).partition("/")[0] not in fields:
            message = f"{name}: the index has no field {target!r}"
            hint = name_hint(str(target), fields)
            yield Problem("AZS522", message, place, hint=hint if stated_target else f"targetFieldName; {hint}")
        function = mapping.get("mappingFunction")
        needed = _NEEDED.get(str(member(function, "name")), ())
        missing = [n for n in needed if member(member(function, "parameters"), n) is None]
        if missing:
            message = f"{member(function, 'name')} needs {' and '.join(missing)}"
            yield Problem("AZS523", message, tree.locate_key(step(at, "mappingFunction")))
