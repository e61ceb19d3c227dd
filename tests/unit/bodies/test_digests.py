"""What names a candidate: what forces a rebuild, and nothing else."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

SAME = [
    ("skillset", "chunking:", "# a comment\nchunking:"),
    ("skillset", "  defaultLanguageCode: en\n", ""),
    ("skillset", "textSplitMode: pages", "maximumPagesToTake: 0\n  textSplitMode: pages"),
    ("environment", "resourceUri: local", "resourceUri: https://x.openai.azure.com"),
    ("environment", "deployment: wordllama", "deployment: other"),
    ("environment", "{folder: infra/local/containers}", "{connectionString: \"{{ secret('C') }}\", identity: {a: 1}}"),
    ("index", "searchable: false, filterable: true}", "filterable: true, searchable: false, facetable: true}"),
    ("index", "{name: chunk, type: Edm.String", "{name: chunk, type: Edm.String, retrievable: false"),
    ("index", "algorithms: [{name: a, kind: hnsw}]", "algorithms: [{name: a, kind: hnsw, hnswParameters: {m: 4}}]"),
    ("index", "  vectorSearch:", "  corsOptions: {allowedOrigins: ['*']}\n  vectorSearch:"),
    ("index", "  vectorSearch:", "  scoringProfiles: [{name: s}]\n  vectorSearch:"),
    ("index", "  vectorSearch:", "  semantic: {configurations: []}\n  vectorSearch:"),
    ("index", "schedule: PT1H", "schedule: PT2H"),
    ("index", "schedule: PT1H", "parameters: {batchSize: 3}"),
    ("index", "top: 5", "top: 6"),
    ("index", "  path: /document/metadata_storage_path\n  chunk:", "  chunk:"),
    ("index", "alias: docs-live", "alias: other"),
]
"""Edits that leave the rebuild digest alone; the last but one moves a line (see below)."""

OTHER = [
    ("skillset", "maximumPageLength: 2000", "maximumPageLength: 1000"),
    ("skillset", "pageOverlapLength: 500", "pageOverlapLength: 400"),
    ("skillset", "skills: []", "skills: [{'@odata.type': x, inputs: [], outputs: []}]"),
    ("environment", "model: wordllama", "model: other"),
    ("environment", "dimensions: 256", "dimensions: 128"),
    ("environment", "container: docs", "container: other"),
    ("index", "schedule: PT1H", "query: sub"),
    ("index", "analyzer: en.lucene", "analyzer: it.lucene"),
    ("index", "{name: path, type: Edm.String,", "{name: path, type: Edm.String, sortable: false,"),
    ("index", "chunk: /document/pages/*", "chunk: /document/content"),
    ("index", "kind: hnsw", "kind: exhaustiveKnn"),
    ("index", "schedule: PT1H", "parsingMode: text"),
    (
        "index",
        "  vectorSearch:",
        "  similarity: {'@odata.type': '#Microsoft.Azure.Search.BM25Similarity', b: 0.5}\n  vectorSearch:",
    ),
]


@pytest.mark.parametrize(("file", "old", "new"), [edit for edit in SAME if not edit[1].startswith("  path:")])
def test_what_forces_no_rebuild_leaves_the_name(workspace, file, old, new):
    before = workspace.render()
    after = workspace.edit(getattr(workspace, file), old, new).render()
    assert after.rebuild_digest == before.rebuild_digest and after.candidate == before.candidate


@pytest.mark.parametrize(("file", "old", "new"), OTHER)
def test_what_forces_a_rebuild_changes_the_name(workspace, file, old, new):
    before = workspace.render()
    after = workspace.edit(getattr(workspace, file), old, new).render()
    assert after.rebuild_digest != before.rebuild_digest and after.body_digest != before.body_digest


def test_two_environments_build_the_same_candidate(workspace):
    workspace.write(
        "infra/environments/prod.yaml",
        "endpoint: https://x.search.windows.net\nprotected: true\nkey: \"{{ secret('K') }}\"\n"
        "connections: {files: {connectionString: ResourceId=/subscriptions/x}}\n"
        "variables:\n  docs: {container: docs}\n"
        "  embedding: {resourceUri: https://y, deployment: z, model: wordllama, dimensions: 256}\n",
    )
    local, prod = workspace.render("local"), workspace.render("prod")
    assert local.rebuild_digest == prod.rebuild_digest and local.data_source_name == prod.data_source_name
    assert local.body_digest != prod.body_digest and local.settings_digest == prod.settings_digest


def test_the_settings_have_a_digest_of_their_own(workspace):
    before = workspace.render()
    reordered = workspace.edit(workspace.index, '"id,path,chunk"', '"chunk, id,path"').render()
    assert reordered.settings_digest == before.settings_digest
    changed = workspace.edit(workspace.index, "k: 50", "k: 60").render()
    assert changed.settings_digest != before.settings_digest and changed.candidate == before.candidate


def test_the_folder_of_a_checkout_is_in_no_digest(workspace, tmp_path):
    before = workspace.render()
    workspace.edit(workspace.environment, "infra/local/containers", "elsewhere")
    after = workspace.render()
    assert (after.rebuild_digest, after.body_digest, after.data_source_name) == (
        before.rebuild_digest,
        before.body_digest,
        before.data_source_name,
    )


FIELDS = [
    "    - {name: id, type: Edm.String, key: true, analyzer: keyword}\n",
    "    - {name: parent_id, type: Edm.String, searchable: false, filterable: true}\n",
    "    - {name: path, type: Edm.String, searchable: false}\n",
    "    - {name: chunk, type: Edm.String, analyzer: en.lucene}\n",
    '    - {name: vector, type: Collection(Edm.Single), dimensions: "{{ embedding.dimensions }}", '
    "vectorSearchProfile: p}\n",
]
PROJECTION = [
    "  parent_id: parentKey\n",
    "  path: /document/metadata_storage_path\n",
    "  chunk: /document/pages/*\n",
    "  vector: /document/pages/*/text_vector\n",
]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30, deadline=None)
@given(st.permutations(FIELDS), st.permutations(PROJECTION))
def test_the_order_of_sets_changes_nothing(workspace, fields, projection):
    original = (workspace.root / workspace.index).read_text()
    before = workspace.render()
    try:
        text = original.replace("".join(FIELDS), "".join(fields)).replace("".join(PROJECTION), "".join(projection))
        workspace.write(workspace.index, text)
        after = workspace.render()
    finally:
        workspace.write(workspace.index, original)
    assert (after.rebuild_digest, after.body_digest) == (before.rebuild_digest, before.body_digest)


DEFAULTS = {
    "searchable": "true",
    "filterable": "true",
    "sortable": "true",
    "facetable": "true",
    "retrievable": "true",
    "stored": "true",
    "key": "false",
    "normalizer": "null",
    "synonymMaps": "[]",
}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30, deadline=None)
@given(st.sets(st.sampled_from(sorted(DEFAULTS))))
def test_spelling_defaults_out_changes_nothing(workspace, spelled):
    original = (workspace.root / workspace.index).read_text()
    before = workspace.render()
    words = "".join(f", {name}: {DEFAULTS[name]}" for name in sorted(spelled))
    try:
        workspace.edit(workspace.index, "analyzer: en.lucene", f"analyzer: en.lucene{words}")
        after = workspace.render()
    finally:
        workspace.write(workspace.index, original)
    assert after.rebuild_digest == before.rebuild_digest and after.body_digest == before.body_digest
