"""Measure any existing index, or two of them, read-only: no project, no ledger, only searches and look-ups."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from azsearch_ops.bodies.request import QUERY, search_body
from azsearch_ops.contract.limits import KNN_DEFAULT
from azsearch_ops.definitions.files import read_tree
from azsearch_ops.definitions.queries import load_queries
from azsearch_ops.errors import DefinitionError, Problem, ServiceError, UnreachableError, UsageError
from azsearch_ops.evaluation.causes import cause_of_loss
from azsearch_ops.evaluation.diagnosis.diagnose import Diagnosis
from azsearch_ops.evaluation.diagnosis.instruments import Making
from azsearch_ops.evaluation.diagnosis.truncation import window_of
from azsearch_ops.evaluation.run import evaluate
from azsearch_ops.evaluation.types import Query
from azsearch_ops.evaluation.unlabelled import compare_unlabelled
from azsearch_ops.gate.outcome import EvaluationOutcome
from azsearch_ops.gate.policy import GateLimits
from azsearch_ops.models.tokenizer import tokenizer
from azsearch_ops.releasing.clock import Clock
from azsearch_ops.releasing.outcomes import Progress, Report
from azsearch_ops.service.client import Service
from azsearch_ops.verbs.any_outcome import AnyOutcome
from azsearch_ops.verbs.chunk_fields import ChunkFields
from azsearch_ops.verbs.diagnosing import instruments
from azsearch_ops.verbs.evaluating import READER_ENCODING, SEED
from azsearch_ops.verbs.found_fields import FoundFields, find_fields
from azsearch_ops.verbs.modes import compare_modes
from azsearch_ops.verbs.queries import as_queries, judged, unlabelled
from azsearch_ops.verbs.retrieval import searcher
from azsearch_ops.verbs.sides import MeasuredSide

METRICS: Final = ("recall@2000t", "mrr@10", "recall@5", "ndcg@10")
GATED: Final = ("recall@2000t", "mrr@10")
_LOOKED_AT = 50
_PLACEHOLDER = re.compile(r"\{\{\s*query\s*\}\}")
_OURS: Final = frozenset({"top", "skip", "select", "count"})


@dataclass(frozen=True, slots=True, kw_only=True)
class AnyIndex:
    """What is asked for: one index or two (the second is the candidate), the query set, how to search.

    `settings` is the file of a search request with {{query}}; without it the queries are asked in `mode`. Field
    names that are None are found in an answer. `floors` is by metric. `window` is how many tokens the embedding
    model reads, where the user knows.
    """

    indexes: tuple[str, ...]
    queries: Path
    qrels: Path | None = None
    settings: Path | None = None
    mode: str | None = None
    vector_fields: tuple[str, ...] = ()
    semantic: str | None = None
    key_field: str | None = None
    document_field: str | None = None
    text_field: str | None = None
    metrics: tuple[str, ...] = METRICS
    floors: Mapping[str, float] = field(default_factory=dict)
    window: int | None = None
    modes: bool = False


def evaluate_any(service: Service, wanted: AnyIndex, clock: Clock, report: Report) -> AnyOutcome:
    """Measure `wanted` on `service`; nothing is written there or here.

    Raises:
        UsageError: the settings or the fields cannot be used.
        DefinitionError: the query set cannot be read; carries every problem.
    """
    if not 1 <= len(wanted.indexes) <= 2:
        raise UsageError("one index is measured, or two are compared", hint="--index A, or --index A --index B")
    queries = as_queries(load_queries(wanted.queries, Path.cwd(), wanted.qrels))
    settings = request_of(wanted)
    started = clock.monotonic()
    found = {index: _fields(service, index, settings, queries, wanted) for index in wanted.indexes}
    candidate_name = wanted.indexes[-1]
    live_name = wanted.indexes[0] if len(wanted.indexes) == 2 else None
    count = tokenizer(READER_ENCODING).count
    making = Making(window=window_of("the embedding model", count, wanted.window))
    sides = {index: instruments(service, index, settings, found[index].fields, making=making) for index in found}
    searches = {index: searcher(service, index, settings, found[index].fields) for index in found}
    diagnosis = Diagnosis(queries, sides[candidate_name], sides[live_name]) if live_name else None

    def progress(done: int, total: int) -> None:
        report(Progress("evaluate", "queries", done, total))

    pair = (searches[live_name] if live_name else None, searches[candidate_name])
    if unlabelled(queries):
        diagnosis = None
        evaluation = compare_unlabelled(queries, *pair, count, clock=clock.monotonic, progress=progress)
    else:
        evaluation = evaluate(
            queries,
            *pair,
            wanted.metrics,
            count,
            seed=SEED,
            clock=clock.monotonic,
            progress=progress,
            diagnose=diagnosis or cause_of_loss,
        )
    if diagnosis is not None:
        evaluation = replace(evaluation, diagnosed=diagnosis.diagnosed)
    verdict = judged(evaluation, _policy(wanted, compared=live_name is not None))
    if live_name is None and verdict.outcome == "pass":
        verdict = replace(verdict, reasons=("one index: values and floors only", *verdict.reasons[1:]))
    outcome = EvaluationOutcome(
        name=candidate_name,
        alias="",
        candidate=candidate_name,
        live=live_name,
        settings_only=False,
        evaluation=evaluation,
        verdict=verdict,
        key="",
        path="",
        tainted="",
        seconds=clock.monotonic() - started,
    )
    measured = {
        index: MeasuredSide(service, index, settings, found[index].fields, wanted.vector_fields, wanted.semantic)
        for index in found
    }
    modes = None
    if wanted.modes:
        live = measured[live_name] if live_name else None
        modes = compare_modes(queries, measured[candidate_name], live, wanted.metrics, count, report, seed=SEED)
    return AnyOutcome(
        outcome=outcome,
        fields={index: f.fields for index, f in found.items()},
        found=tuple(dict.fromkeys(line for f in found.values() for line in f.found)),
        settings=settings,
        modes=modes,
        import_command=f"azsearch-ops import {wanted.indexes[0]} --alias {wanted.indexes[0]}-live",
    )


def request_of(wanted: AnyIndex) -> dict[str, Any]:
    """The request with {{query}} in it: the settings file's, else a plain one in the wanted mode."""
    if wanted.settings is not None:
        if wanted.mode is not None:
            raise UsageError("--settings says how to search, so --mode has no place", hint="leave one of them out")
        return _settings(wanted.settings)
    mode = wanted.mode or "text"
    if mode not in ("text", "vector", "hybrid"):
        raise UsageError(
            f"there is no mode '{mode}'", hint="text, vector or hybrid; a settings file says anything else"
        )
    body: dict[str, Any] = {"search": QUERY} if mode != "vector" else {}
    if mode != "text":
        if not wanted.vector_fields:
            raise UsageError(
                "which vector field is to be searched cannot be seen in an answer", hint="name it with --vector-field"
            )
        fields = ",".join(wanted.vector_fields)
        body["vectorQueries"] = [{"kind": "text", "text": QUERY, "fields": fields, "k": KNN_DEFAULT}]
    return body


def _settings(path: Path) -> dict[str, Any]:
    problems: list[Problem] = []
    tree = read_tree(path, Path.cwd(), problems)
    if tree is None or any(p.severity == "error" for p in problems):
        raise DefinitionError(tuple(problems))
    if not isinstance(tree.value, Mapping):
        raise UsageError(
            f"{path}: a search request is an object", hint='{"search": "{{query}}", "queryType": "simple"}'
        )
    body = _spelled({name: value for name, value in tree.value.items() if name not in _OURS})
    if body == search_body(body, "\x00"):
        raise UsageError(
            f"{path}: nothing in it stands for the question",
            hint='write {{query}} in "search" or in the "text" of a vector query',
        )
    return {str(name): value for name, value in body.items()}


def _spelled(value: Any) -> Any:
    if isinstance(value, str):
        return _PLACEHOLDER.sub(QUERY, value)
    if isinstance(value, Mapping):
        return {name: _spelled(item) for name, item in value.items()}
    return [_spelled(item) for item in value] if isinstance(value, list | tuple) else value


def _fields(
    service: Service, index: str, settings: Mapping[str, Any], queries: tuple[Query, ...], wanted: AnyIndex
) -> FoundFields:
    names = (wanted.key_field, wanted.document_field, wanted.text_field)
    if None not in names:
        return FoundFields(ChunkFields(str(names[0]), str(names[1]), str(names[2])), ())
    first = queries[0]
    body = search_body(settings, first.text, filter=first.filter, **{**first.request, "top": _LOOKED_AT})
    rows = service.search(index, body)["value"]
    if not rows:
        rows = service.search(index, {"search": "*", "top": _LOOKED_AT})["value"]
    if not rows:
        raise UsageError(f"the index '{index}' has no documents", hint="is it the index that you mean?")

    def is_key(name: str, value: str) -> bool:
        try:
            found = service.lookup(index, value)
        except UnreachableError:
            raise
        except ServiceError:
            return False
        return found is not None and found.get(name) == value

    judged = [j.document for query in queries for j in query.judgements]
    return find_fields(
        rows, judged, is_key, key=wanted.key_field, document=wanted.document_field, text=wanted.text_field
    )


def _policy(wanted: AnyIndex, *, compared: bool) -> dict[str, GateLimits]:
    """Default limits on the metrics that are gated where two are compared, and the floors that were asked for."""
    unknown = sorted(set(wanted.floors) - set(wanted.metrics))
    if unknown:
        raise UsageError(f"a floor for what is not measured: {', '.join(unknown)}", hint="add --metric, or correct it")
    gated = [metric for metric in GATED if metric in wanted.metrics] if compared else []
    names = list(dict.fromkeys([*wanted.floors, *gated]))[: max(len(wanted.floors), len(gated))]
    return {name: GateLimits(floor=wanted.floors.get(name)) for name in names}


def floors_of(texts: Sequence[str]) -> dict[str, float]:
    """Metric → floor from `METRIC=VALUE`; UsageError for what is not that."""
    floors: dict[str, float] = {}
    for text in texts:
        name, _, value = text.partition("=")
        try:
            floors[name] = float(value)
        except ValueError:
            raise UsageError(f"'{text}' is no floor", hint="--floor recall@2000t=0.8") from None
        if not 0.0 <= floors[name] <= 1.0:
            raise UsageError(f"a floor lies between 0 and 1, not at {value}", hint="--floor recall@2000t=0.8")
    return floors
