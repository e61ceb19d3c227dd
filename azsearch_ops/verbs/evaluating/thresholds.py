"""`threshold`: calibrate the similarity below which vector results are dropped, and verify it by asking again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from azsearch_ops.contract.limits import KNN_DEFAULT
from azsearch_ops.errors import ServiceError, UnreachableError, UsageError
from azsearch_ops.evaluation.diagnosis.absence import similarity_of
from azsearch_ops.evaluation.diagnosis.calibration import (
    Bin,
    ChosenThreshold,
    Goal,
    Observed,
    choose,
    histogram,
    observed,
)
from azsearch_ops.evaluation.diagnosis.instruments import Instruments, Variation
from azsearch_ops.evaluation.diagnosis.stake import share_of
from azsearch_ops.evaluation.items import relevant_items
from azsearch_ops.evaluation.paths import DocumentPaths
from azsearch_ops.evaluation.placing import Places
from azsearch_ops.evaluation.reading import Reader
from azsearch_ops.evaluation.types import Chunk, Query
from azsearch_ops.models.tokenizer import tokenizer
from azsearch_ops.releasing.outcomes import Progress, Report
from azsearch_ops.verbs.checking import check_texts
from azsearch_ops.verbs.evaluating.bringing import brought_to
from azsearch_ops.verbs.evaluating.diagnosing import instruments
from azsearch_ops.verbs.evaluating.evaluating import READER_ENCODING, SEED
from azsearch_ops.verbs.evaluating.modes import mode_of, question_in, request_in
from azsearch_ops.verbs.evaluating.queries import query_set
from azsearch_ops.verbs.evaluating.sides import MeasuredSide, candidate_side, live_side
from azsearch_ops.verbs.session import Session, chosen_indexes
from azsearch_ops.verbs.shipping.steps import contest_for


@dataclass(frozen=True, slots=True)
class Verified:
    """The same queries asked with the threshold: answers kept and results, or why the service refused."""

    recall: float | None = None
    precision: float | None = None
    refused: str = ""


@dataclass(frozen=True, slots=True)
class InHybrid:
    """What the threshold does in the request of applications, which is a hybrid one: not what one would think.

    Of `results` results, `below` are not at or above it: the text leg brings them.
    """

    results: int
    below: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """Similarities of the `k` nearest chunks of each query, and the threshold for the goal where there is one."""

    name: str
    index: str
    release: int | None
    model: str
    mode: str
    k: int
    queries: int
    answers_found: int
    answers_judged: int
    bins: tuple[Bin, ...]
    goal: Goal
    wanted: float
    chosen: ChosenThreshold | None
    verified: Verified | None
    hybrid: InHybrid | None


def calibrate(
    session: Session, name: str, goal: Goal, wanted: float, report: Report, *, candidate: bool = False
) -> Calibration:
    """Calibrate on live, or on the built candidate; nothing is written.

    UsageError where the index has no vector field or no answer is among the neighbours; DefinitionError where a
    judgement names words that its document does not have.
    """
    index = chosen_indexes(session.project, (name,))[0]
    check_texts(session.project, index)
    contest = contest_for(session, index)
    side = candidate_side(session, contest) if candidate else live_side(session, contest)
    request = request_in("vector", side)
    if isinstance(request, str):
        raise UsageError(f"'{side.index}' has no similarities: {request}", hint="a threshold is one on vectors")
    plain = _without_threshold(request)
    questions = query_set(session.project, index)
    fields = {side.index: side.fields}
    coverage = brought_to(session.service, session.project, index, questions, fields, strict=True).coverage
    scored = [q for q in coverage.queries if relevant_items(q.judgements)]
    queries = [question_in("vector", query) for query in scored]
    asked = instruments(side.service, side.index, plain, side.fields, names=side.names)
    k = asked.k or KNN_DEFAULT
    rows = _observe(queries, asked, coverage.texts, k, report)
    if not any(row.relevant or row.irrelevant for row in rows):
        raise UsageError(
            f"'{asked.index}' tells no similarities: its answers have no subscores",
            hint="they come with `debug` in the request; does the environment's queryApiVersion know it?",
        )
    found = sum(len(row.answers) for row in rows)
    if not found:
        raise UsageError(
            f"no judged answer is among the {k} nearest chunks of any query",
            hint="do the judgements fit this index? see the recall of: azsearch-ops evaluate",
        )
    chosen = choose(rows, goal, wanted, SEED)
    return Calibration(
        name=name,
        index=side.index,
        release=side.release,
        model=side.making.model,
        mode=mode_of(side.settings),
        k=k,
        queries=len(rows),
        answers_found=found,
        answers_judged=sum(row.answers_judged for row in rows),
        bins=histogram(rows),
        goal=goal,
        wanted=wanted,
        chosen=chosen,
        verified=_verify(queries, side, coverage.texts, plain, chosen.value, k, found, report) if chosen else None,
        hybrid=_in_hybrid(scored, side, chosen.value) if chosen and mode_of(side.settings) == "hybrid" else None,
    )


def _observe(
    queries: Sequence[Query], asked: Instruments, texts: Mapping[str, str], k: int, report: Report
) -> list[Observed]:
    paths = DocumentPaths(j.document for q in queries for j in q.judgements)
    reader = Reader(paths, tokenizer(READER_ENCODING).count)
    places = Places(paths, texts, [j for q in queries for j in q.judgements], asked.chunks_at)
    rows: list[Observed] = []
    for number, query in enumerate(queries, start=1):
        items = relevant_items(query.judgements)
        chunks = [chunk for chunk in asked.ask(query, k, Variation()) if similarity_of(chunk) is not None]
        places.learn(chunks)
        ranking = reader.ranking(items, chunks, (), places)
        shares = [{item: share_of(items[item], parts) for item, parts in held} for held in ranking.held]
        rows.append(observed(query.id, [similarity_of(c) or 0.0 for c in chunks], shares, len(items)))
        report(Progress("threshold", "queries", number, len(queries)))
    return rows


def _verify(
    queries: Sequence[Query],
    side: MeasuredSide,
    texts: Mapping[str, str],
    plain: Mapping[str, Any],
    value: float,
    k: int,
    found: int,
    report: Report,
) -> Verified:
    """The same queries with the threshold in the request."""
    asked = instruments(side.service, side.index, _with_threshold(plain, value), side.fields, names=side.names)
    try:
        rows = _observe(queries, asked, texts, k, report)
    except UnreachableError:
        raise
    except ServiceError as refusal:
        return Verified(refused=refusal.message)
    relevant, irrelevant = sum(len(r.relevant) for r in rows), sum(len(r.irrelevant) for r in rows)
    kept = sum(len(row.answers) for row in rows)
    return Verified(kept / found, relevant / (relevant + irrelevant) if relevant + irrelevant else 0.0)


def _in_hybrid(queries: Sequence[Query], side: MeasuredSide, value: float) -> InHybrid | None:
    """The request of applications with the threshold in it: how many of its results are below it all the same."""
    settings = _with_threshold(side.settings, value)
    asked = instruments(side.service, side.index, settings, side.fields, names=side.names)
    top = int(side.settings.get("top") or 5)
    results: list[Chunk] = []
    try:
        for query in queries:
            results += asked.ask(query, top, Variation())
    except UnreachableError:
        raise
    except ServiceError:
        return None
    below = sum((similarity_of(chunk) or -1.0) < value for chunk in results)
    return InHybrid(len(results), below)


def _without_threshold(request: Mapping[str, Any]) -> dict[str, Any]:
    queries = [{n: v for n, v in query.items() if n != "threshold"} for query in request["vectorQueries"]]
    return {**request, "vectorQueries": queries}


def _with_threshold(request: Mapping[str, Any], value: float) -> dict[str, Any]:
    threshold = {"kind": "vectorSimilarity", "value": value}
    return {**request, "vectorQueries": [{**query, "threshold": threshold} for query in request["vectorQueries"]]}
