"""AZS414, and fields of filters (AZS401, AZS402): filters of the request, of vector queries and of questions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from azsearch_ops.contract import sources
from azsearch_ops.contract.fields import COMPLEX_TYPES
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.queries import QuerySet
from azsearch_ops.definitions.tree import step
from azsearch_ops.errors import Location, Problem
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.filter_syntax import ORDERED, FilterError, Use, fields_used
from azsearch_ops.rules.finding import PlacedField, fields_by_path, flag, items

EXPLANATIONS: Final = (
    Explanation(
        "AZS414",
        "A filter that Azure cannot read",
        "Filters are OData with few functions: no startswith or contains, no ==, texts in single quotes and compared "
        "by eq and ne only. Every query with such a filter is answered with 400.",
        "Write FIELD eq 'value', search.in(FIELD, 'a,b'), FIELD/any(v: v eq 'value') …",
        sources.FILTERS,
    ),
)

_NUMBERS: Final = ("Edm.Int32", "Edm.Int64", "Edm.Double")
_TAKES: Final[Mapping[str, tuple[str, ...]]] = {
    "Edm.String": ("text",),
    "Edm.Boolean": ("boolean",),
    "Edm.DateTimeOffset": ("time",),
    **dict.fromkeys(_NUMBERS, ("number",)),
}


def check_request_filters(index: IndexDefinition) -> Iterator[Problem]:
    """The problems of the filters in the retrieval settings."""
    tree, request = index.tree, index.retrieval.request
    stated = [(request.get("filter"), "/retrieval/request/filter")]
    for query, at in items(request.get("vectorQueries"), "/retrieval/request/vectorQueries"):
        stated.append((query.get("filterOverride"), step(at, "filterOverride")))
    fields = fields_by_path(index.index)
    for text, pointer in stated:
        if isinstance(text, str) and text.strip():
            yield from _check(text, tree.locate(pointer), fields)


def check_query_filters(index: IndexDefinition, queries: QuerySet) -> Iterator[Problem]:
    """The problems of the filters that questions have."""
    fields = fields_by_path(index.index)
    for entry in queries.entries:
        if entry.filter and entry.filter.strip():
            yield from _check(entry.filter, entry.location, fields)


def _check(text: str, place: Location, fields: Mapping[str, PlacedField]) -> Iterator[Problem]:
    try:
        uses = fields_used(text)
    except FilterError as stopped:
        yield Problem("AZS414", f"the filter cannot be read: {stopped}", place)
        return
    told: set[str] = set()
    for use in uses:
        if use.path in told:
            continue
        problem = _check_use(use, place, fields)
        if problem is not None:
            told.add(use.path)
            yield problem


def _check_use(use: Use, place: Location, fields: Mapping[str, PlacedField]) -> Problem | None:
    field = fields.get(use.path)
    if field is None:
        message = f"filter: the index has no field {use.path!r}"
        return Problem("AZS401", message, place, hint=name_hint(use.path, fields))
    kind = str(field.body.get("type"))
    if kind in COMPLEX_TYPES:
        return None
    if not flag(field.body, "filterable"):
        return Problem("AZS402", f"filter: {use.path} is not filterable", place)
    collection = kind.startswith("Collection(")
    inner = kind.removeprefix("Collection(").removesuffix(")")
    if collection and not use.loop and not use.function:
        return Problem("AZS414", f"{use.path} has several values: {use.path}/any(v: v eq …)", place)
    if not use.comparison:
        return None
    if use.literal == "null":
        if use.comparison in ORDERED:
            return Problem("AZS414", f"{use.path} {use.comparison} null is refused; only eq and ne take null", place)
        return None
    if inner == "Edm.GeographyPoint":
        return Problem("AZS414", f"{use.path} is a place: geo.distance({use.path}, …) le …", place)
    if inner in ("Edm.String", "Edm.Boolean") and use.comparison in ORDERED:
        message = f"{use.path} is {inner}, which is compared by eq and ne only, not by {use.comparison}"
        return Problem("AZS414", message, place)
    if inner in _TAKES and use.literal not in _TAKES[inner]:
        return Problem("AZS414", f"{use.path} is {inner}, and is compared with a {use.literal}", place)
    wanted = {"any": "eq", "all": "ne"}.get(use.loop)
    if inner == "Edm.String" and wanted is not None and not use.negated and use.comparison != wanted:
        message = f"inside {use.loop} a text is compared by {wanted} only"
        return Problem("AZS414", message, place)
    return None
