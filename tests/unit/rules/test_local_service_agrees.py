"""What the rules refuse, the local service refuses too, in Azure's form; what Azure takes at the edge it takes."""

import pytest
import test_refused_indexes as indexes
import test_refused_requests as requests
import test_refused_skills as skills

from azsearch_ops.bodies.render import render
from azsearch_ops.definitions.project import read_project
from azsearch_ops.errors import DefinitionError
from azsearch_ops.local.errors import ServiceFault
from azsearch_ops.local.objects.index import full_index
from azsearch_ops.local.objects.indexing import full_indexer, full_skillset

VERSION = "2026-04-01"
NOT_AT_THE_PUT = {
    "AZS508": "no address of a service is part of a definition",
    "AZS509": "names that these bodies do not have",
    "AZS302": "a path that nothing produces is found when a document is enriched",
    "AZS304": "so is a value that does not fit",
    "AZS307": "what Azure does with two outputs of one path is not known",
    "AZS318": "knowledge stores are kept as they are",
    "AZS320": "what Azure does with circles is not known",
}
ALMOST = ("tier: basic", "deployments", "inlineEntitiesDefinition: [{name: aaa", "http://x/y.csv", "httpHeaders: {Host")
"""The tier is not the local service's own; limits of files and headers are not stated as refusals."""
NOT_STATED = ("azureOpenAIParameters", "AzureOpenAIEmbeddingSkill", "LayoutSkill', outputFormat")
"""What an embedding needs fails at the call; outputs of the other format are not stated as refused."""


def rows(test):
    return next(mark for mark in test.pytestmark if mark.name == "parametrize").args[1]


def faults(workspace, edits):
    """What the local service says of index, skillset and indexer after the edits; None where nothing renders."""
    for file, old, new in edits:
        workspace.edit(getattr(workspace, file), old, new)
    project, _ = read_project(workspace.root, "local", {})
    if project is None or not project.indexes:
        return None
    bodies = render(project, next(iter(project.indexes)))
    found = []
    for build in (
        lambda: full_index({**bodies.index, "name": "docs"}, VERSION, lambda name: True),
        lambda: full_skillset({**bodies.skillset, "name": "docs"}, VERSION) if bodies.skillset else None,
        lambda: full_indexer({**bodies.indexer, "name": "docs"}, VERSION, lambda kind, name: bodies.index),
    ):
        try:
            build()
        except ServiceFault as fault:
            found.append(fault)
    return found


REFUSED = [
    (code, edits)
    for module in (indexes, skills)
    for code, edits in rows(module.test_a_refusal_is_an_error)
    if code not in NOT_AT_THE_PUT and not any(word in str(edits) for word in (*ALMOST, *NOT_STATED))
]


@pytest.mark.parametrize(("code", "edits"), REFUSED)
def test_it_refuses_what_the_rules_refuse(workspace, code, edits):
    try:
        found = faults(workspace, edits)
    except DefinitionError:
        return  # Not even a body comes of it
    assert found is None or found, code
    assert all(fault.status == 400 and fault.code == "InvalidRequestParameter" for fault in found or ())


@pytest.mark.parametrize(
    "edits",
    [
        row
        for module in (indexes, skills, requests)
        for row in rows(module.test_what_azure_takes_at_the_edge_is_no_error)
    ],
)
def test_it_takes_what_azure_takes(workspace, edits):
    assert faults(workspace, edits) == []
