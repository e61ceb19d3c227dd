"""AZS40x: the search request: what it names exists, and what it asks for makes sense."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from azsearch_ops.contract import limits, sources
from azsearch_ops.contract.fields import TEXT_TYPES, is_vector
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.short_forms import vector_fields
from azsearch_ops.definitions.tree import step
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import fields_by_path, items, member, placed_fields

EXPLANATIONS: Final = (
    Explanation(
        "AZS401",
        "A field that the request or the evaluation names is not there",
        "Azure refuses every query that names a field which the index does not have.",
        "Mend the name.",
        sources.SEARCH,
    ),
    Explanation(
        "AZS402",
        "A field that cannot be used in that way",
        "select needs retrievable fields, searchFields searchable text, orderby sortable, facets facetable ones.",
        "Change the field's flag, or leave it out of the request.",
        sources.SEARCH,
    ),
    Explanation(
        "AZS403",
        "A vector query without a vector field, or without a vectorizer",
        "The question reaches the service as text; the profile of each queried field needs a vectorizer that turns it "
        "into a vector.",
        "Name a vector field, and give its profile the vectorizer `embedding`.",
        sources.VECTORIZER,
    ),
    Explanation(
        "AZS406",
        "A setting that has no effect in this mode",
        "k, weights, thresholds and vector fields belong to vector queries, searchFields and searchMode to text.",
        "Remove it, or change the mode.",
        sources.HYBRID,
    ),
    Explanation(
        "AZS410",
        "A change that would move the ranking of live before it was measured",
        "Azure changes scoring profiles and semantic configurations in place, at once, for everybody. So a changed one "
        "is added under a name made of its content, measured by naming it in the request, and published with that. "
        "What cannot go this way is refused: one in use that was edited on the service, a default that is taken away "
        "from a request that names none, a field that the one in use needs. `plan` finds these, since they depend on "
        "what is live.",
        "Put back on the service what was released, or take the edit into the definitions. Name an empty scoring "
        "profile before its default goes. Release a request that does without the field, then change the field.",
        sources.SCORING,
    ),
    Explanation(
        "AZS409",
        "A scoring profile or semantic configuration that is not there",
        "Azure refuses every query that names one which the index does not define.",
        "Mend the name, or define it under index.",
        sources.SEARCH,
    ),
)

_LISTS: Final = (
    ("select", "retrievable", "can be returned"),
    ("searchFields", "searchable", "can be searched"),
    ("highlight", "searchable", "can be searched"),
)


def check_retrieval(index: IndexDefinition) -> Iterator[Problem]:
    """The problems of retrieval settings, and of the fields that the evaluation reads."""
    yield from _check_named_fields(index)
    yield from _check_evaluation(index)
    yield from _check_mode(index)
    yield from _check_names(index)


def _flag(field: Mapping[str, Any], flag: str) -> bool:
    """A flag with Azure's default for the field's type."""
    stated = field.get(flag)
    if isinstance(stated, bool):
        return stated
    if flag == "searchable":
        return field.get("type") in TEXT_TYPES or is_vector(field)
    return not is_vector(field)


def _check_named_fields(index: IndexDefinition) -> Iterator[Problem]:
    fields, tree, request = fields_by_path(index.index), index.tree, index.retrieval.request
    for name, flag, can in _LISTS:
        stated = request.get(name)
        if not isinstance(stated, str):
            continue
        place = tree.locate(f"/retrieval/request/{name}")
        for raw in stated.split(","):
            path = raw.strip().partition("-")[0] if name == "highlight" else raw.strip()
            if path in ("", "*"):
                continue
            field = fields.get(path)
            if field is None:
                message = f"{name}: the index has no field {path!r}"
                yield Problem("AZS401", message, place, hint=name_hint(path, fields))
            elif not _flag(field.body, flag) or (flag == "searchable" and is_vector(field.body)):
                yield Problem("AZS402", f"{name}: {path} is not {flag}, so it never {can}", place)
    orderby = request.get("orderby")
    for clause in orderby.split(",") if isinstance(orderby, str) else ():
        path = clause.strip().split(" ")[0]
        if "(" not in clause and ")" not in clause and path and path not in fields:
            place = tree.locate("/retrieval/request/orderby")
            yield Problem("AZS401", f"orderby: the index has no field {path!r}", place, hint=name_hint(path, fields))


def _check_evaluation(index: IndexDefinition) -> Iterator[Problem]:
    fields = placed_fields(index)
    if not index.evaluated:
        return
    for setting, name in (("document", index.evaluation.document), ("text", index.evaluation.text)):
        place = index.tree.locate(f"/evaluation/{setting}")
        if name not in fields:
            message = f"evaluation.{setting}: the index has no field {name!r}"
            yield Problem("AZS401", message, place, hint=name_hint(name, fields))
        elif not _flag(fields[name].body, "retrievable"):
            yield Problem("AZS402", f"evaluation.{setting}: {name} is not retrievable, so it cannot be read", place)


def _check_mode(index: IndexDefinition) -> Iterator[Problem]:
    retrieval, tree = index.retrieval, index.tree
    if retrieval.mode == "text":
        for setting in ("k", "fields", "weight", "weights", "threshold"):
            if getattr(retrieval, setting):
                message = f"{setting} has no effect in mode text"
                yield Problem("AZS406", message, tree.locate_key(f"/retrieval/{setting}"), severity="warning")
        return
    if retrieval.mode == "vector":
        for setting in ("searchFields", "searchMode"):
            if retrieval.request.get(setting) is not None:
                place = tree.locate_key(f"/retrieval/request/{setting}")
                yield Problem("AZS406", f"{setting} has no effect in mode vector", place, severity="warning")
    if "vectorQueries" not in retrieval.request:
        yield from _check_vector_fields(index)


def _check_vector_fields(index: IndexDefinition) -> Iterator[Problem]:
    fields, tree, retrieval = placed_fields(index), index.tree, index.retrieval
    queried = vector_fields(index)
    if not queried:
        message = f"mode {retrieval.mode} needs a vector field, and the index has none"
        yield Problem("AZS403", message, tree.locate("/retrieval/mode"))
    if len(queried) > limits.VECTOR_FIELDS_PER_QUERY:
        message = f"a query takes {limits.VECTOR_FIELDS_PER_QUERY} vector fields at most, not {len(queried)}"
        yield Problem("AZS407", message, tree.locate("/retrieval/fields"))
    profiles = {
        str(profile.get("name")): profile.get("vectorizer")
        for profile, _ in items(member(index.index.get("vectorSearch"), "profiles"), "")
    }
    for place_in_list, name in enumerate(queried):
        place = tree.locate(f"/retrieval/fields/{place_in_list}" if retrieval.fields else "/retrieval")
        field = fields.get(name)
        if field is None:
            vectors = [other for other, placed in fields.items() if is_vector(placed.body)]
            message = f"fields: the index has no field {name!r}"
            yield Problem("AZS401", message, place, hint=name_hint(name, vectors))
        elif not is_vector(field.body):
            yield Problem("AZS403", f"fields: {name} holds no vector", place)
        else:
            profile = str(field.body.get("vectorSearchProfile"))
            if profile in profiles and profiles[profile] is None:
                message = f"the profile {profile} of {name} has no vectorizer, so questions cannot become vectors"
                yield Problem("AZS403", message, tree.locate(step(field.pointer, "vectorSearchProfile")))
    for name in retrieval.weights:
        if name not in queried:
            place = tree.locate_key(step("/retrieval/weights", name))
            message = f"weights: {name!r} is not a queried vector field"
            yield Problem("AZS401", message, place, hint=name_hint(name, queried))


def _check_names(index: IndexDefinition) -> Iterator[Problem]:
    request, tree = index.retrieval.request, index.tree
    configurations = member(index.index.get("semantic"), "configurations")
    for setting, known in (
        ("scoringProfile", index.index.get("scoringProfiles")),
        ("semanticConfiguration", configurations),
    ):
        name = request.get(setting)
        names = [str(item.get("name")) for item, _ in items(known, "")]
        if isinstance(name, str) and name not in names:
            place = tree.locate(f"/retrieval/request/{setting}")
            yield Problem("AZS409", f"{setting}: the index has no {name!r}", place, hint=name_hint(name, names))
    semantic = request.get("queryType") == "semantic"
    default = member(index.index.get("semantic"), "defaultConfiguration")
    if semantic and request.get("semanticConfiguration") is None and default is None:
        place = tree.locate("/retrieval/request/queryType")
        yield Problem("AZS409", "queryType semantic needs a semanticConfiguration", place)
    fields = fields_by_path(index.index)
    for field, pointer in _semantic_fields(configurations):
        if field not in fields:
            message = f"the semantic configuration names a missing field {field!r}"
            yield Problem("AZS401", message, tree.locate(pointer), hint=name_hint(field, fields))


def _semantic_fields(configurations: object) -> Iterator[tuple[str, str]]:
    """The fields that semantic configurations name, with their pointers."""
    for configuration, at in items(configurations, "/index/semantic/configurations"):
        prioritized = configuration.get("prioritizedFields")
        title = member(member(prioritized, "titleField"), "fieldName")
        if isinstance(title, str):
            yield title, f"{at}/prioritizedFields/titleField/fieldName"
        for name in ("prioritizedContentFields", "prioritizedKeywordsFields"):
            for field, below in items(member(prioritized, name), f"{at}/prioritizedFields/{name}"):
                if isinstance(field.get("fieldName"), str):
                    yield str(field["fieldName"]), f"{below}/fieldName"
