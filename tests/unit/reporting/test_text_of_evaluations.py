from dataclasses import replace
from pathlib import Path

from report_examples import index, queries, run

from azsearch_ops.definitions.gate import SliceLimits
from azsearch_ops.evaluation.outcome import Cause, ChangedQuery, Evaluation, MetricResult, Probe, SideCost
from azsearch_ops.gate.outcome import EvaluationOutcome
from azsearch_ops.gate.policy import GateLimits, Policy
from azsearch_ops.gate.verdict import judge
from azsearch_ops.reporting.data import evaluation_data
from azsearch_ops.reporting.evaluations import next_lines
from azsearch_ops.reporting.report_text import runs_text
from azsearch_ops.reporting.style import Style, display_width, seen_from
from azsearch_ops.reporting.terminal import (
    render_result,
)

WIDE = Style(120)


def metric(name: str, live: float, candidate: float, low: float, high: float, p: float, worse: int) -> MetricResult:
    return MetricResult(
        name=name,
        candidate=candidate,
        live=live,
        difference=candidate - live,
        low=low,
        high=high,
        bound=low + 0.003,
        p=p,
        deviation=0.2,
        changed=19,
        better=19 - worse,
        worse=worse,
    )


def changed(name: str, better: bool, ranks: tuple[int | None, int | None], detail: str) -> ChangedQuery:
    return ChangedQuery(
        id=name,
        text=f"What about {name}?",
        tags=(),
        state="moved",
        better=better,
        live_rank=ranks[0],
        candidate_rank=ranks[1],
        values={},
        cause=Cause("outranked", detail),
    )


EVALUATION = Evaluation(
    metrics=(
        metric("recall@2000t", 0.892, 0.897, -0.014, 0.025, 0.71, 8),
        metric("mrr@10", 0.734, 0.741, -0.016, 0.031, 0.73, 8),
        metric("recall@5", 0.868, 0.872, -0.013, 0.022, 0.64, 7),
    ),
    query_count=260,
    seen=260,
    better=1,
    worse=2,
    candidate_cost=SideCost(1930.4, 0.31, 0.051, 0.219, 265),
    live_cost=SideCost(2410.0, 0.31, 0.050, 0.212, 265),
    probe=Probe(5, True, True),
    slices=(),
    unscored=(),
    seed=1,
    resamples=10_000,
    depth=20,
    reader_top=5,
    changed=(
        changed("q041", False, (1, 4), "outranked: at rank 4, behind travel/faq.md chunk 2 (score +0.8)"),
        changed("q7", False, (3, None), "beyond the reach: not among the first 20 chunks, in it/permessi.md"),
        changed("q100", True, (None, 1), "not retrieved: the service returned no result, none with this of a.md"),
    ),
)


def outcome(evaluation: Evaluation = EVALUATION, **limits: float) -> EvaluationOutcome:
    policy = {"recall@2000t": GateLimits(**limits), "mrr@10": GateLimits()}
    return EvaluationOutcome(
        name="handbook",
        alias="handbook-live",
        candidate="handbook-b7d20e55",
        live="handbook-3fa81c20",
        settings_only=False,
        evaluation=evaluation,
        verdict=judge(evaluation, policy),
        key="k",
        path=".azsearch/runs/15/evaluation.json",
        tainted="",
        seconds=112.0,
    )


def test_an_evaluation_that_passes() -> None:
    assert render_result(outcome(), WIDE).splitlines() == [
        "evaluate  260 queries, handbook-b7d20e55 against handbook-3fa81c20, interleaved, repeat probe equal   "
        "1 m 52 s",
        "",
        "  metric         live  candidate    diff    95 % interval     p   limit  verdict",
        "  recall@2000t  0.892      0.897  +0.005  −0.014 … +0.025  1.00  −0.050  pass",
        "  mrr@10        0.734      0.741  +0.007  −0.016 … +0.031  1.00  −0.050  pass",
        "  recall@5      0.868      0.872  +0.004  −0.013 … +0.022     –       –  reported",
        "  tokens to the reader 2,410 → 1,930   p95 212 ms → 219 ms   unjudged 31 % → 31 %",
        "",
        "  3 of 260 changed: 1 better, 2 worse. Worst:",
        "    q041  1 → 4   outranked: at rank 4, behind travel/faq.md chunk 2 (score +0.8)",
        "    q7    3 → –   beyond the reach: not among the first 20 chunks, in it/permessi.md",
        "",
        "gate      PASS      recall@2000t: lower bound −0.011 is above the margin −0.050",
        "                    mrr@10: lower bound −0.013 is above the margin −0.050",
        "report    .azsearch/runs/15/report.html",
    ]


def test_notes_stand_between_the_verdict_and_the_report() -> None:
    told = replace(outcome(), notes=("judgements checked against chunks of the index", "1 quote moved"))
    assert render_result(told, WIDE).splitlines()[-4:] == [
        "                    mrr@10: lower bound −0.013 is above the margin −0.050",
        "note      judgements checked against chunks of the index",
        "          1 quote moved",
        "report    .azsearch/runs/15/report.html",
    ]
    assert evaluation_data(told)["notes"] == list(told.notes)


def test_a_narrow_terminal_keeps_what_decides() -> None:
    lines = render_result(outcome(), Style(60)).splitlines()
    assert all(display_width(line) <= 60 for line in lines[2:-4])
    assert lines[2].split() == ["metric", "live", "candidate", "diff", "limit", "verdict"]


def test_colour_only_where_it_is_wanted() -> None:
    assert "\x1b[" not in render_result(outcome(), WIDE)
    assert "\x1b[32mPASS\x1b[0m" in render_result(outcome(), Style(120, color=True))


def test_limits_that_no_reason_tells_of_stand_below_the_verdict() -> None:
    policy = Policy(slices={"nobody": {"mrr@10": SliceLimits(max_drop=0.1)}}, growth={"p95": 0.5}, lost_queries=0)
    told = replace(outcome(), verdict=judge(replace(EVALUATION, lost=1), policy))
    assert render_result(told, WIDE).splitlines()[-4:-1] == [
        "gate      FAIL      lost queries: 1 went from found to lost, limit 0",
        "                    mrr@10, nobody: no scored query carries the tag 'nobody'",
        "                    growth of p95: +3 % (limit +50 %)",
    ]


def test_one_query_is_one_query() -> None:
    assert render_result(outcome(replace(EVALUATION, query_count=1)), WIDE).startswith("evaluate  1 query, ")


def test_a_first_release_has_no_live_column_to_fill() -> None:
    first = replace(
        EVALUATION,
        metrics=tuple(MetricResult(m.name, m.candidate) for m in EVALUATION.metrics),
        live_cost=None,
        probe=Probe(5, None, True),
        changed=(),
        better=0,
        worse=0,
    )
    lines = render_result(replace(outcome(first, floor=0.95), live=None), WIDE).splitlines()
    assert lines[3] == "  recall@2000t     –      0.897     –              –  –  ≥ 0.950  fail"
    assert "handbook-b7d20e55 alone" in lines[0]
    assert lines[6] == "  tokens to the reader 1,930   p95 219 ms   unjudged 31 %"
    assert lines[8] == "gate      FAIL      recall@2000t: 0.897 is below the floor 0.950"


def test_what_comes_next_follows_from_the_verdict() -> None:
    assert next_lines("handbook", outcome(), WIDE) == []
    (failed,) = next_lines("handbook", outcome(floor=0.95), WIDE)
    assert failed == "next      .azsearch/runs/15/report.html shows every query that got worse, and why"
    unsure = next_lines("handbook", outcome(margin=0.001), WIDE)
    assert unsure[1] == "          azsearch-ops promote handbook --accept-undecided --reason …"
    (again,) = next_lines("handbook", replace(outcome(), tainted="live was written to"), WIDE)
    assert again.startswith("next      azsearch-ops evaluate handbook again")


def test_a_page_is_named_as_it_is_seen_from_where_the_command_runs(tmp_path: Path) -> None:
    below, above = seen_from(tmp_path, tmp_path / "wiki"), seen_from(tmp_path / "wiki", tmp_path)
    assert (below, above, seen_from(tmp_path, tmp_path)) == ("wiki", str(tmp_path), ".")
    for root, page in (
        ("", ".azsearch/runs/15/report.html"),
        (".", ".azsearch/runs/15/report.html"),
        ("wiki", "wiki/.azsearch/runs/15/report.html"),
        (above, f"{above}/.azsearch/runs/15/report.html"),
    ):
        style = replace(WIDE, root=root)
        assert render_result(outcome(), style).splitlines()[-1] == f"report    {page}"
        assert next_lines("handbook", outcome(floor=0.95), style)[0].split()[1] == page


def test_a_run_that_is_read_again_names_its_page_in_the_same_way(tmp_path: Path) -> None:
    made = run(queries(3), index())
    record = tmp_path / "runs/1/evaluation.json"
    read = replace(made, folder=record.parent, outcome=replace(made.outcome, path=str(record)))
    for here, page in ((tmp_path, "runs/1/report.html"), (tmp_path / "other", str(record.with_name("report.html")))):
        assert runs_text((read,), WIDE, here).splitlines()[-1] == f"report    {page}"
