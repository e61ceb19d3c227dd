"""What Azure changes on an index that exists, and what it does not: its table, row by row, through real edits."""

import json
from dataclasses import replace

import pytest
from live_states import live_of

from azsearch_ops.bodies.render import render
from azsearch_ops.errors import DefinitionError
from azsearch_ops.planning.builder import build_plan
from azsearch_ops.planning.readers import Reader

BASE = """\
name: docs
alias: docs-live
skillset: docs
source: {type: azureblob, connection: files, container: "{{ docs.container }}", schedule: PT1H}
projection:
  parent_id: parentKey
  path: /document/metadata_storage_path
  chunk: /document/pages/*
  vector: /document/pages/*/text_vector
index:
  fields:
    - {name: id, type: Edm.String, key: true, analyzer: keyword}
    - {name: parent_id, type: Edm.String, searchable: false, filterable: true}
    - {name: path, type: Edm.String, searchable: false, normalizer: lowercase}
    - {name: chunk, type: Edm.String, indexAnalyzer: own, searchAnalyzer: standard}
    - {name: note, type: Edm.String, analyzer: en.lucene}
    - {name: room, type: Edm.ComplexType, fields: [{name: beds, type: Edm.Int32}]}
    - {name: vector, type: Collection(Edm.Single), dimensions: 256, vectorSearchProfile: p}
    - {name: spare, type: Collection(Edm.Single), dimensions: 256, vectorSearchProfile: p}
  suggesters: [{name: sg, sourceFields: [note]}]
  analyzers: [{name: own, "@odata.type": "#Microsoft.Azure.Search.CustomAnalyzer", tokenizer: whitespace}]
  encryptionKey: {keyVaultKeyName: k, keyVaultKeyVersion: "1", keyVaultUri: "https://v.vault.azure.net"}
  vectorSearch:
    algorithms: [{name: a, kind: hnsw}, {name: b, kind: hnsw}]
    compressions: [{name: c, kind: scalarQuantization, rescoringOptions: {rescoreStorageMethod: preserveOriginals}}]
    profiles: [{name: p, algorithm: a, compression: c, vectorizer: embedding}]
retrieval: {mode: hybrid, top: 5, k: 50, request: {select: "id,path,chunk"}}
evaluation: {queries: queries.yaml, document: path, text: chunk, metrics: [recall@5]}
gate: {recall@5: {}}
"""
OFFLINE, RANKING, NEVER = "offline for seconds", "can move the ranking", "Azure does not change this"
FIELD = "    - {name: note"
NEW = "    - {name: extra, type: Edm.Int32}\n"
SPARE = "spare, type: Collection(Edm.Single)"
REST = "  suggesters:"


def planned(workspace, *edits):
    workspace.write(workspace.index, BASE)
    live = live_of(workspace.render())
    for old, new in edits:  # "+ …" goes after the old words
        workspace.edit(workspace.index, old, old + new[1:] if new.startswith("+") else new)
    project = workspace.load()
    return build_plan(render(project, "docs"), live, project.locate_for("docs"))


@pytest.mark.parametrize(
    ("edit", "pointer", "change_class", "rule"),
    [
        # fields
        ((FIELD, NEW + FIELD), "/fields/extra", "irreversible", "nothing fills"),
        ((FIELD, "    - {name: noted"), "/fields/noted", "irreversible", "nothing fills"),
        ((FIELD, "    - {name: noted"), "/fields/note", "rebuild", "remove or rename"),
        (("[{name: beds,", "[{name: size, type: Edm.Int32}, {name: beds,"), "/fields/room/fields/size", "rebuild", ""),
        (("beds, type: Edm.Int32", "beds, type: Edm.Int64"), "/fields/room/fields/beds/type", "rebuild", NEVER),
        (
            ("note, type: Edm.String", "+, retrievable: false"),
            "/fields/note/retrievable",
            "in place",
            "on the live object",
        ),
        (("analyzer: en.lucene", "searchable: false"), "/fields/note/searchable", "rebuild", NEVER),
        (("note, type: Edm.String", "+, filterable: false"), "/fields/note/filterable", "rebuild", NEVER),
        (("note, type: Edm.String", "+, sortable: false"), "/fields/note/sortable", "rebuild", NEVER),
        (("note, type: Edm.String", "+, facetable: false"), "/fields/note/facetable", "rebuild", NEVER),
        (("analyzer: en.lucene", "analyzer: fr.lucene"), "/fields/note/analyzer", "rebuild", NEVER),
        (("indexAnalyzer: own", "indexAnalyzer: simple"), "/fields/chunk/indexAnalyzer", "rebuild", NEVER),
        (("normalizer: lowercase", "normalizer: uppercase"), "/fields/path/normalizer", "rebuild", NEVER),
        (("searchAnalyzer: standard", "searchAnalyzer: simple"), "/fields/chunk/searchAnalyzer", "rebuild", RANKING),
        (("analyzer: en.lucene", "+, synonymMaps: [words]"), "/fields/note/synonymMaps", "rebuild", RANKING),
        # vector fields and what they use
        ((SPARE, "+, stored: false"), "/fields/spare/stored", "rebuild", NEVER),
        ((f"{SPARE}, dimensions: 256", f"{SPARE}, dimensions: 128"), "/fields/spare/dimensions", "rebuild", NEVER),
        ((SPARE, "spare, type: Collection(Edm.Half)"), "/fields/spare/type", "rebuild", NEVER),
        (
            (f"{SPARE}, dimensions: 256, vectorSearchProfile: p", f"{SPARE}, dimensions: 256, vectorSearchProfile: q"),
            "/fields/spare/vectorSearchProfile",
            "rebuild",
            NEVER,
        ),
        (
            ("{name: b, kind: hnsw}", "{name: b, kind: hnsw, hnswParameters: {efSearch: 400}}"),
            "/vectorSearch/algorithms/b/hnswParameters/efSearch",
            "rebuild",
            NEVER,
        ),
        ((", {name: b, kind: hnsw}", ""), "/vectorSearch/algorithms/b", "rebuild", "cannot be removed"),
        (
            ("{name: b, kind: hnsw}", "+, {name: e, kind: exhaustiveKnn}"),
            "/vectorSearch/algorithms/e",
            "in place",
            "may be added",
        ),
        (
            ("{name: b, kind: hnsw}", "{name: b, kind: exhaustiveKnn}"),
            "/vectorSearch/algorithms/b/kind",
            "rebuild",
            NEVER,
        ),
        (("profiles: [", "+{name: q, algorithm: b}, "), "/vectorSearch/profiles/q", "in place", "may be added"),
        (
            ("profiles: [{name: p, algorithm: a", "profiles: [{name: p, algorithm: b"),
            "/vectorSearch/profiles/p/algorithm",
            "rebuild",
            NEVER,
        ),
        (
            ("compressions: [", "+{name: d, kind: binaryQuantization}, "),
            "/vectorSearch/compressions/d",
            "in place",
            "may be added",
        ),
        (
            ("rescoreStorageMethod: preserveOriginals", "rescoreStorageMethod: discardOriginals"),
            "/vectorSearch/compressions/c/rescoringOptions/rescoreStorageMethod",
            "rebuild",
            NEVER,
        ),
        # the rest of an index
        (
            (REST, '  similarity: {"@odata.type": "#Microsoft.Azure.Search.ClassicSimilarity"}\n' + REST),
            "/similarity/@odata.type",
            "rebuild",
            NEVER,
        ),
        (("sourceFields: [note]", "sourceFields: [note, path]"), "/suggesters/sg/sourceFields/1", "rebuild", NEVER),
        (("sg, sourceFields: [note]", "other, sourceFields: [note]"), "/suggesters/other", "rebuild", NEVER),
        (("tokenizer: whitespace", "tokenizer: keyword_v2"), "/analyzers/own/tokenizer", "rebuild", NEVER),
        (
            ("analyzers: [", 'analyzers: [{name: new, "@odata.type": "#Microsoft.Azure.Search.StopAnalyzer"}, '),
            "/analyzers/new",
            "rebuild",
            OFFLINE,
        ),
        (
            (REST, '  tokenFilters: [{name: n, "@odata.type": "#Microsoft.Azure.Search.LimitTokenFilter"}]\n' + REST),
            "/tokenFilters/n",
            "rebuild",
            OFFLINE,
        ),
        (
            (REST, '  similarity: {"@odata.type": "#Microsoft.Azure.Search.BM25Similarity", k1: 1.5}\n' + REST),
            "/similarity/k1",
            "rebuild",
            OFFLINE,
        ),
        ((REST, "  description: words\n" + REST), "/description", "in place", ""),
        ((REST, "  corsOptions: {allowedOrigins: ['*']}\n" + REST), "/corsOptions", "in place", ""),
        (
            (REST, "  scoringProfiles: [{name: s, text: {weights: {chunk: 2}}}]\n" + REST),
            "/scoringProfiles/s",
            "in place",
            "no ranking moves",
        ),
        (
            (
                REST,
                "  semantic: {configurations: [{name: s, prioritizedFields: {titleField: {fieldName: chunk}}}]}\n"
                + REST,
            ),
            "/semantic/configurations/s",
            "in place",
            "no ranking moves",
        ),
        (('keyVaultKeyVersion: "1"', 'keyVaultKeyVersion: "2"'), "/encryptionKey/keyVaultKeyVersion", "in place", ""),
    ],
)
def test_a_row_of_the_table(workspace, edit, pointer, change_class, rule):
    workspace.write("synonymmaps/words.yaml", "name: words\nsynonyms: usa, america\n")
    plan = planned(workspace, edit)
    found = {change.pointer: change for change in plan.changes}
    assert pointer in found, sorted(found)
    assert found[pointer].change_class == change_class, found[pointer]
    assert rule in found[pointer].rule, found[pointer].rule
    assert found[pointer].location is not None


def test_a_new_field_goes_into_the_suggester_with_it(workspace):
    plan = planned(
        workspace,
        (FIELD, "    - {name: extra, type: Edm.String}\n" + FIELD),
        ("sourceFields: [note]", "sourceFields: [note, extra]"),
    )
    assert {c.pointer: c.change_class for c in plan.changes} == {
        "/fields/extra": "irreversible",
        "/suggesters/sg/sourceFields/0": "in place",
    }
    assert plan.action == "in_place"


def test_an_encryption_key_is_never_taken_away_in_place(workspace):
    key = BASE[BASE.index("  encryptionKey") : BASE.index("  vectorSearch:")]
    with pytest.raises(DefinitionError) as refused:
        planned(workspace, (key, ""))
    assert "encryptionKey cannot change on live: Azure never takes" in refused.value.problems[0].message
    plan = planned(workspace, (key, ""), ("analyzer: en.lucene", "analyzer: fr.lucene"))
    assert {c.pointer: c.change_class for c in plan.changes} == {
        "/encryptionKey": "rebuild",
        "/fields/note/analyzer": "rebuild",
    }


@pytest.mark.parametrize(
    ("edits", "pointer", "use"),
    [
        ((("{name: chunk,", "{name: body,"), ("chunk: /doc", "body: /doc")), "/fields/chunk", "selects"),
        (
            (
                (
                    "path, type: Edm.String, searchable: false, normalizer: lowercase",
                    "path, type: Collection(Edm.String)",
                ),
            ),
            "/fields/path/type",
            "selects",
        ),
        (
            (("searchable: false, filterable: true", "searchable: false, filterable: false"),),
            "/fields/parent_id/filterable",
            "filters by",
        ),
        ((("note, type: Edm.String", "+, sortable: false"),), "/fields/note/sortable", "sorts by"),
        ((("note, type: Edm.String", "+, facetable: false"),), "/fields/note/facetable", "counts by"),
        ((("analyzer: en.lucene", "searchable: false"),), "/fields/note/searchable", "searches"),
        ((("[{name: beds,", "[{name: size,"),), "/fields/room/fields/beds", "filters by"),
    ],
)
def test_what_the_released_request_uses_is_breaking(workspace, edits, pointer, use):
    workspace.write(workspace.index, BASE)
    live = live_of(workspace.render())
    sent = {"filter": "parent_id eq 'sortable' and room/beds gt 1", "orderby": "note desc", "facets": ["note,count:3"]}
    live = live_of(workspace.render(), search={**live.search, **sent, "searchFields": "chunk,note^2"})
    for old, new in edits:  # "+ …" goes after the old words
        workspace.edit(workspace.index, old, old + new[1:] if new.startswith("+") else new)
    project = workspace.load()
    plan = build_plan(render(project, "docs"), live, project.locate_for("docs"))
    found = {change.pointer: (change.change_class, change.rule) for change in plan.changes}
    assert found[pointer][0] == "breaking" and f"the released request {use} it" in found[pointer][1], found
    assert plan.action == "rebuild" and pointer.rsplit("/", 1)[-1] in plan.explanation


@pytest.mark.parametrize(
    ("edit", "reader", "pointer", "why", "action"),
    [
        (
            ("path, type: Edm.String,", "+ retrievable: false,"),
            ("path",),
            "/fields/path/retrievable",
            "path",
            "in_place",
        ),
        (
            ("chunk, type: Edm.String,", "+ searchable: false,"),
            ("chunk",),
            "/fields/chunk/searchable",
            "chunk",
            "rebuild",
        ),
        (("room, type", "hall, type"), ("room/beds",), "/fields/room", "reads room/beds", "rebuild"),
        (("spare, type", "other, type"), ("spare",), "/fields/spare", "reads spare", "rebuild"),
        (("note, type: Edm.String", "+, retrievable: false"), ("path",), "/fields/note/retrievable", "", "in_place"),
        (("note, type: Edm.String", "+, sortable: false"), ("note",), "/fields/note/sortable", "", "rebuild"),
        (
            (f"{SPARE}, dimensions: 256", f"{SPARE}, dimensions: 512"),
            None,
            "/fields/spare/dimensions",
            "own",
            "rebuild",
        ),
    ],
)
def test_what_a_consumer_uses_is_breaking(workspace, edit, reader, pointer, why, action):
    workspace.write(workspace.index, BASE.replace(', request: {select: "id,path,chunk"}', ""))
    live = live_of(workspace.render())
    old, new = edit  # "+ …" goes after the old words
    workspace.edit(workspace.index, old, old + new[1:] if new.startswith("+") else new)
    project = workspace.load()
    readers = (Reader("intranet", reader or (), reader is None), Reader("idle"))
    plan = build_plan(render(project, "docs"), live, project.locate_for("docs"), readers)
    found = {change.pointer: change for change in plan.changes}[pointer]
    assert plan.action == action
    assert (found in plan.breaking) is bool(why), found
    assert not why or ("the consumer intranet " in found.rule and why in found.rule and "idle" not in found.rule)


def test_another_embedding_model_breaks_who_makes_vectors(workspace):
    live = live_of(workspace.render())
    project = workspace.load()
    wanted = render(project, "docs")
    skillset = json.loads(json.dumps(live.skillset))
    (skill,) = [skill for skill in skillset["skills"] if "modelName" in skill]
    skill["modelName"] = "text-embedding-ada-002"
    readers = (Reader("bot", own_vectors=True), Reader("web", ("chunk",)))
    plan = build_plan(
        wanted, replace(live, index_name="docs-0", skillset=skillset), project.locate_for("docs"), readers
    )
    (change,) = plan.breaking
    assert (change.name, plan.action) == ("modelName", "rebuild")
    assert change.rule == "the consumer bot makes vectors of its own, which no longer fit"


def test_a_field_that_the_released_request_selects_is_not_hidden_on_live(workspace):
    hidden = ("path, type: Edm.String,", "path, type: Edm.String, retrievable: false,")
    request = ('select: "id,path,chunk"', 'select: "id,chunk"')
    with pytest.raises(DefinitionError) as refused:
        planned(workspace, hidden, request)
    assert "fields.path.retrievable cannot change on live: the released request" in refused.value.problems[0].message
    plan = planned(workspace, hidden, request, ("analyzer: en.lucene", "analyzer: fr.lucene"))
    assert {c.pointer: c.change_class for c in plan.changes} == {
        "/fields/note/analyzer": "rebuild",
        "/fields/path/retrievable": "breaking",
        "/select": "settings only",
    }


def test_the_first_of_a_list_is_told_like_any_other(workspace):
    live = live_of(workspace.render())
    workspace.edit(
        workspace.index, "kind: hnsw}]", "kind: hnsw}]\n    compressions: [{name: c, kind: binaryQuantization}]"
    )
    workspace.edit(
        workspace.index, "  vectorSearch:", "  suggesters: [{name: s, sourceFields: [extra]}]\n  vectorSearch:"
    )
    workspace.edit(workspace.index, "    - {name: path", "    - {name: extra, type: Edm.String}\n    - {name: path")
    project = workspace.load()
    plan = build_plan(render(project, "docs"), live, project.locate_for("docs"))
    assert {c.pointer: c.change_class for c in plan.changes} == {
        "/fields/extra": "irreversible",
        "/suggesters/s": "in place",
        "/vectorSearch/compressions/c": "in place",
    }
