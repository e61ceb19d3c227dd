"""The edge to the SDK: bodies go in and come out as they are, kind by kind, through public names alone."""

import ast
from pathlib import Path

import azure.search.documents.indexes.models as models
import pytest

import azsearch_ops.service
from azsearch_ops.service.kinds import KINDS

OWN = {"name": "a", "x-unknown": {"deep": [1, {"y": None}]}, "@odata.etag": '"0x1"'}
BODIES = {
    "index": {**OWN, "fields": [{"name": "id", "type": "Edm.String", "key": True, "later": 1}]},
    "alias": {**OWN, "indexes": ["docs"]},
    "dataSource": {
        **OWN,
        "type": "azureblob",
        "credentials": {"connectionString": None},
        "container": {"name": "docs", "query": "a"},
    },
    "skillset": {
        **OWN,
        "skills": [{"@odata.type": "#Microsoft.Skills.Text.SplitSkill", "unit": "azureOpenAITokens", "inputs": []}],
    },
    "indexer": {**OWN, "dataSourceName": "d", "targetIndexName": "i", "parameters": {"configuration": {"new": True}}},
    "synonymMap": {**OWN, "format": "solr", "synonyms": "a, b"},
}

MODELS = {
    "index": "SearchIndex",
    "alias": "SearchAlias",
    "dataSource": "SearchIndexerDataSourceConnection",
    "skillset": "SearchIndexerSkillset",
    "indexer": "SearchIndexer",
    "synonymMap": "SynonymMap",
}


@pytest.mark.parametrize("kind", KINDS)
def test_a_body_comes_out_as_it_went_in(kind):
    """azure-sdk-for-python#47873: `Model(body)` and `.as_dict()` keep what the model does not know."""
    model = getattr(models, MODELS[kind])
    assert model(BODIES[kind]).as_dict() == BODIES[kind]


def test_nothing_private_of_the_sdk_is_imported():
    room = Path(azsearch_ops.service.__file__).parents[1]
    found = []
    for file in sorted(room.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            names += [alias.name for alias in getattr(node, "names", [])] if isinstance(node, ast.Import) else []
            found += [f"{file.name}: {n}" for n in names if n.startswith("azure.") and "._" in n]
    assert found == []
