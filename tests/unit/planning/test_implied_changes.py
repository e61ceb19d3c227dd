"""A rebuild names what somebody changed, not the defaults that another setting brings or takes away."""

import pytest
from live_states import live_of

from azsearch_ops.bodies.render import render
from azsearch_ops.planning.builder import build_plan

SENTENCES = ("textSplitMode: pages", "textSplitMode: sentences")


@pytest.mark.parametrize(
    ("before", "after", "named"),
    [
        ((), (SENTENCES,), "maximumPageLength, pageOverlapLength, textSplitMode"),
        ((SENTENCES,), (SENTENCES[::-1],), "maximumPageLength, pageOverlapLength, textSplitMode"),
        (
            (("pageOverlapLength: 500", "pageOverlapLength: 0"),),
            (SENTENCES,),
            "maximumPageLength, textSplitMode",
        ),
        (
            (("pageOverlapLength: 500", "pageOverlapLength: 500\n  maximumPagesToTake: 4"),),
            (SENTENCES,),
            "maximumPageLength, maximumPagesToTake, pageOverlapLength, textSplitMode",
        ),
        (
            (("maximumPageLength: 2000", "unit: azureOpenAITokens\n  maximumPageLength: 2000"),),
            (("unit: azureOpenAITokens", "unit: characters"),),
            "unit",
        ),
    ],
)
def test_what_follows_is_not_named(workspace, before, after, named):
    for old, new in before:
        workspace.edit(workspace.skillset, old, new)
    live = live_of(workspace.render())
    for old, new in after:
        workspace.edit(workspace.skillset, old, new)
    project = workspace.load()
    plan = build_plan(render(project, "docs"), live, project.locate_for("docs"))
    assert plan.explanation.rpartition("Rebuilt because of: ")[2] == named
