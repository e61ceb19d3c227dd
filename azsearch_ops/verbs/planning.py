"""`plan`: what would change on the service, and what that takes."""

from __future__ import annotations

from azsearch_ops.bodies.render import Bodies, render
from azsearch_ops.contract.versions import aliases_supported
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.project import Project
from azsearch_ops.errors import Location, UsageError
from azsearch_ops.planning.builder import build_plan
from azsearch_ops.planning.live import LiveState
from azsearch_ops.planning.places import Locate
from azsearch_ops.planning.plan import Plan
from azsearch_ops.releasing.state import read_live
from azsearch_ops.verbs.session import Session


def plan_one(session: Session, index: IndexDefinition) -> Plan:
    """The plan of one index definition against what is live."""
    bodies = render(session.project, index.name)
    return plan_for(session, index, bodies, read_live(session.service, session.ledger, index.alias))


def plan_for(session: Session, index: IndexDefinition, bodies: Bodies, live: LiveState | None) -> Plan:
    """The plan for bodies that are rendered and a live state that is read already."""
    version = session.project.environment.api_version
    if not aliases_supported(version):
        raise UsageError(
            f"aliases need api-version 2026-04-01 or later, the environment has {version}",
            hint="set apiVersion in infra/environments",
        )
    return build_plan(bodies, live, _locator(session.project, index))


def _locator(project: Project, index: IndexDefinition) -> Locate:
    """Where a setting stands, by the file that says it."""
    skillset = project.skillsets[index.skillset]

    def locate(file: str, pointer: str) -> Location:
        if file == "skillset":
            return skillset.locate(pointer)
        return project.environment.locate(pointer) if file == "environment" else index.locate(pointer)

    return locate
