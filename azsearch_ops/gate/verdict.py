"""The verdict over an evaluation: pass, fail or undecided, with its reasons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from azsearch_ops.errors import EvaluationError
from azsearch_ops.evaluation.counted import counted, queries_of
from azsearch_ops.evaluation.outcome import Evaluation, MetricResult
from azsearch_ops.evaluation.significance import holm
from azsearch_ops.gate.limits import LimitLine, limit_lines
from azsearch_ops.gate.policy import ALPHA, GATED_AT_MOST, Limits, Policy
from azsearch_ops.gate.sensitivity import own_change, queries_to_pass, unseen_drop

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
    """`outcome` with `reasons` for people, the ones that decided it first, and one line for each metric.

    `limits` has one line for each limit beside the metrics: slices, lost queries, growth.
    """

    outcome: Outcome
    reasons: tuple[str, ...]
    lines: tuple[VerdictLine, ...]
    limits: tuple[LimitLine, ...] = ()

    @property
    def gated(self) -> bool:
        """Whether anything could have failed: a metric with limits, or a limit beside the metrics."""
        return bool(self.limits) or any(line.outcome != "reported" for line in self.lines)


def judge(
    evaluation: Evaluation, policy: Mapping[str, Limits] | Policy, noise: Mapping[str, float] | None = None
) -> Verdict:
    """The verdict of `policy` (all of it, or metric name → limits) on `evaluation`.

    Fail: a drop that is significant (one-sided, Holm over the gated metrics, alpha 0.05), or beyond its
    `max_drop`, or a value below its floor, or a limit beside the metrics that is broken. Pass: every one-sided
    95 % lower bound lies above its -`margin`, or nothing changed. Undecided: everything else. Without a live side
    only floors count. More damage never makes a verdict better.

    `noise` is metric name → standard deviation of the paired differences between two builds of the same definition
    in this environment. A drop that the environment makes by itself is undecided, where it would fail.

    Raises:
        EvaluationError: more than two metrics are gated, or one that was not measured or of which less is better.
    """
    whole = policy if isinstance(policy, Policy) else Policy(metrics=policy)
    limits = whole.metrics
    if len(limits) > GATED_AT_MOST:
        raise EvaluationError(
            f"{len(limits)} metrics are gated; at most {GATED_AT_MOST} can be",
            hint="each further one makes the test blinder; report the others without limits",
        )
    gated = [metric for metric in evaluation.metrics if metric.name in limits]
    if missing := sorted(set(limits) - {metric.name for metric in gated}):
        raise EvaluationError(
            f"gated but not measured: {', '.join(missing)}", hint="add what is gated to evaluation.metrics"
        )
    if lower := [metric.name for metric in gated if not metric.higher_is_better]:
        raise EvaluationError(f"gated, but less of it is better: {', '.join(lower)}", hint="report it without limits")
    adjusted = dict(zip((m.name for m in gated), holm([m.p for m in gated if m.p is not None]), strict=False))
    count, known = evaluation.query_count, noise or {}
    lines = tuple(
        _line(metric, limits[metric.name], adjusted.get(metric.name), count, len(gated), known.get(metric.name, 0.0))
        if metric.name in limits
        else VerdictLine(metric.name, "reported")
        for metric in evaluation.metrics
    )
    decisive = [line for line in lines if line.outcome != "reported"]
    verdict = _combine(evaluation, decisive, lines, limit_lines(evaluation, whole))
    return _heed_probe(verdict, evaluation, measured=all(name in known for name in limits))


def _heed_probe(verdict: Verdict, evaluation: Evaluation, *, measured: bool) -> Verdict:
    """`verdict`, with a word on a service that answers the same question differently.

    The verdict stays: such differences go both ways, and the test and the interval have them in. But a query that
    changed may have changed by itself, and without `measured` noise nobody knows how much of a drop that hides.
    """
    if not evaluation.probe.told or evaluation.live_cost is None:
        return verdict
    known = "the noise that was measured here is counted in" if measured else "azsearch-ops noise measures how much"
    told = f"{evaluation.probe.told}: queries change by themselves, and {known}"
    return replace(verdict, reasons=(*verdict.reasons, told))


def _combine(
    evaluation: Evaluation,
    decisive: Sequence[VerdictLine],
    lines: tuple[VerdictLine, ...],
    limits: tuple[LimitLine, ...],
) -> Verdict:
    told = [(line.outcome, f"{line.metric}: {line.reason}") for line in decisive]
    told += [(limit.outcome, f"{limit.name}: {limit.reason}") for limit in limits]

    def reasons(outcome: Outcome) -> tuple[str, ...]:
        return tuple(reason for found, reason in told if found == outcome)

    if failed := reasons("fail"):
        return Verdict("fail", failed, lines, limits)
    if evaluation.seen == 0:
        reason = "no side brought anything that is judged relevant to any query: do the judgements fit this index?"
        return Verdict("undecided", (reason,), lines, limits)
    if undecided := reasons("undecided"):
        return Verdict("undecided", undecided, lines, limits)
    if evaluation.live_cost is None:
        floors = [f"{line.metric}: {line.reason}" for line in decisive if line.reason]
        return Verdict("pass", ("first release: nothing to compare with", *floors), lines, limits)
    if not decisive and not limits:
        return Verdict("pass", ("no metric and nothing else has a limit",), lines)
    names = {line.metric for line in decisive}
    if decisive and all(metric.changed == 0 for metric in evaluation.metrics if metric.name in names):
        return Verdict("pass", (f"0 of {queries_of(evaluation.query_count)} changed",), lines, limits)
    return Verdict("pass", reasons("pass"), lines, limits)


def _line(metric: MetricResult, limits: Limits, p: float | None, queries: int, gated: int, noise: float) -> VerdictLine:
    if limits.floor is not None and metric.candidate < limits.floor - _SLACK:
        reason = f"{metric.candidate:.3f} is below the floor {limits.floor:.3f}"
        return VerdictLine(metric.name, "fail", f"≥ {limits.floor:.3f}", reason, p)
    if metric.difference is None or metric.bound is None or metric.deviation is None or p is None:
        reason = f"{metric.candidate:.3f} is not below the floor {limits.floor:.3f}" if limits.floor is not None else ""
        limit = f"≥ {limits.floor:.3f}" if limits.floor is not None else ""
        return VerdictLine(metric.name, "pass", limit, reason)
    deviation = max(metric.deviation, noise)
    unseen = unseen_drop(deviation, queries, gated)
    needed = queries_to_pass(deviation, limits.margin)
    margin = f"−{limits.margin:.3f}"
    drop = -metric.difference
    beyond = drop > limits.max_drop + _SLACK
    if beyond or (drop > 0.0 and p <= ALPHA):
        limit = f"−{limits.max_drop:.3f}" if beyond else f"p ≤ {ALPHA:g}"  # What decided, not the margin
        own = own_change(noise, queries)
        if drop <= own:
            reason = (
                f"drop of {drop:.3f}, but two builds of the same definition differ by up to {own:.3f} here: the noise "
                "of this environment exceeds the difference"
            )
            return VerdictLine(metric.name, "undecided", limit, reason, p, unseen, needed)
        reason = (
            f"drop of {drop:.3f}, limit {limits.max_drop:.3f}"
            if beyond
            else f"drop of {drop:.3f} is significant (p {p:.2g} after Holm, alpha {ALPHA})"
        )
        return VerdictLine(metric.name, "fail", limit, reason, p, unseen, needed)
    if metric.changed == 0:
        return VerdictLine(metric.name, "pass", margin, "no query changed", p, unseen, needed)
    if queries < FEW_QUERIES and metric.worse:
        few = counted(queries, "query is", "queries are")
        reason = f"{few} too few to tell, {metric.worse} got worse; at least {FEW_QUERIES} are needed"
        return VerdictLine(metric.name, "undecided", margin, reason, p, unseen, max(needed, FEW_QUERIES))
    if metric.bound > -limits.margin:
        reason = f"lower bound {_signed(metric.bound)} is above the margin {margin}"
        return VerdictLine(metric.name, "pass", margin, reason, p, unseen, needed)
    reason = (
        f"lower bound {_signed(metric.bound)} is not above the margin {margin}: with {queries_of(queries)} a drop of "
        f"{unseen:.3f} could go unseen; about {needed} queries are needed to pass a change that loses nothing"
    )
    return VerdictLine(metric.name, "undecided", margin, reason, p, unseen, needed)


def _signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−")
