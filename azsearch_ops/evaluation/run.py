"""Live and candidate on the same queries in the same run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from azsearch_ops.errors import EvaluationError
from azsearch_ops.evaluation.asking import Side
from azsearch_ops.evaluation.asking_all import Answers, ask_all
from azsearch_ops.evaluation.causes import Diagnose, cause_of_loss
from azsearch_ops.evaluation.chunk_keys import position
from azsearch_ops.evaluation.comparison import changed_queries, metric_results, slices
from azsearch_ops.evaluation.cost import side_cost
from azsearch_ops.evaluation.holdouts import without_holdouts
from azsearch_ops.evaluation.items import Item, relevant_items
from azsearch_ops.evaluation.layout import Corpora, Layouts
from azsearch_ops.evaluation.metrics.registry import Metric, RankedMetrics, parse_metric, ranked_metrics
from azsearch_ops.evaluation.outcome import Evaluation, Probe, QueryResult, Ranked, SideResult
from azsearch_ops.evaluation.pacing import Pace
from azsearch_ops.evaluation.paths import DocumentPaths
from azsearch_ops.evaluation.placing import Places, Sources
from azsearch_ops.evaluation.reading import Ranking, Reader
from azsearch_ops.evaluation.types import CountTokens, Query, Search

RESAMPLES = 10_000


def evaluate(
    queries: Sequence[Query],
    live: Search | None,
    candidate: Search,
    metrics: Sequence[str],
    count_tokens: CountTokens,
    *,
    seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
    clock: Callable[[], float] | None = None,
    pause: Callable[[float], None] | None = None,
    workers: int = 1,
    corpora: Corpora | None = None,
    sources: Sources | None = None,
    reader_top: int = 5,
    resamples: int = RESAMPLES,
    diagnose: Diagnose = cause_of_loss,
) -> Evaluation:
    """Both sides measured on `queries` with `metrics` (the first is the one that ranks changed queries).

    The sides take turns in going first. Queries without a relevant judgement are named in `unscored` and not
    asked. `clock` returns seconds and makes the record hold latencies; `reader_top` is how many chunks the
    application hands to its reader. At most `workers` queries are asked at once, after the first ones, whose calls
    are made one at a time and timed; `pause` waits for seconds where the service asks for it. `corpora` is wanted
    by metrics that read all chunks. With `sources` a passage that repeats counts at its own place only. Equal
    answers and an equal `seed` give an equal evaluation, latencies aside, whatever `workers` is.

    Raises:
        EvaluationError: no query can be scored, ids repeat, or a metric is unknown or cannot be computed here.
    """
    wanted = _metrics(metrics, corpora)
    scored = _scored(queries, wanted)
    paths = DocumentPaths(j.document for q in queries for j in q.judgements)
    reader = Reader(paths, count_tokens)
    cuts = [metric.asked for metric in wanted]
    pace = Pace(workers, pause)
    sides = [Side(search, cuts, reader.tokens, clock, pace) for search in (live, candidate) if search is not None]
    answers = ask_all(sides, [query for query, _ in scored], workers, progress)

    places = _places(sources, paths, scored, answers)
    rankings = [
        tuple(
            reader.ranking(items, asked.chunks, query.judgements, where)
            for asked, where in zip(pair, places, strict=True)
        )
        for (query, items), pair in zip(scored, answers.asked, strict=True)
    ]
    layouts = _layouts(corpora, paths, len(sides)) if any(metric.about.of_corpus for metric in wanted) else None
    ranked = ranked_metrics(wanted)
    results = [
        _result(query, items, pair, wanted, ranked, layouts)
        for (query, items), pair in zip(scored, rankings, strict=True)
    ]
    depths = [tuple(asked.depth for asked in pair) for pair in answers.asked]
    changed = changed_queries(results, rankings, wanted, depths, diagnose) if live else ()
    costs = [
        side_cost(
            [pair[i] for pair in rankings],
            scored,
            reader_top,
            seconds=answers.seconds(i) if clock else (),
            calls=answers.calls(i),
        )
        for i in range(len(sides))
    ]
    evaluation = Evaluation(
        metrics=metric_results(results, wanted, seed, resamples),
        query_count=len(results),
        seen=sum(any(any(ranking.held) for ranking in pair) for pair in rankings),
        better=sum(query.better for query in changed),
        worse=sum(not query.better for query in changed),
        candidate_cost=costs[-1],
        live_cost=costs[0] if live else None,
        probe=Probe.of(answers.probed, answers.otherwise, compared=live is not None),
        slices=slices(results, wanted),
        unscored=tuple(sorted({q.id for q in queries} - {q.id for q, _ in scored})),
        seed=seed,
        resamples=resamples,
        depth=max(max(pair) for pair in depths),
        reader_top=reader_top,
        lost=sum(query.state == "lost" for query in changed),
        found=sum(query.state == "found" for query in changed),
        pauses=pace.pauses,
        queries=tuple(results),
        changed=changed,
    )
    return without_holdouts(evaluation, queries)


def _places(
    sources: Sources | None, paths: DocumentPaths, scored: Sequence[tuple[Query, tuple[Item, ...]]], answers: Answers
) -> list[Places | None]:
    """Where the chunks of each side stand; of every answer first, so that no order of queries decides."""
    count = len(answers.asked[0])
    if sources is None:
        return [None] * count
    judgements = [judgement for query, _ in scored for judgement in query.judgements]
    found: list[Places | None] = []
    for number, chunks_at in enumerate([sources.live, sources.candidate][-count:]):
        places = Places(paths, sources.texts, judgements, chunks_at)
        for pair in answers.asked:
            places.learn(pair[number].chunks)
        found.append(places)
    return found


def _layouts(corpora: Corpora | None, paths: DocumentPaths, sides: int) -> list[Layouts]:
    if corpora is None:
        return []
    chunks = [corpora.live, corpora.candidate][-sides:]
    return [Layouts(side, corpora.texts, paths) for side in chunks]


def _metrics(names: Sequence[str], corpora: Corpora | None) -> tuple[Metric, ...]:
    if not names:
        raise EvaluationError("no metric to measure", hint="name one, such as recall@2000t", code="evaluation-metrics")
    parsed: list[Metric] = []
    wrong: list[str] = []
    for name in dict.fromkeys(names):
        try:
            parsed.append(parse_metric(name))
        except ValueError as error:
            wrong.append(str(error))
    if corpora is None:
        wrong += [f"{m} reads all chunks of the documents, and here are none" for m in parsed if m.about.of_corpus]
    if wrong:
        raise EvaluationError("; ".join(wrong), code="evaluation-metrics")
    return tuple(parsed)


def _scored(queries: Sequence[Query], metrics: Sequence[Metric]) -> list[tuple[Query, tuple[Item, ...]]]:
    if not queries:
        raise EvaluationError("the query set is empty", hint="write at least one query with what is relevant to it")
    if repeated := sorted(name for name, count in Counter(query.id for query in queries).items() if count > 1):
        raise EvaluationError(f"query ids repeat: {', '.join(repeated)}", hint="give each query an id of its own")
    scored = [(query, items) for query in queries if (items := relevant_items(query.judgements))]
    if not scored:
        raise EvaluationError("no query has a relevant judgement", hint="grade at least one document or span above 0")
    if spans_only := [str(metric) for metric in metrics if metric.about.spans_only]:
        whole = [
            "a held-out query" if query.holdout else query.id
            for query, items in scored
            if any(item.span is None for item in items)
        ]
        if whole:
            raise EvaluationError(
                f"{', '.join(spans_only)} cannot be computed: {whole[0]} judges a document as a whole "
                f"({len(whole)} of {len(scored)} queries do)",
                hint="these metrics are defined on excerpts; leave them out or give excerpts",
            )
    return scored


def _result(
    query: Query,
    items: tuple[Item, ...],
    pair: tuple[Ranking, ...],
    metrics: Sequence[Metric],
    ranked: RankedMetrics,
    layouts: Sequence[Layouts] | None,
) -> QueryResult:
    sides = []
    for number, ranking in enumerate(pair):
        values = ranked_values(ranking, ranked)
        if layouts is not None:
            laid = layouts[number].of(query.judgements)
            values |= {str(m): m.value_of_corpus(laid) for m in metrics if m.about.of_corpus}
        sides.append(_side(ranking, {str(metric): values[str(metric)] for metric in metrics}))
    names = tuple(item.name for item in items)
    return QueryResult(query.id, query.text, query.tags, names, sides[-1], sides[0] if len(sides) == 2 else None)


def ranked_values(ranking: Ranking, metrics: RankedMetrics) -> dict[str, float]:
    """The values of metrics that read a ranking, by name."""
    values: dict[str, float] = {}
    for cut, needs, functions in metrics:
        reading = ranking.read(cut, needs)
        for name, function in functions:
            values[name] = function(reading)
    return values


def _side(ranking: Ranking, values: Mapping[str, float]) -> SideResult:
    ranked = tuple(
        Ranked(
            chunk.key,
            chunk.document,
            position(chunk),
            chunk.score,
            ranking.reader.tokens(chunk.text),
            tuple((item, start, end) for item, parts in held for start, end in parts),
        )
        for chunk, held in zip(ranking.chunks, ranking.held, strict=True)
    )
    return SideResult(values, ranking.whole().found_rank(), ranked)
