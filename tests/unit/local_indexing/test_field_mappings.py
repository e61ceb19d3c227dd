"""Field mappings, their functions, and document keys."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from azsearch_ops.local.indexing.findings import RunRefusedError
from azsearch_ops.local.indexing.mapping import (
    MappingError,
    base64_decode,
    base64_encode,
    extract_token,
    read_mappings,
    string_collection,
    url_encode,
)


def apply(name: str, value: Any, **parameters: Any) -> Any:
    (mapping,) = read_mappings(
        [{"sourceFieldName": "a", "targetFieldName": None, "mappingFunction": {"name": name, "parameters": parameters}}]
    )
    assert mapping.target == "a"
    return mapping.apply(value)


def test_base64_has_the_documented_forms() -> None:
    assert base64_encode("00>00?00", url_token=False) == "MDA-MDA_MDA"
    assert base64_encode("00>00?00") == "MDA-MDA_MDA1"
    assert apply("base64Encode", "00>00?00", useHttpServerUtilityUrlTokenEncode=False) == "MDA-MDA_MDA"
    assert apply("base64Encode", "00>00?00") == "MDA-MDA_MDA1"
    assert apply("base64Decode", "MDA-MDA_MDA1") == "00>00?00"
    assert apply("base64Decode", "MDA-MDA_MDA", useHttpServerUtilityUrlTokenDecode=False) == "00>00?00"


@given(st.text(), st.booleans())
def test_base64_is_reversible_and_makes_legal_keys(text: str, url_token: bool) -> None:
    encoded = base64_encode(text, url_token=url_token)
    assert base64_decode(encoded, url_token=url_token) == text
    assert not encoded.startswith("_") or text
    assert set(encoded) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


@pytest.mark.parametrize("text", ["!!", "ab9", "_____"])
def test_what_is_no_base64_is_refused(text: str) -> None:
    with pytest.raises(MappingError):
        base64_decode(text)


def test_the_other_functions() -> None:
    assert extract_token("Jane Doe", " ", 1) == "Doe"
    assert apply("extractTokenAtPosition", "a/b/c", delimiter="/", position=0) == "a"
    assert apply("urlEncode", "<a b>~è") == "%3ca+b%3e%7e%c3%a8" == url_encode("<a b>~è")
    assert apply("urlDecode", "%3ca+b%3e") == "<a b>"
    assert apply("jsonArrayToStringCollection", '["red", "white"]') == ["red", "white"]
    for broken in ('["red', '{"a": 1}', "[1]"):
        with pytest.raises(MappingError, match="JSON array"):
            string_collection(broken)
    with pytest.raises(MappingError, match="position 2"):
        extract_token("Jane Doe", " ", 2)
    with pytest.raises(MappingError, match="needs a text"):
        apply("urlEncode", 3)


@pytest.mark.parametrize("name", ["fixedLengthEncode", "toJson", "nonsense"])
def test_functions_that_are_not_supported_are_named(name: str) -> None:
    with pytest.raises(RunRefusedError, match=name):
        apply(name, "x")


def parents(handbook: Any) -> dict[str, dict[str, Any]]:
    return handbook.service.documents.get("docs", {})


@pytest.fixture
def plain(handbook: Any, make_index: Any) -> Any:
    """An indexer without a skillset into an index of its own."""
    handbook.service.indexes["docs"] = make_index("docs", "id")
    handbook.indexer["targetIndexName"] = "docs"
    handbook.skillset = None
    return handbook


def test_without_mappings_the_key_is_the_address_and_equal_names_meet(plain: Any) -> None:
    plain.put("a.md", "Text of it.")
    plain.run()
    key = base64_encode("https://local.blob.core.windows.net/handbook/a.md")
    assert parents(plain) == {key: {"id": key, "content": "Text of it."}}


def test_mappings_go_before_equal_names(plain: Any) -> None:
    plain.put("a/b.md", "Text of it.")
    plain.indexer["fieldMappings"] = [
        {
            "sourceFieldName": "metadata_storage_name",
            "targetFieldName": "id",
            "mappingFunction": {"name": "extractTokenAtPosition", "parameters": {"delimiter": ".", "position": 0}},
        },
        {"sourceFieldName": "content", "targetFieldName": "chunk", "mappingFunction": None},
        {"sourceFieldName": "metadata_storage_file_extension", "targetFieldName": "title"},
        {"sourceFieldName": "not_there", "targetFieldName": "path"},
    ]
    plain.run()
    assert parents(plain) == {"b": {"id": "b", "chunk": "Text of it.", "title": ".md"}}


@pytest.mark.parametrize("name", ["Ärger_über.pdf.md", "_draft.txt", "説明.txt", "a/b c.md", "x" * 200 + ".md"])
def test_default_keys_are_legal_whatever_the_name(plain: Any, name: str) -> None:
    plain.put(name, "Text.")
    assert plain.run().errors == ()
    (key,) = parents(plain)
    assert base64_decode(key).startswith("https://local.blob.core.windows.net/handbook/")


@pytest.mark.parametrize(
    ("name", "text"),
    [("_draft.txt", "underscore"), ("a b.md", "Invalid document key"), ("x" * 240 + ".md", "")],
)
def test_illegal_keys_fail_their_document(plain: Any, name: str, text: str) -> None:
    plain.put(name, "Text.")
    plain.put("good", "Text.")
    plain.indexer["fieldMappings"] = [{"sourceFieldName": "metadata_storage_name", "targetFieldName": "id"}]
    plain.indexer["parameters"] = {"maxFailedItems": -1, "maxFailedItemsPerBatch": -1}
    (error,) = plain.run().errors
    assert text in str(error["errorMessage"])
    assert error["statusCode"] == 400
    assert list(parents(plain)) == ["good"]


def test_a_key_is_at_most_1024_characters(plain: Any) -> None:
    folder = "/".join(["y" * 200] * 4)
    plain.put(f"{folder}/a.md", "Text.")
    (error,) = plain.run().errors
    assert error["errorMessage"] == "Document key cannot be longer than 1024 characters."


def test_a_key_that_is_missing_fails(plain: Any) -> None:
    plain.put("a.md", "Text.")
    plain.indexer["fieldMappings"] = [{"sourceFieldName": "metadata_title", "targetFieldName": "id"}]
    (error,) = plain.run().errors
    assert error["errorMessage"] == "Document key cannot be missing or empty."


def test_a_function_that_fails_names_the_field(plain: Any) -> None:
    plain.put("a.md", "Text.")
    function = {"name": "extractTokenAtPosition", "parameters": {"delimiter": "/", "position": 9}}
    plain.indexer["fieldMappings"] = [
        {"sourceFieldName": "metadata_storage_name", "targetFieldName": "title", "mappingFunction": function}
    ]
    (error,) = plain.run().errors
    assert error["name"] == "Projection.SearchIndex.FieldMapping.title"


def test_how_much_is_extracted(plain: Any) -> None:
    plain.service.indexes["docs"]["fields"] += [
        {"name": name} for name in ("metadata_title", "metadata_storage_size", "metadata_storage_content_type")
    ]
    plain.put("a.html", "<title>T</title><p>Text.</p>")
    stored = {"metadata_storage_size": 28, "metadata_storage_content_type": "text/html"}
    for amount, expected in [
        ("storageMetadata", stored),
        ("allMetadata", stored | {"metadata_title": "T"}),
        ("contentAndMetadata", stored | {"metadata_title": "T", "content": "Text."}),
    ]:
        plain.configure(dataToExtract=amount)
        plain.state = None
        plain.service.documents.clear()
        plain.run()
        (document,) = parents(plain).values()
        document.pop("id")
        assert document == expected
    plain.configure(parsingMode="text")
    plain.state = None
    plain.run()
    (document,) = parents(plain).values()
    assert document["content"] == "<title>T</title><p>Text.</p>"


def test_deleted_parents_leave_the_index(plain: Any) -> None:
    plain.put("a.md", "Text.")
    plain.put("b.md", "Text.")
    plain.run()
    (plain.folder / "a.md").unlink()
    plain.run()
    assert [base64_decode(key)[-4:] for key in parents(plain)] == ["b.md"]
