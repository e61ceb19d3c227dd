"""Requests for suggestions and for completions, read and checked; both say nearly the same."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, cast

from azsearch_ops.local.errors import invalid_request
from azsearch_ops.local.search.analysis.terms import lowercase
from azsearch_ops.local.search.analysis.tokenizers import STANDARD
from azsearch_ops.local.search.odata.parser import parse_filter, parse_orderby
from azsearch_ops.local.search.odata.syntax import Expression, Ordering
from azsearch_ops.local.search.parameters import Parameters
from azsearch_ops.local.search.schema import Schema
from azsearch_ops.local.search.selection import Selection, read_selection

MAX_LENGTH = 100
MAX_TOP = 100
DEFAULT_TOP = 5

Mode = Literal["oneTerm", "twoTerms", "oneTermWithContext"]

_BOTH = frozenset(
    (
        "search", "suggesterName", "top", "fuzzy", "filter", "searchFields", "highlightPreTag", "highlightPostTag",
        "minimumCoverage",
    )
)  # fmt: skip
_KNOWN = {"suggest": _BOTH | {"select", "orderby"}, "autocomplete": _BOTH | {"autocompleteMode"}}


@dataclass(frozen=True, slots=True)
class Asked:
    """What is typed so far: `before` as it was typed, then words in lower case, of which the last is a beginning."""

    before: str
    words: tuple[str, ...]
    fields: tuple[str, ...]
    filter: Expression | None
    top: int
    fuzzy: bool
    pre: str
    post: str
    coverage: bool

    @property
    def beginning(self) -> str:
        """The word that is being typed."""
        return self.words[-1]


@dataclass(frozen=True, slots=True)
class SuggestRequest:
    """Documents are wanted, in the order of the clauses, with the chosen fields."""

    asked: Asked
    orderby: tuple[Ordering, ...]
    selection: Selection


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """Words are wanted."""

    asked: Asked
    mode: Mode


def read_suggest(body: Mapping[str, Any], schema: Schema) -> SuggestRequest:
    """A request for suggestions; ServiceFault 400 for the first thing that is wrong with it."""
    parameters = Parameters(body, "suggest", _KNOWN["suggest"])
    asked = _asked(parameters, schema)
    order = parameters.string("orderby")
    selection = read_selection(parameters.string("select") or schema.key, schema)
    return SuggestRequest(asked, parse_orderby(order) if order and order.strip() else (), selection)


def read_completion(body: Mapping[str, Any], schema: Schema) -> CompletionRequest:
    """A request for completions; ServiceFault 400 for the first thing that is wrong with it."""
    parameters = Parameters(body, "autocomplete", _KNOWN["autocomplete"])
    asked = _asked(parameters, schema)
    mode = parameters.choice("autocompleteMode", ("oneTerm", "twoTerms", "oneTermWithContext"), "oneTerm")
    return CompletionRequest(asked, cast(Mode, mode))


def _asked(parameters: Parameters, schema: Schema) -> Asked:
    fields = _fields(parameters, schema)
    text = parameters.string("search") or ""
    if not 1 <= len(text) <= MAX_LENGTH:
        raise invalid_request(
            f"The search text must have between 1 and {MAX_LENGTH} characters, and has {len(text)}.",
            "InvalidSearchSyntax",
            "search",
        )
    spans = STANDARD.spans(text)
    if not spans:
        raise invalid_request(
            "Failed to parse query string. See https://aka.ms/azure-search-full-query for supported syntax.",
            "InvalidSearchSyntax",
        )
    filter_text = parameters.string("filter")
    pre, post = parameters.string("highlightPreTag"), parameters.string("highlightPostTag")
    if (pre is None) != (post is None):
        raise invalid_request("'highlightPreTag' and 'highlightPostTag' must be set together.", "", "highlightPreTag")
    return Asked(
        before=text[: spans[-1][0]],
        words=tuple(lowercase(text[start:end]) for start, end in spans),
        fields=fields,
        filter=parse_filter(filter_text) if filter_text and filter_text.strip() else None,
        top=parameters.integer("top", 1, MAX_TOP) or DEFAULT_TOP,
        fuzzy=bool(parameters.boolean("fuzzy")),
        pre=pre or "",
        post=post or "",
        coverage=parameters.number("minimumCoverage", 0, 100) is not None,
    )


def _fields(parameters: Parameters, schema: Schema) -> tuple[str, ...]:
    """The source fields that are looked at, in the order of the suggester."""
    name = parameters.string("suggesterName")
    if not name:
        raise invalid_request(
            "Cannot find fields enabled for suggestions. Please provide a value for 'suggesterName' in the query.",
            parameter="suggestions",
        )
    found = schema.suggesters.get(name)
    if found is None:
        raise invalid_request(
            f"The specified suggester name '{name}' does not exist in this index definition.", parameter="name"
        )
    wanted = [field.strip() for field in (parameters.string("searchFields") or "").split(",") if field.strip()]
    for field in wanted:
        if field not in found:
            raise invalid_request(
                f"The field '{field}' is not one of the source fields of the suggester '{name}'.",
                "FieldNotSearchable",
                "searchFields",
            )
    return tuple(field for field in found if not wanted or field in wanted)
