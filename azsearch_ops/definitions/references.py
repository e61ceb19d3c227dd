"""References between definitions that lead nowhere."""

from __future__ import annotations

from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.project import Project
from azsearch_ops.errors import Problem


def missing_skillset(project: Project, index: IndexDefinition) -> Problem:
    """The problem of an index that names a skillset which is not there."""
    hint = name_hint(index.skillset or "", project.skillsets)
    return Problem("AZS501", f"there is no skillset {index.skillset!r}", index.locate("/skillset"), hint=hint)


def missing_connection(project: Project, index: IndexDefinition) -> Problem:
    """The problem of a source that names a connection which the environment does not have."""
    name, environment = index.source.connection, project.environment
    message = f"the environment {environment.name!r} has no connection {name!r}"
    hint = name_hint(name, environment.connections) or f"add it to {environment.location.path}"
    return Problem("AZS502", message, index.locate("/source/connection"), hint=hint)
