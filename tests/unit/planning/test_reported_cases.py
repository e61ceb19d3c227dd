"""Trouble that teams reported in public, each as a small input with the right outcome."""

import json

import pytest

from azsearch_ops.bodies.render import render
from azsearch_ops.planning.builder import build_plan
from azsearch_ops.planning.live import LiveState


def live_of(bodies, **replaced):
    state = {
        "index_name": "docs-00000000",
        "index": {**bodies.index, "name": "docs-00000000"},
        "skillset": bodies.skillset,
        "data_source": bodies.data_source,
        "indexer": {**bodies.indexer, "schedule": bodies.schedule},
        "search": bodies.search,
        "rebuild_digest": None,
    }
    return LiveState(**{**state, **replaced})


def plan(workspace, live):
    project = workspace.load()
    return build_plan(render(project, "docs"), live, project.locate_for("docs"))


def test_portal_json_loads_and_plans_no_change(workspace):
    """azure-sdk-for-python#44962: annotations, nulls on every optional key."""
    live = live_of(workspace.render())
    tree = {
        "@odata.context": "https://s.search.windows.net/$metadata#indexes/$entity",
        "@odata.etag": '"0x8DE"',
        "name": "whatever",
        "description": None,
        "defaultScoringProfile": None,
        "fields": [
            {"name": "id", "type": "Edm.String", "key": True, "analyzer": "keyword", "synonymMaps": []},
            {"name": "parent_id", "type": "Edm.String", "searchable": False, "filterable": True, "stored": True},
            {"name": "path", "type": "Edm.String", "searchable": False, "dimensions": None},
            {"name": "chunk", "type": "Edm.String", "analyzer": "en.lucene", "vectorSearchProfile": None},
            {"name": "vector", "type": "Collection(Edm.Single)", "dimensions": 256, "vectorSearchProfile": "p"},
        ],
        "corsOptions": None,
        "suggesters": [],
        "similarity": {"@odata.type": "#Microsoft.Azure.Search.BM25Similarity", "k1": None, "b": None},
        "semantic": None,
        "vectorSearch": {
            "algorithms": [{"name": "a", "kind": "hnsw", "exhaustiveKnnParameters": None, "hnswParameters": {"m": 4}}],
            "profiles": [{"name": "p", "algorithm": "a", "vectorizer": "embedding", "compression": None}],
            "vectorizers": [],
            "compressions": [],
        },
    }  # fmt: skip
    text = (workspace.root / workspace.index).read_text()
    head, _, rest = text.partition("index:\n  fields:")
    tail = rest[rest.index("retrieval:") :]
    workspace.write(workspace.index, f"{head}index: {json.dumps(tree)}\n{tail}")
    assert workspace.problems() == []
    assert plan(workspace, live).action == "none"


def test_a_key_of_cognitive_services_is_a_reference_and_no_difference(workspace):
    """azure-sdk-for-python#34118."""
    workspace.edit(
        workspace.skillset,
        "skills: []",
        "cognitiveServices: {'@odata.type': '#Microsoft.Azure.Search.CognitiveServicesByKey', key: '{{ env.AI_KEY }}'}",
    )
    project = workspace.load(environ={"AI_KEY": "s3cret"})
    bodies = render(project, "docs")
    assert "s3cret" not in repr(bodies) and bodies.skillset["cognitiveServices"]["key"] == "${secret:AI_KEY}"
    returned = {**bodies.skillset, "cognitiveServices": {**bodies.skillset["cognitiveServices"], "key": "<redacted>"}}
    assert build_plan(bodies, live_of(bodies, skillset=returned), project.locate_for("docs")).action == "none"


def test_existing_field_cannot_be_changed_is_said_before_the_put(workspace):
    """mslearn-knowledge-mining#23: both properties are named; a default that the file leaves unsaid is no change."""
    live = live_of(workspace.edit(workspace.index, "analyzer: en.lucene", "analyzer: standard.lucene").render())
    workspace.edit(workspace.index, "analyzer: standard.lucene", "searchable: false")
    found = plan(workspace, live)
    assert found.action == "rebuild"
    assert {(c.pointer, c.before, c.after) for c in found.changes if c.kind == "index"} == {
        ("/fields/chunk/analyzer", "standard.lucene", None),
        ("/fields/chunk/searchable", True, False),
    }


def test_one_attribute_means_a_candidate_and_a_move(workspace):
    """azure-search-openai-demo#2882."""
    live = live_of(workspace.render())
    workspace.edit(
        workspace.index, "{name: path, type: Edm.String, searchable: false}", "{name: path, type: Edm.String}"
    )
    found = plan(workspace, live)
    assert [(c.pointer, c.before, c.after) for c in found.changes] == [("/fields/path/searchable", False, True)]
    assert ("move", "alias") in [(s.verb, s.kind) for s in found.steps]


def test_a_field_at_the_top_of_many_is_one_addition(workspace):
    """awesome-copilot#620 (and azurerm's sets)."""
    many = "".join(f"    - {{name: f{n}, type: Edm.Int32}}\n" for n in range(25))
    workspace.edit(workspace.index, "  fields:\n", f"  fields:\n{many}")
    live = live_of(workspace.render())
    workspace.edit(workspace.index, "  fields:\n", "  fields:\n    - {name: first, type: Edm.Int32}\n")
    assert [(c.pointer, c.change_class) for c in plan(workspace, live).changes] == [("/fields/first", "irreversible")]


@pytest.mark.parametrize(("length", "fits"), [(117, True), (118, True), (119, True), (120, False), (128, False)])
def test_a_name_is_refused_rather_than_cut(workspace, length, fits):
    """rag-experiment-accelerator#684: base, dash and eight digits fit into 128, or the base is refused."""
    workspace.edit(workspace.index, "name: docs\n", f"name: {'x' * length}\n")
    assert (workspace.problems() == []) is fits
    if fits:
        assert len(render(workspace.load(), "x" * length).candidate) == length + 9


def test_another_page_length_is_a_new_skillset_index_and_indexer(workspace):
    """Q&A 1443586: an edited Text Split has no effect on documents that did not change."""
    before = workspace.render()
    workspace.edit(
        workspace.skillset,
        "maximumPageLength: 2000\n  pageOverlapLength: 500",
        "maximumPageLength: 800\n  pageOverlapLength: 100",
    )
    found = plan(workspace, live_of(before))
    assert found.action == "rebuild"
    created = {(s.kind, s.name) for s in found.steps if s.verb == "create"}
    assert {("index", found.candidate), ("skillset", found.candidate), ("indexer", found.candidate)} <= created
    assert found.candidate != before.candidate


def test_both_faulty_vector_fields_are_found_in_one_run(workspace):
    """azure-search-vector-samples#265."""
    workspace.edit(
        workspace.index,
        "    - {name: path",
        "    - {name: v2, type: Collection(Edm.Single), vectorSearchProfile: p}\n"
        "    - {name: v3, type: Collection(Edm.Single), dimensions: 256, vectorSearchProfile: nope}\n"
        "    - {name: path",
    )
    found = {(p.code, p.message.split(":")[0].split(" must")[0].rpartition(" ")[2]) for p in workspace.found()}
    assert {("AZS221", "v2"), ("AZS223", "v3")} <= found
