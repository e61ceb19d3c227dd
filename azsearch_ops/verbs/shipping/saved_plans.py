"""Plans in files: write what was shown, and hold a later command to it."""

from __future__ import annotations

import os
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path

from azsearch_ops.bodies.canonical import digest
from azsearch_ops.errors import PlanStaleError, UsageError
from azsearch_ops.planning.saved import SavedIndex, SavedPlan, live_digest, read_saved, written_digest
from azsearch_ops.releasing.ledger import digest_of
from azsearch_ops.verbs.evaluating.yardstick import yardstick_of
from azsearch_ops.verbs.session import Session
from azsearch_ops.verbs.shipping.planning import PlannedIndex


def saved_index(session: Session, planned: PlannedIndex) -> SavedIndex:
    """What a file says about one planned index definition."""
    bodies, live = planned.bodies, planned.live
    measured_by = yardstick_of(session.project, planned.index).digest
    return SavedIndex(
        name=planned.index.name,
        alias=planned.index.alias,
        action=planned.plan.action,
        candidate=bodies.candidate,
        definitions=digest([bodies.rebuild_digest, bodies.body_digest, bodies.settings_digest, measured_by]),
        live=live_digest(live),
        live_index=live.index_name if live else None,
        release=live.release if live else None,
        held=digest_of(session.ledger.holds(planned.index.alias)),
        plan=asdict(planned.plan),
        estimate=asdict(planned.estimate) if planned.estimate else None,
        written=written_digest(live, planned.plan.writes),
    )


def save_plan(session: Session, planned: tuple[PlannedIndex, ...], path: Path) -> SavedPlan:
    """Write the plans to a file, whole or not at all."""
    saved = SavedPlan(
        environment=session.project.environment.name,
        endpoint=_endpoint(session),
        at=session.clock.stamp(),
        made_by=version("azsearch-ops"),
        indexes=tuple(saved_index(session, one) for one in planned),
    )
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f"{path.name}.{os.getpid()}.part")
        unfinished.write_text(saved.text(), "utf-8")
        unfinished.replace(path)
    except OSError as failure:
        raise UsageError(f"the plan cannot be written to {path}: {failure.strerror}") from failure
    return saved


def load_plan(path: Path) -> SavedPlan:
    """The plan in a file; UsageError when it cannot be read."""
    try:
        text = path.expanduser().read_text("utf-8")
    except (OSError, UnicodeDecodeError) as failure:
        raise UsageError(f"the plan {path} cannot be read: {failure}") from failure
    return read_saved(text, str(path))


def require_same_place(session: Session, saved: SavedPlan) -> None:
    """PlanStaleError when the plan was made for another environment or another service."""
    environment = session.project.environment.name
    if (saved.environment, saved.endpoint) != (environment, _endpoint(session)):
        raise PlanStaleError(
            f"the plan was made for {saved.environment} ({saved.endpoint}), not for {environment} "
            f"({_endpoint(session)})",
            hint=f"--env {saved.environment}, or make a new plan",
        )


def _endpoint(session: Session) -> str:
    """As the environment says it: the local service has another port each time."""
    return session.project.environment.endpoint
