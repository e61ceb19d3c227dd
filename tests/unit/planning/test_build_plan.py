"""Plans: nothing right after a release, one change for each setting, its class and its line."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from live_states import live_of, returned

from azsearch_ops.bodies.render import render
from azsearch_ops.errors import ConflictError
from azsearch_ops.planning.builder import build_plan
from azsearch_ops.planning.compare import differences


def plan_after(workspace, *edits):
    """The plan of a project that was released and then edited."""
    live = live_of(workspace.render())
    for file, old, new in edits:
        workspace.edit(getattr(workspace, file), old, new)
    project = workspace.load()
    return build_plan(render(project, "docs"), live, project.locate_for("docs"))


def told(plan):
    return [
        (c.kind, c.pointer, c.before, c.after, c.change_class, f"{c.location.path}:{c.location.line}")
        for c in plan.changes
    ]


def test_right_after_a_release_there_is_nothing_to_do(workspace):
    plan = plan_after(workspace)
    assert (plan.action, plan.changes, plan.steps, plan.writes) == ("none", (), (), ())


def test_the_first_time_everything_is_created(workspace):
    project = workspace.load()
    plan = build_plan(render(project, "docs"), None, project.locate_for("docs"))
    assert plan.action == "create" and plan.live is None and plan.changes == ()
    assert [(s.verb, s.kind) for s in plan.steps] == [
        ("create", "dataSource"),
        ("create", "index"),
        ("create", "skillset"),
        ("create", "indexer"),
        ("fill", "index"),
        ("check", "index"),
        ("evaluate", "index"),
        ("gate", "index"),
        ("move", "alias"),
        ("schedule", "indexer"),
        ("record", "ledger"),
    ]


def test_other_page_lengths_rebuild_and_name_their_lines(workspace):
    plan = plan_after(
        workspace,
        ("skillset", "maximumPageLength: 2000", "maximumPageLength: 1600"),
        ("skillset", "pageOverlapLength: 500", "pageOverlapLength: 300"),
    )
    assert plan.action == "rebuild" and plan.live != plan.candidate
    assert told(plan) == [
        ("skillset", "/skills/chunking/maximumPageLength", 2000, 1600, "rebuild", "skillsets/docs.yaml:4"),
        ("skillset", "/skills/chunking/pageOverlapLength", 500, 300, "rebuild", "skillsets/docs.yaml:5"),
    ]
    assert [c.name for c in plan.changes] == ["maximumPageLength", "pageOverlapLength"]
    assert "maximumPageLength, pageOverlapLength" in plan.explanation


def test_a_setting_taken_out_is_told_with_its_default(workspace):
    plan = plan_after(workspace, ("skillset", "  pageOverlapLength: 500\n", ""))
    assert told(plan) == [
        ("skillset", "/skills/chunking/pageOverlapLength", 500, 0, "rebuild", "skillsets/docs.yaml:3"),
    ]


@pytest.mark.parametrize(
    ("edit", "pointer", "change_class", "action"),
    [
        (("index", "analyzer: en.lucene", "analyzer: it.lucene"), "/fields/chunk/analyzer", "rebuild", "rebuild"),
        (("index", "analyzer: en.lucene", "searchable: false"), "/fields/chunk/searchable", "rebuild", "rebuild"),
        (
            ("index", "searchable: false, filterable: true", "searchable: false, filterable: true, retrievable: false"),
            "/fields/parent_id/retrievable",
            "in place",
            "in_place",
        ),
        (
            ("index", "analyzer: en.lucene", "indexAnalyzer: whitespace, searchAnalyzer: simple"),
            "/fields/chunk/searchAnalyzer",
            "rebuild",
            "rebuild",
        ),
        (
            ("index", "  vectorSearch:", "  corsOptions: {allowedOrigins: ['*']}\n  vectorSearch:"),
            "/corsOptions",
            "in place",
            "in_place",
        ),
        (
            (
                "index",
                "  vectorSearch:",
                "  similarity: {'@odata.type': '#Microsoft.Azure.Search.BM25Similarity', b: 0.5}\n  vectorSearch:",
            ),
            "/similarity/b",
            "rebuild",
            "rebuild",
        ),
        (
            ("index", "profiles: [", "profiles: [{name: q, algorithm: a}, "),
            "/vectorSearch/profiles/q",
            "in place",
            "in_place",
        ),
        (
            ("index", "kind: hnsw", "kind: hnsw, hnswParameters: {m: 5}"),
            "/vectorSearch/algorithms/a/hnswParameters/m",
            "rebuild",
            "rebuild",
        ),
        (
            ("index", "    - {name: path", "    - {name: extra, type: Edm.Int32}\n    - {name: path"),
            "/fields/extra",
            "irreversible",
            "in_place",
        ),
        (("index", "schedule: PT1H", "schedule: PT2H"), "/schedule/interval", "in place", "in_place"),
        (
            ("index", "schedule: PT1H", "schedule: PT1H, parameters: {batchSize: 2}"),
            "/parameters/batchSize",
            "in place",
            "in_place",
        ),
        (("index", "schedule: PT1H", "schedule: PT1H, query: sub"), "/container/query", "rebuild", "rebuild"),
        (("index", "k: 50", "k: 60"), "/vectorQueries/0/k", "settings only", "settings"),
        (("index", "top: 5", "top: 8"), "/top", "settings only", "settings"),
        (
            ("environment", "resourceUri: local", "resourceUri: https://x"),
            "/vectorSearch/vectorizers/embedding/azureOpenAIParameters/resourceUri",
            "in place",
            "in_place",
        ),
        (("environment", "dimensions: 256", "dimensions: 128"), "/fields/vector/dimensions", "rebuild", "rebuild"),
    ],
)
def test_each_change_has_its_class(workspace, edit, pointer, change_class, action):
    plan = plan_after(workspace, edit)
    classes = {change.pointer: change.change_class for change in plan.changes}
    assert classes.get(pointer) == change_class, classes
    assert plan.action == action
    assert all(change.rule and change.location for change in plan.changes)


def test_a_field_that_is_filled_needs_a_rebuild_and_is_one_addition(workspace):
    plan = plan_after(
        workspace,
        ("index", "    - {name: id", "    - {name: title, type: Edm.String}\n    - {name: id"),
        ("index", "projection:\n", "projection:\n  title: /document/metadata_storage_name\n"),
    )
    assert [(c.pointer, c.before is None, c.change_class) for c in plan.changes] == [
        ("/fields/title", True, "rebuild"),
        ("/indexProjections/selectors/(index)/mappings/title", True, "rebuild"),
    ]
    assert [c.location.line for c in plan.changes] == [13, 6]


def test_reordering_is_no_change(workspace):
    plan = plan_after(
        workspace,
        (
            "index",
            "    - {name: path, type: Edm.String, searchable: false}\n"
            "    - {name: chunk, type: Edm.String, analyzer: en.lucene}\n",
            "    - {name: chunk, type: Edm.String, analyzer: en.lucene}\n"
            "    - {name: path, type: Edm.String, searchable: false}\n",
        ),
        ("index", '"id,path,chunk"', '"chunk,id,path"'),
    )
    assert plan.action == "none"


def test_only_the_unstated_default_differs(workspace):
    """A live field with its defaults, against a file that says nothing about them."""
    plan = plan_after(
        workspace,
        ("index", "searchable: false, filterable: true}", "searchable: false, filterable: true, facetable: true}"),
    )
    assert plan.action == "none"


def test_settings_and_what_is_in_place_are_written_under_the_names_of_live(workspace):
    before = workspace.render()
    live = live_of(
        before,
        index_name="docs-00000000",
        skillset={**returned(before.skillset), "name": "their-skillset"},
        indexer={**returned(before.indexer), "name": "their-indexer", "skillsetName": "their-skillset"},
    )
    workspace.edit(workspace.environment, "resourceUri: local", "resourceUri: https://x")
    workspace.edit(workspace.index, "top: 5", "top: 6")
    project = workspace.load()
    plan = build_plan(render(project, "docs"), live, project.locate_for("docs"))
    assert plan.action == "settings"
    written = {write.kind: write.body for write in plan.writes}
    assert set(written) == {"index", "skillset", "indexer"}
    assert written["index"]["name"] == "docs-00000000"
    assert written["skillset"]["name"] == "their-skillset"
    assert written["skillset"]["indexProjections"]["selectors"][0]["targetIndexName"] == "docs-00000000"
    assert written["indexer"]["skillsetName"] == "their-skillset" and written["indexer"]["schedule"] == {
        "interval": "PT1H"
    }
    assert [s.verb for s in plan.steps] == ["update", "update", "update", "evaluate", "gate", "record"]


def test_other_names_alone_are_no_change(workspace):
    bodies = workspace.render()
    skillset = returned(bodies.skillset)
    skillset["name"] = "s"
    skillset["indexProjections"]["selectors"][0]["targetIndexName"] = "old"
    live = live_of(
        bodies,
        index_name="old",
        index={**returned(bodies.index), "name": "old"},
        skillset=skillset,
        data_source={**returned(bodies.data_source), "name": "d"},
        indexer={
            **returned(bodies.indexer),
            "schedule": {"interval": "PT60M", "startTime": "2026-01-01T00:00:00Z"},
            "name": "x",
            "dataSourceName": "d",
            "skillsetName": "s",
            "targetIndexName": "old",
        },
    )
    project = workspace.load()
    assert build_plan(bodies, live, project.locate_for("docs")).action == "none"


def test_what_is_missing_on_live(workspace):
    bodies, project = workspace.render(), workspace.load()
    live = live_of(bodies, index_name="docs-00000000", skillset=None, indexer=None, data_source=None, search=None)
    plan = build_plan(bodies, live, project.locate_for("docs"))
    assert plan.action == "rebuild"
    assert [(c.kind, c.change_class) for c in plan.changes] == [
        ("skillset", "rebuild"),
        ("dataSource", "rebuild"),
        ("indexer", "rebuild"),
        ("search", "settings only"),
    ]
    only_settings = build_plan(bodies, live_of(bodies, search=None), project.locate_for("docs"))
    assert only_settings.action == "settings"


def test_an_edit_behind_our_back_is_a_conflict_not_a_rebuild_onto_itself(workspace):
    bodies, project = workspace.render(), workspace.load()
    skillset = returned(bodies.skillset)
    skillset["skills"][0]["maximumPageLength"] = 999
    with pytest.raises(ConflictError, match="/skills/chunking/maximumPageLength"):
        build_plan(bodies, live_of(bodies, skillset=skillset), project.locate_for("docs"))


def test_no_secret_reaches_a_plan(workspace):
    workspace.edit(workspace.skillset, "embedding:", "embedding:\n  apiKey: \"{{ secret('AI_KEY') }}\"")
    bodies, project = workspace.render(), workspace.load()
    skillset = returned(bodies.skillset)
    skillset["skills"][1]["apiKey"] = "<redacted>"
    plan = build_plan(bodies, live_of(bodies, skillset=skillset), project.locate_for("docs"))
    assert plan.action == "none"


values = st.recursive(
    st.booleans() | st.integers(0, 3) | st.sampled_from(["a", "b", ""]) | st.none(),
    lambda inner: st.lists(inner, max_size=2),
    max_leaves=3,
)
skills = st.fixed_dictionaries(
    {
        "@odata.type": st.sampled_from(["x", "#Microsoft.Skills.Text.SplitSkill"]),
        "name": st.sampled_from(["a", "b", "c"]),
    },
    optional={
        "textSplitMode": st.sampled_from(["pages", "sentences"]),
        "maximumPageLength": st.integers(1, 3),
        "odd": values,
    },
)
skillsets = st.fixed_dictionaries({"skills": st.lists(skills, max_size=3, unique_by=lambda s: s["name"])})


def named(*rows):
    return st.lists(st.one_of(*rows), max_size=3, unique_by=lambda row: row["name"])


NAMES = st.sampled_from(["a", "b", "c"])
fields = st.fixed_dictionaries(
    {"name": NAMES, "type": st.sampled_from(["Edm.String", "Edm.Int32", "Collection(Edm.Single)"])},
    optional={
        "filterable": st.booleans() | st.none(),
        "analyzer": st.sampled_from(["en.lucene", "keyword", None]),
        "synonymMaps": st.lists(NAMES, max_size=2),
        "odd": values,
    },
)
rooms = st.fixed_dictionaries({"name": NAMES, "type": st.just("Edm.ComplexType"), "fields": named(fields)})
indexes = st.fixed_dictionaries(
    {"fields": named(fields, rooms)},
    optional={
        "suggesters": named(st.fixed_dictionaries({"name": NAMES, "sourceFields": st.lists(NAMES, max_size=3)})),
        "scoringProfiles": named(
            st.fixed_dictionaries({"name": NAMES, "text": st.none() | st.just({"weights": {"a": 2, "b.c": 1}})})
        ),
        "vectorSearch": st.none()
        | st.fixed_dictionaries(
            {},
            optional={
                "algorithms": named(
                    st.fixed_dictionaries({"name": NAMES, "kind": st.sampled_from(["hnsw", "exhaustiveKnn"])})
                ),
                "profiles": named(st.fixed_dictionaries({"name": NAMES, "algorithm": NAMES})),
            },
        ),
        "similarity": st.sampled_from([None, {"k1": 1.5}, {"b": 0}]),
        "corsOptions": st.sampled_from([None, {"allowedOrigins": ["*"]}, {"allowedOrigins": ["a", "b"]}]),
        "odd": values,
    },
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None, max_examples=200)
@given(st.tuples(st.just("skillset"), skillsets, skillsets) | st.tuples(st.just("index"), indexes, indexes))
def test_differences_applied_to_one_give_the_other(pair):
    from azsearch_ops.bodies.normal import normal
    from azsearch_ops.planning.compare import keyed

    kind, before, after = pair
    old, new = (keyed(kind, normal(kind, body)) for body in (before, after))
    patched = json.loads(json.dumps(old))
    found = differences(kind, before, after)
    assert bool(found) == (old != new)
    # What leaves a list goes first, from its end; what comes, goes in from its start
    leaves = sorted(
        (d for d in found if d.after is None), key=lambda d: [*map(str, d.path[:-1]), _last(d)], reverse=True
    )
    for difference in leaves:
        here = _inside(patched, difference.path)
        del here[difference.path[-1]]
    for difference in sorted(
        (d for d in found if d.after is not None), key=lambda d: [*map(str, d.path[:-1]), _last(d)]
    ):
        here, last = _inside(patched, difference.path), difference.path[-1]
        if isinstance(here, list) and difference.before is None:
            here.insert(last, difference.after)
        else:
            here[last] = difference.after
    assert patched == new


def _last(difference):
    return f"{difference.path[-1]:04}" if isinstance(difference.path[-1], int) else str(difference.path[-1])


def _inside(body, path):
    for part in path[:-1]:
        body = body[part]
    return body
