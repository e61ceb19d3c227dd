"""The limits beside the gated metrics: slices, lost queries, and what a release may cost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from azsearch_ops.errors import EvaluationError
from azsearch_ops.evaluation.outcome import Evaluation, SideCost
from azsearch_ops.gate.policy import GROWTH, Policy, SliceLimits

_SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class LimitLine:
    """One limit and how it was met. `name` says of what, `limit` how it reads in a table, `reason` why."""

    name: str
    outcome: Literal["pass", "fail", "undecided"]
    limit: str
    reason: str
    live: float | None = None
    candidate: float | None = None


def limit_lines(evaluation: Evaluation, policy: Policy) -> tuple[LimitLine, ...]:
    """One line for each limit of `policy` beside its metrics; they know no test, so damage never betters them.

    Raises:
        EvaluationError: a slice is held to a metric that was not measured or of which less is better, or what may
            not grow is not known here.
    """
    if unknown := sorted(set(policy.growth) - set(GROWTH)):
        raise EvaluationError(f"growth of {', '.join(unknown)} is not known", hint=f"known are {', '.join(GROWTH)}")
    return (*_slices(evaluation, policy), *_lost(evaluation, policy), *_growth(evaluation, policy))


def _slices(evaluation: Evaluation, policy: Policy) -> Iterator[LimitLine]:
    measured = {metric.name: metric.higher_is_better for metric in evaluation.metrics}
    slices = {part.tag: part for part in evaluation.slices}
    for tag, limits in policy.slices.items():
        for metric, limit in limits.items():
            if not measured.get(metric, False):
                why = "less of it is better" if metric in measured else "it was not measured"
                raise EvaluationError(f"slice '{tag}' is held to {metric}, but {why}")
            name = f"{metric}, {tag}"
            part = slices.get(tag)
            if part is None:
                yield LimitLine(name, "undecided", "", f"no scored query carries the tag '{tag}'")
            else:
                live, candidate = part.values[metric]
                yield _slice(f"{name} ({part.queries})", live, candidate, limit)


def _slice(name: str, live: float | None, candidate: float, limit: SliceLimits) -> LimitLine:
    if limit.floor is not None and candidate < limit.floor - _SLACK:
        reason = f"{candidate:.3f} is below the floor {limit.floor:.3f}"
        return LimitLine(name, "fail", f"≥ {limit.floor:.3f}", reason, live, candidate)
    words = f"−{limit.max_drop:.3f}" if limit.max_drop is not None else f"≥ {limit.floor or 0.0:.3f}"
    if live is None:
        return LimitLine(name, "pass", words, "nothing to compare with", live, candidate)
    if limit.max_drop is not None and live - candidate > limit.max_drop + _SLACK:
        reason = f"drop of {live - candidate:.3f}, limit {limit.max_drop:.3f}"
        return LimitLine(name, "fail", words, reason, live, candidate)
    return LimitLine(name, "pass", words, f"{candidate - live:+.3f}".replace("-", "−"), live, candidate)


def _lost(evaluation: Evaluation, policy: Policy) -> Iterator[LimitLine]:
    if policy.lost_queries is None or evaluation.live_cost is None:
        return
    failed = evaluation.lost > policy.lost_queries
    reason = f"{evaluation.lost} went from found to lost, limit {policy.lost_queries}"
    yield LimitLine(
        "lost queries", "fail" if failed else "pass", f"≤ {policy.lost_queries}", reason, 0.0, float(evaluation.lost)
    )


def _growth(evaluation: Evaluation, policy: Policy) -> Iterator[LimitLine]:
    if evaluation.live_cost is None:
        return
    for name, allowed in policy.growth.items():
        live, candidate = _PRICES[name](evaluation.live_cost), _PRICES[name](evaluation.candidate_cost)
        words, title = f"+{100 * allowed:.0f} %", f"growth of {name}"
        if live is None or candidate is None:
            yield LimitLine(title, "undecided", words, "it was not measured on both sides", live, candidate)
        elif candidate > live * (1.0 + allowed) + _SLACK:
            grown = f"+{100 * (candidate / live - 1):.0f} %" if live else f"from nothing to {candidate:.6g}"
            yield LimitLine(title, "fail", words, f"{grown}, limit {words}", live, candidate)
        else:
            reason = f"{100 * (candidate / live - 1):+.0f} %".replace("-", "−") if live else "as before"
            yield LimitLine(title, "pass", words, reason, live, candidate)


_PRICES: dict[str, Callable[[SideCost], float | None]] = {
    "chunks": lambda cost: cost.chunks,
    "storage": lambda cost: cost.storage_bytes,
    "vector_storage": lambda cost: cost.vector_bytes,
    "tokens_to_reader": lambda cost: cost.tokens,
    "p95": lambda cost: cost.p95,
}
