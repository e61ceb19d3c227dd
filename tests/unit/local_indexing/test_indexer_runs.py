"""Runs from end to end: what is written, skipped, removed, and how failures count."""

from __future__ import annotations

import json
import os
import re
from typing import Any

import pytest

from azsearch_ops.local.errors import ServiceFault
from azsearch_ops.local.indexing.mapping import base64_encode

TEXT = "This is a sentence of the handbook with some words in it. " * 20


def address(path: str) -> str:
    return f"https://local.blob.core.windows.net/handbook/{path}"


def test_a_first_run_projects_every_page_with_its_vector(handbook: Any) -> None:
    handbook.put("people/leave.md", TEXT)
    handbook.put("b.txt", "Short text.")
    result = handbook.run()
    assert (result.status, result.errorMessage, result.errors, result.warnings) == ("success", None, (), ())
    assert (result.itemsProcessed, result.itemsFailed) == (2, 0)
    assert "".join(handbook.texts("leave.md")) == TEXT
    assert len(handbook.texts("leave.md")) == 4
    parent = base64_encode(address("people/leave.md"))
    for key, chunk in handbook.chunks.items():
        if chunk["title"] == "leave.md":
            assert re.fullmatch(rf"[0-9a-f]{{12}}_{parent}_pages_[0-3]", key)
            assert chunk["parent_id"] == parent
            assert chunk["path"] == address("people/leave.md")
        assert chunk["vector"] == [float(len(chunk["chunk"])), 1.0]
    assert parent not in handbook.chunks, "parents are skipped"
    assert handbook.service.reported == [2]


def test_the_texts_of_a_batch_are_embedded_in_one_call(handbook: Any) -> None:
    for number in range(5):
        handbook.put(f"{number}.md", TEXT + str(number))
    handbook.run()
    (call,) = handbook.service.embedded
    assert call[:4] == ("https://example.openai.azure.com", "small", "text-embedding-3-small", 2)
    assert len(call[4]) == len(handbook.chunks) == 20


def test_unchanged_blobs_are_skipped_and_changed_ones_get_new_keys(handbook: Any) -> None:
    handbook.put("a.md", TEXT)
    handbook.put("b.md", TEXT)
    handbook.run()
    before = set(handbook.chunks)
    assert handbook.run().itemsProcessed == 0
    assert set(handbook.chunks) == before
    handbook.put("a.md", "Now it is short.")
    result = handbook.run()
    assert result.itemsProcessed == 1
    assert handbook.texts("a.md") == ["Now it is short."]
    assert len(handbook.texts("b.md")) == 4
    assert sum(key in before for key in handbook.chunks) == 4


def test_a_changed_time_alone_is_a_change_as_with_azure(handbook: Any) -> None:
    handbook.put("a.md", TEXT)
    handbook.run()
    os.utime(handbook.folder / "a.md", (1, 1))
    assert handbook.run().itemsProcessed == 1


def test_reset_indexes_everything_again(handbook: Any) -> None:
    handbook.put("a.md", TEXT)
    handbook.run()
    before = set(handbook.chunks)
    handbook.state = None
    assert handbook.run().itemsProcessed == 1
    assert len(handbook.chunks) == len(before) and not before.intersection(handbook.chunks)


def test_new_children_are_written_before_the_old_ones_go(handbook: Any) -> None:
    handbook.put("a.md", TEXT)
    handbook.run()
    handbook.service.log.clear()
    handbook.put("a.md", "Changed.")
    handbook.run()
    assert handbook.service.log == ["upload chunks"] + ["delete chunks"] * 4


def test_a_deleted_blob_takes_its_children_along_only_under_a_policy(handbook: Any) -> None:
    handbook.put("a.md", TEXT)
    handbook.put("b.md", TEXT)
    handbook.run()
    (handbook.folder / "a.md").unlink()
    result = handbook.run()
    assert (result.itemsProcessed, result.status) == (1, "success")
    assert {chunk["title"] for chunk in handbook.chunks.values()} == {"b.md"}
    handbook.source["dataDeletionDetectionPolicy"] = None
    (handbook.folder / "b.md").unlink()
    assert handbook.run().itemsProcessed == 0
    assert len(handbook.chunks) == 4, "without a policy Azure leaves orphans"


def test_a_blob_that_the_settings_leave_out_is_not_a_deleted_one(handbook: Any) -> None:
    handbook.put("a.md", TEXT)
    handbook.run()
    handbook.configure(excludedFileNameExtensions=".md")
    assert handbook.run().itemsProcessed == 0
    assert len(handbook.chunks) == 4


def test_prefix_and_extensions(handbook: Any) -> None:
    for path in ("people/a.md", "people/b.TXT", "people/c.html", "people-of-old/d.md", "e.md"):
        handbook.put(path, "Some text.")
    handbook.source["container"]["query"] = "people"
    handbook.configure(indexedFileNameExtensions=".md, txt,.html", excludedFileNameExtensions=".html")
    handbook.run()
    assert {chunk["title"] for chunk in handbook.chunks.values()} == {"a.md", "b.TXT"}


def test_the_first_failure_stops_the_run_after_its_batch(handbook: Any) -> None:
    handbook.put("a.md", "Good.")
    handbook.put("b.pdf", b"%PDF-1.4 nothing")
    for number in range(10):
        handbook.put(f"c{number}.md", "Good.")
    result = handbook.run()
    assert result.status == "transientFailure"
    assert "1 document failed, and maxFailedItems is 0" in str(result.errorMessage)
    assert (result.itemsProcessed, result.itemsFailed) == (10, 1), "the second batch was not begun"
    (error,) = result.errors
    assert error["key"] == address("b.pdf")
    assert error["statusCode"] == 422
    assert error["name"] == "DocumentExtraction.azureblob.docs"
    assert "PDF is damaged" in str(error["errorMessage"])
    assert set(error) == {"key", "errorMessage", "statusCode", "name", "details", "documentationLink"}
    assert handbook.run().itemsProcessed == 3, "the failed one is tried again, and what was not reached"


def test_failures_may_be_tolerated(handbook: Any) -> None:
    handbook.put("a.pdf", b"broken")
    handbook.put("b.png", b"\x89PNG")
    handbook.put("c.md", "Good.")
    handbook.indexer["parameters"] = {"maxFailedItems": -1, "maxFailedItemsPerBatch": -1}
    result = handbook.run()
    assert (result.status, result.itemsProcessed, result.itemsFailed) == ("success", 3, 2)
    assert [error["statusCode"] for error in result.errors] == [422, 415]
    assert handbook.texts("c.md") == ["Good."]
    handbook.indexer["parameters"] = {"maxFailedItems": -1}
    assert "maxFailedItemsPerBatch is 0" in str(handbook.run().errorMessage)


def test_unsupported_and_unprocessable_blobs_may_be_warnings(handbook: Any) -> None:
    handbook.put("a.pdf", b"broken")
    handbook.put("b.png", b"\x89PNG")
    handbook.configure(failOnUnsupportedContentType=False, failOnUnprocessableDocument=False)
    result = handbook.run()
    assert (result.status, result.itemsFailed, handbook.chunks) == ("success", 0, {})
    messages = [str(warning["message"]) for warning in result.warnings]
    assert any("damaged" in message for message in messages)
    assert any("unsupported content type 'image/png'" in message for message in messages)
    assert set(result.warnings[0]) == {"key", "message", "name", "details", "documentationLink"}


def test_blank_documents_have_no_pages_and_a_warning(handbook: Any) -> None:
    handbook.put("a.md", " \n ")
    result = handbook.run()
    assert (result.status, handbook.chunks) == ("success", {})
    (warning,) = result.warnings
    assert warning["name"] == "Enrichment.SplitSkill.cut"
    assert warning["message"] == "Could not execute skill because one or more skill input was invalid."
    assert "/document/content" in str(warning["details"])


def test_a_refused_chunk_fails_its_document_and_leaves_the_old_chunks(handbook: Any) -> None:
    handbook.put("a.md", TEXT)
    handbook.put("b.md", TEXT)
    handbook.run()
    before = {key for key, chunk in handbook.chunks.items() if chunk["title"] == "a.md"}
    handbook.put("a.md", "poison. " + TEXT)
    handbook.put("b.md", "fine. " + TEXT)
    handbook.service.refused = re.compile("poison")
    result = handbook.run()
    (error,) = result.errors
    assert error["key"] == address("a.md")
    assert error["name"] == "Projection.SearchIndex.MergeOrUpload.chunks"
    assert error["errorMessage"] == "The vector field has the wrong length."
    assert {key for key, chunk in handbook.chunks.items() if chunk["title"] == "a.md"} == before
    assert handbook.texts("b.md")[0].startswith("fine")
    handbook.service.refused = None
    assert handbook.run().itemsProcessed == 1
    assert handbook.texts("a.md")[0].startswith("poison")
    assert not before.intersection(handbook.chunks)


def test_a_failed_blob_that_is_then_deleted_takes_its_children_along(handbook: Any) -> None:
    handbook.put("a.md", TEXT)
    handbook.run()
    handbook.put("a.md", b"\xff\xfea")
    assert handbook.run().itemsFailed == 1
    (handbook.folder / "a.md").unlink()
    handbook.run()
    assert handbook.chunks == {}


@pytest.mark.parametrize("calls", range(1, 9))
def test_a_run_that_was_cut_off_ends_the_same_when_it_is_run_again(handbook: Any, calls: int) -> None:
    class Killed(BaseException):
        pass

    for number in range(4):
        handbook.put(f"{number}.md", f"{number} " + TEXT)
    handbook.indexer["parameters"] = {"batchSize": 2}
    handbook.run()
    for number in range(3):
        handbook.put(f"{number}.md", f"{number} changed " + TEXT[: 400 * number])
    (handbook.folder / "3.md").unlink()
    service, left = handbook.service, calls
    write, existing = service.write, service.existing_children

    def counted(function: Any) -> Any:
        def call(*arguments: Any) -> Any:
            nonlocal left
            if left == 0:
                raise Killed
            left -= 1
            return function(*arguments)

        return call

    service.write, service.existing_children = counted(write), counted(existing)
    try:
        handbook.run()
    except Killed:
        service.write, service.existing_children = write, existing
        handbook.run()
    service.write, service.existing_children = write, existing
    for number in range(3):
        assert "".join(handbook.texts(f"{number}.md")) == f"{number} changed " + TEXT[: 400 * number]
    assert handbook.texts("3.md") == []
    assert handbook.run().itemsProcessed == 0


def test_a_missing_container_fails_the_run_and_is_named(handbook: Any) -> None:
    handbook.source["container"]["name"] = "nowhere"
    result = handbook.run()
    assert result.status == "transientFailure"
    assert "nowhere" in str(result.errorMessage) and "docs" in str(result.errorMessage)


def test_a_fault_of_the_service_ends_the_run(handbook: Any) -> None:
    handbook.put("a.md", TEXT)

    def fault(*_: Any) -> Any:
        raise ServiceFault(404, "", "No index with the name 'chunks' was found.")

    handbook.service.write = fault
    result = handbook.run()
    assert (result.status, result.errorMessage) == (
        "transientFailure",
        "No index with the name 'chunks' was found.",
    )
    assert result.itemsProcessed == 0


def test_what_is_not_supported_is_refused_by_name(handbook: Any) -> None:
    handbook.put("a.md", TEXT)
    ocr = {"@odata.type": "#Microsoft.Skills.Vision.OcrSkill", "name": "read", "inputs": [], "outputs": []}
    handbook.skillset["skills"].append(ocr)
    result = handbook.run()
    assert result.status == "transientFailure"
    assert "'#Microsoft.Skills.Vision.OcrSkill' (read)" in str(result.errorMessage)
    assert handbook.chunks == {}


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"parsingMode": "pictures"}, "parsingMode 'pictures'"),
        ({"imageAction": "generateNormalizedImages"}, "imageAction 'generateNormalizedImages'"),
        ({"allowSkillsetToReadFileData": True}, "allowSkillsetToReadFileData"),
        ({"markdownHeaderDepth": "h3"}, "markdownHeaderDepth"),
    ],
)
def test_configuration_that_is_not_supported(handbook: Any, change: dict[str, Any], named: str) -> None:
    handbook.configure(**change)
    assert named in str(handbook.run().errorMessage)


def test_sources_that_are_not_supported(handbook: Any) -> None:
    handbook.source["type"] = "azuresql"
    handbook.source["dataDeletionDetectionPolicy"] = {
        "@odata.type": "#Microsoft.Azure.Search.SoftDeleteColumnDeletionDetectionPolicy"
    }
    message = str(handbook.run().errorMessage)
    assert "azuresql" in message and "SoftDeleteColumn" in message


def test_accepted_settings_without_meaning_here(handbook: Any) -> None:
    handbook.put("a.md", TEXT)
    handbook.configure(parsingMode="default", imageAction="none", executionEnvironment="standard", queryTimeout=None)
    assert handbook.run().status == "success"


def test_tracking_state_has_azures_shape(handbook: Any) -> None:
    first = handbook.run()
    initial = json.loads(str(first.initialTrackingState))
    assert initial["lastFullEnumerationStartTime"] == "0001-01-01T00:00:00Z"
    assert "\r\n" in str(first.initialTrackingState)
    final = json.loads(str(first.finalTrackingState))
    assert set(final) == {"LastFullEnumerationStartTime", "LastAttemptedEnumerationStartTime", "NameHighWaterMark"}
    second = json.loads(str(handbook.run().initialTrackingState))
    assert second["lastFullEnumerationStartTime"] == final["LastFullEnumerationStartTime"]
    json.dumps(first.state)


def test_an_account_in_the_connection_string_names_the_addresses(handbook: Any) -> None:
    handbook.put("Ärger über.md", "Text.")
    handbook.source["credentials"]["connectionString"] = "AccountName=Contoso;AccountKey=x"
    handbook.run()
    (chunk,) = handbook.chunks.values()
    assert chunk["path"] == "https://contoso.blob.core.windows.net/handbook/%C3%84rger%20%C3%BCber.md"
    resource = "ResourceId=/subscriptions/x/resourceGroups/y/providers/Microsoft.Storage/storageAccounts/fabrikam;"
    handbook.source["credentials"]["connectionString"] = resource
    handbook.state = None
    handbook.service.documents.clear()
    handbook.run()
    (chunk,) = handbook.chunks.values()
    assert chunk["path"].startswith("https://fabrikam.blob")
