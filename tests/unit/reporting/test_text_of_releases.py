from dataclasses import replace

import pytest

from azsearch_ops.evaluation.outcome import Evaluation, MetricResult, Probe, SideCost
from azsearch_ops.gate.outcome import EvaluationOutcome
from azsearch_ops.gate.policy import GateLimits
from azsearch_ops.gate.verdict import judge
from azsearch_ops.planning.plan import Plan
from azsearch_ops.releasing.outcomes import (
    AcceptedDocument,
    BuildOutcome,
    Check,
    IndexStatus,
    PromoteOutcome,
    ReleaseRecord,
    RollbackOutcome,
    ShipOutcome,
)
from azsearch_ops.reporting.style import Style
from azsearch_ops.reporting.terminal import (
    render_history,
    render_result,
    render_status,
)

WIDE = Style(120)


COST = SideCost(1930.4, 0.31, None, None, 265)
EVALUATION = Evaluation(
    metrics=(MetricResult("recall@2000t", 0.90, 0.90, 0.0, -0.01, 0.01, -0.009, 0.5, 0.2, 5, 2, 3),),
    query_count=260,
    seen=260,
    better=2,
    worse=3,
    candidate_cost=COST,
    live_cost=COST,
    probe=Probe(5, True, True),
    slices=(),
    unscored=(),
    seed=1,
    resamples=10_000,
    depth=20,
    reader_top=5,
)
PLAN = Plan("handbook", "handbook-live", "rebuild", "handbook-b7d20e55", "handbook-3fa81c20", (), (), (), "")


def outcome(evaluation: Evaluation = EVALUATION) -> EvaluationOutcome:
    return EvaluationOutcome(
        name="handbook",
        alias="handbook-live",
        candidate="handbook-b7d20e55",
        live="handbook-3fa81c20",
        settings_only=False,
        evaluation=evaluation,
        verdict=judge(evaluation, {"recall@2000t": GateLimits()}),
        key="k",
        path="record.json",
        tainted="",
        seconds=1.0,
    )


BUILT = BuildOutcome(
    name="handbook",
    candidate="handbook-b7d20e55",
    reused=False,
    documents=2307,
    expected=2310,
    chunks=48_510,
    checks=(Check("longest chunk", "checked", "1,600"), Check("vectors", "not checkable here", "not retrievable")),
    accepted=(AcceptedDocument("scans/1998-a.pdf", "no text layer"),),
    seconds=1900.2,
)
MOVED = PromoteOutcome("handbook-live", "handbook-3fa81c20", "handbook-b7d20e55", 15, moved=True, settings_changed=True)


def test_a_build_says_how_far_each_check_reached() -> None:
    assert render_result(BUILT, WIDE).splitlines() == [
        "build     handbook-b7d20e55   31 m 40 s",
        "  ✓ documents  2,307/2,310, 1 accepted, 48,510 chunks",
        "  ✓ longest chunk  checked             1,600",
        "  – vectors        not checkable here  not retrievable",
        "    accepted: scans/1998-a.pdf (no text layer)",
    ]


def test_a_promotion_says_what_moved() -> None:
    assert render_result(MOVED, WIDE).splitlines() == [
        "promote   ✓ handbook-live  handbook-3fa81c20 → handbook-b7d20e55, read back, queried",
        "          release 15; the search request is new",
    ]
    first = replace(MOVED, before=None, settings_changed=False)
    assert "created, pointing to handbook-b7d20e55" in render_result(first, WIDE)
    assert "stays on handbook-b7d20e55" in render_result(replace(MOVED, moved=False), WIDE)
    nothing = replace(MOVED, moved=False, recorded=False)
    assert render_result(nothing, WIDE) == "promote   nothing to do, handbook-b7d20e55 is live as release 15"


def test_a_rollback_says_what_is_held() -> None:
    rolled = RollbackOutcome(
        "handbook-live", "handbook-b", "handbook-a", left=15, back_to=14, release=16, held="bad", notes=("one",)
    )
    assert render_result(rolled, WIDE).splitlines() == [
        "rollback  ✓ handbook-live  handbook-b → handbook-a, read back, queried",
        "          release 16 holds again what release 14 held",
        "          release 15 is held: bad",
        "          note: one",
    ]
    settings = replace(rolled, before="handbook-a")
    assert "handbook-live  stays on handbook-a, read back" in render_result(settings, WIDE)


def shipped(**changes: object) -> ShipOutcome:
    usual = ShipOutcome(
        name="handbook",
        alias="handbook-live",
        plan=PLAN,
        unchanged=False,
        live="handbook-3fa81c20",
        candidate="handbook-b7d20e55",
        build=BUILT,
        evaluation=outcome(),
        promotion=MOVED,
        why_not="",
        exit_code=0,
        notes=(),
        seconds=4.2,
    )
    return replace(usual, **changes)  # type: ignore[arg-type]


def test_a_shipped_change_says_how_to_undo_it() -> None:
    assert render_result(shipped(), WIDE).splitlines() == [
        "undo      azsearch-ops rollback handbook --reason …",
        "handbook: shipped, handbook-b7d20e55 is live   4.2 s",
    ]


def test_a_blocked_change_says_that_live_is_untouched_and_what_next() -> None:
    undecided = outcome(replace(EVALUATION, metrics=tuple(replace(m, bound=-0.06) for m in EVALUATION.metrics)))
    text = render_result(shipped(promotion=None, evaluation=undecided, notes=("settled",)), WIDE)
    assert text.splitlines() == [
        "note      settled",
        "promote   skipped: handbook-3fa81c20 stays live   4.2 s",
        "next      look at the queries above; then, if they are fine,",
        "          azsearch-ops promote handbook --accept-undecided --reason …",
    ]
    tainted = render_result(shipped(promotion=None, why_not="an index changed"), WIDE)
    assert "          an index changed" in tainted
    assert render_result(shipped(unchanged=True), WIDE) == "handbook: nothing to do, handbook-3fa81c20 is live   4.2 s"


def test_status_and_history_are_tables() -> None:
    index = IndexStatus(
        name="handbook",
        alias="handbook-live",
        live="handbook-3fa81c20",
        digest="3fa81c20",
        release=14,
        promoted_at="2026-04-01T10:00:00Z",
        documents=2310,
        indexer="success",
        candidate="handbook-b7d20e55",
        candidate_state="built",
        note="a move was cut off",
    )
    assert render_status([index], WIDE).splitlines() == [
        "index     alias          live               release  since                 chunks  indexer  candidate",
        "handbook  handbook-live  handbook-3fa81c20       14  2026-04-01T10:00:00Z   2,310  success  "
        "handbook-b7d20e55 built",
        "note  handbook: a move was cut off",
    ]
    record = ReleaseRecord(
        release=14,
        alias="handbook-live",
        index="handbook-3fa81c20",
        previous=None,
        kind="promotion",
        at="2026-04-01T10:00:00Z",
        by="ci",
        commit="9c41e07aabbccdd",
        digest="3fa81c20",
        verdict="pass",
        reason=None,
        held=True,
        search={},
    )
    assert render_history("handbook", [record], WIDE).splitlines()[1].split() == [
        "14", "promotion", "handbook-3fa81c20", "2026-04-01T10:00:00Z", "ci", "9c41e07aa", "held",
    ]  # fmt: skip
    accepted = {"reason": "the web reads id now", "changes": ["/fields/path", "/fields/title/filterable"]}
    broke = replace(record, held=False, reason="the web reads id now", accepted_breaking=accepted)
    assert "pass, breaking  the web reads id now" in render_history("handbook", [broke], WIDE)
    assert render_result(replace(MOVED, accepted_breaking=accepted), WIDE).splitlines()[-1] == (
        "          breaking changes accepted: the web reads id now (fields/path, fields/title/filterable)"
    )
    assert render_history("handbook", [], WIDE) == "handbook has no release yet"
    assert render_status([], WIDE) == "no index definitions"


def test_what_has_no_text_is_refused() -> None:
    with pytest.raises(TypeError, match="no text for dict"):
        render_result({}, WIDE)
