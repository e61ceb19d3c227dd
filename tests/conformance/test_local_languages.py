"""Language Detection through the SDK: detected languages of documents, and what Text Split makes of each."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path

from azure.search.documents.indexes.models import (
    IndexProjectionMode,
    InputFieldMappingEntry,
    LanguageDetectionSkill,
    OutputFieldMappingEntry,
    SearchIndex,
    SearchIndexer,
    SearchIndexerDataSourceConnection,
    SearchIndexerIndexProjection,
    SearchIndexerIndexProjectionSelector,
    SearchIndexerIndexProjectionsParameters,
    SearchIndexerSkillset,
    SplitSkill,
)

TEXTS = {
    "en.txt": "The south stair is closed on Sunday. Visitors register at the desk and wear a badge at all times. " * 20,
    "tr.txt": "Güney merdiveni pazar günü kapalıdır. Ziyaretçiler masada kayıt olur ve her zaman kart takar. " * 20,
    "ja.txt": "南階段は日曜日に閉まります。来客は受付で登録し、常に名札を付けてください。" * 40,
    "el.txt": "Η νότια σκάλα είναι κλειστή την Κυριακή. Οι επισκέπτες φορούν πάντα την κάρτα εισόδου τους. " * 20,
    "uk.txt": "Південні сходи зачинені в неділю. Відвідувачі реєструються на стійці та завжди носять перепустку. " * 20,
}
FIELDS = [
    {"name": "id", "type": "Edm.String", "key": True, "analyzer": "keyword"},
    {"name": "parent", "type": "Edm.String", "filterable": True},
    {"name": "name", "type": "Edm.String", "filterable": True},
    {"name": "language", "type": "Edm.String", "filterable": True, "facetable": True},
    {"name": "score", "type": "Edm.Double"},
    {"name": "chunk", "type": "Edm.String"},
]


def skillset() -> SearchIndexerSkillset:
    detect = LanguageDetectionSkill(
        inputs=[InputFieldMappingEntry(name="text", source="/document/content")],
        outputs=[
            OutputFieldMappingEntry(name="languageCode", target_name="language"),
            OutputFieldMappingEntry(name="score", target_name="sure"),
        ],
    )
    cut = SplitSkill(
        text_split_mode="pages",
        maximum_page_length=500,
        inputs=[
            InputFieldMappingEntry(name="text", source="/document/content"),
            InputFieldMappingEntry(name="languageCode", source="/document/language"),
        ],
        outputs=[OutputFieldMappingEntry(name="textItems", target_name="pages")],
    )
    mappings = {
        "name": "/document/metadata_storage_name",
        "language": "/document/language",
        "score": "/document/sure",
        "chunk": "/document/pages/*",
    }
    projection = SearchIndexerIndexProjection(
        selectors=[
            SearchIndexerIndexProjectionSelector(
                target_index_name="chunks",
                parent_key_field_name="parent",
                source_context="/document/pages/*",
                mappings=[InputFieldMappingEntry(name=name, source=source) for name, source in mappings.items()],
            )
        ],
        parameters=SearchIndexerIndexProjectionsParameters(
            projection_mode=IndexProjectionMode.SKIP_INDEXING_PARENT_DOCUMENTS
        ),
    )
    return SearchIndexerSkillset(name="told", skills=[cut, detect], index_projection=projection)


def test_what_is_detected_decides_what_is_split(index_client, indexer_client, search_client, tmp_path: Path):
    (tmp_path / "docs").mkdir()
    for name, text in TEXTS.items():
        (tmp_path / "docs" / name).write_text(text, "utf-8")
    source = {
        "name": "docs",
        "type": "azureblob",
        "credentials": {"connectionString": f"LocalFolder={tmp_path}"},
        "container": {"name": "docs"},
    }
    indexer_client.create_data_source_connection(SearchIndexerDataSourceConnection(source))
    index_client.create_index(SearchIndex({"name": "chunks", "fields": FIELDS}))
    indexer_client.create_skillset(skillset())
    indexer_client.create_indexer(
        SearchIndexer(name="told", data_source_name="docs", target_index_name="chunks", skillset_name="told")
    )
    deadline = time.monotonic() + 60
    while (last := indexer_client.get_indexer_status("told").last_result) is None or last.status == "inProgress":
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert last.status == "success", last
    chunks = list(search_client("chunks").search("*", top=1000))
    assert {chunk["name"]: chunk["language"] for chunk in chunks} == {name: name[:2] for name in TEXTS}
    assert all(0.5 < chunk["score"] <= 1 for chunk in chunks)
    counts = Counter(chunk["name"] for chunk in chunks)
    assert counts["el.txt"] == counts["uk.txt"] == 1, "not in Text Split's list: whole, however long"
    assert min(counts["en.txt"], counts["tr.txt"], counts["ja.txt"]) >= 3
    whole = {chunk["name"]: chunk["chunk"] for chunk in chunks if counts[chunk["name"]] == 1}
    assert whole == {name: TEXTS[name] for name in ("el.txt", "uk.txt")}
    told = [warning.details for warning in last.warnings]
    assert len(told) == 2 and all("languageCode" in details for details in told)
    assert {"'el'" in details for details in told} == {"'uk'" in details for details in told} == {True, False}
