"""`plan`: what would change on the service, and what that takes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from azsearch_ops.bodies.render import Bodies, render
from azsearch_ops.contract.versions import aliases_supported
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.errors import Problem, UsageError
from azsearch_ops.planning.alignment import aligned, answerable
from azsearch_ops.planning.builder import build_plan
from azsearch_ops.planning.estimate import Estimate
from azsearch_ops.planning.live import LiveState
from azsearch_ops.planning.plan import Plan
from azsearch_ops.planning.readers import Reader
from azsearch_ops.planning.room import no_room_for_parts
from azsearch_ops.releasing.snapshot import Objects, take_snapshot
from azsearch_ops.releasing.state import read_live
from azsearch_ops.verbs.session import Session
from azsearch_ops.verbs.shipping.estimating import estimate_for, limit_problems, statistics_of
from azsearch_ops.verbs.shipping.ledger_view import live_from_ledger
from azsearch_ops.verbs.shipping.prunable import prunable_names


@dataclass(frozen=True, slots=True)
class PlannedIndex:
    """The plan of one index definition, and what it takes where something is to be built.

    `problems` are what does not fit into quotas or budget: with an error among them nothing would be built. `source`
    is "service", or "ledger" where definitions may not be read and drift went unchecked.
    """

    index: IndexDefinition
    bodies: Bodies
    live: LiveState | None
    plan: Plan
    estimate: Estimate | None
    problems: tuple[Problem, ...]
    source: str = "service"

    @property
    def changed(self) -> bool:
        """Whether shipping would change anything but the ledger."""
        return self.plan.action != "none"

    @property
    def fits(self) -> bool:
        """Whether nothing stands against building."""
        return not any(problem.severity == "error" for problem in self.problems)


def plan_indexes(
    session: Session, chosen: tuple[IndexDefinition, ...], *, from_ledger: bool = False
) -> tuple[PlannedIndex, ...]:
    """The plans of some index definitions; definitions are read with one list request a kind, whatever their number.

    From the ledger, only documents of its index are read, and nothing is said about quotas.
    """
    require_aliases(session)
    if from_ledger:
        return tuple(_from_ledger(session, index) for index in chosen)
    objects = take_snapshot(session.service)
    statistics = statistics_of(session)
    return tuple(plan_one(session, index, objects, statistics) for index in chosen)


def plan_one(
    session: Session,
    index: IndexDefinition,
    objects: Objects | None = None,
    statistics: Mapping[str, Any] | None = None,
) -> PlannedIndex:
    """The plan of one index definition against what is live, with its estimate where an index is to be built."""
    known = objects if objects is not None else take_snapshot(session.service)
    bodies, live = bodies_and_live(session, index, known)
    plan = plan_for(session, index, bodies, live)
    if plan.action not in ("create", "rebuild"):
        full_parts = no_room_for_parts(bodies, live) if live is not None else ()
        return PlannedIndex(index, bodies, live, plan, None, full_parts)
    counted = statistics if statistics is not None else statistics_of(session)
    estimate = estimate_for(session, index, bodies, live, known, counted)
    full = any(quota.full for quota in estimate.quotas)
    prunable = prunable_names(session, known) if full else ()
    return PlannedIndex(index, bodies, live, plan, estimate, limit_problems(session, estimate, prunable))


def bodies_and_live(
    session: Session, index: IndexDefinition, objects: Objects | None = None
) -> tuple[Bodies, LiveState | None]:
    """The bodies, with live's names for what is equal in it, and what is live.

    A live index that is still to be adopted counts as released with these settings, as far as it can answer them.
    """
    where = objects if objects is not None else session.service
    live = read_live(where, session.ledger, index.alias, index.adopt)
    bodies = aligned(render(session.project, index.name), live)
    if live is not None and live.adopted:
        live = replace(live, search=answerable(bodies.search, bodies, live.index))
    return bodies, live


def plan_for(session: Session, index: IndexDefinition, bodies: Bodies, live: LiveState | None) -> Plan:
    """The plan for bodies that are rendered and a live state that is read already."""
    require_aliases(session)
    readers = tuple(
        Reader(name, consumer.fields, consumer.vectorizes == "consumer")
        for name, consumer in session.project.environment.consumers.items()
        if consumer.queries(index.alias)
    )
    return build_plan(bodies, live, session.project.locate_for(index.name), readers)


def require_aliases(session: Session) -> None:
    """UsageError where the environment's api-version has no aliases."""
    version = session.project.environment.api_version
    if not aliases_supported(version):
        raise UsageError(
            f"aliases need api-version 2026-04-01 or later, the environment has {version}",
            hint="set apiVersion in infra/environments",
        )


def _from_ledger(session: Session, index: IndexDefinition) -> PlannedIndex:
    live = live_from_ledger(session.ledger, index.alias)
    bodies = aligned(render(session.project, index.name), live)
    return PlannedIndex(index, bodies, live, plan_for(session, index, bodies, live), None, (), source="ledger")
