"""Live and candidate on the same queries in the same run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from azsearch_ops.errors import EvaluationError
from azsearch_ops.evaluation.asking import Side, position
from azsearch_ops.evaluation.comparison import changed_queries, metric_results, slices
from azsearch_ops.evaluation.cost import side_cost
from azsearch_ops.evaluation.metrics.registry import Metric, parse_metric
from azsearch_ops.evaluation.outcome import Evaluation, Probe, QueryResult, Ranked, SideResult
from azsearch_ops.evaluation.paths import DocumentPaths
from azsearch_ops.evaluation.reading import Item, Ranking, Reader, relevant_items
from azsearch_ops.evaluation.types import CountTokens, Query, Search

PROBED = 5
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
    reader_top: int = 5,
    resamples: int = RESAMPLES,
) -> Evaluation:
    """Both sides measured on `queries` with `metrics` (the first is the one that ranks changed queries).

    The sides take turns in going first. Queries without a relevant judgement are named in `unscored` and not
    asked. `clock` returns seconds and makes the record hold latencies; `reader_top` is how many chunks the
    application hands to its reader. Equal answers and an equal `seed` give an equal evaluation.

    Raises:
        EvaluationError: no query can be scored, ids repeat, or a metric is unknown or cannot be computed here.
    """
    wanted = _metrics(metrics)
    scored = _scored(queries, wanted)
    reader = Reader(DocumentPaths(j.document for q in queries for j in q.judgements), count_tokens)
    cuts = [metric.cut for metric in wanted]
    sides = [Side(search, cuts, reader.tokens, clock) for search in (live, candidate) if search is not None]
    rankings: list[tuple[Ranking, ...]] = []
    steady = [True] * len(sides)
    for number, (query, items) in enumerate(scored):
        answers = {}
        order = range(len(sides)) if number % 2 == 0 else reversed(range(len(sides)))
        for index in order:
            answers[index] = sides[index].ask(query)
            if number < PROBED:
                steady[index] = steady[index] and sides[index].repeats(query, answers[index])
        rankings.append(tuple(reader.ranking(items, answers[index]) for index in range(len(sides))))
        if progress:
            progress(number + 1, len(scored))

    results = [_result(query, items, pair, wanted) for (query, items), pair in zip(scored, rankings, strict=True)]
    depths = [side.depth for side in sides]
    changed = changed_queries(results, rankings, wanted, depths) if live else ()
    costs = [side_cost(side, [pair[i] for pair in rankings], scored, reader_top) for i, side in enumerate(sides)]
    return Evaluation(
        metrics=metric_results(results, wanted, seed, resamples),
        query_count=len(results),
        seen=sum(any(any(ranking.held) for ranking in pair) for pair in rankings),
        better=sum(query.better for query in changed),
        worse=sum(not query.better for query in changed),
        candidate_cost=costs[-1],
        live_cost=costs[0] if live else None,
        probe=Probe(min(PROBED, len(scored)), steady[0] if live else None, steady[-1]),
        slices=slices(results, wanted),
        unscored=tuple(sorted({q.id for q in queries} - {q.id for q, _ in scored})),
        seed=seed,
        resamples=resamples,
        depth=max(depths),
        reader_top=reader_top,
        queries=tuple(results),
        changed=changed,
    )


def _metrics(names: Sequence[str]) -> tuple[Metric, ...]:
    if not names:
        raise EvaluationError("no metric to measure", hint="name one, such as recall@2000t", code="evaluation-metrics")
    parsed: list[Metric] = []
    wrong: list[str] = []
    for name in dict.fromkeys(names):
        try:
            parsed.append(parse_metric(name))
        except ValueError as error:
            wrong.append(str(error))
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
        whole = [query.id for query, items in scored if any(item.span is None for item in items)]
        if whole:
            raise EvaluationError(
                f"{', '.join(spans_only)} cannot be computed: {whole[0]} judges a document as a whole "
                f"({len(whole)} of {len(scored)} queries do)",
                hint="these metrics are defined on excerpts; leave them out or give excerpts",
            )
    return scored


def _result(query: Query, items: tuple[Item, ...], pair: tuple[Ranking, ...], metrics: Sequence[Metric]) -> QueryResult:
    sides = [_side(ranking, metrics) for ranking in pair]
    names = tuple(item.name for item in items)
    return QueryResult(query.id, query.text, query.tags, names, sides[-1], sides[0] if len(sides) == 2 else None)


def _side(ranking: Ranking, metrics: Sequence[Metric]) -> SideResult:
    readings = {cut: ranking.read(cut) for cut in {metric.cut for metric in metrics}}
    values = {str(metric): metric.value(readings[metric.cut]) for metric in metrics}
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
