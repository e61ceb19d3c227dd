"""What commands say in the `data` member of their JSON document."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from azsearch_ops.reporting.evaluations import report_path

if TYPE_CHECKING:  # These types bring numpy along, which `--help` does without
    from azsearch_ops.evaluation.outcome import MetricResult
    from azsearch_ops.gate.outcome import EvaluationOutcome
    from azsearch_ops.planning.plan import Plan
    from azsearch_ops.releasing.outcomes import IndexStatus, ShipOutcome
    from azsearch_ops.verbs.shipping.planning import PlannedIndex


def metrics_data(metrics: tuple[MetricResult, ...], evaluation: EvaluationOutcome | None = None) -> dict[str, Any]:
    """Metric name → live, candidate, difference, low, high, p, limit and verdict; None where there is no live.

    `p` of a gated metric is adjusted by Holm, as the verdict reads it.
    """
    lines = {line.metric: line for line in evaluation.verdict.lines} if evaluation else {}
    return {
        m.name: {
            "live": m.live,
            "candidate": m.candidate,
            "difference": m.difference,
            "low": m.low,
            "high": m.high,
            "p": lines[m.name].p if m.name in lines and lines[m.name].p is not None else m.p,
            "limit": lines[m.name].limit if m.name in lines else "",
            "verdict": lines[m.name].outcome if m.name in lines else "reported",
        }
        for m in metrics
    }


def evaluation_data(outcome: EvaluationOutcome) -> dict[str, Any]:
    """An evaluation with its verdict; every query is in the file at `path`."""
    from azsearch_ops.gate.record import yardstick_to_json

    return {
        "name": outcome.name,
        "alias": outcome.alias,
        "live": outcome.live,
        "candidate": outcome.candidate,
        "verdict": outcome.verdict.outcome,
        "gated": outcome.verdict.gated,
        "reasons": list(outcome.verdict.reasons),
        "metrics": metrics_data(outcome.evaluation.metrics, outcome),
        "limits": [asdict(limit) for limit in outcome.verdict.limits],
        "price": {
            "candidate": asdict(outcome.evaluation.candidate_cost),
            "live": asdict(outcome.evaluation.live_cost) if outcome.evaluation.live_cost else None,
        },
        "yardstick": yardstick_to_json(outcome.yardstick),
        "queries": outcome.evaluation.query_count,
        "holdouts": outcome.evaluation.holdouts,
        "overlap": asdict(outcome.evaluation.overlap) if outcome.evaluation.overlap else None,
        "changed": [
            {
                "id": c.id,
                "text": c.text,
                "state": c.state,
                "better": c.better,
                "live_rank": c.live_rank,
                "candidate_rank": c.candidate_rank,
                "cause": c.cause.kind,
                "detail": c.cause.detail,
                "data": dict(c.cause.data),
            }
            for c in outcome.evaluation.changed
        ],
        "diagnosed": asdict(outcome.evaluation.diagnosed) if outcome.evaluation.diagnosed else None,
        "key": outcome.key,
        "path": outcome.path,
        "report": report_path(outcome.path),
        "tainted": outcome.tainted,
        "notes": list(outcome.notes),
        "settings_only": outcome.settings_only,
    }


def plan_data(plan: Plan) -> dict[str, Any]:
    """A plan as plain values."""
    return asdict(plan)


def planned_data(planned: PlannedIndex) -> dict[str, Any]:
    """A plan with its `estimate` (None where nothing is built), what it was read from, and what does not fit."""
    return {
        **plan_data(planned.plan),
        "estimate": asdict(planned.estimate) if planned.estimate else None,
        "source": planned.source,
        "adopts": planned.live.index_name if planned.live and planned.live.adopted else None,
        "problems": [asdict(problem) for problem in planned.problems],
    }


def ship_data(outcome: ShipOutcome) -> dict[str, Any]:
    """What `ship` came to. `verdict` is pass, fail or undecided; unchanged definitions pass with no metrics.

    `live` is the index that was live when the command began, `candidate` the one that was measured against it.
    """
    evaluation = outcome.evaluation
    return {
        "name": outcome.name,
        "alias": outcome.alias,
        "verdict": evaluation.verdict.outcome if evaluation else "pass" if outcome.exit_code == 0 else "undecided",
        "promoted": outcome.promotion is not None,
        "unchanged": outcome.unchanged,
        "action": outcome.plan.action,
        "live": outcome.live,
        "candidate": outcome.candidate,
        "release": outcome.promotion.release if outcome.promotion else None,
        "metrics": metrics_data(evaluation.evaluation.metrics, evaluation) if evaluation else {},
        "evaluation": evaluation_data(evaluation) if evaluation else None,
        "build": asdict(outcome.build) if outcome.build else None,
        "plan": plan_data(outcome.plan),
        "accepted_breaking": outcome.promotion.accepted_breaking if outcome.promotion else None,
        "why_not": outcome.why_not,
        "notes": list(outcome.notes),
        "seconds": round(outcome.seconds, 3),
    }


def status_data(indexes: tuple[IndexStatus, ...], endpoint: str, environment: str) -> dict[str, Any]:
    """`indexes` by name."""
    return {"environment": environment, "endpoint": endpoint, "indexes": {i.name: asdict(i) for i in indexes}}
