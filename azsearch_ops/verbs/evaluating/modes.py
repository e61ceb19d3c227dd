"""The same queries as text, vector, hybrid and semantic search, on every index that is measured."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from azsearch_ops.bodies.request import QUERY
from azsearch_ops.contract.limits import KNN_DEFAULT
from azsearch_ops.errors import ServiceError, UnreachableError
from azsearch_ops.evaluation.placing import Sources
from azsearch_ops.evaluation.run import evaluate
from azsearch_ops.evaluation.side_by_side import MODES, ModeValues, SideBySide
from azsearch_ops.evaluation.types import CountTokens, Query
from azsearch_ops.evaluation.wording import LexicalOverlap, lexical_overlap
from azsearch_ops.releasing.outcomes import Progress, Report
from azsearch_ops.verbs.evaluating.corpus import document_chunks
from azsearch_ops.verbs.evaluating.retrieval import searcher
from azsearch_ops.verbs.evaluating.sides import MeasuredSide

_SEMANTIC: Final = frozenset(
    {
        "queryType",
        "semanticConfiguration",
        "semanticErrorHandling",
        "semanticMaxWaitInMilliseconds",
        "semanticQuery",
        "semanticFields",
        "answers",
        "captions",
        "queryRewrites",
    }
)
_OF_TEXT: Final = frozenset(
    {"search", "searchFields", "searchMode", "queryLanguage", "speller", "hybridSearch", "highlight"}
)
_ASKED_FOR: Final = "--semantic-ranker stand-in"  # The local service names it where it refuses
_NOT_ASKED_FOR: Final = (
    "not measured: the local service ranks semantically, by a stand-in, only where it is asked to: "
    "semanticRanker: stand-in in the environment, or azsearch-ops local start --semantic-ranker stand-in"
)
NO_VECTORS: Final = "no vector field is known"
NO_SEMANTIC: Final = "no semantic configuration is known"
_FEW_RESAMPLES = 1  # Nothing is tested here, the means alone are wanted


def mode_of(settings: Mapping[str, Any]) -> str:
    """The mode that a request is in."""
    if settings.get("queryType") == "semantic" or settings.get("semanticConfiguration"):
        return "semantic"
    text, vectors = settings.get("search") not in (None, "", "*"), bool(settings.get("vectorQueries"))
    return "hybrid" if text and vectors else "vector" if vectors else "text"


def request_in(mode: str, side: MeasuredSide) -> dict[str, Any] | str:
    """The request of `side` turned into `mode`, keeping what fits; a string says why there is none."""
    settings = dict(side.settings)
    if mode == "semantic":
        configuration = settings.get("semanticConfiguration") or side.semantic
        if configuration is None:
            return NO_SEMANTIC
        settings |= {"queryType": "semantic", "semanticConfiguration": configuration}
    elif mode_of(settings) == "semantic":
        settings = {name: value for name, value in settings.items() if name not in _SEMANTIC}
    if mode == "vector":
        settings = {name: value for name, value in settings.items() if name not in _OF_TEXT | _SEMANTIC}
    elif settings.get("search") in (None, "", "*"):
        settings["search"] = QUERY
    if mode == "text":
        settings.pop("vectorQueries", None)
        settings.pop("vectorFilterMode", None)
    elif not settings.get("vectorQueries"):
        if side.vector_fields:
            fields = ",".join(side.vector_fields)
            settings["vectorQueries"] = [{"kind": "text", "text": QUERY, "fields": fields, "k": KNN_DEFAULT}]
        elif mode != "semantic":
            return NO_VECTORS
    return settings


def question_in(mode: str, query: Query) -> Query:
    """A question whose own request keeps what fits into `mode`."""
    out = _SEMANTIC | _OF_TEXT if mode == "vector" else frozenset() if mode == "semantic" else _SEMANTIC
    return replace(query, request={name: value for name, value in query.request.items() if name not in out})


def compare_modes(
    queries: Sequence[Query],
    candidate: MeasuredSide,
    live: MeasuredSide | None,
    metrics: Sequence[str],
    count_tokens: CountTokens,
    report: Report,
    *,
    seed: int,
    texts: Mapping[str, str] | None = None,
) -> SideBySide:
    """Every mode measured on both sides; a refusal of the service is told in the place of values.

    `texts` are those of the judged documents, by path, as far as they can be read.
    """
    found: list[ModeValues] = []
    asked = 0
    for mode in MODES:
        report(Progress("modes", mode))
        sides = [s for s in (candidate, live) if s is not None]
        values: list[Mapping[str, float] | None] = []
        refused: list[tuple[str, str]] = []
        for side in sides:
            sources = Sources(texts or {}, document_chunks(side.service, side.index, side.fields))
            measured = _measured(mode, side, queries, metrics, count_tokens, seed, sources)
            if isinstance(measured, str):
                refused.append((side.index, measured))
                values.append(None)
            else:
                values.append(measured[0])
                asked = max(asked, measured[1])
        alike = len(refused) == len(sides) and len({why for _, why in refused}) == 1
        told = [why if alike else f"{index}: {why}" for index, why in refused[: 1 if alike else None]]
        found.append(ModeValues(mode, values[0], values[1] if live is not None else None, "; ".join(told)))
    return SideBySide(
        metrics=tuple(metrics),
        modes=tuple(found),
        queries=asked,
        own=mode_of(candidate.settings),
        overlap=lexical_overlap(queries),
        overlap_by_tag=_by_tag(queries),
        stand_in=candidate.service.stand_in_ranker and any(m.mode == "semantic" and not m.refused for m in found),
    )


def _measured(
    mode: str,
    side: MeasuredSide,
    queries: Sequence[Query],
    metrics: Sequence[str],
    count: Callable[[str], int],
    seed: int,
    sources: Sources,
) -> tuple[Mapping[str, float], int] | str:
    request = request_in(mode, side)
    if isinstance(request, str):
        return f"not measured: {request}"
    try:
        search = searcher(side.service, side.index, request, side.fields, names=side.names)
        asked = [question_in(mode, query) for query in queries]
        result = evaluate(asked, None, search, metrics, count, seed=seed, sources=sources, resamples=_FEW_RESAMPLES)
    except UnreachableError:
        raise
    except ServiceError as refusal:
        return _NOT_ASKED_FOR if _ASKED_FOR in refusal.message else f"not measured: {refusal.message}"
    return {metric.name: metric.candidate for metric in result.metrics}, result.query_count


def _by_tag(queries: Sequence[Query]) -> dict[str, LexicalOverlap]:
    tags = sorted({tag for query in queries for tag in query.tags})
    found = {tag: lexical_overlap([query for query in queries if tag in query.tags]) for tag in tags}
    return {tag: overlap for tag, overlap in found.items() if overlap is not None}
