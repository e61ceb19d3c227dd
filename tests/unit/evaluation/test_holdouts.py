"""Held-out queries count and are not shown; unjudged rankings are compared; too little withholds a verdict."""

import json

import pytest

from azsearch_ops.evaluation.record import record, summary
from azsearch_ops.evaluation.run import evaluate
from azsearch_ops.evaluation.types import Chunk, Judgement, Query
from azsearch_ops.evaluation.unlabelled import OVERLAP, compare_unlabelled
from azsearch_ops.gate.coverage import heed_coverage, unlabelled_verdict
from azsearch_ops.gate.policy import GateLimits
from azsearch_ops.gate.verdict import judge

METRICS = ("recall@5", "mrr@10")


def tokens(text):
    return len(text.split())


def query(number, *, holdout=False, tags=("all",)):
    return Query(f"q{number}", f"secret {number}?", (Judgement(f"d{number}.md"),), tags, holdout=holdout)


def side(*, losing=()):
    def search(asked, depth):
        number = int(asked.id[1:])
        order = [f"d{number}.md", "x.md", "y.md"]
        if number in losing:
            order = order[1:]
        return [Chunk(f"{name}_{n}", name, f"text of {name}", 1.0 - n / 10) for n, name in enumerate(order)][:depth]

    return search


def test_held_out_queries_count_and_leave_no_trace():
    queries = [query(n, holdout=n in (1, 2), tags=("all", f"only{n}")) for n in range(6)]
    open_ones = [query(n, tags=("all", f"only{n}")) for n in range(6)]
    live, candidate = side(), side(losing=(1, 3))
    found = evaluate(queries, live, candidate, METRICS, tokens)
    same = evaluate(open_ones, live, candidate, METRICS, tokens)
    assert found.metrics == same.metrics and (found.better, found.worse) == (same.better, same.worse) == (0, 2)
    assert (found.query_count, found.holdouts, found.lost) == (6, 2, 2)
    assert [q.id for q in found.changed] == ["q3"] and [q.id for q in found.queries] == ["q0", "q3", "q4", "q5"]
    assert {s.tag for s in found.slices} == {"all", "only0", "only3", "only4", "only5"}
    told = json.dumps(record(found))
    assert all(word not in told for word in ("q1", "q2", "secret 1", "secret 2", "d1.md", "d2.md"))
    assert "secret 3" in told


def test_an_unscored_held_out_query_is_not_named():
    queries = [query(0), Query("q1", "secret 1?", (), holdout=True), Query("q2", "open", ())]
    assert evaluate(queries, None, side(), METRICS, tokens).unscored == ("q2",)


def test_unjudged_rankings_are_compared_and_never_gated():
    queries = [Query(f"q{n}", f"secret {n}?", (), holdout=n == 1) for n in range(4)]
    found = compare_unlabelled(queries, side(), side(losing=(1, 3)), tokens)
    overlap = found.overlap
    assert (overlap.queries, overlap.changed) == (4, 2) and 0 < overlap.mean < 1
    (row,) = overlap.most_changed
    assert (
        row.id == "q3" and row.live[0] == "d3.md" and row.candidate[0] == "x.md" and row.overlap == pytest.approx(0.72)
    )
    assert [(m.name, m.candidate) for m in found.metrics] == [(OVERLAP, overlap.mean)]
    verdict = unlabelled_verdict(found)
    assert verdict.outcome == "undecided" and "no judgements" in verdict.reasons[0]
    assert "secret 1" not in json.dumps(record(found)) and "secret" not in json.dumps(summary(found))
    alone = compare_unlabelled(queries, None, side(), tokens)
    assert alone.overlap is None and "no live" in unlabelled_verdict(alone).reasons[1]


@pytest.mark.parametrize(("losing", "outcome"), [((), "pass"), (tuple(range(6)), "fail")])
def test_too_few_that_can_be_scored_withhold_any_verdict(losing, outcome):
    found = evaluate([query(n) for n in range(6)], side(), side(losing=losing), METRICS, tokens)
    verdict = judge(found, {"recall@5": GateLimits()})
    assert verdict.outcome == outcome == heed_coverage(verdict, found, "").outcome
    withheld = heed_coverage(verdict, found, "only 6 of 20")
    assert withheld.outcome == "undecided" and withheld.reasons == ("only 6 of 20", *verdict.reasons)


def test_nothing_found_at_all_questions_the_judgements_and_fails_nothing():
    found = evaluate([query(n) for n in range(6)], side(losing=range(6)), side(losing=range(6)), METRICS, tokens)
    verdict = judge(found, {"recall@5": GateLimits(floor=0.5)})
    assert verdict.outcome == "fail"
    heeded = heed_coverage(verdict, found, "")
    assert heeded.outcome == "undecided" and "100 % of the judgements are unresolved" in heeded.reasons[0]
