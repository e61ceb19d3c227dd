"""Does the candidate fit: into the quotas of the service, and into the budget of the environment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from azsearch_ops.bodies.render import Bodies
from azsearch_ops.errors import Problem
from azsearch_ops.planning.estimate import BYTES, Estimate, Quota
from azsearch_ops.planning.live import LiveState
from azsearch_ops.planning.rankings import MOST, PLURALS, overfull


def no_room(estimate: Estimate, prunable: Sequence[str]) -> tuple[Problem, ...]:
    """A problem for each quota that the candidate does not fit into, with what to prune."""
    return tuple(_full(quota, prunable) for quota in estimate.quotas if quota.full)


def no_room_for_parts(desired: Bodies, live: LiveState) -> tuple[Problem, ...]:
    """A problem for each kind of which live would have more than an index may."""
    return tuple(
        Problem(
            "no-room",
            f"no room for {PLURALS[kind]} of {live.index_name}: {after} of {MOST[kind]} would be used",
            hint="azsearch-ops prune --yes deletes those that no kept release refers to; retention.keep says how many",
        )
        for kind, after in overfull(desired, live)
    )


def over_budget(estimate: Estimate, budget: Mapping[str, float | None]) -> tuple[Problem, ...]:
    """A problem for each limit of the budget that the estimate goes beyond, and for each that cannot be checked."""
    work = estimate.workload
    figures: Mapping[str, float | None] = {
        "cost": estimate.cost,
        "tokens": work.tokens,
        "minutes": estimate.minutes,
        "chunks": work.chunks,
        "vectors": estimate.vectors,
        "storage": estimate.storage,
    }
    problems: list[Problem] = []
    for name, most in budget.items():
        figure = figures[name]
        if most is None:
            continue
        unit = f" {estimate.currency}" if name == "cost" and estimate.currency else " bytes" if name in BYTES else ""
        if figure is None:
            message = f"the budget of {_number(most)}{unit} for {name} cannot be checked: no estimate of it"
            hint = "say prices and rateLimits in the environment" if name in ("cost", "minutes") else work.note
            problems.append(Problem("over-budget", message, severity="warning", hint=hint))
        elif figure > most:
            message = f"{name} {_number(figure)}{unit} is over the budget of {_number(most)}{unit}"
            hint = f"raise budget.{name} in the environment, or make the candidate smaller"
            problems.append(Problem("over-budget", message, hint=hint))
    return tuple(problems)


def _full(quota: Quota, prunable: Sequence[str]) -> Problem:
    unit = " bytes" if quota.name in BYTES else ""
    adds = f"{quota.adds:,}{unit} more" if quota.adds != 1 or unit else "one more"
    message = f"no room for {adds} of {quota.name}: {quota.usage:,} of {quota.quota:,}{unit} are used"
    if quota.quota == 0:
        hint = f"this service allows no {quota.name}: a newer service or a larger tier is needed"
    elif prunable:
        hint = f"azsearch-ops prune --yes deletes {', '.join(prunable[:5])}{' and more' if len(prunable) > 5 else ''}"
    else:
        hint = "nothing of this project may be pruned: delete what others left, or take a larger tier"
    return Problem("no-room", message, hint=hint)


def _number(value: float) -> str:
    return f"{value:,.2f}" if value != int(value) else f"{int(value):,}"
