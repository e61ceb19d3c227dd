"""AZS241 to AZS245: suggesters, scoring profiles, semantic configurations, CORS, and how large an index may be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from azsearch_ops.contract import limits, sources
from azsearch_ops.contract.analysis_names import LANGUAGE_ANALYZERS
from azsearch_ops.contract.fields import TEXT_TYPES, is_complex, is_vector
from azsearch_ops.contract.index import CLASSIC_SIMILARITY, FUNCTION_FIELDS
from azsearch_ops.contract.names import check_name
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.tree import step
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import (
    PlacedField,
    every_field,
    fields_by_path,
    flag,
    is_number,
    items,
    member,
    quoted,
)

EXPLANATIONS: Final = (
    Explanation(
        "AZS241",
        "A suggester that Azure refuses",
        "An index has one suggester; its fields are searchable texts.",
        "Keep one, and name searchable text fields.",
        sources.CREATE_INDEX,
    ),
    Explanation(
        "AZS242",
        "A scoring profile that Azure refuses",
        "Weights belong to searchable fields and are positive; functions need a filterable field of a type that "
        "fits, a boost that is not 1, and the settings of their type.",
        "Mend what the message names.",
        sources.SCORING_PROFILES,
    ),
    Explanation(
        "AZS243",
        "A semantic configuration that Azure refuses, or that ranks nothing",
        "It names at least one field, and its fields are searchable, retrievable texts.",
        "Name a title, content or keywords field that is both.",
        sources.SEMANTIC,
    ),
    Explanation(
        "AZS244",
        "A default that is not defined",
        "defaultScoringProfile and defaultConfiguration name something of the same index.",
        "Mend the name, or define it.",
        sources.CREATE_INDEX,
    ),
    Explanation(
        "AZS245",
        "An index that is larger than Azure allows",
        "There are limits on fields, nesting, complex collections, profiles and configurations.",
        "Take out what is above the limit that the message names.",
        sources.LIMITS,
    ),
)

_XSD_DAY_TIME = re.compile(r"-?P(?=\d|T\d)(\d+D)?(T(?=\d)(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?")


def check_index_parts(index: IndexDefinition, tier: str | None = None) -> Iterator[Problem]:
    """The problems of an index's parts beside its fields; a tier of the service has limits of its own."""
    paths = fields_by_path(index.index)
    yield from _check_size(index, tier)
    yield from _check_suggesters(index, paths)
    yield from _check_profiles(index, paths)
    yield from _check_semantic(index)
    if member(index.index.get("similarity"), "@odata.type") == CLASSIC_SIMILARITY:
        message = "services made since July 2020 refuse ClassicSimilarity"
        yield Problem(
            "AZS206", message, index.tree.locate("/index/similarity"), severity="warning", hint="BM25Similarity"
        )


def _check_size(index: IndexDefinition, tier: str | None) -> Iterator[Problem]:
    tree, place = index.tree, "/index/fields"
    fields = list(every_field(index.index))
    simple = sum(not is_complex(field) for field, _ in fields)
    known = limits.TIERS.get(tier or "")
    most = known.simple_fields if known else max(other.simple_fields for other in limits.TIERS.values())
    if simple > most:
        where = f" on the tier {tier}" if known else ""
        message = f"an index takes {most} fields at most{where}, not {simple}"
        yield Problem("AZS245", message, tree.locate_key(place))
    collections = [at for field, at in fields if field.get("type") == "Collection(Edm.ComplexType)"]
    if len(collections) > limits.COMPLEX_COLLECTIONS:
        message = f"an index takes {limits.COMPLEX_COLLECTIONS} complex collections at most, not {len(collections)}"
        yield Problem("AZS245", message, tree.locate(collections[limits.COMPLEX_COLLECTIONS]))
    deepest, at = max(fields, key=lambda placed: placed[1].count("/fields/"), default=({}, ""))
    levels = at.count("/fields/")
    if levels > limits.COMPLEX_DEPTH:
        # Whether the field at the bottom counts is not said anywhere
        severity: Any = "error" if levels > limits.COMPLEX_DEPTH + 1 else "warning"
        message = f"{deepest.get('name')} lies {levels} levels deep; {limits.COMPLEX_DEPTH} are allowed"
        yield Problem("AZS245", message, tree.locate(at), severity=severity)
    configurations = member(index.index.get("semantic"), "configurations")
    for what, value, limit, pointer in (
        ("scoring profiles", index.index.get("scoringProfiles"), limits.SCORING_PROFILES, "/index/scoringProfiles"),
        ("semantic configurations", configurations, limits.SEMANTIC_CONFIGURATIONS, "/index/semantic/configurations"),
    ):
        count = sum(1 for _ in items(value, ""))
        if count > limit:
            yield Problem("AZS245", f"an index takes {limit} {what} at most, not {count}", tree.locate_key(pointer))


def _check_suggesters(index: IndexDefinition, paths: Mapping[str, PlacedField]) -> Iterator[Problem]:
    tree = index.tree
    for place, (suggester, at) in enumerate(items(index.index.get("suggesters"), "/index/suggesters")):
        if place >= limits.SUGGESTERS:
            yield Problem("AZS241", "an index has one suggester at most", tree.locate(at))
        name = suggester.get("name")
        reason = check_name("suggester", name) if isinstance(name, str) else None
        if reason is not None:
            yield Problem("AZS241", f"the suggester name {name!r} {reason}", tree.locate(step(at, "name")))
        sources_stated = suggester.get("sourceFields")
        if isinstance(sources_stated, list | tuple) and not sources_stated:
            yield Problem("AZS241", "the suggester names no field", tree.locate(step(at, "sourceFields")))
        named: set[str] = set()
        for number, path in enumerate(sources_stated if isinstance(sources_stated, list | tuple) else ()):
            where = tree.locate(step(step(at, "sourceFields"), number))
            field = paths.get(str(path))
            if field is None:
                message = f"the suggester names a missing field {path!r}"
                yield Problem("AZS241", message, where, hint=name_hint(str(path), paths))
            elif field.body.get("type") not in TEXT_TYPES or not flag(field.body, "searchable"):
                yield Problem("AZS241", f"the suggester's field {path} must be a searchable text", where)
            elif str(path) in named:
                yield Problem("AZS241", f"the suggester names {path} twice", where)
            elif not _suggests(field.body):
                message = f"the suggester's field {path} has an analyzer that suggesters are not made for"
                hint = "standard and language analyzers fit"
                yield Problem("AZS241", message, where, severity="warning", hint=hint)
            named.add(str(path))


def _suggests(field: Mapping[str, Any]) -> bool:
    """Whether suggestions are made for the field's analyzer: none, the standard one, or a language's."""
    if field.get("indexAnalyzer") is not None:
        return False
    analyzer = field.get("analyzer")
    return analyzer in (None, "standard", "standard.lucene") or (
        isinstance(analyzer, str) and analyzer in LANGUAGE_ANALYZERS
    )


def _check_profiles(index: IndexDefinition, paths: Mapping[str, PlacedField]) -> Iterator[Problem]:
    tree = index.tree
    names: set[str] = set()
    for profile, at in items(index.index.get("scoringProfiles"), "/index/scoringProfiles"):
        name = str(profile.get("name"))
        reason = check_name("scoringProfile", name)
        if reason is not None or name in names:
            why = reason or "is there twice"
            yield Problem("AZS242", f"the scoring profile name {name!r} {why}", tree.locate(step(at, "name")))
        names.add(name)
        weights = member(profile.get("text"), "weights")
        if weights is not None and not isinstance(weights, Mapping):
            yield Problem("AZS202", "weights maps fields to numbers", tree.locate(f"{at}/text/weights"))
        if not weights and not profile.get("functions"):
            message = f"{name} has neither weights nor functions, so it changes nothing"
            yield Problem("AZS242", message, tree.locate(at), severity="warning")
        for path, weight in weights.items() if isinstance(weights, Mapping) else ():
            where = tree.locate(step(f"{at}/text/weights", path))
            field = paths.get(path)
            if field is None or not flag(field.body, "searchable"):
                message = f"{name} weighs {path!r}, which is no searchable field"
                yield Problem("AZS242", message, where, hint=name_hint(path, paths) if field is None else "")
            elif is_vector(field.body):
                message = f"{name} weighs the vector field {path}, which no weight reaches"
                yield Problem("AZS242", message, where, severity="warning", hint="weights of vector queries do")
            if weight is not None and (not is_number(weight) or weight <= 0):
                yield Problem("AZS242", f"a weight is above 0, not {quoted(weight)}", where)
        functions = list(items(profile.get("functions"), step(at, "functions")))
        if len(functions) > limits.SCORING_FUNCTIONS:
            message = f"a scoring profile takes {limits.SCORING_FUNCTIONS} functions at most, not {len(functions)}"
            yield Problem("AZS242", message, tree.locate_key(step(at, "functions")))
        for function, below in functions:
            yield from _check_function(index, function, below, paths)
    default = index.index.get("defaultScoringProfile")
    if isinstance(default, str) and default not in names:
        place = tree.locate("/index/defaultScoringProfile")
        yield Problem("AZS244", f"there is no scoring profile {default!r}", place, hint=name_hint(default, names))


def _check_function(
    index: IndexDefinition, function: Mapping[str, Any], at: str, paths: Mapping[str, PlacedField]
) -> Iterator[Problem]:
    tree, kind, path = index.tree, str(function.get("type")), function.get("fieldName")
    if kind not in FUNCTION_FIELDS:
        if function.get("type") is None:
            hint = name_hint("", FUNCTION_FIELDS)
            yield Problem("AZS242", "the function has no type", tree.locate(at), hint=hint)
        return
    field, fits = paths.get(str(path)), FUNCTION_FIELDS[kind]
    if field is None or field.body.get("type") not in fits or not flag(field.body, "filterable"):
        message = f"{kind} needs a filterable field of type {' or '.join(fits)}, which {path!r} is not"
        yield Problem("AZS242", message, tree.locate(step(at, "fieldName")))
    boost = function.get("boost")
    if is_number(boost) and (boost == 1 or boost == 0):
        yield Problem("AZS242", f"a boost of {boost:g} does nothing", tree.locate(step(at, "boost")))
    elif is_number(boost) and boost < 0:
        message = "the sources disagree whether a boost may be negative"
        yield Problem("AZS242", message, tree.locate(step(at, "boost")), severity="warning")
    if not isinstance(function.get(kind), Mapping):
        yield Problem("AZS242", f"the function of type {kind} needs its settings under {kind!r}", tree.locate(at))
    for other in FUNCTION_FIELDS:
        if other != kind and function.get(other) is not None:
            message = f"the function is of type {kind}, so {other!r} does not belong to it"
            yield Problem("AZS242", message, tree.locate_key(step(at, other)))
    if kind == "tag" and function.get("interpolation") in ("quadratic", "logarithmic"):
        message = "tag functions interpolate constant or linear only"
        yield Problem("AZS242", message, tree.locate(step(at, "interpolation")))
    duration = member(function.get("freshness"), "boostingDuration")
    if kind == "freshness" and isinstance(duration, str) and not _XSD_DAY_TIME.fullmatch(duration):
        place = tree.locate(f"{at}/freshness/boostingDuration")
        yield Problem("AZS242", f"boostingDuration is a duration such as P30D, not {quoted(duration)}", place)


def _check_semantic(index: IndexDefinition) -> Iterator[Problem]:
    tree, semantic, fields = index.tree, index.index.get("semantic"), fields_by_path(index.index)
    names: set[str] = set()
    for configuration, at in items(member(semantic, "configurations"), "/index/semantic/configurations"):
        name = str(configuration.get("name"))
        if name in names:
            yield Problem("AZS243", f"the configuration {name!r} is there twice", tree.locate(step(at, "name")))
        names.add(name)
        prioritized = configuration.get("prioritizedFields")
        if not isinstance(prioritized, Mapping):
            continue
        named = [(prioritized.get("titleField"), f"{at}/prioritizedFields/titleField")]
        for part in ("prioritizedContentFields", "prioritizedKeywordsFields"):
            named += items(prioritized.get(part), f"{at}/prioritizedFields/{part}")
        stated = [(str(f.get("fieldName")), p) for f, p in named if isinstance(f, Mapping) and f.get("fieldName")]
        if not stated:
            yield Problem("AZS243", f"{name} names no field", tree.locate_key(f"{at}/prioritizedFields"))
        for path, pointer in stated:
            field = fields.get(path)
            if field is None:
                continue
            text = field.body.get("type") in TEXT_TYPES
            if not text or not flag(field.body, "searchable") or not flag(field.body, "retrievable"):
                message = f"{name}: {path} must be a searchable and retrievable text"
                yield Problem("AZS243", message, tree.locate(f"{pointer}/fieldName"))
    default = member(semantic, "defaultConfiguration")
    if isinstance(default, str) and default not in names:
        place = tree.locate("/index/semantic/defaultConfiguration")
        message = f"there is no semantic configuration {default!r}"
        yield Problem("AZS244", message, place, hint=name_hint(default, names))
