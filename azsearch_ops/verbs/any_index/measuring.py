"""Measure any existing index, or two of them: no project, no ledger, and nothing is written on the service."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from azsearch_ops.bodies.ranking_parts import called
from azsearch_ops.bodies.request import search_body
from azsearch_ops.definitions.queries import load_queries
from azsearch_ops.errors import DefinitionError, ServiceError, UnreachableError, UsageError
from azsearch_ops.evaluation.causes import cause_of_loss
from azsearch_ops.evaluation.counted import counted, queries_of
from azsearch_ops.evaluation.diagnosis.diagnose import Diagnosis
from azsearch_ops.evaluation.diagnosis.instruments import Making
from azsearch_ops.evaluation.layout import Corpora
from azsearch_ops.evaluation.outcome import Evaluation
from azsearch_ops.evaluation.placing import Sources
from azsearch_ops.evaluation.run import evaluate
from azsearch_ops.evaluation.side_by_side import SideBySide
from azsearch_ops.evaluation.types import CountTokens, Query
from azsearch_ops.evaluation.unlabelled import compare_unlabelled
from azsearch_ops.gate.outcome import EvaluationOutcome
from azsearch_ops.models.tokenizer import tokenizer
from azsearch_ops.releasing.clock import Clock
from azsearch_ops.releasing.outcomes import Progress, Report
from azsearch_ops.service.client import Service
from azsearch_ops.verbs.any_index.adopting import adoption_of
from azsearch_ops.verbs.any_index.anchoring import IndexAnchoring, anchor_to_indexes
from azsearch_ops.verbs.any_index.found_fields import FoundFields, find_fields
from azsearch_ops.verbs.any_index.outcome import AnyOutcome
from azsearch_ops.verbs.any_index.policy import policy_of
from azsearch_ops.verbs.any_index.request import AnyRequest, request_of, requests_on
from azsearch_ops.verbs.any_index.run import measured_at, run_key, run_path, write_any_run
from azsearch_ops.verbs.any_index.wanted import AnyIndex, command_of
from azsearch_ops.verbs.any_index.window import windows_of
from azsearch_ops.verbs.evaluating.chunk_fields import ChunkFields
from azsearch_ops.verbs.evaluating.diagnosing import instruments
from azsearch_ops.verbs.evaluating.evaluating import LOCAL_WORKERS, READER_ENCODING, SEED, WORKERS
from azsearch_ops.verbs.evaluating.modes import NO_SEMANTIC, NO_VECTORS, compare_modes
from azsearch_ops.verbs.evaluating.queries import as_queries, judged, unlabelled
from azsearch_ops.verbs.evaluating.retrieval import searcher
from azsearch_ops.verbs.evaluating.run_files import Kept, Side
from azsearch_ops.verbs.evaluating.sides import MeasuredSide
from azsearch_ops.verbs.evaluating.stand_in import by_stand_in

_LOOKED_AT = 50
_NAMED_BY: Final = {NO_VECTORS: "--vector-field NAME names one", NO_SEMANTIC: "--semantic NAME names one"}
"""What helps where a mode lacks something: a reader cannot read the definition that has it."""

_LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")


@dataclass(frozen=True, slots=True)
class _Sides:
    """The two roles by index name; `live` is None where one index is measured alone."""

    candidate: str
    live: str | None

    def by_role(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Values by index name as values by role."""
        found = {"live": values.get(self.live or ""), "candidate": values.get(self.candidate)}
        return {role: value for role, value in found.items() if value is not None}


def evaluate_any(service: Service, wanted: AnyIndex, clock: Clock, report: Report) -> AnyOutcome:
    """Measure `wanted` on `service`, where nothing is written; the run is kept in files here.

    Raises:
        UsageError: the settings or the fields cannot be used.
        DefinitionError: the query set cannot be read, or does not fit and that is to fail; carries every problem.
    """
    if not 1 <= len(wanted.indexes) <= 2:
        raise UsageError("one index is measured, or two are compared", hint="--index A, or --index A --index B")
    query_set = load_queries(wanted.queries, Path.cwd(), wanted.qrels)
    queries = as_queries(query_set)
    if not queries:
        raise UsageError(
            f"no query of {query_set.path} counts: all are drafts", hint="azsearch-ops queries accept FILE --all"
        )
    policy = policy_of(wanted.metrics, wanted.floors, compared=len(wanted.indexes) == 2)
    settings = request_of(wanted.settings, wanted.mode, wanted.vector_fields)
    requests = requests_on(service, wanted.indexes, settings, queries, wanted.semantic)
    started = clock.monotonic()
    sides = _Sides(wanted.indexes[-1], wanted.indexes[0] if len(wanted.indexes) == 2 else None)
    found = {index: _fields(service, index, requests[index], queries, wanted) for index in wanted.indexes}
    fields = {index: each.fields for index, each in found.items()}
    anchoring = None
    if not unlabelled(queries):
        anchoring = anchor_to_indexes(service, fields, query_set, wanted.missing)
        if any(problem.severity == "error" for problem in anchoring.problems):
            raise DefinitionError(anchoring.problems, hint="--missing-documents skip measures what can be measured")
        queries = anchoring.coverage.queries
    count = tokenizer(READER_ENCODING).count
    windows, models = windows_of(service, wanted.indexes, settings, wanted.windows, count) if sides.live else ({}, {})
    asked = {
        index: instruments(
            service,
            index,
            requests[index].settings,
            fields[index],
            making=Making(window=windows.get(index)),
            names=requests[index].names,
        )
        for index in fields
    }
    diagnosis = Diagnosis(queries, asked[sides.candidate], asked[sides.live]) if sides.live else None
    kept = Kept()
    evaluation = _evaluate(
        service, wanted, queries, requests, fields, sides, kept, diagnosis, anchoring, count, clock, report
    )
    coverage = anchoring.coverage if anchoring else None
    verdict = judged(evaluation, policy, coverage=coverage, stand_in=by_stand_in(service, (settings,), queries))
    if sides.live is None and verdict.outcome == "pass":
        told = "values and floors only" if verdict.gated else "values only, --floor METRIC=VALUE would gate one"
        verdict = replace(verdict, reasons=(f"one index: {told}", *verdict.reasons[1:]))
    key = run_key(
        {"service": service.endpoint, "indexes": wanted.indexes, "settings": settings, "queries": query_set.digest}
    )
    outcome = EvaluationOutcome(
        name=sides.candidate,
        alias="",
        candidate=sides.candidate,
        live=sides.live,
        settings_only=False,
        evaluation=evaluation,
        verdict=verdict,
        key=key,
        path=str(run_path(wanted.out, clock.now(), sides.candidate, key)),
        tainted="",
        seconds=clock.monotonic() - started,
    )
    measured = measured_at(
        service.endpoint,
        api_version=service.query_api_version,
        models=sides.by_role(models),
        chunks=sides.by_role(anchoring.chunks if anchoring else {}),
        searches=sides.by_role({index: each.settings for index, each in requests.items()}),
        policy=policy,
        queries_given=len(query_set.accepted),
        query_digest=query_set.digest,
        now=clock.now(),
        budget_encoding=READER_ENCODING,
        command=command_of(wanted),
    )
    outcome, unwritten = write_any_run(wanted.root, outcome, measured, queries, kept)
    modes = _modes(service, wanted, queries, requests, fields, sides, count, report) if wanted.modes else None
    return AnyOutcome(
        outcome=outcome,
        fields=fields,
        found=_found(found, anchoring, unwritten),
        settings=settings,
        modes=modes,
        adoption=adoption_of(service, wanted.indexes[0]),
        problems=anchoring.problems if anchoring else (),
    )


def _evaluate(
    service: Service,
    wanted: AnyIndex,
    queries: tuple[Query, ...],
    requests: Mapping[str, AnyRequest],
    fields: Mapping[str, ChunkFields],
    sides: _Sides,
    kept: Kept,
    diagnosis: Diagnosis | None,
    anchoring: IndexAnchoring | None,
    count: CountTokens,
    clock: Clock,
    report: Report,
) -> Evaluation:
    def progress(done: int, total: int) -> None:
        report(Progress("evaluate", "queries", done, total))

    def search(side: Side, index: str) -> Any:
        asked = requests[index]
        return kept.watch(side, searcher(service, index, asked.settings, fields[index], wait=False, names=asked.names))

    pair = (search("live", sides.live) if sides.live else None, search("candidate", sides.candidate))
    workers = LOCAL_WORKERS if urlsplit(service.endpoint).hostname in _LOOPBACK else WORKERS
    if anchoring is None:
        return compare_unlabelled(
            queries, *pair, count, clock=clock.monotonic, pause=clock.sleep, workers=workers, progress=progress
        )
    evaluation = evaluate(
        queries,
        *pair,
        wanted.metrics,
        count,
        seed=SEED,
        clock=clock.monotonic,
        pause=clock.sleep,
        workers=workers,
        progress=progress,
        corpora=Corpora(anchoring.held[sides.candidate], anchoring.held[sides.live] if sides.live else ()),
        sources=Sources(
            candidate=anchoring.chunks_at(sides.candidate),
            live=anchoring.chunks_at(sides.live) if sides.live else None,
        ),
        diagnose=diagnosis or cause_of_loss,
    )
    return replace(evaluation, diagnosed=diagnosis.diagnosed) if diagnosis is not None else evaluation


def _modes(
    service: Service,
    wanted: AnyIndex,
    queries: tuple[Query, ...],
    requests: Mapping[str, AnyRequest],
    fields: Mapping[str, ChunkFields],
    sides: _Sides,
    count: CountTokens,
    report: Report,
) -> SideBySide:
    measured = {
        index: MeasuredSide(
            service,
            index,
            requests[index].settings,
            named,
            wanted.vector_fields,
            requests[index].called("semanticConfiguration", wanted.semantic),
            names=requests[index].names,
        )
        for index, named in fields.items()
    }
    live = measured[sides.live] if sides.live else None
    table = compare_modes(queries, measured[sides.candidate], live, wanted.metrics, count, report, seed=SEED)
    return replace(table, modes=tuple(replace(mode, refused=_with_option(mode.refused)) for mode in table.modes))


def _with_option(refused: str) -> str:
    return next((f"{refused}; {help_}" for lack, help_ in _NAMED_BY.items() if refused.endswith(lack)), refused)


def _found(found: Mapping[str, FoundFields], anchoring: IndexAnchoring | None, unwritten: str) -> tuple[str, ...]:
    lines = [
        line if all(line in other.found for other in found.values()) else f"{index}: {line}"
        for index, each in found.items()
        for line in each.found
    ]
    if anchoring is not None:
        lines += anchoring.how
        coverage = anchoring.coverage
        if coverage.moved:
            lines.append(
                f"{counted(len(coverage.moved), 'judgement was', 'judgements were')} re-anchored to what is there now, "
                "as told below"
            )
        if left := coverage.total - coverage.scored:
            lines.append(f"{left} of {queries_of(coverage.total)} left out: their documents are not there")
    return tuple(dict.fromkeys([*lines, *([unwritten] if unwritten else [])]))


def _fields(
    service: Service, index: str, asked: AnyRequest, queries: tuple[Query, ...], wanted: AnyIndex
) -> FoundFields:
    names = (wanted.key_field, wanted.document_field, wanted.text_field)
    if None not in names:
        return FoundFields(ChunkFields(str(names[0]), str(names[1]), str(names[2])), ())
    # One without a filter of its own shows more of the index
    first = next((query for query in queries if query.filter is None and not query.request), queries[0])
    own = {**called(first.request, asked.names), "top": _LOOKED_AT}
    body = search_body(asked.settings, first.text, first.filter, **own)
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
