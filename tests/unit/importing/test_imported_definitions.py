"""Bodies of a service as definitions: short forms where they fit, no key in a file, no template where none was."""

import json
import re

import pytest
import yaml

from azsearch_ops.definitions.project import load_project
from azsearch_ops.verbs.importing.connection import with_connection
from azsearch_ops.verbs.importing.definitions import (
    Fields,
    Found,
    fields_of,
    index_definition,
    literal,
    skillset_definition,
)

SPLIT = {
    "@odata.type": "#Microsoft.Skills.Text.SplitSkill",
    "name": "#1",
    "context": "/document",
    "textSplitMode": "pages",
    "maximumPageLength": 2000,
    "pageOverlapLength": 500,
    "unit": None,
    "inputs": [{"name": "text", "source": "/document/content", "sourceContext": None, "inputs": []}],
    "outputs": [{"name": "textItems", "targetName": "pages"}],
}
EMBED = {
    "@odata.type": "#Microsoft.Skills.Text.AzureOpenAIEmbeddingSkill",
    "name": "embedding",
    "context": "/document/pages/*",
    "resourceUri": "https://models.example",
    "apiKey": "<redacted>",
    "deploymentId": "embed",
    "modelName": "text-embedding-3-small",
    "dimensions": 1536,
    "inputs": [{"name": "text", "source": "/document/pages/*"}],
    "outputs": [{"name": "embedding", "targetName": "text_vector"}],
}


def skillset(*skills):
    return {"@odata.etag": '"1"', "name": "s", "description": None, "skills": list(skills)}


def test_the_usual_skills_become_short_forms():
    made = skillset_definition(skillset(EMBED, SPLIT), "docs")
    assert made["chunking"] == {
        "name": "#1",
        "textSplitMode": "pages",
        "maximumPageLength": 2000,
        "pageOverlapLength": 500,
    }
    assert made["embedding"] == {
        "resourceUri": "https://models.example",
        "apiKey": "{{ secret('DOCS_API_KEY') }}",
        "deploymentId": "embed",
        "modelName": "text-embedding-3-small",
        "dimensions": 1536,
    }
    assert "skills" not in made


def test_a_skill_with_another_output_stays_as_it_is():
    other = {**SPLIT, "outputs": [{"name": "textItems", "targetName": "chunks"}]}
    made = skillset_definition(skillset(other), "docs")
    assert "chunking" not in made
    assert made["skills"][0]["outputs"] == [{"name": "textItems", "targetName": "chunks"}]
    assert "unit" not in made["skills"][0]


def found(**indexer):
    index = {
        "name": "docs-2024",
        "fields": [
            {"name": "id", "type": "Edm.String", "key": True, "retrievable": True},
            {"name": "body", "type": "Edm.String", "retrievable": True},
            {"name": "secret", "type": "Edm.String", "retrievable": False},
        ],
    }
    source = {"name": "ds", "type": "azureblob", "container": {"name": "docs", "query": None}}
    return Found(index, None, source, {"name": "ix", "fieldMappings": [], **indexer})


def test_without_a_skillset_the_indexer_writes_documents_themselves():
    mapped = found(
        parameters={"batchSize": 5, "configuration": {"parsingMode": "json"}},
        schedule={"interval": "PT1H", "startTime": "2020-01-01T00:00:00Z"},
        fieldMappings=[{"sourceFieldName": "content", "targetFieldName": "body", "mappingFunction": None}],
    )
    made = index_definition(mapped, "docs", "docs-live", "docs", fields_of(mapped))
    assert "skillset" not in made and "projection" not in made
    assert made["adopt"] == "docs-2024"
    assert made["source"] == {
        "type": "azureblob",
        "connection": "docs",
        "container": "docs",
        "parsingMode": "json",
        "schedule": {"interval": "PT1H", "startTime": "2020-01-01T00:00:00Z"},
        "parameters": {"maxFailedItems": 0, "maxFailedItemsPerBatch": 0, "batchSize": 5},
        "fieldMappings": [{"sourceFieldName": "content", "targetFieldName": "body"}],
        "keyMapping": False,
    }
    assert made["retrieval"] == {"mode": "text", "top": 5, "request": {"select": "id,body"}}


def test_a_schedule_without_a_start_is_an_interval():
    hourly = found(schedule={"interval": "PT1H", "startTime": None})
    assert index_definition(hourly, "docs", "docs-live", "docs", fields_of(hourly))["source"]["schedule"] == "PT1H"


def test_a_named_field_counts_where_none_can_be_found():
    assert fields_of(found()) == Fields(None, None)
    assert "evaluation" not in index_definition(found(), "d", "d-live", "c", Fields(None, "body"))
    assert "evaluation" in index_definition(found(), "d", "d-live", "c", Fields("id", "body"))


@pytest.mark.parametrize("text", ["{{ not.a.variable }}", "{% if %}", "a 'quoted' {{ \\ }}\n{# x #}", "plain"])
def test_text_that_looks_like_a_template_stays_that_text(workspace, text):
    workspace.edit(workspace.skillset, "name: docs\n", f"name: docs\ndescription: {json.dumps(literal(text))}\n")
    project = load_project(workspace.root, "local", {})
    assert project.skillsets["docs"].description == text


@pytest.mark.parametrize(
    "text",
    [
        "endpoint: local\nconnections:\n  docs: {folder: here}   # kept\nprefix: x\n",
        "endpoint: local\nconnections:   # what differs\n    docs: {folder: here}\n",
        "endpoint: local\nconnections: {docs: {folder: here}}\n",
        "endpoint: local\nconnections: {}\n",
        "endpoint: local   # no connection yet",
    ],
)
def test_a_connection_is_added_and_the_rest_of_the_file_stays(text):
    before, after = yaml.safe_load(text), yaml.safe_load(with_connection(text, "wiki: {dataSource: wiki-docs}"))
    assert after.pop("connections") == {**(before.get("connections") or {}), "wiki": {"dataSource": "wiki-docs"}}
    before.pop("connections", None)
    assert after == before
    assert all(word in with_connection(text, "wiki: {dataSource: x}") for word in re.findall("#.*", text))
