"""The unpatched SDK creating an index, uploading, hybrid-searching and moving an alias; and its other clients."""

from __future__ import annotations

import copy
from collections.abc import Callable
from pathlib import Path

import pytest
from azure.core import MatchConditions
from azure.core.exceptions import (
    HttpResponseError,
    ResourceExistsError,
    ResourceModifiedError,
    ResourceNotFoundError,
)
from azure.search.documents import SearchClient, SearchIndexingBufferedSender
from azure.search.documents.indexes import SearchIndexClient, SearchIndexerClient
from azure.search.documents.indexes.models import (
    AzureOpenAIVectorizer,
    AzureOpenAIVectorizerParameters,
    ExhaustiveKnnAlgorithmConfiguration,
    SearchableField,
    SearchAlias,
    SearchField,
    SearchFieldDataType,
    SearchIndex,
    SearchIndexer,
    SearchIndexerDataContainer,
    SearchIndexerDataSourceConnection,
    SimpleField,
    SynonymMap,
    VectorSearch,
    VectorSearchProfile,
)
from azure.search.documents.models import VectorizableTextQuery, VectorizedQuery

TEXTS = {
    "bicycle": "How to repair the chain of a bicycle",
    "invoice": "Invoices are paid within thirty days",
    "holiday": "Employees ask for annual leave two weeks ahead",
    "password": "Passwords are changed when they may have been seen by others",
}


def an_index(name: str) -> SearchIndex:
    return SearchIndex(
        name=name,
        fields=[
            SimpleField(name="id", type=SearchFieldDataType.STRING, key=True, filterable=True, sortable=True),
            SearchableField(name="text", analyzer_name="en.lucene"),
            SearchField(
                name="vector",
                type=SearchFieldDataType.Collection(SearchFieldDataType.SINGLE),
                searchable=True,
                vector_search_dimensions=256,
                vector_search_profile_name="profile",
            ),
        ],
        vector_search=VectorSearch(
            algorithms=[ExhaustiveKnnAlgorithmConfiguration(name="exact")],
            profiles=[
                VectorSearchProfile(name="profile", algorithm_configuration_name="exact", vectorizer_name="embedding")
            ],
            vectorizers=[
                AzureOpenAIVectorizer(
                    vectorizer_name="embedding",
                    parameters=AzureOpenAIVectorizerParameters(
                        resource_url="https://example.openai.azure.com", deployment_name="e", model_name="m"
                    ),
                )
            ],
        ),
    )


def fill(service, client: SearchClient, texts: dict[str, str]) -> None:
    with service.http() as http:
        body = {"input": list(texts.values()), "model": "any"}
        vectors = [row["embedding"] for row in http.post("/v1/embeddings", json=body).json()["data"]]
    rows = [{"id": key, "text": text, "vector": v} for (key, text), v in zip(texts.items(), vectors, strict=True)]
    assert all(result.succeeded for result in client.upload_documents(rows))


def test_index_upload_hybrid_search_and_alias(
    service, index_client: SearchIndexClient, search_client: Callable[[str], SearchClient]
):
    index_client.create_index(an_index("blue"))
    index_client.create_index(an_index("green"))
    fill(service, search_client("blue"), TEXTS)
    fill(service, search_client("green"), {"holiday": TEXTS["holiday"]})
    index_client.create_alias(SearchAlias(name="live", indexes=["blue"]))

    live = search_client("live")
    assert live.get_document_count() == 4
    question = VectorizableTextQuery(text="vacation request", k_nearest_neighbors=4, fields="vector")
    by_meaning = list(live.search(vector_queries=[question]))
    assert by_meaning[0]["id"] == "holiday"
    assert "vector" not in by_meaning[0]
    hybrid = list(live.search("bicycle chain", vector_queries=[question], top=2, select=["id"]))
    assert [row["id"] for row in hybrid] == ["bicycle", "holiday"]
    assert 2 / 60 >= hybrid[0]["@search.score"] > 1 / 60
    counted = live.search("paid OR changed", include_total_count=True, filter="id ne 'invoice'")
    assert counted.get_count() == 1
    assert next(iter(counted))["id"] == "password"

    index_client.create_or_update_alias(SearchAlias(name="live", indexes=["green"]))
    assert live.get_document_count() == 1
    assert live.get_document("holiday")["text"] == TEXTS["holiday"]
    with pytest.raises(ResourceNotFoundError):
        live.get_document("bicycle")
    with pytest.raises(HttpResponseError) as refused:
        index_client.delete_index("green")
    assert refused.value.status_code == 400
    index_client.delete_index("blue")
    assert [name for name in index_client.list_index_names()] == ["green"]
    assert index_client.get_alias("live").indexes == ["green"]


def test_vectors_that_are_sent(service, index_client: SearchIndexClient, search_client: Callable[[str], SearchClient]):
    index_client.create_index(an_index("vectors"))
    client = search_client("vectors")
    units = {f"d{n}": [float(n == m) for m in range(256)] for n in range(3)}
    client.upload_documents([{"id": key, "vector": vector} for key, vector in units.items()])
    query = VectorizedQuery(vector=[0.8, 0.6, *[0.0] * 254], k_nearest_neighbors=2, fields="vector")
    rows = list(client.search(vector_queries=[query]))
    assert [row["id"] for row in rows] == ["d0", "d1"]
    assert rows[0]["@search.score"] == pytest.approx(1 / (2 - 0.8), rel=1e-6)


def test_all_pages_are_followed(index_client: SearchIndexClient, search_client: Callable[[str], SearchClient]):
    index_client.create_index(an_index("many"))
    client = search_client("many")
    client.upload_documents([{"id": f"{n:03d}", "text": "same words"} for n in range(120)])
    assert len({row["id"] for row in client.search("words", order_by=["id"])}) == 120
    assert len(list(client.search("words", top=70))) == 70


def test_etags_through_match_conditions(index_client: SearchIndexClient):
    first = index_client.create_index(an_index("guarded"))
    stale = copy.deepcopy(first)
    first.description = "touched"
    index_client.create_or_update_index(first, match_condition=MatchConditions.IfNotModified)
    with pytest.raises(ResourceModifiedError):
        index_client.create_or_update_index(stale, match_condition=MatchConditions.IfNotModified)
    with pytest.raises(ResourceExistsError):
        index_client.create_or_update_index(an_index("guarded"), match_condition=MatchConditions.IfMissing)
    with pytest.raises(HttpResponseError) as taken:
        index_client.create_index(an_index("guarded"))
    assert taken.value.error.code == "ResourceNameAlreadyInUse"


def test_a_batch_that_fails_in_part(index_client: SearchIndexClient, search_client: Callable[[str], SearchClient]):
    index_client.create_index(an_index("partly"))
    results = search_client("partly").merge_documents([{"id": "missing", "text": "x"}])
    assert [(r.key, r.succeeded, r.status_code) for r in results] == [("missing", False, 404)]


def test_the_buffered_sender(service, index_client: SearchIndexClient, search_client: Callable[[str], SearchClient]):
    from azure.core.credentials import AzureKeyCredential

    index_client.create_index(an_index("buffered"))
    with SearchIndexingBufferedSender(service.endpoint, "buffered", AzureKeyCredential("conformance-key")) as sender:
        for start in range(0, 1500, 100):
            sender.upload_documents([{"id": str(start + n), "text": "text"} for n in range(100)])
    assert search_client("buffered").get_document_count() == 1500


def test_statistics_and_synonym_maps(index_client: SearchIndexClient):
    index_client.create_synonym_map(SynonymMap(name="words", synonyms=["holiday, leave", "bike => bicycle"]))
    assert index_client.get_synonym_map("words").synonyms == ["holiday, leave", "bike => bicycle"]
    counters = index_client.get_service_statistics().counters
    assert counters.index_counter.quota == 50
    assert counters.synonym_map_counter.usage == 1


def test_an_indexer_through_the_sdk(
    service, index_client: SearchIndexClient, indexer_client: SearchIndexerClient, tmp_path: Path
):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# Chains\n\nA chain needs oil.", "utf-8")
    index_client.create_index(
        SearchIndex(
            name="blobs",
            fields=[
                SimpleField(name="key", type=SearchFieldDataType.STRING, key=True),
                SearchableField(name="content"),
                SimpleField(name="metadata_storage_name", type=SearchFieldDataType.STRING),
            ],
        )
    )
    indexer_client.create_data_source_connection(
        SearchIndexerDataSourceConnection(
            name="source",
            type="azureblob",
            connection_string=f"LocalFolder={tmp_path}",
            container=SearchIndexerDataContainer(name="docs"),
        )
    )
    indexer_client.create_indexer(
        SearchIndexer(
            name="reader",
            data_source_name="source",
            target_index_name="blobs",
            is_disabled=True,
            field_mappings=[
                {
                    "sourceFieldName": "metadata_storage_path",
                    "targetFieldName": "key",
                    "mappingFunction": {"name": "base64Encode"},
                }
            ],
        )
    )
    assert indexer_client.get_indexer_status("reader").last_result is None
    source = indexer_client.get_data_source_connection("source")
    assert source.credentials.connection_string is None
    indexer_client.delete_indexer("reader")
    with pytest.raises(ResourceNotFoundError):
        indexer_client.get_indexer("reader")
