"""Skills, the enriched tree, projections and output field mappings."""

from __future__ import annotations

import json
from typing import Any

import pytest

from azsearch_ops.local.indexing.findings import RunRefusedError
from azsearch_ops.local.indexing.tree import MissingValueError, Path, Place, fetch, grow, parse_path, places

TREE = grow(
    {
        "title": "T",
        "pages": ["p0", "p1"],
        "tables": [{"rows": [{"cell": "a"}, {"cell": "b"}]}, {"rows": [{"cell": "c"}]}, {"rows": []}],
        "odd/name": 1,
        "vector": [0.5, 0.25],
    }
)
ROOT = Place(Path(()), TREE, ())


def test_contexts_name_each_node() -> None:
    assert [place.indexes for place in places(TREE, parse_path("/document/tables/*/rows/*"))] == [
        (0, 0),
        (0, 1),
        (1, 0),
    ]
    assert [place.indexes for place in places(TREE, parse_path("/document"))] == [()]
    (place,) = list(places(TREE, parse_path("/document/pages/1")))
    assert place.node.value == "p1"
    first = next(places(TREE, parse_path("/document/tables/*/rows/*")))
    assert str(first.concrete()) == "/document/tables/0/rows/0"


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("/document/title", "T"),
        ("/document/pages/*", ["p0", "p1"]),
        ("/document/pages", ["p0", "p1"]),
        ("/document/pages/1", "p1"),
        ("/document/tables/*/rows/*/cell", ["a", "b", "c"]),
        ("/document/odd~1name", 1),
        ("/document/vector", [0.5, 0.25]),
        ("/document/vector/*", [0.5, 0.25]),
        ("/document/tables/0/rows", [{"cell": "a"}, {"cell": "b"}]),
    ],
)
def test_sources_from_the_root(source: str, value: Any) -> None:
    assert fetch(TREE, parse_path(source), ROOT) == value


def test_a_source_follows_the_choice_of_its_context() -> None:
    second = list(places(TREE, parse_path("/document/tables/*/rows/*")))[2]
    assert fetch(TREE, parse_path("/document/tables/*/rows/*/cell"), second) == "c"
    assert fetch(TREE, parse_path("/document/tables/*/rows"), second) == [{"cell": "c"}]
    table = next(places(TREE, parse_path("/document/tables/*")))
    assert fetch(TREE, parse_path("/document/tables/*/rows/*/cell"), table) == ["a", "b"]
    assert fetch(TREE, parse_path("/document/pages/*"), table) == ["p0", "p1"]


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("/document/nothing", "Missing value '/document/nothing'."),
        ("/document/nothing/below", "Missing value '/document/nothing'."),
        ("/document/title/*", "Unable to iterate over non-array '/document/title'."),
        ("/document/pages/7", "Missing value '/document/pages/7'."),
    ],
)
def test_what_is_missing_is_said_as_azure_does(source: str, text: str) -> None:
    with pytest.raises(MissingValueError) as caught:
        fetch(TREE, parse_path(source), ROOT)
    assert str(caught.value) == text


@pytest.mark.parametrize("source", ["='text'", "/documents/x", "/document//x", "/document/a/#", "content", ""])
def test_other_forms_are_refused_by_name(source: str) -> None:
    with pytest.raises(RunRefusedError, match="does not support"):
        parse_path(source)


def split_skill(handbook: Any) -> dict[str, Any]:
    skill: dict[str, Any] = handbook.skillset["skills"][1]
    return skill


def test_missing_inputs_are_warnings_with_azures_text(handbook: Any) -> None:
    handbook.put("a.md", "Text.")
    split_skill(handbook)["inputs"][0]["source"] = "/document/merged_content"
    result = handbook.run()
    assert result.status == "success" and handbook.chunks == {}
    (warning,) = result.warnings
    assert warning["name"] == "Enrichment.SplitSkill.cut"
    assert str(warning["details"]).startswith(
        "Required skill input is missing. Name: 'text', Source: '/document/merged_content'."
    )


def test_an_unsupported_language_is_a_warning_and_the_text_stays_whole(handbook: Any) -> None:
    text = "Some sentence here. " * 60
    handbook.put("a.md", text)
    split_skill(handbook)["inputs"].append({"name": "languageCode", "source": "/document/metadata_storage_name"})
    result = handbook.run()
    assert handbook.texts("a.md") == [text]
    assert "language codes 'a.md'" in str(result.warnings[0]["details"])


def test_positions_beside_the_pages(handbook: Any) -> None:
    text = "Perché no? Così va bene 😀. " * 30
    handbook.put("a.md", text)
    names = ("textItems", "offsets", "lengths", "ordinalPositions")
    split_skill(handbook)["outputs"] = [
        {"name": name, "targetName": "pages" if name == "textItems" else None} for name in names
    ]
    selector = handbook.skillset["indexProjections"]["selectors"][0]
    selector["mappings"] = [{"name": name, "source": f"/document/{name}"} for name in names[1:]] + [
        {"name": "chunk", "source": "/document/pages/*"}
    ]
    assert handbook.run().warnings == ()
    chunk = next(iter(handbook.chunks.values()))
    count = len(handbook.chunks)
    assert chunk["ordinalPositions"] == list(range(1, count + 1))
    assert chunk["offsets"][0] == {"utf8": 0, "utf16": 0, "codePoint": 0}
    pages = sorted(handbook.chunks.items(), key=lambda item: int(item[0].rpartition("_")[2]))
    for (_, page), offset, length in zip(pages, chunk["offsets"], chunk["lengths"], strict=True):
        encoded = text.encode()[offset["utf8"] : offset["utf8"] + length["utf8"]]
        assert encoded.decode() == page["chunk"]
        assert text[offset["codePoint"] : offset["codePoint"] + length["codePoint"]] == page["chunk"]


def test_pages_in_tokens(handbook: Any) -> None:
    handbook.put("a.md", "Some sentence of the handbook here. " * 60)
    split_skill(handbook).update(unit="azureOpenAITokens", maximumPageLength=50, pageOverlapLength=10)
    handbook.run()
    # 7 sentences of 7 tokens a page, of which the next page repeats 10 tokens.
    assert len(handbook.texts("a.md")) == 1 + -(-(60 - 7) // 5)
    for change, named in [
        ({"encoderModelName": "p50k_base"}, "p50k_base"),
        ({"allowedSpecialTokens": ["[START]"]}, "allowedSpecialTokens"),
    ]:
        split_skill(handbook)["azureOpenAITokenizerParameters"] = change
        assert named in str(handbook.run().errorMessage)


def test_an_embedding_skill_without_an_address_fails_the_run(handbook: Any) -> None:
    handbook.put("a.md", "Text.")
    handbook.skillset["skills"][0]["deploymentId"] = None
    assert "deploymentId" in str(handbook.run().errorMessage)


def test_a_text_of_more_than_8000_tokens_fails_its_document(handbook: Any) -> None:
    handbook.put("long.md", "word " * 9000)
    handbook.put("short.md", "word " * 7000)
    split_skill(handbook).update(maximumPageLength=50_000)
    result = handbook.run()
    (error,) = result.errors
    assert str(error["key"]).endswith("long.md")
    assert error["name"] == "Enrichment.AzureOpenAIEmbeddingSkill.#1"
    assert "9001 tokens" in str(error["details"]) or "9000 tokens" in str(error["details"])
    assert len(handbook.texts("short.md")) == 1
    assert handbook.texts("long.md") == []


def test_dimensions_default_to_those_of_the_model(handbook: Any) -> None:
    handbook.put("a.md", "Text.")
    del handbook.skillset["skills"][0]["dimensions"]
    handbook.run()
    assert handbook.service.embedded[0][3] == 1536


def test_skills_in_a_circle_are_refused(handbook: Any) -> None:
    split_skill(handbook)["inputs"][0]["source"] = "/document/pages/*/vector"
    assert "circle" in str(handbook.run().errorMessage)


def test_an_output_onto_an_existing_node_fails_the_document(handbook: Any) -> None:
    handbook.put("a.md", "Text.")
    split_skill(handbook)["outputs"][0]["targetName"] = "content"
    handbook.skillset["skills"].pop(0)
    (error,) = handbook.run().errors
    assert error["errorMessage"] == "Could not execute skill."
    assert "/document/content" in str(error["details"])


def test_parents_are_included_unless_they_are_skipped(handbook: Any, make_index: Any) -> None:
    handbook.put("a.md", "Text.")
    handbook.put("b.md", "Text.")
    handbook.skillset["indexProjections"]["parameters"] = {}
    handbook.run()
    assert len(handbook.chunks) == 4
    assert sum("parent_id" in chunk for chunk in handbook.chunks.values()) == 2
    (handbook.folder / "a.md").unlink()
    handbook.run()
    assert len(handbook.chunks) == 2


def test_a_mapped_field_can_be_projected_under_its_target(handbook: Any) -> None:
    handbook.put("a.md", "Text.")
    handbook.indexer["fieldMappings"] = [{"sourceFieldName": "metadata_storage_name", "targetFieldName": "heading"}]
    mappings = handbook.skillset["indexProjections"]["selectors"][0]["mappings"]
    mappings[2] = {"name": "title", "source": "/document/heading"}
    handbook.run()
    assert handbook.texts("a.md") == ["Text."]


def test_complex_fields_and_missing_values(handbook: Any) -> None:
    handbook.put("a.md", "Some sentence here. " * 30)
    selector = handbook.skillset["indexProjections"]["selectors"][0]
    selector["mappings"] += [
        {
            "name": "part",
            "sourceContext": "/document/pages/*",
            "inputs": [
                {"name": "text", "source": "/document/pages/*"},
                {"name": "file", "source": "/document/metadata_storage_name"},
                {"name": "gone", "source": "/document/nothing"},
            ],
        },
        {
            "name": "whole",
            "sourceContext": "/document",
            "inputs": [{"name": "every", "source": "/document/pages/*"}],
        },
        {"name": "nothing", "source": "/document/nothing"},
    ]
    handbook.run()
    chunks = list(handbook.chunks.values())
    assert len(chunks) == 2
    for chunk in chunks:
        assert chunk["part"] == {"text": chunk["chunk"], "file": "a.md"}
        assert chunk["whole"] == {"every": [other["chunk"] for other in chunks]}
        assert "nothing" not in chunk


def test_a_context_that_nobody_makes_is_a_warning(handbook: Any) -> None:
    handbook.put("a.md", "Text.")
    handbook.skillset["indexProjections"]["selectors"][0]["sourceContext"] = "/document/chapters/*"
    (warning,) = handbook.run().warnings
    assert "/document/chapters" in str(warning["details"])


def test_a_missing_projection_index_is_named(handbook: Any) -> None:
    handbook.skillset["indexProjections"]["selectors"][0]["targetIndexName"] = "elsewhere"
    assert "elsewhere" in str(handbook.run().errorMessage)


def test_output_field_mappings(handbook: Any, make_index: Any) -> None:
    handbook.put("a.md", "Text.")
    handbook.service.indexes["docs"] = make_index("docs", "id")
    handbook.indexer["targetIndexName"] = "docs"
    handbook.skillset["indexProjections"] = None
    handbook.indexer["outputFieldMappings"] = [
        {"sourceFieldName": "/document/pages", "targetFieldName": "chunk"},
        {"sourceFieldName": "/document/sentiment", "targetFieldName": "title"},
    ]
    result = handbook.run()
    (document,) = handbook.service.documents["docs"].values()
    assert document["chunk"] == ["Text."]
    (warning,) = result.warnings
    assert warning["name"] == "Projection.SearchIndex.OutputFieldMapping.title"
    assert warning["message"] == "Could not map output field 'title' to search index."


def test_results_are_json(handbook: Any) -> None:
    handbook.put("a.pdf", b"broken")
    result = handbook.run()
    json.dumps([dict(result.errors[0]), result.state, *map(dict, result.warnings)])
