"""The verdict over an evaluation: pass, fail or undecided, with its reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from azsearch_ops.errors import EvaluationError
from azsearch_ops.evaluation.outcome import Evaluation, MetricResult
from azsearch_ops.evaluation.significance import holm
from azsearch_ops.gate.policy import ALPHA, GATED_AT_MOST, Limits
from azsearch_ops.gate.sensitivity import queries_to_pass, unseen_drop

Outcome = Literal["pass", "fail", "undecided"]

FEW_QUERIES = 20
"""Below this the bootstrap's bound is too narrow to be trusted where any query got worse."""

_SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class VerdictLine:
    """One metric's part of the verdict. A metric without limits is `reported` and decides nothing.

    `limit` is how the limit reads in a table, `reason` why the outcome is what it is, `p` adjusted for the number
    of gated metrics. `unseen` is the drop that could have gone unseen, `needed` how many queries a pass at this
    margin needs; both only where there was something to compare.
    """

    metric: str
    outcome: Outcome | Literal["reported"]
    limit: str = ""
    reason: str = ""
    p: float | None = None
    unseen: float | None = None
    needed: int | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """`outcome` with `reasons` for people, the ones that decided it first, and one line for each metric."""

    outcome: Outcome
    reasons: tuple[str, ...]
    lines: tuple[VerdictLine, ...]


def judge(evaluation: Evaluation, policy: Mapping[str, Limits]) -> Verdict:
    """The verdict of `policy` (metric name → limits) on `evaluation`.

    Fail: a drop that is significant (one-sided, Holm over the gated metrics, alpha 0.05), or beyond its
    `max_drop`, or a value below its floor. Pass: every one-sided 95 % lower bound lies above its -`margin`, or
    nothing changed. Undecided: everything else. Without a live side only floors count. More damage never makes
    a verdict better.

    Raises:
        EvaluationError: more than two metrics are gated, or one that was not measured.
    """
    if len(policy) > GATED_AT_MOST:
        raise EvaluationError(
            f"{len(policy)} metrics are gated; at most {GATED_AT_MOST} can be",
            hint="each further one makes the test blinder; report the others without limits",
        )
    gated = [metric for metric in evaluation.metrics if metric.name in policy]
    if missing := sorted(set(policy) - {metric.name for metric in gated}):
        raise EvaluationError(
            f"gated but not measured: {', '.join(missing)}", hint="add what is gated to evaluation.metrics"
        )
    adjusted = dict(zip((m.name for m in gated), holm([m.p for m in gated if m.p is not None]), strict=False))
    lines = tuple(
        _line(metric, policy[metric.name], adjusted.get(metric.name), evaluation.query_count, len(gated))
        if metric.name in policy
        else VerdictLine(metric.name, "reported")
        for metric in evaluation.metrics
    )
    return _combine(evaluation, [line for line in lines if line.outcome != "reported"], lines)


def _combine(evaluation: Evaluation, decisive: Sequence[VerdictLine], lines: tuple[VerdictLine, ...]) -> Verdict:
    failed = tuple(f"{line.metric}: {line.reason}" for line in decisive if line.outcome == "fail")
    if failed:
        return Verdict("fail", failed, lines)
    if evaluation.seen == 0:
        reason = "no side brought anything that is judged relevant to any query: do the judgements fit this index?"
        return Verdict("undecided", (reason,), lines)
    undecided = tuple(f"{line.metric}: {line.reason}" for line in decisive if line.outcome == "undecided")
    if undecided:
        return Verdict("undecided", undecided, lines)
    if evaluation.live_cost is None:
        floors = [f"{line.metric}: {line.reason}" for line in decisive if line.reason]
        return Verdict("pass", ("first release: nothing to compare with", *floors), lines)
    if not decisive:
        return Verdict("pass", ("no metric is gated",), lines)
    if all(metric.changed == 0 for metric in evaluation.metrics if metric.name in {d.metric for d in decisive}):
        return Verdict("pass", (f"0 of {evaluation.query_count} queries changed",), lines)
    return Verdict("pass", tuple(f"{line.metric}: {line.reason}" for line in decisive), lines)


def _line(metric: MetricResult, limits: Limits, p: float | None, queries: int, gated: int) -> VerdictLine:
    if limits.floor is not None and metric.candidate < limits.floor - _SLACK:
        reason = f"{metric.candidate:.3f} is below the floor {limits.floor:.3f}"
        return VerdictLine(metric.name, "fail", f"≥ {limits.floor:.3f}", reason, p)
    if metric.difference is None or metric.bound is None or metric.deviation is None or p is None:
        reason = f"{metric.candidate:.3f} is not below the floor {limits.floor:.3f}" if limits.floor is not None else ""
        limit = f"≥ {limits.floor:.3f}" if limits.floor is not None else ""
        return VerdictLine(metric.name, "pass", limit, reason)
    unseen = unseen_drop(metric.deviation, queries, gated)
    needed = queries_to_pass(metric.deviation, limits.margin)
    margin = f"−{limits.margin:.3f}"
    if metric.difference < -limits.max_drop - _SLACK:
        limit = f"−{limits.max_drop:.3f}"
        reason = f"drop of {-metric.difference:.3f}, limit {limits.max_drop:.3f}"
        return VerdictLine(metric.name, "fail", limit, reason, p, unseen, needed)
    if metric.difference < 0.0 and p <= ALPHA:
        reason = f"drop of {-metric.difference:.3f} is significant (p {p:.2g} after Holm, alpha {ALPHA})"
        return VerdictLine(metric.name, "fail", margin, reason, p, unseen, needed)
    if metric.changed == 0:
        return VerdictLine(metric.name, "pass", margin, "no query changed", p, unseen, needed)
    if queries < FEW_QUERIES and metric.worse:
        reason = f"{queries} queries are too few to tell, {metric.worse} got worse; at least {FEW_QUERIES} are needed"
        return VerdictLine(metric.name, "undecided", margin, reason, p, unseen, max(needed, FEW_QUERIES))
    if metric.bound > -limits.margin:
        reason = f"lower bound {_signed(metric.bound)} is above the margin {margin}"
        return VerdictLine(metric.name, "pass", margin, reason, p, unseen, needed)
    reason = (
        f"lower bound {_signed(metric.bound)} is not above the margin {margin}: with {queries} queries a drop of "
        f"{unseen:.3f} could go unseen; about {needed} queries are needed to pass a change that loses nothing"
    )
    return VerdictLine(metric.name, "undecided", margin, reason, p, unseen, needed)


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−")
