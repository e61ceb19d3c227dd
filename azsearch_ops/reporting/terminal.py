"""The door to text for people: any result of a command, and the renderers by name."""

from __future__ import annotations

from azsearch_ops.errors import AzsearchOpsError, Problem
from azsearch_ops.reporting.any_index import render_any_index
from azsearch_ops.reporting.evaluations import render_evaluation
from azsearch_ops.reporting.modes import render_modes
from azsearch_ops.reporting.noise import render_noise
from azsearch_ops.reporting.plans import render_plan, render_planned
from azsearch_ops.reporting.problems import (
    render_codes,
    render_error,
    render_explanation,
    render_problems,
    render_validation,
)
from azsearch_ops.reporting.releases import (
    render_build,
    render_history,
    render_promotion,
    render_rollback,
    render_ship,
    render_status,
)
from azsearch_ops.reporting.style import Style

__all__ = [
    "Style",
    "render_build",
    "render_codes",
    "render_error",
    "render_evaluation",
    "render_explanation",
    "render_history",
    "render_plan",
    "render_problems",
    "render_promotion",
    "render_result",
    "render_rollback",
    "render_ship",
    "render_status",
    "render_validation",
]


def render_result(result: object, style: Style) -> str:
    """`result` as text, whichever outcome, problem or error of a command it is.

    Raises:
        TypeError: it is none of them.
    """
    # Imported here because these types bring numpy along, which `--help` does without.
    from azsearch_ops.evaluation.side_by_side import SideBySide
    from azsearch_ops.gate.outcome import EvaluationOutcome
    from azsearch_ops.planning.plan import Plan
    from azsearch_ops.releasing.outcomes import BuildOutcome, PromoteOutcome, RollbackOutcome, ShipOutcome
    from azsearch_ops.verbs.any_index.outcome import AnyOutcome
    from azsearch_ops.verbs.evaluating.noise import NoiseOutcome
    from azsearch_ops.verbs.shipping.planning import PlannedIndex

    match result:
        case Problem():
            return render_problems([result], style)
        case AzsearchOpsError():
            return render_error(result, style)
        case Plan():
            return render_plan(result, style)
        case PlannedIndex():
            return render_planned(result, style)
        case SideBySide():
            return render_modes(result, style)
        case AnyOutcome():
            return render_any_index(result, style)
        case BuildOutcome():
            return render_build(result, style)
        case EvaluationOutcome():
            return render_evaluation(result, style)
        case PromoteOutcome():
            return render_promotion(result, style)
        case RollbackOutcome():
            return render_rollback(result, style)
        case NoiseOutcome():
            return render_noise(result, style)
        case ShipOutcome():
            return render_ship(result, style)
    raise TypeError(f"no text for {type(result).__name__}")
