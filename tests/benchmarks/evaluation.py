"""Speed of evaluations: metrics and statistics beside trec_eval's, and who is waited for in a whole evaluation.

    python tests/benchmarks/evaluation.py [--data DIR] [--queries 10000] [--skip-service]

First: five metrics of two rankings of 100 results for each query, their tests and intervals (10,000 resamples), beside
pytrec_eval_terrier computing the same five metrics of the same two rankings; both begin with what an evaluation has in
hand, aligned rankings here and dictionaries there. Ends with 1 where we need twice as long or more.

Second: the study's 472 questions on two indexes of the local service, beside the same requests with nothing but
waiting for them, and where the rest of the time goes.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import random
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

import pytrec_eval
from chroma import cut_into, write_project
from chroma_rooms import DATA, read_study
from chroma_study import WORDLLAMA, Study, command

from azsearch_ops.bodies.render import render
from azsearch_ops.evaluation.interval import mean_intervals
from azsearch_ops.evaluation.items import relevant_items
from azsearch_ops.evaluation.metrics.registry import parse_metric, ranked_metrics
from azsearch_ops.evaluation.paths import DocumentPaths
from azsearch_ops.evaluation.reading import Ranking, Reader
from azsearch_ops.evaluation.run import evaluate, ranked_values
from azsearch_ops.evaluation.significance import drop_p_values
from azsearch_ops.evaluation.types import Chunk, Judgement, Query, Search
from azsearch_ops.models.tokenizer import tokenizer
from azsearch_ops.verbs.evaluating.chunk_fields import ChunkFields
from azsearch_ops.verbs.evaluating.retrieval import searcher
from azsearch_ops.verbs.session import open_session

Result = TypeVar("Result")

METRICS = ("ndcg@10", "recall@5", "recall@50", "mrr@100", "map@100")
THEIRS = {
    "ndcg@10": "ndcg_cut_10",
    "recall@5": "recall_5",
    "recall@50": "recall_50",
    "mrr@100": "recip_rank",
    "map@100": "map_cut_100",
}
RESULTS = 100
WORKERS = 2
REPEATS = 3


def metrics_and_statistics(count: int) -> float:
    """Our time divided by trec_eval's, the median of three."""
    chance = random.Random(7)
    documents = [f"d{i}.md" for i in range(5000)]
    reader = Reader(DocumentPaths(documents), len)
    judged: dict[str, dict[str, int]] = {}
    runs: list[dict[str, dict[str, float]]] = [{}, {}]
    rankings: list[list[Ranking]] = [[], []]
    for number in range(count):
        came = chance.sample(documents, RESULTS)
        grades = {d: chance.randint(1, 3) for d in [*chance.sample(came, 5), *chance.sample(documents, 2)]}
        judged[f"q{number}"] = grades
        judgements = [Judgement(document, grade=grade) for document, grade in grades.items()]
        other = came[:]
        if number % 4 == 0:  # As many as a change of chunk size moves
            chance.shuffle(other)
        for side, order in enumerate((came, other)):
            runs[side][f"q{number}"] = {document: float(RESULTS - rank) for rank, document in enumerate(order)}
            chunks = [Chunk(d, d, "text", float(RESULTS - rank)) for rank, d in enumerate(order)]
            rankings[side].append(reader.ranking(relevant_items(judgements), chunks))
    evaluator = pytrec_eval.RelevanceEvaluator(judged, {"ndcg_cut.10", "recall.5,50", "recip_rank", "map_cut.100"})
    compiled = ranked_metrics([parse_metric(name) for name in METRICS])

    def theirs() -> list[dict[str, dict[str, float]]]:
        return [evaluator.evaluate(run) for run in runs]

    def ours() -> list[list[dict[str, float]]]:
        return [[ranked_values(ranking, compiled) for ranking in side] for side in rankings]

    def statistics(values: list[list[dict[str, float]]]) -> None:
        live, candidate = values
        rows = [[c[name] - a[name] for a, c in zip(live, candidate, strict=True)] for name in METRICS]
        drop_p_values(rows, 1, 10_000)
        mean_intervals(rows, 1, 10_000)

    ratios = []
    print(f"{count} queries, {RESULTS} results, two rankings, 5 metrics, 10,000 resamples, seconds")
    print(f"{'trec_eval':>12}{'our metrics':>14}{'statistics':>12}{'ratio':>8}")
    for _ in range(REPEATS):
        for side in rankings:
            for ranking in side:
                ranking._once.clear()  # Nothing is kept from the time before
        their_time, their_values = timed(theirs)
        metric_time, values = timed(ours)
        test_time, _ = timed(lambda values=values: statistics(values))
        ratios.append((metric_time + test_time) / their_time)
        print(f"{their_time:>12.3f}{metric_time:>14.3f}{test_time:>12.3f}{ratios[-1]:>8.2f}")
    for side, run in zip(values, their_values, strict=True):
        for number in range(0, count, 97):
            for name, theirs_name in THEIRS.items():
                assert abs(side[number][name] - run[f"q{number}"][theirs_name]) < 1e-6, (number, name)
    return sorted(ratios)[REPEATS // 2]


def timed(work: Callable[[], Result]) -> tuple[float, Result]:
    """Seconds and result."""
    started = time.perf_counter()
    result = work()
    return time.perf_counter() - started, result


def whole_evaluation(data: Path) -> None:
    """An evaluation against the local service, beside the bare requests."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "chroma"
        root.mkdir()
        write_project(root, Study.read(data), WORDLLAMA)
        try:
            indexes = []
            for length, overlap in ((2000, 500), (1000, 200)):
                cut_into(root, length, overlap)
                indexes.append(command(root, "ship", "chroma", codes=(0, 3))["candidate"])
            with open_session(root, "local", os.environ) as session:
                fields = ChunkFields("chunk_id", "path", "chunk", "parent_id")
                settings = render(session.project, "chroma").search
                live, candidate = (searcher(session.service, name, settings, fields) for name in indexes)
                compare(read_study(data).queries, live, candidate)
        finally:
            command(root, "local", "stop")


def compare(queries: tuple[Query, ...], live: Search, candidate: Search) -> None:
    """The requests alone, then the evaluation, then its profile."""

    def requests() -> None:
        with ThreadPoolExecutor(WORKERS) as pool:
            list(pool.map(lambda query: (live(query, 20), candidate(query, 20)), queries))

    def evaluation() -> None:
        evaluate(
            queries,
            live,
            candidate,
            ("recall@2000t", "mrr@10", "recall@5", "ndcg@10"),
            tokenizer("cl100k_base").count,
            clock=time.perf_counter,
            workers=WORKERS,
        )

    requests()
    alone, _ = timed(requests)
    whole, _ = timed(evaluation)
    one_by_one, _ = timed(lambda: [(live(query, 20), candidate(query, 20)) for query in queries[:100]])
    print(f"\n{len(queries)} queries on two indexes of the local service, {WORKERS} at once")
    print(f"the requests alone {alone:.2f} s; one by one {one_by_one * len(queries) / 100:.2f} s")
    print(f"the evaluation     {whole:.2f} s, so {alone / whole:.0%} of it is waiting for the service")
    profile = cProfile.Profile()
    profile.runcall(evaluation)
    told = pstats.Stats(profile).get_stats_profile().func_profiles
    names = ("ask_all", "ranking", "_result", "metric_results", "changed_queries", "side_cost")
    print("profile of the evaluation's own thread, seconds with everything below:")
    for name in names:
        if name in told:
            print(f"  {name:18}{told[name].cumtime:>8.2f}")


def main() -> None:
    """Both parts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--queries", type=int, default=10_000)
    parser.add_argument("--skip-service", action="store_true")
    arguments = parser.parse_args()
    ratio = metrics_and_statistics(arguments.queries)
    print(f"metrics and statistics take {ratio:.2f} times as long as trec_eval's metrics alone; below 2 is wanted")
    if not arguments.skip_service:
        whole_evaluation(arguments.data)
    sys.exit(0 if ratio < 2 else 1)


if __name__ == "__main__":
    main()
