from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from azsearch_ops.errors import EvaluationError
from azsearch_ops.evaluation.interval import mean_intervals
from azsearch_ops.evaluation.outcome import Evaluation, MetricResult, Probe, SideCost
from azsearch_ops.evaluation.significance import drop_p_values
from azsearch_ops.gate.policy import GateLimits
from azsearch_ops.gate.record import verdict_from_json, verdict_to_json
from azsearch_ops.gate.sensitivity import queries_to_pass, unseen_drop
from azsearch_ops.gate.verdict import Verdict, judge

COST = SideCost(tokens=100.0, unjudged=0.5, p50=None, p95=None, calls=10)
RANK = {"pass": 0, "undecided": 1, "fail": 2}


def paired(live: Sequence[float], *rows: Sequence[float], resamples: int = 2000) -> Evaluation:
    """An evaluation of metrics m0, m1 … whose candidate values are live plus the differences in `rows`."""
    p_values = drop_p_values(rows, 1, resamples)
    intervals = mean_intervals(rows, 1, resamples)
    metrics = tuple(
        MetricResult(
            name=f"m{number}",
            candidate=float(np.mean(live) + np.mean(row)),
            live=float(np.mean(live)),
            difference=float(np.mean(row)),
            low=interval.low,
            high=interval.high,
            bound=interval.bound,
            p=p,
            deviation=float(np.std(row)),
            changed=sum(d != 0 for d in row),
            better=sum(d > 0 for d in row),
            worse=sum(d < 0 for d in row),
        )
        for number, (row, p, interval) in enumerate(zip(rows, p_values, intervals, strict=True))
    )
    return Evaluation(
        metrics=metrics,
        query_count=len(live),
        seen=len(live),
        better=metrics[0].better,
        worse=metrics[0].worse,
        candidate_cost=COST,
        live_cost=COST,
        probe=Probe(5, True, True),
        slices=(),
        unscored=(),
        seed=1,
        resamples=resamples,
        depth=10,
        reader_top=5,
    )


def alone(candidate: float) -> Evaluation:
    return replace(paired([0.0], [0.0]), metrics=(MetricResult("m0", candidate),), live_cost=None)


def verdict(row: Sequence[float], limits: GateLimits | None = None, live: float = 0.8) -> Verdict:
    return judge(paired([live] * len(row), row), {"m0": limits or GateLimits()})


def spread(queries: int, down: int, up: int, size: float = 1.0) -> list[float]:
    return [-size] * down + [size] * up + [0.0] * (queries - down - up)


@pytest.mark.parametrize("queries", [1, 10, 500])
def test_nothing_changed_passes_at_any_size(queries: int) -> None:
    result = verdict([0.0] * queries)
    assert result.outcome == "pass"
    assert result.reasons == (f"0 of {queries} {'query' if queries == 1 else 'queries'} changed",)


def test_a_drop_beyond_the_limit_fails_whatever_the_test_says() -> None:
    result = verdict(spread(30, down=10, up=6))
    assert result.outcome == "fail"
    assert result.reasons == ("m0: drop of 0.133, limit 0.100",)
    assert result.lines[0].limit == "−0.100"


def test_a_significant_drop_fails_within_the_limit() -> None:
    result = verdict(spread(400, down=20, up=2))
    assert result.outcome == "fail"
    assert "drop of 0.045 is significant" in result.reasons[0]
    assert result.lines[0].limit == "p ≤ 0.05"  # Neither limit nor margin was broken


def test_a_bound_above_the_margin_passes_with_the_bound() -> None:
    result = verdict(spread(400, down=5, up=5))
    assert result.outcome == "pass"
    assert "is above the margin −0.050" in result.reasons[0]
    assert result.lines[0].limit == "−0.050"


def test_too_few_queries_are_undecided_and_say_how_many_it_takes() -> None:
    result = verdict(spread(50, down=5, up=5))
    assert result.outcome == "undecided"
    assert "with 50 queries a drop of " in result.reasons[0]
    line = result.lines[0]
    assert line.needed is not None
    assert line.needed > 50
    assert line.unseen is not None
    assert line.unseen > 0.1


def test_a_handful_of_queries_with_one_worse_is_undecided() -> None:
    assert verdict(spread(10, down=1, up=0, size=0.02)).outcome == "undecided"
    assert verdict(spread(10, down=0, up=3)).outcome == "pass"


def test_a_floor_holds_with_and_without_a_live_side() -> None:
    limits = GateLimits(floor=0.85)
    assert verdict([0.0] * 50, limits, live=0.8).outcome == "fail"
    assert judge(alone(0.84), {"m0": limits}).outcome == "fail"
    assert judge(alone(0.85), {"m0": limits}).outcome == "pass"
    assert judge(alone(0.10), {"m0": GateLimits()}).reasons[0] == "first release: nothing to compare with"


def test_judgements_that_fit_no_side_decide_nothing() -> None:
    result = judge(replace(paired([0.0] * 100, [0.0] * 100), seen=0), {"m0": GateLimits()})
    assert result.outcome == "undecided"
    assert "do the judgements fit this index" in result.reasons[0]


def test_metrics_without_limits_are_reported_and_decide_nothing() -> None:
    result = judge(paired([0.8] * 100, [0.0] * 100, [-1.0] * 100), {"m0": GateLimits()})
    assert result.outcome == "pass"
    assert [line.outcome for line in result.lines] == ["pass", "reported"]


def test_one_failing_metric_fails_the_candidate() -> None:
    result = judge(paired([0.8] * 100, [0.0] * 100, [-0.5] * 100), {"m0": GateLimits(), "m1": GateLimits()})
    assert result.outcome == "fail"
    assert [line.outcome for line in result.lines] == ["pass", "fail"]


def test_holm_asks_more_of_two_metrics_than_of_one() -> None:
    row = spread(300, down=16, up=6)
    flat = [0.0] * 300
    single = judge(paired([0.8] * 300, row), {"m0": GateLimits()})
    double = judge(paired([0.8] * 300, row, flat), {"m0": GateLimits(), "m1": GateLimits()})
    assert single.lines[0].p is not None
    assert double.lines[0].p == pytest.approx(2 * single.lines[0].p)


def test_a_policy_that_cannot_be_applied_is_refused() -> None:
    three = paired([0.8] * 30, [0.0] * 30, [0.0] * 30, [0.0] * 30)
    with pytest.raises(EvaluationError, match="at most 2"):
        judge(three, {name: GateLimits() for name in ("m0", "m1", "m2")})
    with pytest.raises(EvaluationError, match="gated but not measured: recall@5"):
        judge(three, {"recall@5": GateLimits()})
    for wrong in ({"margin": 0.0}, {"max_drop": 1.5}, {"floor": -0.1}):
        with pytest.raises(ValueError, match="has to"):
            GateLimits(**wrong)


ROW = st.lists(st.sampled_from([-1.0, -0.5, -0.05, 0.0, 0.0, 0.0, 0.1, 0.5, 1.0]), min_size=1, max_size=120)


@given(ROW, st.lists(st.tuples(st.integers(0, 119), st.sampled_from([0.05, 0.5, 1.0])), min_size=1, max_size=5))
@settings(max_examples=150, deadline=None)
def test_more_damage_never_makes_the_verdict_better(row: list[float], damage: list[tuple[int, float]]) -> None:
    worse = [*row]
    for at, size in damage:
        worse[at % len(row)] -= size
    limits = {"m0": GateLimits(floor=0.6)}
    live = [0.8] * len(row)
    before, after = judge(paired(live, row, resamples=300), limits), judge(paired(live, worse, resamples=300), limits)
    assert RANK[after.outcome] >= RANK[before.outcome]


@pytest.mark.parametrize("queries", [50, 150, 472])
def test_a_change_that_changes_nothing_on_average_rarely_fails(queries: int) -> None:
    chance = np.random.default_rng(20_240_705)
    runs, failed, passed = 120, 0, 0
    for _ in range(runs):
        moved = chance.random(queries) < 0.25
        rows = [np.where(moved, chance.choice([-0.6, 0.6], queries), 0.0).tolist() for _ in range(2)]
        outcome = judge(paired([0.8] * queries, *rows, resamples=500), {"m0": GateLimits(), "m1": GateLimits()}).outcome
        failed += outcome == "fail"
        passed += outcome == "pass"
    assert failed / runs <= 0.07
    assert passed / runs >= {50: 0.05, 150: 0.40, 472: 0.90}[queries]


@pytest.mark.parametrize("queries", [50, 150, 472])
def test_a_real_drop_of_the_margin_rarely_passes(queries: int) -> None:
    chance = np.random.default_rng(20_240_705)
    runs, failed, passed = 120, 0, 0
    for _ in range(runs):
        moved, broken = chance.random(queries) < 0.25, chance.random(queries) < 0.056
        rows = []
        for _ in range(2):
            row = np.where(moved, chance.choice([-0.6, 0.6], queries), 0.0)
            rows.append(np.where(broken, -0.9, row).tolist())
        outcome = judge(paired([0.8] * queries, *rows, resamples=500), {"m0": GateLimits(), "m1": GateLimits()}).outcome
        failed += outcome == "fail"
        passed += outcome == "pass"
    assert passed / runs <= 0.05
    assert failed / runs >= {50: 0.15, 150: 0.40, 472: 0.90}[queries]


def test_what_a_set_can_see_follows_its_size_and_noise() -> None:
    assert unseen_drop(0.28, 472, gated=2) == pytest.approx(0.036, abs=0.001)
    assert unseen_drop(0.28, 50, gated=2) == pytest.approx(0.111, abs=0.001)
    assert unseen_drop(0.0, 50, gated=1) == 0.0
    assert queries_to_pass(0.28, 0.05) == 194
    assert queries_to_pass(0.28, 0.03) > queries_to_pass(0.28, 0.05)


def test_a_verdict_reads_back_from_json() -> None:
    result = verdict(spread(50, down=5, up=5))
    assert verdict_from_json(verdict_to_json(result)) == result
