"""The contract has every property that the SDK's typed models have, under the same wire name.

It was made from the versions up to KNOWN. A later SDK may know properties of a later api-version: that is told, by
skipping with their names, and is no fault of a definition that a version of today takes.
"""

from importlib.metadata import version

import pytest
from packaging.version import Version

models = pytest.importorskip("azure.search.documents.indexes.models")
requests = pytest.importorskip("azure.search.documents.models._models")

from azsearch_ops.contract.analysis import COMPONENT_TYPES  # noqa: E402
from azsearch_ops.contract.analysis_names import (  # noqa: E402
    ANALYZERS,
    CHAR_FILTERS,
    NORMALIZERS,
    TOKEN_FILTERS,
    TOKENIZERS,
)
from azsearch_ops.contract.objects import OBJECTS, is_open, properties_of  # noqa: E402

INSTALLED = Version(version("azure-search-documents"))
KNOWN = Version("12.1.0b2")


def assert_known(names, rows):
    """The names are among the contract's rows; of a later SDK those that are not are skipped with a word."""
    new = sorted(set(names) - set(rows))
    if new and INSTALLED > KNOWN:
        pytest.skip(f"azure-search-documents {INSTALLED} is newer than the contract, which lacks {', '.join(new)}")
    assert new == []


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
    "SearchResourceEncryptionKey": ("encryptionKey", {}),
    "AzureActiveDirectoryApplicationCredentials": ("accessCredentials", {}),
    "SearchIndexerDataUserAssignedIdentity": ("identity", {}),
    "TextWeights": ("textWeights", {}),
    "DistanceScoringFunction": ("scoringFunction", {}),
    "DistanceScoringParameters": ("distanceFunction", {}),
    "FreshnessScoringFunction": ("scoringFunction", {}),
    "FreshnessScoringParameters": ("freshnessFunction", {}),
    "MagnitudeScoringFunction": ("scoringFunction", {}),
    "MagnitudeScoringParameters": ("magnitudeFunction", {}),
    "TagScoringFunction": ("scoringFunction", {}),
    "TagScoringParameters": ("tagFunction", {}),
    "FieldMappingFunction": ("mappingFunction", {}),
    "DataSourceCredentials": ("credentials", {}),
    "ScalarQuantizationParameters": ("scalarParameters", {}),
    "ExhaustiveKnnParameters": ("exhaustiveParameters", {}),
    "WebApiVectorizerParameters": ("customWebApiParameters", {}),
    "AzureMachineLearningParameters": ("amlParameters", {}),
    "ChatCompletionCommonModelParameters": ("chatModelParameters", {}),
    "ChatCompletionResponseFormat": ("chatResponseFormat", {}),
    "ChatCompletionSchemaProperties": ("chatSchemaProperties", {}),
    "DocumentIntelligenceLayoutSkillChunkingProperties": ("layoutChunking", {}),
    "ContentUnderstandingSkillChunkingProperties": ("understandingChunking", {}),
    "CustomEntity": ("customEntity", {}),
    "CustomEntityAlias": ("customEntityAlias", {}),
    "SearchIndexerKnowledgeStore": ("knowledgeStore", {}),
    "SearchIndexerKnowledgeStoreProjection": ("knowledgeProjection", {}),
    "SearchIndexerKnowledgeStoreTableProjectionSelector": ("knowledgeSelector", {}),
    "SearchIndexerKnowledgeStoreFileProjectionSelector": ("knowledgeSelector", {}),
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
    assert_known(names, properties_of(kind, discriminator))


FAMILIES = {
    "SearchIndexerSkill": ("skill", "@odata.type"),
    "LexicalAnalyzer": ("analysis", "@odata.type"),
    "LexicalTokenizer": ("analysis", "@odata.type"),
    "LexicalNormalizer": ("analysis", "@odata.type"),
    "TokenFilter": ("analysis", "@odata.type"),
    "CharFilter": ("analysis", "@odata.type"),
    "CognitiveServicesAccount": ("cognitiveServices", "@odata.type"),
    "DataChangeDetectionPolicy": ("changeDetection", "@odata.type"),
    "DataDeletionDetectionPolicy": ("deletionDetection", "@odata.type"),
    "VectorSearchVectorizer": ("vectorizer", "kind"),
    "VectorSearchCompression": ("compression", "kind"),
    "VectorSearchAlgorithmConfiguration": ("vectorAlgorithm", "kind"),
}
MEMBERS = [
    (kind, discriminator, value, model)
    for base, (kind, discriminator) in FAMILIES.items()
    for value, model in sorted(getattr(models, base).__mapping__.items())
]


@pytest.mark.parametrize(("kind", "discriminator", "value", "model"), MEMBERS, ids=[m[2] for m in MEMBERS])
def test_every_member_of_a_family_of_models_is_a_closed_variant(kind, discriminator, value, model):
    body = {discriminator: value}
    assert_known([value], OBJECTS[kind].variants)
    assert_known(wire_names(model), properties_of(kind, body))
    assert not is_open(kind, body)


def test_every_component_type_of_the_sdk_stands_in_its_list():
    for part, base in (
        ("analyzers", "LexicalAnalyzer"),
        ("tokenizers", "LexicalTokenizer"),
        ("normalizers", "LexicalNormalizer"),
        ("tokenFilters", "TokenFilter"),
        ("charFilters", "CharFilter"),
    ):
        assert_known(getattr(models, base).__mapping__, COMPONENT_TYPES[part])


@pytest.mark.parametrize(
    ("enumeration", "names"),
    [
        ("LexicalAnalyzerName", ANALYZERS),
        ("LexicalTokenizerName", TOKENIZERS),
        ("TokenFilterName", TOKEN_FILTERS),
        ("CharFilterName", CHAR_FILTERS),
        ("LexicalNormalizerName", NORMALIZERS),
    ],
)
def test_every_built_in_name_of_the_sdk_is_known(enumeration, names):
    assert_known({member.value for member in getattr(models, enumeration)}, names)


@pytest.mark.parametrize(
    ("name", "kind"), [("SearchRequest", "searchRequest"), ("VectorizableTextQuery", "vectorQuery")]
)
def test_every_wire_name_of_a_request_is_in_the_contract(name, kind):
    names = wire_names(getattr(requests, name))
    assert names
    assert_known(names, OBJECTS[kind].properties)


@pytest.mark.skipif(INSTALLED.is_prerelease, reason="a stable SDK of 2026-04-01 has no preview in it")
def test_what_the_contract_calls_preview_is_not_in_the_stable_sdk():
    stable = wire_names(models.SplitSkill) | wire_names(requests.VectorizableTextQuery)
    for name in ("unit", "azureOpenAITokenizerParameters", "threshold", "filterOverride"):
        assert name not in stable
