"""The semantic part of a search request: what is asked, of which fields, and what is to come back beside the order."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from azsearch_ops.local.errors import invalid_request, not_supported_here
from azsearch_ops.local.search.parameters import Parameters
from azsearch_ops.local.search.schema import Field, Schema

MAX_ANSWERS = 10
DEFAULT_THRESHOLD = 0.7
MIN_WAIT = 700

SEMANTIC_PARAMETERS = (
    "semanticConfiguration", "semanticErrorHandling", "semanticMaxWaitInMilliseconds", "semanticQuery", "answers",
    "captions",
)  # fmt: skip
_ANSWERS = re.compile(r"extractive(?:[|,](?:count-(\d+))?,?(?:threshold-(\d+(?:\.\d+)?))?)?")
_CAPTIONS = re.compile(r"extractive(?:\|highlight-(true|false))?")


@dataclass(frozen=True, slots=True)
class SemanticRequest:
    """What the ranker is asked. An empty `text` ranks nothing, as a search for everything does.

    `answers` is how many are wanted at most, each with at least the score `threshold`; `pre` and `post` stand around
    what captions and answers emphasise.
    """

    text: str
    title: Field | None
    contents: tuple[Field, ...]
    keywords: tuple[Field, ...]
    captions: bool
    emphasis: bool
    answers: int
    threshold: float
    pre: str
    post: str
    debug: bool


def read_semantic(parameters: Parameters, schema: Schema, *, offered: bool) -> SemanticRequest | None:
    """The semantic part of a request, None where it has none; ServiceFault 400 for the first thing wrong with it.

    Without a ranker (`offered`) everything that belongs to it is refused.
    """
    wanted = parameters.string("queryType") == "semantic"
    if not offered:
        unless = "unless it was started with --semantic-ranker stand-in (environment: semanticRanker: stand-in)"
        if wanted:
            raise not_supported_here(f"the query type 'semantic' {unless}", "queryType")
        for name in SEMANTIC_PARAMETERS:
            if parameters.given(name):
                raise not_supported_here(f"the search parameter '{name}' {unless}", name)
        if parameters.string("debug") == "semantic":
            raise not_supported_here(f"the debug mode 'semantic' {unless}", "debug")
        return None
    if not wanted and not parameters.given("semanticQuery"):
        for name in SEMANTIC_PARAMETERS:
            if parameters.given(name):
                raise not_supported_here(f"'{name}' without the query type 'semantic' or a 'semanticQuery'", name)
        return None
    if parameters.given("orderby"):
        raise invalid_request("'orderby' cannot be used together with semantic ranking.", "", "orderby")
    parameters.choice("semanticErrorHandling", ("partial", "fail"), "partial")
    parameters.integer("semanticMaxWaitInMilliseconds", MIN_WAIT)
    captions, emphasis = _captions(parameters.string("captions"))
    answers, threshold = _answers(parameters.string("answers"))
    fields = _prioritised(parameters.string("semanticConfiguration"), schema)
    text = (parameters.string("semanticQuery") or parameters.string("search") or "").strip()
    return SemanticRequest(
        text="" if text == "*" else text,
        title=next(iter(_fields(schema, [fields.get("titleField")])), None),
        contents=_fields(schema, fields.get("prioritizedContentFields")),
        keywords=_fields(schema, fields.get("prioritizedKeywordsFields")),
        captions=captions,
        emphasis=emphasis,
        answers=answers,
        threshold=threshold,
        pre=parameters.string("highlightPreTag") or "<em>",
        post=parameters.string("highlightPostTag") or "</em>",
        debug=parameters.string("debug") in ("semantic", "all"),
    )


def _prioritised(name: str | None, schema: Schema) -> Mapping[str, Any]:
    semantic = schema.definition.get("semantic") or {}
    chosen = name or semantic.get("defaultConfiguration")
    if not chosen:
        raise invalid_request(
            "A query of the type 'semantic' needs a semantic configuration: name one, or give the index a default.",
            "UnknownSemanticConfiguration",
            "semanticConfiguration",
        )
    for configuration in semantic.get("configurations") or ():
        if configuration["name"] == chosen:
            prioritised: Mapping[str, Any] = configuration.get("prioritizedFields") or {}
            return prioritised
    raise invalid_request(
        f"Unknown semantic configuration '{chosen}'.", "UnknownSemanticConfiguration", "semanticConfiguration"
    )


def _fields(schema: Schema, entries: Any) -> tuple[Field, ...]:
    return tuple(schema.by_path[entry["fieldName"]] for entry in entries or () if entry and entry.get("fieldName"))


def _captions(text: str | None) -> tuple[bool, bool]:
    if text in (None, "", "none"):
        return False, False
    found = _CAPTIONS.fullmatch(text or "")
    if found is None:
        raise invalid_request(f"'{text}' is not a valid value of 'captions'.", "InvalidParameter", "captions")
    return True, found[1] != "false"


def _answers(text: str | None) -> tuple[int, float]:
    if text in (None, "", "none"):
        return 0, DEFAULT_THRESHOLD
    found = _ANSWERS.fullmatch(text or "")
    count = int(found[1] or 1) if found else 0
    threshold = float(found[2]) if found and found[2] else DEFAULT_THRESHOLD
    if not 1 <= count <= MAX_ANSWERS or threshold > 1:
        raise invalid_request(f"'{text}' is not a valid value of 'answers'.", "InvalidParameter", "answers")
    return count, threshold
