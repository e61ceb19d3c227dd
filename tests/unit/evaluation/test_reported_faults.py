"""Faults that other evaluation tools were reported for, which must not happen here (cases P44 and P47)."""

import random
from dataclasses import replace
from math import log2
from statistics import fmean

import pytest

from azsearch_ops.evaluation.outcome import Evaluation
from azsearch_ops.evaluation.run import evaluate
from azsearch_ops.evaluation.significance import drop_p_values
from azsearch_ops.evaluation.types import Chunk, Judgement, Query, Search
from azsearch_ops.gate.policy import GateLimits
from azsearch_ops.gate.verdict import judge

GATE = {"ndcg@10": GateLimits()}


def test_p44_recall_is_not_hit_and_the_ideal_comes_from_the_judgements() -> None:
    """One of twenty relevant documents at rank 1: supermemoryai/memorybench#67 said recall 1 and nDCG 1."""
    query = Query("q1", "any", tuple(Judgement(f"relevant-{i}.md") for i in range(20)))
    names = ["relevant-7.md", *(f"other-{i}.md" for i in range(9))]

    def search(query: Query, depth: int) -> list[Chunk]:
        return [Chunk(name, name, "text", 10.0 - i) for i, name in enumerate(names)]

    result = evaluate([query], None, search, ["hit@10", "recall@10", "ndcg@10", "mrr@10"], len)
    values = {metric.name: metric.candidate for metric in result.metrics}
    assert values["hit@10"] == 1.0
    assert values["recall@10"] == pytest.approx(0.05)
    assert values["ndcg@10"] == pytest.approx(1 / sum(1 / log2(rank + 1) for rank in range(1, 11)))
    assert values["ndcg@10"] == pytest.approx(0.220, abs=5e-4)
    assert values["mrr@10"] == 1.0


QUERIES = [Query(f"q{i:03}", f"question {i}", (Judgement(f"{i}.md"),)) for i in range(120)]


def jittering(seed: int, scores: float) -> Search:
    """Ten results of which the first five score the same, but for `scores`, and come in an order of their own."""
    chance = random.Random(seed)

    def search(query: Query, depth: int) -> list[Chunk]:
        names = [f"{int(query.id[1:])}.md", *(f"other-{i}.md" for i in range(9))]
        ranked = [Chunk(f"{name}_0", name, name, 1.0 if i < 5 else 0.5) for i, name in enumerate(names)]
        first = [replace(chunk, score=1.0 + scores * chance.random()) for chunk in ranked[:5]]
        chance.shuffle(first)
        return [*sorted(first, key=lambda chunk: -(chunk.score or 0.0)), *ranked[5:]]

    return search


def test_p47_jitter_among_equal_scores_changes_nothing() -> None:
    """The order of ties is the service's own (Azure/azure-search-vector-samples#209); here it is a stated one."""
    result = evaluate(QUERIES, jittering(1, 0.0), jittering(2, 0.0), ["ndcg@10", "mrr@10"], len, resamples=200)
    assert result.changed == ()
    assert (result.probe.live, result.probe.candidate) == (True, True)
    assert judge(result, GATE).reasons == ("0 of 120 queries changed",)


def measured(seed: int, *, worse: float = 0.0) -> Evaluation:
    """Two sides whose scores jitter; the candidate loses a share of its answers besides."""
    chance = random.Random(seed)
    candidate = jittering(seed + 1000, 1e-4)
    lost = {query.id for query in QUERIES if chance.random() < worse}

    def search(query: Query, depth: int) -> list[Chunk]:
        chunks = candidate(query, depth)
        return [chunk for chunk in chunks if not (query.id in lost and chunk.document == f"{int(query.id[1:])}.md")]

    return evaluate(QUERIES, jittering(seed, 1e-4), search, ["ndcg@10"], len, seed=seed, resamples=500)


def test_p47_noise_that_exceeds_the_difference_decides_nothing() -> None:
    noise = {"ndcg@10": measured(77).metrics[0].deviation or 0.0}
    assert noise["ndcg@10"] > 0.1
    outcomes = [judge(measured(seed), GATE, noise) for seed in range(40)]
    assert sum(verdict.outcome == "fail" for verdict in outcomes) <= 1
    unaware = [judge(measured(seed), GATE) for seed in range(40)]
    told = [verdict for verdict in outcomes if "the noise of this environment exceeds" in verdict.reasons[0]]
    assert sum(verdict.outcome == "fail" for verdict in unaware) >= len(told) > 0
    assert {verdict.outcome for verdict in told} == {"undecided"}
    assert measured(3).probe.candidate is False, "the repeat probe finds a service that answers differently"
    for verdict, counted in ((unaware[3], "noise measures how much"), (outcomes[3], "is counted in")):
        assert "candidate answered " in verdict.reasons[-1]
        assert " of 5 queries otherwise when asked again" in verdict.reasons[-1]
        assert counted in verdict.reasons[-1]
    damaged = [judge(measured(seed, worse=0.3), GATE, noise).outcome for seed in range(10)]
    assert damaged == ["fail"] * 10, "real damage is not taken for noise"


def test_p47_the_candidate_is_compared_with_live_and_not_with_a_number_in_a_file() -> None:
    """nDCG .38 was committed once, live has .41 by now, the candidate .385: better than the file, worse than live."""
    queries = [Query(f"q{i:04}", f"question {i}", (Judgement(f"{i}.md"),)) for i in range(2000)]

    def answering(share: float) -> Search:
        def search(query: Query, depth: int) -> list[Chunk]:
            number = int(query.id[1:])
            answered = number < round(share * len(queries))
            return [Chunk("k", f"{number}.md" if answered else "other.md", "text", 1.0)]

        return search

    result = evaluate(queries, answering(0.41), answering(0.385), ["ndcg@10"], len, resamples=1000)
    (metric,) = result.metrics
    assert (metric.live, metric.candidate) == (pytest.approx(0.41), pytest.approx(0.385))
    assert metric.difference == pytest.approx(-0.025)
    assert judge(result, GATE).outcome == "fail"


def test_p47_the_same_statistics_are_the_same_every_time_and_never_more_certain_than_their_flips() -> None:
    chance = random.Random(5)
    row = [chance.choice([-1.0, -0.5, 0.0, 0.0, 0.5]) for _ in range(200)]
    found = {drop_p_values([row], seed=3, flips=999) for _ in range(4)}
    assert len(found) == 1
    assert fmean(row) < 0
    assert drop_p_values([[-1.0] * 300], seed=3, flips=999) == (1 / 1000,)
