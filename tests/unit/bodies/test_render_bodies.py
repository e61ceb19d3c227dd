"""Definitions become the bodies that Azure takes."""

import json

import pytest

from azsearch_ops.bodies.render import render
from azsearch_ops.bodies.request import search_body
from azsearch_ops.errors import DefinitionError, UsageError


def test_names_are_made_of_digests(workspace):
    bodies = workspace.render()
    assert bodies.candidate == f"docs-{bodies.rebuild_digest[:8]}"
    assert bodies.index["name"] == bodies.skillset["name"] == bodies.indexer["name"] == bodies.candidate
    assert bodies.indexer["targetIndexName"] == bodies.candidate
    assert bodies.indexer["dataSourceName"] == bodies.data_source_name != bodies.candidate
    assert bodies.data_source_name.startswith("docs-") and len(bodies.data_source_name) == 13
    workspace.edit(workspace.environment, "endpoint: local", "endpoint: local\nprefix: t1-")
    assert workspace.render().candidate == f"t1-{bodies.candidate}"


def test_the_skillset_splits_embeds_and_projects(workspace):
    skillset = workspace.render().skillset
    split, embed = skillset["skills"]
    assert split == {
        "@odata.type": "#Microsoft.Skills.Text.SplitSkill",
        "name": "chunking",
        "context": "/document",
        "inputs": [{"name": "text", "source": "/document/content"}],
        "textSplitMode": "pages",
        "maximumPageLength": 2000,
        "pageOverlapLength": 500,
        "defaultLanguageCode": "en",
        "outputs": [{"name": "textItems", "targetName": "pages"}],
    }
    assert embed["context"] == "/document/pages/*" and embed["dimensions"] == 256
    assert embed["inputs"] == [{"name": "text", "source": "/document/pages/*"}]
    assert embed["outputs"] == [{"name": "embedding", "targetName": "text_vector"}]
    projections = skillset["indexProjections"]
    assert projections["parameters"] == {"projectionMode": "skipIndexingParentDocuments"}
    assert projections["selectors"] == [
        {
            "targetIndexName": skillset["name"],
            "parentKeyFieldName": "parent_id",
            "sourceContext": "/document/pages/*",
            "mappings": [
                {"name": "path", "source": "/document/metadata_storage_path"},
                {"name": "chunk", "source": "/document/pages/*"},
                {"name": "vector", "source": "/document/pages/*/text_vector"},
            ],
        }
    ]


def test_the_short_form_takes_name_context_and_inputs(workspace):
    workspace.edit(
        workspace.skillset,
        "chunking:",
        "chunking:\n  name: cut\n  context: /document/sections/*\n  inputs: [{name: text, source: /document/x}]",
    )
    split, embed = workspace.render().skillset["skills"]
    assert (split["name"], split["context"]) == ("cut", "/document/sections/*")
    assert split["inputs"] == [{"name": "text", "source": "/document/x"}]
    assert embed["context"] == "/document/sections/*/pages/*"


def test_further_skills_and_shapes_pass_through(workspace):
    skill = {
        "@odata.type": "#Microsoft.Skills.Text.V3.LanguageDetectionSkill",
        "inputs": [],
        "outputs": [],
        "x": {"y": 1},
    }
    workspace.edit(workspace.skillset, "skills: []", f"skills: [{json.dumps(skill)}]")
    workspace.edit(
        workspace.index,
        "path: /document/metadata_storage_path",
        "path: {source: null, sourceContext: /document/pages/*, inputs: [{name: a, source: /document/b}]}",
    )
    skillset = workspace.render().skillset
    assert skillset["skills"][2] == skill
    mapping = skillset["indexProjections"]["selectors"][0]["mappings"][0]
    assert mapping["name"] == "path" and mapping["inputs"] == [{"name": "a", "source": "/document/b"}]


def test_the_vectorizer_stands_for_the_embedding(workspace):
    vector_search = workspace.render().index["vectorSearch"]
    assert vector_search["vectorizers"] == [
        {
            "name": "embedding",
            "kind": "azureOpenAI",
            "azureOpenAIParameters": {
                "resourceUri": "local",
                "deploymentId": "wordllama",
                "modelName": "wordllama",
            },
        }
    ]
    workspace.edit(workspace.index, "profiles:", "vectorizers: [{name: embedding, kind: aml}]\n    profiles:")
    assert workspace.render().index["vectorSearch"]["vectorizers"] == [{"name": "embedding", "kind": "aml"}]


def test_a_profile_without_vectorizer_gets_none(workspace):
    workspace.edit(workspace.index, ", vectorizer: embedding", "")
    assert "vectorizers" not in workspace.render().index["vectorSearch"]


def test_annotations_and_nulls_of_pasted_json_are_dropped(workspace):
    workspace.edit(workspace.index, "index:\n", 'index:\n  "@odata.etag": "0x1"\n  description: null\n  name: old\n')
    index = workspace.render().index
    assert "@odata.etag" not in index and "description" not in index and index["name"] != "old"


def test_data_source_and_indexer(workspace):
    bodies = workspace.render()
    assert bodies.data_source == {
        "name": bodies.data_source_name,
        "type": "azureblob",
        "credentials": {"connectionString": f"LocalFolder={workspace.root / 'infra/local/containers'}"},
        "container": {"name": "docs"},
        "dataDeletionDetectionPolicy": {
            "@odata.type": "#Microsoft.Azure.Search.NativeBlobSoftDeleteDeletionDetectionPolicy"
        },
    }
    assert bodies.indexer["fieldMappings"] == [
        {
            "sourceFieldName": "metadata_storage_path",
            "targetFieldName": "id",
            "mappingFunction": {"name": "base64Encode"},
        }
    ]
    assert bodies.indexer["parameters"] == {
        "maxFailedItems": -1,
        "maxFailedItemsPerBatch": -1,
        "configuration": {"parsingMode": "default", "dataToExtract": "contentAndMetadata"},
    }
    assert "schedule" not in bodies.indexer and bodies.schedule == {"interval": "PT1H"}


def test_what_the_source_says_goes_into_both(workspace):
    workspace.edit(
        workspace.index,
        "schedule: PT1H",
        "query: sub, parsingMode: jsonLines, configuration: {failOnUnsupportedContentType: false}, "
        "parameters: {batchSize: 5, maxFailedItems: 0}, fieldMappings: [{sourceFieldName: a, targetFieldName: b}], "
        "schedule: {interval: PT2H, startTime: 2026-01-01T00:00:00Z}, dataDeletionDetectionPolicy: {x: 1}",
    )
    bodies = workspace.render()
    assert bodies.data_source["container"] == {"name": "docs", "query": "sub"}
    assert bodies.data_source["dataDeletionDetectionPolicy"] == {"x": 1}
    parameters = bodies.indexer["parameters"]
    assert (parameters["batchSize"], parameters["maxFailedItems"]) == (5, 0)
    assert parameters["configuration"]["parsingMode"] == "jsonLines"
    assert parameters["configuration"]["failOnUnsupportedContentType"] is False
    key, other = bodies.indexer["fieldMappings"]
    # Each line of a blob is a document with a key of its own
    assert key["sourceFieldName"] == "AzureSearch_DocumentKey" and other["targetFieldName"] == "b"
    assert bodies.schedule == {"interval": "PT2H", "startTime": "2026-01-01T00:00:00Z"}


def test_a_connection_string_stays_a_reference(workspace):
    workspace.edit(
        workspace.environment, "{folder: infra/local/containers}", "{connectionString: \"{{ secret('C') }}\"}"
    )
    assert workspace.render().data_source["credentials"] == {"connectionString": "${secret:C}"}


@pytest.mark.parametrize(
    ("retrieval", "expected"),
    [
        ("{mode: text, top: 3}", {"search": "{{query}}", "top": 3}),
        (
            "{mode: vector, top: 3}",
            {"vectorQueries": [{"kind": "text", "text": "{{query}}", "fields": "vector", "k": 50}], "top": 3},
        ),
        (
            "{mode: hybrid, top: 4, k: 7, weight: 0.5, threshold: 0.8, request: {count: true, top: 9}}",
            {
                "search": "{{query}}",
                "vectorQueries": [
                    {
                        "kind": "text",
                        "text": "{{query}}",
                        "fields": "vector",
                        "k": 7,
                        "threshold": {"kind": "vectorSimilarity", "value": 0.8},
                        "weight": 0.5,
                    }
                ],
                "top": 9,
                "count": True,
            },
        ),
        (
            "{mode: vector, fields: [vector, other], weights: {vector: 2}}",
            {
                "vectorQueries": [
                    {"kind": "text", "text": "{{query}}", "fields": "vector", "k": 50, "weight": 2},
                    {"kind": "text", "text": "{{query}}", "fields": "other", "k": 50, "weight": 1.0},
                ],
                "top": 5,
            },
        ),
        (
            "{mode: vector, fields: [vector, other], threshold: {kind: searchScore, value: 0.6}}",
            {
                "vectorQueries": [
                    {
                        "kind": "text",
                        "text": "{{query}}",
                        "fields": "vector,other",
                        "k": 50,
                        "threshold": {"kind": "searchScore", "value": 0.6},
                    }
                ],
                "top": 5,
            },
        ),
    ],
)
def test_the_request_template(workspace, retrieval, expected):
    workspace.edit(workspace.index, '{mode: hybrid, top: 5, k: 50, request: {select: "id,path,chunk"}}', retrieval)
    assert workspace.render().search == expected


def test_a_template_is_filled_in_for_one_question():
    template = {
        "search": "{{query}}",
        "semanticQuery": "about {{query}}",
        "vectorQueries": [{"kind": "text", "text": "{{query}}"}, {"kind": "vector", "vector": [1]}],
        "filter": "a eq 1",
        "top": 5,
    }
    asked = search_body(template, 'say "{{query}}"', "b or c", top=50, count=None)
    assert asked == {
        "search": 'say "{{query}}"',
        "semanticQuery": 'about say "{{query}}"',
        "vectorQueries": [{"kind": "text", "text": 'say "{{query}}"'}, {"kind": "vector", "vector": [1]}],
        "filter": "(a eq 1) and (b or c)",
        "top": 50,
    }
    assert template["search"] == "{{query}}" and template["vectorQueries"][0]["text"] == "{{query}}"
    assert search_body({"search": "{{query}}"}, "x", "b") == {"search": "x", "filter": "b"}


def test_a_question_may_override_what_a_request_is_made_of():
    template = {"search": "{{query}}", "filter": "a eq 1", "top": 5}
    overrides = {"search": "title:{{query}}", "filter": "c eq 3", "query_text": "no such parameter"}
    assert search_body(template, "x", "b", **overrides) == {
        "search": "title:x",
        "filter": "(c eq 3) and (b)",
        "top": 5,
        "query_text": "no such parameter",
    }
    vectors = [{"kind": "text", "text": "{{query}}", "fields": "v"}]
    assert search_body(template, "x", filter=None, search=None, vectorQueries=vectors) == {
        "vectorQueries": [{"kind": "text", "text": "x", "fields": "v"}],
        "top": 5,
    }


def test_the_same_definitions_give_the_same_bytes(workspace):
    first, second = workspace.render(), workspace.render()
    assert repr(first) == repr(second)


def test_what_is_missing_is_named(workspace):
    project = workspace.load()
    with pytest.raises(UsageError, match="'dosc'") as raised:
        render(project, "dosc")
    assert "docs" in raised.value.hint
    workspace.edit(workspace.index, "skillset: docs", "skillset: dcos")
    workspace.edit(workspace.index, "connection: files", "connection: filse")
    with pytest.raises(DefinitionError) as found:
        workspace.render()
    assert [(p.code, p.location.line) for p in found.value.problems] == [("AZS501", 3), ("AZS502", 4)]
    assert "'docs'" in found.value.problems[0].hint and "'files'" in found.value.problems[1].hint


@pytest.mark.parametrize(
    ("configuration", "source"),
    [("{}", "AzureSearch_DocumentKey"), ("{markdownParsingSubmode: oneToOne}", "metadata_storage_path")],
)
def test_markdown_that_stays_whole_has_the_key_of_its_blob(workspace, configuration, source):
    edit = f"connection: files, parsingMode: markdown, configuration: {configuration}"
    workspace.edit(workspace.index, "connection: files", edit)
    assert workspace.render().indexer["fieldMappings"][0]["sourceFieldName"] == source
