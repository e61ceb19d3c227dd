"""Runs over blobs that hold entities, and texts that are longer than the model's window."""

from __future__ import annotations

import json
from typing import Any

import pytest

from azsearch_ops.local.indexing.mapping import base64_decode

EMBED_ONLY = {
    "name": "ready",
    "skills": [
        {
            "@odata.type": "#Microsoft.Skills.Text.AzureOpenAIEmbeddingSkill",
            "context": "/document",
            "resourceUri": "https://example.openai.azure.com",
            "deploymentId": "small",
            "modelName": "text-embedding-3-small",
            "dimensions": 2,
            "inputs": [{"name": "text", "source": "/document/text"}],
            "outputs": [{"name": "embedding", "targetName": "vector"}],
        }
    ],
    "indexProjections": {
        "selectors": [
            {
                "targetIndexName": "chunks",
                "parentKeyFieldName": "parent_id",
                "sourceContext": "/document",
                "mappings": [
                    {"name": "chunk", "source": "/document/text"},
                    {"name": "vector", "source": "/document/vector"},
                    {"name": "title", "source": "/document/metadata_storage_name"},
                ],
            }
        ],
        "parameters": {"projectionMode": "skipIndexingParentDocuments"},
    },
}


def lines(*texts: str) -> str:
    return "".join(json.dumps({"text": text}) + "\n" for text in texts)


@pytest.fixture
def ready(handbook: Any) -> Any:
    handbook.skillset = json.loads(json.dumps(EMBED_ONLY))
    handbook.configure(parsingMode="jsonLines")
    return handbook


def test_ready_made_chunks_come_in_as_lines(ready: Any) -> None:
    ready.put("a.jsonl", lines("one", "two", "three"))
    ready.put("b.jsonl", lines("four"))
    result = ready.run()
    assert (result.status, result.itemsProcessed, result.itemsFailed, result.warnings) == ("success", 4, 0, ())
    found = {base64_decode(chunk["parent_id"]).rpartition("/")[2]: chunk for chunk in ready.chunks.values()}
    assert {name: (chunk["chunk"], chunk["vector"]) for name, chunk in found.items()} == {
        "a.jsonl;1": ("one", [3.0, 1.0]),
        "a.jsonl;2": ("two", [3.0, 1.0]),
        "a.jsonl;3": ("three", [5.0, 1.0]),
        "b.jsonl;1": ("four", [4.0, 1.0]),
    }
    assert len(ready.service.embedded) == 1, "all lines of a batch in one request"
    assert ready.run().itemsProcessed == 0


def test_a_changed_blob_updates_its_lines_and_leaves_those_that_are_gone(ready: Any) -> None:
    """As documented: a line that is deleted does not delete its document; the deletion of the blob takes them all."""
    ready.put("a.jsonl", lines("one", "two", "three"))
    ready.run()
    ready.put("a.jsonl", lines("uno", "two"))
    ready.run()
    assert sorted(chunk["chunk"] for chunk in ready.chunks.values()) == ["three", "two", "uno"]
    (ready.folder / "a.jsonl").unlink()
    assert ready.run().itemsProcessed == 3
    assert ready.chunks == {}


def test_a_bad_line_fails_alone_and_is_tried_again(ready: Any) -> None:
    ready.put("a.jsonl", lines("one") + "{broken\n" + lines("three"))
    result = ready.run()
    assert (result.itemsProcessed, result.itemsFailed, result.status) == (3, 1, "transientFailure")
    assert result.errors[0]["key"].endswith("/handbook/a.jsonl;2")
    ready.indexer["parameters"]["maxFailedItems"] = -1
    ready.indexer["parameters"]["maxFailedItemsPerBatch"] = -1
    again = ready.run()
    assert (again.itemsProcessed, again.itemsFailed) == (1, 1), "only the line that failed is tried again"
    ready.put("a.jsonl", lines("one", "two", "three"))
    assert ready.run().itemsFailed == 0
    assert sorted(chunk["chunk"] for chunk in ready.chunks.values()) == ["one", "three", "two"]
    assert ready.run().itemsProcessed == 0


def test_entities_without_projections_are_documents_of_their_own(handbook: Any, make_index: Any) -> None:
    handbook.skillset = None
    handbook.service.indexes["plain"] = make_index("plain", "id")
    handbook.indexer["targetIndexName"] = "plain"
    handbook.configure(parsingMode="jsonArray", documentRoot="/items")
    handbook.indexer["fieldMappings"] = [{"sourceFieldName": "/deep/words/1", "targetFieldName": "content"}]
    handbook.put(
        "a.json", json.dumps({"items": [{"title": "A", "deep": {"words": ["x", "y"]}, "other": 1}, {"title": None}]})
    )
    assert handbook.run().status == "success"
    by_title = sorted(handbook.service.documents["plain"].values(), key=lambda document: document["id"])
    assert [(d.get("title"), d.get("content")) for d in by_title] == [("A", "y"), (None, None)]
    assert base64_decode(by_title[0]["id"]).endswith("/handbook/a.json;1")


def test_rows_and_whole_json_blobs(handbook: Any, make_index: Any) -> None:
    handbook.skillset = None
    handbook.service.indexes["plain"] = make_index("plain", "id")
    handbook.indexer["targetIndexName"] = "plain"
    handbook.configure(parsingMode="delimitedText", delimitedTextDelimiter=";")
    handbook.put("a.csv", "title;path;else\nA;x;1\nB;y;2\n")
    handbook.run()
    assert sorted((d["title"], d["path"]) for d in handbook.service.documents["plain"].values()) == [
        ("A", "x"),
        ("B", "y"),
    ]
    handbook.service.documents.clear()
    handbook.state = None
    handbook.indexer["parameters"] = {"configuration": {"parsingMode": "json"}}
    handbook.put("a.csv", '{"title": "whole"}')
    handbook.run()
    assert [d["title"] for d in handbook.service.documents["plain"].values()] == ["whole"]


@pytest.mark.parametrize(
    ("configuration", "named"),
    [
        ({"parsingMode": "markdown", "markdownHeaderDepth": "h7"}, "markdownHeaderDepth 'h7'"),
        ({"parsingMode": "markdown", "markdownParsingSubmode": "both"}, "markdownParsingSubmode 'both'"),
        ({"parsingMode": "jsonLines", "dataToExtract": "allMetadata"}, "dataToExtract 'allMetadata'"),
        ({"parsingMode": "delimitedText", "delimitedTextDelimiter": "||"}, "delimitedTextDelimiter '||'"),
        ({"parsingMode": "delimitedText", "firstLineContainsHeaders": False}, "without headers"),
        (
            {"parsingMode": "delimitedText", "firstLineContainsHeaders": True, "delimitedTextHeaders": "a"},
            "delimitedTextHeaders together",
        ),
    ],
)
def test_what_is_refused(handbook: Any, configuration: dict[str, Any], named: str) -> None:
    handbook.configure(**configuration)
    result = handbook.run()
    assert result.status == "transientFailure" and named in str(result.errorMessage)


def test_text_beyond_the_models_window_is_told_once_a_blob(ready: Any) -> None:
    ready.service.window = 4
    ready.put("a.jsonl", lines("one", "twelve", "thirteen!"))
    ready.put("b.jsonl", lines("four"))
    result = ready.run()
    assert (result.status, result.itemsFailed) == ("success", 0)
    (warning,) = result.warnings
    assert warning["key"].endswith("/handbook/a.jsonl")
    assert warning["name"] == "LocalService.Window.narrow"
    assert warning["message"] == "2 of 3 texts are longer than what the embedding model narrow reads."
    assert "7 tokens are not in the vectors, 5 of one text at most" in warning["details"]


def test_long_texts_are_shortened_with_a_warning(handbook: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("azsearch_ops.local.indexing.source.EXTRACTED_CHARACTERS", 7)
    handbook.put("a.txt", "abc😀😀😀")
    handbook.put("b.txt", "abcdefg")
    result = handbook.run()
    assert handbook.texts("a.txt") == ["abc😀😀"] and handbook.texts("b.txt") == ["abcdefg"]
    (warning,) = result.warnings
    assert warning["message"] == "Truncated extracted text to '7' characters." and warning["key"].endswith("a.txt")


def test_blobs_that_are_too_large_fail_or_keep_their_storage_metadata(
    handbook: Any, make_index: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("azsearch_ops.local.indexing.source.EXTRACTION_BYTES", 5)
    handbook.put("a.txt", "123456")
    result = handbook.run()
    assert result.itemsFailed == 1 and result.errors[0]["statusCode"] == 413
    assert "exceeds the maximum size '5' bytes" in result.errors[0]["errorMessage"]
    handbook.skillset = None
    handbook.service.indexes["plain"] = make_index("plain", "id")
    handbook.indexer["targetIndexName"] = "plain"
    handbook.indexer["fieldMappings"] = [{"sourceFieldName": "metadata_storage_name", "targetFieldName": "title"}]
    handbook.configure(indexStorageMetadataOnlyForOversizedDocuments=True)
    assert handbook.run().itemsFailed == 0
    assert [(d["title"], d.get("content")) for d in handbook.service.documents["plain"].values()] == [("a.txt", None)]


GUIDE = """\
# Section 1
Content for section 1.

## Subsection 1.1
Content for subsection 1.1.

# Section 2
Content for section 2.
"""


def test_markdown_is_a_document_a_section_under_the_headers_above_it(handbook: Any, make_index: Any) -> None:
    """The documentation's own example, whose fields go into the index by their names and by a mapping."""
    handbook.skillset = None
    target = make_index("plain", "id")
    target["fields"] += [{"name": "sections", "type": "Edm.ComplexType"}, {"name": "ordinal_position"}]
    handbook.service.indexes["plain"] = target
    handbook.indexer["targetIndexName"] = "plain"
    handbook.indexer["fieldMappings"] = [{"sourceFieldName": "/sections/h1", "targetFieldName": "title"}]
    handbook.configure(parsingMode="markdown", markdownHeaderDepth="h2")
    handbook.put("a.md", GUIDE)
    assert handbook.run().status == "success"
    found = sorted(handbook.service.documents["plain"].values(), key=lambda document: document["ordinal_position"])
    assert [(d["content"], d["title"], d["sections"], d["ordinal_position"]) for d in found] == [
        ("Content for section 1.\r\n", "Section 1", {"h1": "Section 1", "h2": ""}, 1),
        ("Content for subsection 1.1.\r\n", "Section 1", {"h1": "Section 1", "h2": "Subsection 1.1"}, 2),
        ("Content for section 2.\r\n", "Section 2", {"h1": "Section 2", "h2": ""}, 3),
    ]
    assert base64_decode(found[2]["id"]).endswith("/handbook/a.md;3")


def test_markdown_stays_whole_with_its_sections_nested(handbook: Any, make_index: Any) -> None:
    handbook.skillset = None
    target = make_index("plain", "id")
    target["fields"] += [{"name": "document_content", "type": "Edm.String"}]
    handbook.service.indexes["plain"] = target
    handbook.indexer["targetIndexName"] = "plain"
    handbook.indexer["fieldMappings"] = [
        {"sourceFieldName": "/sections/0/sections/0/header_name", "targetFieldName": "title"},
        {"sourceFieldName": "/sections/1/content", "targetFieldName": "content"},
    ]
    handbook.configure(parsingMode="markdown", markdownParsingSubmode="oneToOne")
    handbook.put("a.md", GUIDE)
    assert handbook.run().status == "success"
    (document,) = handbook.service.documents["plain"].values()
    assert (document["title"], document["content"]) == ("Subsection 1.1", "Content for section 2.")
    assert document["document_content"].startswith("# Section 1\r\nContent for section 1.\r\n")
