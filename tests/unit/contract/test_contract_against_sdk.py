"""The contract has every property that the SDK's typed models of 2026-04-01 have, under the same wire name."""

import pytest

models = pytest.importorskip("azure.search.documents.indexes.models")
requests = pytest.importorskip("azure.search.documents.models._models")

from azsearch_ops.contract.objects import OBJECTS, properties_of  # noqa: E402

PAIRS = {
    "SearchIndex": ("index", {}),
    "SearchField": ("field", {}),
    "SearchIndexer": ("indexer", {}),
    "SearchIndexerDataSourceConnection": ("dataSource", {}),
    "SearchIndexerDataContainer": ("dataContainer", {}),
    "SearchIndexerSkillset": ("skillset", {}),
    "SearchAlias": ("alias", {}),
    "SynonymMap": ("synonymMap", {}),
    "SplitSkill": ("skill", {"@odata.type": "#Microsoft.Skills.Text.SplitSkill"}),
    "AzureOpenAIEmbeddingSkill": ("skill", {"@odata.type": "#Microsoft.Skills.Text.AzureOpenAIEmbeddingSkill"}),
    "SearchIndexerIndexProjection": ("indexProjections", {}),
    "SearchIndexerIndexProjectionSelector": ("selector", {}),
    "SearchIndexerIndexProjectionsParameters": ("projectionParameters", {}),
    "IndexingParameters": ("indexingParameters", {}),
    "IndexingParametersConfiguration": ("indexerConfiguration", {}),
    "IndexingSchedule": ("schedule", {}),
    "FieldMapping": ("fieldMapping", {}),
    "InputFieldMappingEntry": ("inputMapping", {}),
    "OutputFieldMappingEntry": ("outputMapping", {}),
    "VectorSearch": ("vectorSearch", {}),
    "VectorSearchProfile": ("vectorProfile", {}),
    "HnswAlgorithmConfiguration": ("vectorAlgorithm", {"kind": "hnsw"}),
    "HnswParameters": ("hnswParameters", {}),
    "ExhaustiveKnnAlgorithmConfiguration": ("vectorAlgorithm", {"kind": "exhaustiveKnn"}),
    "AzureOpenAIVectorizer": ("vectorizer", {"kind": "azureOpenAI"}),
    "AzureOpenAIVectorizerParameters": ("azureOpenAIParameters", {}),
    "WebApiVectorizer": ("vectorizer", {"kind": "customWebApi"}),
    "ScalarQuantizationCompression": ("compression", {"kind": "scalarQuantization"}),
    "BinaryQuantizationCompression": ("compression", {"kind": "binaryQuantization"}),
    "RescoringOptions": ("rescoringOptions", {}),
    "SemanticSearch": ("semantic", {}),
    "SemanticConfiguration": ("semanticConfiguration", {}),
    "SemanticPrioritizedFields": ("prioritizedFields", {}),
    "SemanticField": ("semanticField", {}),
    "BM25SimilarityAlgorithm": ("similarity", {}),
    "SearchSuggester": ("suggester", {}),
    "CorsOptions": ("corsOptions", {}),
    "ScoringProfile": ("scoringProfile", {}),
    "PatternAnalyzer": ("analysis", {"@odata.type": "#Microsoft.Azure.Search.PatternAnalyzer"}),
}


def wire_names(model):
    """The REST names of a model's members, from the descriptors that its generated class has."""
    found = set()
    for kind in model.__mro__:
        for attribute, descriptor in vars(kind).items():
            if hasattr(descriptor, "_rest_name_input"):
                found.add(descriptor._rest_name_input or attribute)
    return found - {"@odata.etag"}


@pytest.mark.parametrize("name", sorted(PAIRS))
def test_every_wire_name_of_a_model_is_in_the_contract(name):
    kind, discriminator = PAIRS[name]
    names = wire_names(getattr(models, name))
    assert names, "the SDK's models no longer tell their wire names in this way"
    assert names <= set(properties_of(kind, discriminator))


@pytest.mark.parametrize(
    ("name", "kind"), [("SearchRequest", "searchRequest"), ("VectorizableTextQuery", "vectorQuery")]
)
def test_every_wire_name_of_a_request_is_in_the_contract(name, kind):
    names = wire_names(getattr(requests, name))
    assert names and names <= set(OBJECTS[kind].properties)


def test_what_the_contract_calls_preview_is_not_in_the_stable_sdk():
    stable = wire_names(models.SplitSkill) | wire_names(requests.VectorizableTextQuery)
    for name in ("unit", "azureOpenAITokenizerParameters", "threshold", "filterOverride"):
        assert name not in stable
