"""Measure a candidate against live, on the same queries in the same run, and write the record down."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from azsearch_ops.definitions.queries import QuerySet
from azsearch_ops.evaluation.causes import Diagnose, cause_of_loss
from azsearch_ops.evaluation.cost import with_sizes
from azsearch_ops.evaluation.counted import queries_of
from azsearch_ops.evaluation.diagnosis.diagnose import Diagnosis
from azsearch_ops.evaluation.holdouts import shown
from azsearch_ops.evaluation.layout import Corpora
from azsearch_ops.evaluation.outcome import Evaluation
from azsearch_ops.evaluation.placing import Sources
from azsearch_ops.evaluation.record import summary
from azsearch_ops.evaluation.run import evaluate
from azsearch_ops.evaluation.types import Chunk, Query, Search
from azsearch_ops.evaluation.unlabelled import compare_unlabelled
from azsearch_ops.evaluation.wordless import without_words
from azsearch_ops.gate.outcome import EvaluationOutcome, YardstickOutcome, worse_counts
from azsearch_ops.gate.verdict import Verdict
from azsearch_ops.models.tokenizer import tokenizer
from azsearch_ops.planning.alignment import names_on_live
from azsearch_ops.releasing.indexer_runs import bring_up_to_date
from azsearch_ops.releasing.outcomes import Progress, Report
from azsearch_ops.releasing.state import IndexState, evaluation_key
from azsearch_ops.verbs.evaluating.bringing import Brought, brought_to
from azsearch_ops.verbs.evaluating.chunk_fields import ChunkFields
from azsearch_ops.verbs.evaluating.contest import (
    Contest,
    candidate_names,
    chunk_fields,
    live_fields,
    live_searcher,
    side_fields,
    states_of,
)
from azsearch_ops.verbs.evaluating.corpus import document_chunks, index_size, judged_chunks, reads_all_chunks
from azsearch_ops.verbs.evaluating.diagnosing import instruments
from azsearch_ops.verbs.evaluating.making import Documents, making_of
from azsearch_ops.verbs.evaluating.measuring import change_notes, measured_on
from azsearch_ops.verbs.evaluating.queries import judged, unlabelled
from azsearch_ops.verbs.evaluating.retrieval import searcher
from azsearch_ops.verbs.evaluating.run_files import EVALUATION, Kept, judged_items, run_record, write_run
from azsearch_ops.verbs.evaluating.stand_in import by_stand_in
from azsearch_ops.verbs.evaluating.unmeasured import unmeasured
from azsearch_ops.verbs.evaluating.yardstick import (
    Base,
    Yardstick,
    base_of,
    combined_digest,
    recorded_noise,
    yardstick_of,
)
from azsearch_ops.verbs.session import Session

RUNS = Path(".azsearch") / "runs"  # Below the project; one folder an evaluation
SEED = 20260401  # Fixed: the same results give the same p-values and intervals, today and in CI
READER_ENCODING = "cl100k_base"
WORKERS = 6  # Queries asked at once; a service says when that is too many
LOCAL_WORKERS = 2  # The local service is one process on this machine: more at once only stand in each other's way


def run_evaluation(session: Session, contest: Contest, report: Report, *, keep: bool = True) -> EvaluationOutcome:
    """Both sides on the query set; the verdict, written to a file (every query) and to the ledger (summary).

    Without `keep` the ledger does not hear of it, so that nothing can be promoted by it.
    """
    own = yardstick_of(session.project, contest.index)
    base = base_of(session, contest.index, contest.ruling.checked().base) if keep else Base()
    queries = own.queries
    if contest.live is not None and _is_refreshed(session, contest.live.index_name):
        bring_up_to_date(
            session.service, contest.live.index_name, session.clock, session.patience, report, stage="live"
        )
    started = session.clock.monotonic()
    before = states_of(session, contest)
    fields = chunk_fields(contest)
    kept = Kept() if session.project.environment.reports.text == "full" else None
    names = candidate_names(contest)
    candidate = searcher(session.service, contest.candidate, contest.bodies.search, fields, wait=False, names=names)
    live = live_searcher(session, contest)
    if kept is not None:
        candidate = kept.watch("candidate", candidate)
        live = kept.watch("live", live) if live is not None else None
    brought = brought_to(session.service, session.project, contest.index, queries, side_fields(contest), strict=True)
    coverage, questions = brought.coverage, brought.coverage.queries
    diagnosis = _diagnosis(session, contest, questions) if live is not None else None
    diagnose = diagnosis or cause_of_loss
    evaluation = _evaluate(session, contest, own, questions, live, candidate, report, brought, diagnose)
    if diagnosis is not None:
        evaluation = replace(evaluation, diagnosed=diagnosis.diagnosed)
    noise = recorded_noise(session, contest.index.alias)
    stand_in = by_stand_in(session.service, (contest.bodies.search, contest.live_search), questions)
    verdict = judged(evaluation, own.policy, noise, coverage, stand_in=stand_in)
    lagging = _lagging(session, contest, own, questions, live, fields, report, brought)
    if lagging is not None and lagging.outcome == "fail" and coverage.enough:
        verdict = lagging
    told = _under_base(session, contest, own, base, verdict, live, candidate, report)
    if told.under_base is not None and told.accepted is None:
        verdict = worse_counts(verdict, told.under_base, told.base)
    tainted = "" if states_of(session, contest) == before else "an index changed while it was measured"
    measured_by = combined_digest(own, base)
    key = _key(contest, before, measured_by)
    outcome = EvaluationOutcome(
        name=contest.index.name,
        alias=contest.index.alias,
        candidate=contest.candidate,
        live=contest.live.index_name if contest.live else None,
        settings_only=contest.settings_only and contest.live_search != contest.bodies.search,
        evaluation=evaluation if kept is not None else without_words(evaluation),
        verdict=verdict,
        key=key,
        path=_path(session, contest, key),
        tainted=tainted,
        seconds=session.clock.monotonic() - started,
        yardstick=told,
        notes=(*brought.notes, *unmeasured(contest, questions)),
    )
    _write(session, contest, outcome, queries, measured_by, questions, before, kept, keep)
    sides = "candidate alone" if live is None else "live and candidate interleaved"
    report(
        Progress("evaluate", f"{queries_of(evaluation.query_count)}, {sides}", finished=True, seconds=outcome.seconds)
    )
    return outcome


def _is_refreshed(session: Session, index: str) -> bool:
    """Whether an indexer of ours keeps an index up to date; one that is switched off takes no run."""
    indexer = session.service.find("indexer", index)
    return indexer is not None and not indexer.get("disabled")


def recorded_key(session: Session, contest: Contest) -> str:
    """The key under which an evaluation of exactly these two, as they are now, would stand in the ledger."""
    own = yardstick_of(session.project, contest.index)
    base = base_of(session, contest.index, contest.ruling.checked().base)
    return _key(contest, states_of(session, contest), combined_digest(own, base))


def _under_base(
    session: Session,
    contest: Contest,
    own: Yardstick,
    base: Base,
    verdict: Verdict,
    live: Search | None,
    candidate: Search,
    report: Report,
) -> YardstickOutcome:
    """What the base revision's yardstick says of the same two, where it is not the one of now."""
    if base.yardstick is None or base.yardstick.digest == own.digest:
        return YardstickOutcome(base.name, base.note)
    changed = own.differences(base.yardstick)
    report(Progress("evaluate", f"{' and '.join(changed)} changed since {base.name}: measured by that yardstick too"))
    brought = brought_to(session.service, session.project, contest.index, base.yardstick.queries, side_fields(contest))
    coverage = brought.coverage
    evaluation = _evaluate(session, contest, base.yardstick, coverage.queries, live, candidate, report, brought)
    stand_in = by_stand_in(session.service, (contest.bodies.search, contest.live_search), coverage.queries)
    noise = recorded_noise(session, contest.index.alias)
    under_base = judged(evaluation, base.yardstick.policy, noise, coverage, stand_in=stand_in)
    return YardstickOutcome(
        base.name, base.note, changed, verdict, under_base, evaluation.metrics, contest.ruling.accept
    )


def _key(contest: Contest, states: tuple[IndexState, IndexState | None], measured_by: str) -> str:
    return evaluation_key(*states, contest.bodies.search, contest.live_search, measured_by)


def _diagnosis(session: Session, contest: Contest, queries: tuple[Query, ...]) -> Diagnosis:
    documents = Documents(session, contest.index)
    candidate = instruments(
        session.service,
        contest.candidate,
        contest.bodies.search,
        chunk_fields(contest),
        names=candidate_names(contest),
        making=making_of(session.service, contest.candidate, contest.bodies.skillset, documents),
    )
    live = None
    if contest.live is not None and contest.live_search is not None:
        current = session.ledger.current(contest.index.alias)
        live = instruments(
            session.service,
            contest.live.index_name,
            contest.live_search,
            live_fields(contest, contest.live),
            names=names_on_live(contest.bodies, contest.live),
            release=int(current["release"]) if current else None,
            making=making_of(session.service, contest.live.index_name, contest.live.skillset, documents),
        )
    return Diagnosis(queries, candidate, live)


def _evaluate(
    session: Session,
    contest: Contest,
    yardstick: Yardstick,
    queries: tuple[Query, ...],
    live: Search | None,
    candidate: Search,
    report: Report,
    brought: Brought,
    diagnose: Diagnose = cause_of_loss,
) -> Evaluation:
    def progress(done: int, total: int) -> None:
        report(Progress("evaluate", "queries", done, total))

    metrics = yardstick.index.evaluation.metrics
    if unlabelled(queries):
        return compare_unlabelled(
            queries,
            live,
            candidate,
            _token_counter(),
            clock=session.clock.monotonic,
            pause=session.clock.sleep,
            workers=LOCAL_WORKERS if session.project.environment.is_local else WORKERS,
            progress=progress,
        )
    evaluation = evaluate(
        queries,
        live,
        candidate,
        metrics,
        _token_counter(),
        seed=SEED,
        clock=session.clock.monotonic,
        pause=session.clock.sleep,
        workers=LOCAL_WORKERS if session.project.environment.is_local else WORKERS,
        corpora=_corpora(session, contest, queries, brought) if reads_all_chunks(metrics) else None,
        sources=_sources(session, contest, brought),
        progress=progress,
        diagnose=diagnose,
    )
    size = index_size(session.service, contest.candidate)
    beside = index_size(session.service, contest.live.index_name) if contest.live is not None else None
    return with_sizes(evaluation, size, beside)


def _sources(session: Session, contest: Contest, brought: Brought) -> Sources:
    """The texts of the judged documents, and how the chunks of one are asked for."""
    service, live = session.service, contest.live
    return Sources(
        brought.coverage.texts,
        document_chunks(service, contest.candidate, chunk_fields(contest)),
        document_chunks(service, live.index_name, live_fields(contest, live)) if live else None,
    )


def _corpora(session: Session, contest: Contest, queries: tuple[Query, ...], brought: Brought) -> Corpora:
    """All chunks of the judged documents of both sides, and the documents' texts where they can be read."""

    def chunks(index: str, fields: ChunkFields) -> tuple[Chunk, ...]:
        read = brought.all_judged(index)
        return read if read is not None else judged_chunks(session.service, index, fields, queries)

    live = contest.live
    return Corpora(
        chunks(contest.candidate, chunk_fields(contest)),
        chunks(live.index_name, live_fields(contest, live)) if live else (),
        brought.coverage.texts,
    )


def _lagging(
    session: Session,
    contest: Contest,
    yardstick: Yardstick,
    queries: tuple[Query, ...],
    live: Search | None,
    fields: ChunkFields,
    report: Report,
    brought: Brought,
) -> Verdict | None:
    """The verdict on the candidate under live's settings, when index and settings change together.

    Applications read new settings some time after the alias moved; until then they send the old ones.
    """
    old = contest.live_search
    if live is None or old is None or contest.settings_only or old == contest.bodies.search:
        return None
    report(Progress("evaluate", "candidate under the settings that applications send until they read the new ones"))
    names = candidate_names(contest)
    lagging = searcher(session.service, contest.candidate, old, fields, wait=False, names=names)
    evaluation = _evaluate(session, contest, yardstick, queries, live, lagging, report, brought)
    stand_in = by_stand_in(session.service, (old,), queries)
    return judged(evaluation, yardstick.policy, recorded_noise(session, contest.index.alias), stand_in=stand_in)


def _token_counter() -> Callable[[str], int]:
    return tokenizer(READER_ENCODING).count


def _path(session: Session, contest: Contest, key: str) -> str:
    stamp = session.clock.now().strftime("%Y%m%dT%H%M%S")
    return str(RUNS / f"{stamp}-{contest.candidate}-{key[:6]}" / EVALUATION)


def _write(
    session: Session,
    contest: Contest,
    outcome: EvaluationOutcome,
    queries: QuerySet,
    measured_by: str,
    questions: tuple[Query, ...],
    states: tuple[IndexState, IndexState | None],
    kept: Kept | None,
    keep: bool,
) -> None:
    """The files first: a ledger entry promises that the evaluation was carried to its end."""
    measured = measured_on(
        session,
        contest.index,
        contest.bodies,
        queries,
        yardstick=measured_by,
        encoding=READER_ENCODING,
        live_search=contest.live_search,
        states=states,
    )
    content = run_record(outcome, measured, judged_items(shown(questions)), change_notes(contest.changes))
    folder = (session.project.root / outcome.path).parent
    write_run(folder, content, kept, shown(questions))
    if not keep:
        return
    entry = {key: value for key, value in content.items() if key not in ("evaluation", "judged")}
    session.ledger.write_evaluation(
        outcome.alias,
        outcome.key,
        {**entry, "judged": {}, "summary": summary(outcome.evaluation), "file": outcome.path},
    )
