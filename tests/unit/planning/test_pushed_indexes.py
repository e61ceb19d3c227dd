"""An index that applications push to: adopted and changed in place, and never replaced by one that nobody fills."""

import json

import pytest

from azsearch_ops.bodies.render import render
from azsearch_ops.contract.fields import field_defaults
from azsearch_ops.errors import DefinitionError
from azsearch_ops.planning.builder import build_plan
from azsearch_ops.planning.live import LiveState
from azsearch_ops.rules.check import check_project

PUSHED = {
    "name": "docs",
    "alias": "docs-live",
    "adopt": "docs",
    "index": {
        "fields": [
            {"name": "id", "type": "Edm.String", "key": True, "filterable": True, "sortable": True},
            {"name": "path", "type": "Edm.String"},
            {"name": "text", "type": "Edm.String"},
        ]
    },
    "retrieval": {"mode": "text", "request": {"select": "path,text"}},
}


def pushed(workspace, **changed):
    (workspace.root / workspace.skillset).unlink(missing_ok=True)
    workspace.write("indexes/docs/index.yaml", json.dumps({**PUSHED, **changed}))
    return workspace.load()


def live_of(project, name="docs", **filling):
    bodies = render(project, "docs")
    fields = [field_defaults(field) for field in bodies.index["fields"]]
    nothing = {"skillset": None, "data_source": None, "indexer": None}
    return LiveState(
        index_name=name,
        index={**bodies.index, "name": name, "fields": fields},
        search=bodies.search,
        rebuild_digest=None,
        **{**nothing, **filling},
    )


def plan(project, live):
    return build_plan(render(project, "docs"), live, project.locate_for("docs"))


def test_it_renders_no_source_no_indexer_and_no_skillset(workspace):
    bodies = render(pushed(workspace), "docs")
    assert (bodies.data_source, bodies.indexer, bodies.skillset) == ({}, {}, {})
    assert bodies.pushed and not [p for p in check_project(workspace.load()) if p.severity == "error"]


def test_what_is_there_is_no_change_whoever_fills_it(workspace):
    project = pushed(workspace)
    assert plan(project, live_of(project)).action == "none"
    theirs = {"name": "their-indexer", "targetIndexName": "docs", "dataSourceName": "ds"}
    assert plan(project, live_of(project, indexer=theirs, data_source={"name": "ds"})).action == "none"


def test_settings_and_what_azure_changes_in_place_can_change(workspace):
    live = live_of(pushed(workspace))
    assert plan(pushed(workspace, retrieval={"mode": "text", "top": 9}), live).action == "settings"
    cors = {**PUSHED["index"], "corsOptions": {"allowedOrigins": ["*"]}}
    assert plan(pushed(workspace, index=cors), live).action == "in_place"
    more = {"fields": [*PUSHED["index"]["fields"], {"name": "year", "type": "Edm.Int32"}]}
    added = plan(pushed(workspace, index=more), live)
    assert [change.change_class for change in added.changes] == ["irreversible"]
    assert [write.kind for write in added.writes] == ["index"]


def test_a_new_index_that_nobody_fills_is_refused_where_the_change_stands(workspace):
    live = live_of(pushed(workspace))
    fields = [*PUSHED["index"]["fields"][:2], {"name": "text", "type": "Edm.String", "analyzer": "en.lucene"}]
    changed = pushed(workspace, index={"fields": fields})
    with pytest.raises(DefinitionError) as refused:
        plan(changed, live)
    (problem,) = refused.value.problems
    assert problem.code == "AZS526"
    assert "fields.text.analyzer needs a new index" in problem.message
    assert problem.location.path == "indexes/docs/index.yaml"
    with pytest.raises(DefinitionError) as nothing:
        plan(changed, None)
    assert "nothing is live under 'docs-live'" in nothing.value.problems[0].message


def test_a_source_that_filled_live_is_not_dropped_in_passing(workspace):
    project = pushed(workspace)
    name = f"{render(project, 'docs').candidate[:-8]}0123abcd"
    with pytest.raises(DefinitionError) as refused:
        plan(project, live_of(project, name, indexer={"name": name, "targetIndexName": name}))
    assert "the definition has no source any more" in refused.value.problems[0].message


def test_a_skillset_without_a_source_is_refused(workspace):
    skillset = workspace.root / workspace.skillset
    text = skillset.read_text("utf-8")
    pushed(workspace, skillset="docs")
    skillset.write_text(text, "utf-8")
    found = {p.code: p.message for p in check_project(workspace.load()) if p.severity == "error"}
    assert found["AZS309"] == "a skillset needs a source: it works on what an indexer reads"
