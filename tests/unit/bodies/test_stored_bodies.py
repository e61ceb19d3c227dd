"""Bodies that an earlier version released: the same definitions plan no change under this one."""

import json
from pathlib import Path

import pytest

from azsearch_ops.bodies.render import render
from azsearch_ops.definitions.project import load_project
from azsearch_ops.planning.builder import build_plan
from azsearch_ops.planning.live import LiveState

STORED = sorted((Path(__file__).parent / "stored").iterdir())


@pytest.mark.parametrize("root", STORED, ids=lambda path: path.name)
def test_an_upgrade_plans_no_change(root):
    held = json.loads((root / "bodies.json").read_text("utf-8"))
    project = load_project(root, "local", {})
    bodies = render(project, "handbook")
    live = LiveState(
        index_name=held["candidate"],
        index=held["index"],
        skillset=held["skillset"],
        data_source=held["data_source"],
        indexer={**held["indexer"], "schedule": held["schedule"]},
        search=held["search"],
        rebuild_digest=held["rebuild_digest"],
    )
    plan = build_plan(bodies, live, project.locate_for("handbook"))
    assert (plan.action, plan.changes) == ("none", ())
