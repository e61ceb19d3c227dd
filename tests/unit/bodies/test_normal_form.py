"""What the service adds to a body, and layout, make no difference."""

import copy
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from azsearch_ops.bodies.normal import normal
from azsearch_ops.contract.objects import OBJECTS

INDEX = {
    "name": "i",
    "fields": [
        {"name": "id", "type": "Edm.String", "key": True},
        {"name": "v", "type": "Collection(Edm.Single)", "dimensions": 3, "vectorSearchProfile": "p"},
        {
            "name": "rooms",
            "type": "Collection(Edm.ComplexType)",
            "fields": [{"name": "beds", "type": "Edm.Int32"}, {"name": "kind", "type": "Edm.String"}],
        },
    ],
    "vectorSearch": {"algorithms": [{"name": "a", "kind": "hnsw"}], "profiles": [{"name": "p", "algorithm": "a"}]},
    "scoringProfiles": [{"name": "s", "text": {"weights": {"id": 2}}}],
}

RETURNED = {
    "@odata.context": "https://x/$metadata#indexes/$entity",
    "@odata.etag": '"0x8DE"',
    "name": "i",
    "description": None,
    "defaultScoringProfile": None,
    "permissionFilterOption": None,
    "purviewEnabled": False,
    "fields": [
        {
            "name": "rooms",
            "type": "Collection(Edm.ComplexType)",
            "fields": [
                {"name": "kind", "type": "Edm.String", "searchable": True, "filterable": True, "retrievable": True,
                 "stored": True, "sortable": False, "facetable": True, "key": False, "synonymMaps": []},
                {"name": "beds", "type": "Edm.Int32", "searchable": False, "filterable": True, "retrievable": True,
                 "stored": True, "sortable": False, "facetable": True, "key": False, "synonymMaps": []},
            ],
        },
        {"name": "v", "type": "Collection(Edm.Single)", "searchable": True, "filterable": False, "retrievable": False,
         "stored": True, "sortable": False, "facetable": False, "key": False, "indexAnalyzer": None,
         "searchAnalyzer": None, "analyzer": None, "normalizer": None, "dimensions": 3, "vectorSearchProfile": "p",
         "vectorEncoding": None, "permissionFilter": None, "sensitivityLabel": None, "synonymMaps": []},
        {"name": "id", "type": "Edm.String", "searchable": True, "filterable": True, "retrievable": True,
         "stored": True, "sortable": True, "facetable": True, "key": True, "synonymMaps": []},
    ],
    "scoringProfiles": [{"name": "s", "functionAggregation": "sum", "text": {"weights": {"id": 2.0}}, "functions": []}],
    "corsOptions": None,
    "suggesters": [],
    "analyzers": [],
    "normalizers": [],
    "tokenizers": [],
    "tokenFilters": [],
    "charFilters": [],
    "encryptionKey": None,
    "similarity": {"@odata.type": "#Microsoft.Azure.Search.BM25Similarity", "k1": None, "b": None},
    "semantic": None,
    "vectorSearch": {
        "profiles": [{"name": "p", "algorithm": "a", "vectorizer": None, "compression": None}],
        "algorithms": [
            {"name": "a", "kind": "hnsw", "exhaustiveKnnParameters": None,
             "hnswParameters": {"metric": "cosine", "m": 4, "efConstruction": 400, "efSearch": 500}}
        ],
        "vectorizers": [],
        "compressions": [],
    },
}  # fmt: skip


def test_an_index_equals_what_the_service_returns_for_it():
    assert normal("index", INDEX) == normal("index", RETURNED)


def test_a_skillset_equals_what_the_service_returns_for_it():
    sent = {
        "name": "s",
        "skills": [
            {
                "@odata.type": "#Microsoft.Skills.Text.SplitSkill",
                "maximumPageLength": 2000,
                "inputs": [{"name": "text", "source": "/document/content"}],
                "outputs": [{"name": "textItems"}],
            },
            {"@odata.type": "#Microsoft.Skills.Other", "name": "o", "inputs": [], "outputs": []},
        ],
        "indexProjections": {
            "selectors": [
                {"targetIndexName": "i", "parentKeyFieldName": "p", "sourceContext": "/document/pages/*",
                 "mappings": [{"name": "b", "source": "/b"}, {"name": "a", "source": "/a"}]}
            ]
        },
    }  # fmt: skip
    returned = {
        "@odata.etag": "x",
        "name": "s",
        "description": None,
        "cognitiveServices": None,
        "knowledgeStore": None,
        "encryptionKey": None,
        "skills": [
            {"@odata.type": "#Microsoft.Skills.Other", "name": "o", "context": "/document", "description": None,
             "inputs": [], "outputs": []},
            {
                "@odata.type": "#Microsoft.Skills.Text.SplitSkill",
                "name": "#1",
                "description": None,
                "context": "/document",
                "defaultLanguageCode": "en",
                "textSplitMode": "pages",
                "maximumPageLength": 2000,
                "pageOverlapLength": 0,
                "maximumPagesToTake": 0,
                "unit": "characters",
                "azureOpenAITokenizerParameters": None,
                "inputs": [{"name": "text", "source": "/document/content", "sourceContext": None, "inputs": []}],
                "outputs": [{"name": "textItems", "targetName": "textItems"}],
            },
        ],
        "indexProjections": {
            "selectors": [
                {"targetIndexName": "i", "parentKeyFieldName": "p", "sourceContext": "/document/pages/*",
                 "mappings": [{"name": "a", "source": "/a", "sourceContext": None, "inputs": []},
                              {"name": "b", "source": "/b", "sourceContext": None, "inputs": []}]}
            ],
            "parameters": {"projectionMode": "includeIndexingParentDocuments"},
        },
    }  # fmt: skip
    assert normal("skillset", sent) == normal("skillset", returned)


def test_data_source_and_indexer_equal_what_the_service_returns():
    sent = {"name": "d", "type": "azureblob", "credentials": {"connectionString": "k"}, "container": {"name": "c"}}
    returned = {**sent, "description": None, "credentials": {"connectionString": None}, "identity": None,
                "container": {"name": "c", "query": None}, "dataChangeDetectionPolicy": None}  # fmt: skip
    assert normal("dataSource", sent) == normal("dataSource", returned)
    indexer = {
        "name": "x",
        "dataSourceName": "d",
        "targetIndexName": "i",
        "schedule": {"interval": "PT1H"},
        "fieldMappings": [{"sourceFieldName": "a", "targetFieldName": "a"}],
    }
    got = {
        **indexer,
        "disabled": None,
        "skillsetName": None,
        "schedule": {"interval": "PT60M", "startTime": "0001-01-01T00:00:00Z"},
        "fieldMappings": [{"sourceFieldName": "a", "targetFieldName": None, "mappingFunction": None}],
        "outputFieldMappings": [],
        "parameters": {"batchSize": None, "maxFailedItems": 0, "maxFailedItemsPerBatch": None, "configuration": {}},
        "cache": None,
    }
    assert normal("indexer", indexer) == normal("indexer", got)


def test_sentences_ignore_what_only_pages_have():
    base = {
        "@odata.type": "#Microsoft.Skills.Text.SplitSkill",
        "textSplitMode": "sentences",
        "inputs": [],
        "outputs": [],
    }
    assert normal("skill", base) == normal("skill", {**base, "maximumPageLength": 777, "unit": "azureOpenAITokens"})


def test_tokens_have_a_default_encoder():
    base = {"@odata.type": "#Microsoft.Skills.Text.SplitSkill", "unit": "azureOpenAITokens", "maximumPageLength": 500}
    stated = {**base, "azureOpenAITokenizerParameters": {"encoderModelName": "cl100k_base"}}
    assert normal("skill", base) == normal("skill", stated)
    other = {**base, "azureOpenAITokenizerParameters": {"encoderModelName": "r50k_base"}}
    assert normal("skill", base) != normal("skill", other)


def test_comma_lists_of_a_request_are_sets():
    assert normal("searchRequest", {"select": "b, a"}) == normal("searchRequest", {"select": "a,b", "top": 50})
    assert normal("searchRequest", {"orderby": "b,a"}) != normal("searchRequest", {"orderby": "a,b"})


@pytest.mark.parametrize(
    "change",
    [
        lambda body: body["fields"][0].update(filterable=False),
        lambda body: body["fields"][1].update(dimensions=4),
        lambda body: body["fields"].pop(),
        lambda body: body["fields"][2]["fields"][0].update(type="Edm.Int64"),
        lambda body: body.update(similarity={"@odata.type": "#Microsoft.Azure.Search.BM25Similarity", "b": 0.5}),
        lambda body: body["vectorSearch"]["algorithms"][0].update(hnswParameters={"m": 5}),
        lambda body: body["scoringProfiles"][0]["text"]["weights"].update(id=3),
    ],
)
def test_what_means_something_makes_a_difference(change):
    other = copy.deepcopy(INDEX)
    change(other)
    assert normal("index", other) != normal("index", INDEX)


bodies = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text("ab,", max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    *("name", "type", "fields", "skills", "key", "kind", "inputs", "x", "@odata.type", "@odata.etag"),
                    *("purviewEnabled", "synonymMaps", "similarity", "retrievable", "top", "schedule", "targetName"),
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("index", {"purviewEnabled": {"name": None}}),
        ("index", {"similarity": {"@odata.etag": "x"}}),
        ("field", {"type": "Edm.String", "filterable": {"x": {}}}),
        ("searchRequest", {"top": [], "count": {"@odata.context": "y"}}),
        ("outputMapping", {"targetName": {}}),
    ],
)
def test_what_comes_to_nothing_counts_as_left_out(kind, body):
    nothing = {"type": "Edm.String"} if kind == "field" else {}
    assert normal(kind, body) == normal(kind, nothing) == normal(kind, normal(kind, body))


@given(st.sampled_from(sorted(OBJECTS)), bodies)
@settings(max_examples=400, deadline=None)
def test_normalisation_is_idempotent_on_anything(kind, body):
    body = body if isinstance(body, dict) else {"name": body}
    once = normal(kind, body)
    assert normal(kind, once) == once
    assert normal(kind, json.loads(json.dumps(body))) == once


EXAMPLES = Path(__file__).parents[4] / "shared" / "spec"


@pytest.mark.skipif(not EXAMPLES.is_dir(), reason="the published request examples are not on this machine")
@pytest.mark.parametrize(
    ("kind", "name", "part"),
    [
        ("index", "Index", "index"),
        ("skillset", "Skillset", "skillset"),
        ("dataSource", "DataSource", "dataSource"),
        ("indexer", "Indexer", "indexer"),
    ],
)
def test_published_examples_equal_their_answers(kind, name, part):
    """Request and answer of Azure's own examples are one body, but for what the example itself leaves out."""
    path = EXAMPLES / "2024-11-01-preview" / "examples" / f"SearchServiceCreateOrUpdate{name}.json"
    example = json.loads(path.read_text(encoding="utf-8"))
    asked = normal(kind, example["parameters"][part])
    answered = normal(kind, example["responses"]["200"]["body"])
    assert normal(kind, answered) == answered
    differing = {key for key in {*asked, *answered} if asked.get(key) != answered.get(key)}
    assert not differing - {"encryptionKey", "identity", "knowledgeStore", "cognitiveServices", "name"}, differing
