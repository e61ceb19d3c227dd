from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from azsearch_ops.definitions.gate import SliceLimits
from azsearch_ops.errors import EvaluationError
from azsearch_ops.evaluation.outcome import Evaluation, MetricResult, Probe, SideCost, Slice
from azsearch_ops.gate.limits import LimitLine
from azsearch_ops.gate.outcome import YardstickOutcome, worse_counts
from azsearch_ops.gate.policy import GateLimits, Policy
from azsearch_ops.gate.record import verdict_from_json, verdict_to_json, yardstick_from_json, yardstick_to_json
from azsearch_ops.gate.verdict import Verdict, judge

LIVE = SideCost(100.0, 0.5, 0.02, 0.10, 100, timed=40, chunks=1000, storage_bytes=5_000, vector_bytes=4_000)
RANK = {"pass": 0, "undecided": 1, "fail": 2}


def evaluation(
    *,
    candidate: SideCost = LIVE,
    live: SideCost | None = LIVE,
    lost: int = 0,
    italian: tuple[float | None, float] = (0.8, 0.8),
    difference: float = 0.0,
    p: float = 1.0,
    changed: int = 0,
) -> Evaluation:
    metric = MetricResult(
        "m0", 0.8 + difference, 0.8, difference, difference, difference, difference, p, 0.2, changed, 0, changed
    )
    return Evaluation(
        metrics=(metric if live else MetricResult("m0", 0.8), MetricResult("holes", 2.0, higher_is_better=False)),
        query_count=100,
        seen=100,
        better=0,
        worse=changed,
        candidate_cost=candidate,
        live_cost=live,
        probe=Probe(5, True, True),
        slices=(Slice("it", 12, {"m0": italian}),),
        unscored=(),
        seed=1,
        resamples=100,
        depth=10,
        reader_top=5,
        lost=lost,
    )


def only(verdict: Verdict) -> LimitLine:
    (line,) = verdict.limits
    return line


def test_a_slice_fails_by_its_drop_and_by_its_floor_alone() -> None:
    policy = Policy({"m0": GateLimits()}, slices={"it": {"m0": SliceLimits(max_drop=0.1)}})
    assert judge(evaluation(italian=(0.8, 0.71)), policy).outcome == "pass"
    failed = judge(evaluation(italian=(0.8, 0.69)), policy)
    assert failed.outcome == "fail"
    assert failed.reasons == ("m0, it (12): drop of 0.110, limit 0.100",)
    floor = Policy(slices={"it": {"m0": SliceLimits(floor=0.75)}})
    assert judge(evaluation(italian=(0.9, 0.74)), floor).outcome == "fail"
    assert judge(evaluation(italian=(None, 0.74), live=None), floor).outcome == "fail"
    assert judge(evaluation(italian=(None, 0.75), live=None), floor).outcome == "pass"


def test_a_slice_that_no_query_is_in_is_undecided() -> None:
    verdict = judge(evaluation(), Policy(slices={"de": {"m0": SliceLimits(max_drop=0.1)}}))
    assert verdict.outcome == "undecided"
    assert "no scored query carries the tag 'de'" in verdict.reasons[0]


def test_lost_queries_are_counted() -> None:
    policy = Policy({"m0": GateLimits()}, lost_queries=3)
    assert judge(evaluation(lost=3), policy).outcome == "pass"
    assert judge(evaluation(lost=4), policy).reasons == ("lost queries: 4 went from found to lost, limit 3",)


@pytest.mark.parametrize(
    ("name", "grown", "still"),
    [
        ("chunks", {"chunks": 1501}, {"chunks": 1500}),
        ("storage", {"storage_bytes": 7501}, {"storage_bytes": 7500}),
        ("vector_storage", {"vector_bytes": 6001}, {"vector_bytes": 6000}),
        ("tokens_to_reader", {"tokens": 150.1}, {"tokens": 150.0}),
        ("p95", {"p95": 0.1501}, {"p95": 0.15}),
    ],
)
def test_a_price_may_grow_by_its_limit_and_no_further(
    name: str, grown: dict[str, float], still: dict[str, float]
) -> None:
    policy = Policy({"m0": GateLimits()}, growth={name: 0.5})
    assert judge(evaluation(candidate=replace(LIVE, **still)), policy).outcome == "pass"
    failed = judge(evaluation(candidate=replace(LIVE, **grown)), policy)
    assert failed.outcome == "fail"
    assert failed.reasons[0].startswith(f"growth of {name}: +50 %, limit +50 %")


def test_a_price_that_was_not_measured_is_undecided_and_a_first_release_has_nothing_to_grow_from() -> None:
    policy = Policy({"m0": GateLimits()}, growth={"storage": 0.5})
    unknown = judge(evaluation(candidate=replace(LIVE, storage_bytes=None)), policy)
    assert (unknown.outcome, only(unknown).outcome) == ("undecided", "undecided")
    first = judge(evaluation(live=None), policy)
    assert (first.outcome, first.limits) == ("pass", ())


def test_limits_alone_make_a_gate() -> None:
    passed = judge(evaluation(), Policy(lost_queries=0, growth={"chunks": 0.0}))
    assert passed.reasons == ("lost queries: 0 went from found to lost, limit 0", "growth of chunks: +0 %")


def test_what_cannot_be_held_is_refused() -> None:
    with pytest.raises(EvaluationError, match="it was not measured"):
        judge(evaluation(), Policy(slices={"it": {"m9": SliceLimits(floor=0.5)}}))
    with pytest.raises(EvaluationError, match="less of it is better"):
        judge(evaluation(), Policy(slices={"it": {"holes": SliceLimits(floor=0.5)}}))
    with pytest.raises(EvaluationError, match="less of it is better: holes"):
        judge(evaluation(), {"holes": GateLimits()})
    with pytest.raises(EvaluationError, match="growth of cost is not known"):
        judge(evaluation(), Policy(growth={"cost": 1.0}))


def test_a_drop_that_the_environment_makes_by_itself_is_undecided() -> None:
    drop = evaluation(difference=-0.04, p=0.01, changed=9)
    assert judge(drop, {"m0": GateLimits()}).outcome == "fail"
    noisy = judge(drop, {"m0": GateLimits()}, {"m0": 0.3})
    assert noisy.outcome == "undecided"
    assert "the noise of this environment exceeds the difference" in noisy.reasons[0]
    assert judge(drop, {"m0": GateLimits()}, {"m0": 0.15}).outcome == "fail", "0.035 is less than the drop"
    assert judge(evaluation(), {"m0": GateLimits()}, {"m0": 0.3}).outcome == "pass", "nothing changed is no noise"


def test_the_noise_of_an_environment_feeds_the_drop_that_could_go_unseen() -> None:
    quiet, noisy = (judge(evaluation(), {"m0": GateLimits()}, {"m0": noise}).lines[0] for noise in (0.1, 0.4))
    assert quiet.unseen == pytest.approx(2.486 * 0.2 / 10, rel=0.01)
    assert noisy.unseen == pytest.approx(2.486 * 0.4 / 10, rel=0.01)
    assert noisy.needed is not None
    assert quiet.needed is not None
    assert noisy.needed > quiet.needed


@given(
    st.floats(0, 0.4), st.floats(0, 0.3), st.integers(0, 6), st.floats(0, 1), st.floats(0, 0.5), st.sampled_from("abcd")
)
def test_more_damage_of_any_kind_never_makes_the_verdict_better(
    drop: float, italian: float, lost: int, grown: float, more: float, where: str
) -> None:
    policy = Policy(
        {"m0": GateLimits(floor=0.5)},
        slices={"it": {"m0": SliceLimits(max_drop=0.1, floor=0.6)}},
        lost_queries=3,
        growth={"chunks": 0.5},
    )

    def outcome(drop: float, italian: float, lost: int, grown: float) -> int:
        whole = evaluation(
            candidate=replace(LIVE, chunks=round(1000 * (1 + grown))),
            italian=(0.8, 0.8 - italian),
            lost=lost,
            difference=-drop,
            p=max(0.0001, 0.5 - 5 * drop),
            changed=round(100 * drop),
        )
        return RANK[judge(whole, policy, {"m0": 0.15}).outcome]

    before = outcome(drop, italian, lost, grown)
    after = outcome(
        drop + more * (where == "a"),
        italian + more * (where == "b"),
        lost + round(10 * more) * (where == "c"),
        grown + more * (where == "d"),
    )
    assert after >= before


def test_the_worse_of_two_yardsticks_counts_and_names_its_base() -> None:
    passed = Verdict("pass", ("all is well",), ())
    failed = Verdict("fail", ("m0: drop of 0.200, limit 0.100",), ())
    assert worse_counts(passed, failed, "main (1234567)") == Verdict(
        "fail", ("under the yardstick of main (1234567): m0: drop of 0.200, limit 0.100",), ()
    )
    assert worse_counts(failed, passed, "main") == failed
    assert worse_counts(passed, passed, "main") == passed
    told = YardstickOutcome("main", "", ("gate",), passed, failed, (MetricResult("m0", 0.5),), None)
    assert yardstick_from_json(yardstick_to_json(told)) == told
    assert yardstick_from_json(yardstick_to_json(None)) is None


def test_a_verdict_with_limits_reads_back() -> None:
    verdict = judge(evaluation(lost=9), Policy({"m0": GateLimits()}, lost_queries=3, growth={"p95": 0.1}))
    assert verdict_from_json(verdict_to_json(verdict)) == verdict
