"""What a request may say: selections, counts, and refusals by name."""

import pytest
from search_indexes import STABLE, engine, ids, text_field, texts, vector_field, vector_search

from azsearch_ops.local.errors import ServiceFault

ROOMS = {
    "name": "rooms",
    "type": "Collection(Edm.ComplexType)",
    "fields": [text_field("kind"), {"name": "rate", "type": "Edm.Double"}],
}
ADDRESS = {
    "name": "address",
    "type": "Edm.ComplexType",
    "fields": [text_field("city"), text_field("zip", retrievable=False)],
}
FIELDS = [text_field("text"), ADDRESS, ROOMS, text_field("secret", retrievable=False), vector_field("v", 2)]
MADE = engine(
    FIELDS,
    [
        {"id": "1", "text": "x", "address": {"city": "Rome", "zip": "1"}, "rooms": [{"kind": "a", "rate": 1.0}],
         "secret": "s"},
        {"id": "2"},
    ],
    vectorSearch=vector_search(),
)  # fmt: skip


def row(select: str | None, number: int = 0):
    found = dict(MADE.search({"select": select}, STABLE)["value"][number])
    assert found.pop("@search.score") == 1.0
    return found


def test_everything_retrievable_in_the_order_of_the_index():
    whole = {"id": "1", "text": "x", "address": {"city": "Rome"}, "rooms": [{"kind": "a", "rate": 1.0}], "v": []}
    assert row(None) == row("*") == whole
    assert list(row(None)) == ["id", "text", "address", "rooms", "v"]


def test_absent_values_are_null_and_collections_empty():
    assert row(None, 1) == {"id": "2", "text": None, "address": None, "rooms": [], "v": []}


def test_parts_of_complex_fields():
    assert row("rooms/rate,id") == {"id": "1", "rooms": [{"rate": 1.0}]}
    assert row("address") == {"address": {"city": "Rome"}}
    assert row("address/city,text") == {"text": "x", "address": {"city": "Rome"}}


@pytest.mark.parametrize(
    ("select", "message"),
    [
        ("secret", "not a retrievable field"),
        ("nope", "Could not find a property named 'nope' on type 'search.document'"),
        ("text,,id", "Syntax error"),
        ("address/zip", "not a retrievable field"),
    ],
)
def test_refused_selections(select, message):
    with pytest.raises(ServiceFault, match=message) as caught:
        MADE.search({"select": select}, STABLE)
    assert caught.value.message.endswith("Parameter name: $select")


def test_count_and_coverage_only_when_asked_for():
    assert set(MADE.search({}, STABLE)) == {"value"}
    found = MADE.search({"count": True, "minimumCoverage": 80, "top": 0}, STABLE)
    assert found == {"@odata.count": 2, "@search.coverage": 100.0, "value": []}


@pytest.mark.parametrize(
    "request_body",
    [
        {"queryType": "semantic"},
        {"semanticConfiguration": "c"},
        {"answers": "extractive"},
        {"captions": "extractive"},
        {"speller": "lexicon"},
        {"queryRewrites": "generative"},
        {"semanticFields": "text"},
        {"featuresMode": "enabled"},
        {"debug": "semantic"},
    ],
)
def test_what_is_not_supported_is_refused_by_name(request_body):
    name = next(iter(request_body))
    with pytest.raises(ServiceFault) as caught:
        MADE.search({"search": "x", **request_body}, STABLE)
    assert caught.value.status == 400
    assert caught.value.details[0][0] == "NotSupportedByLocalService"
    assert caught.value.message.endswith(f"Parameter name: {name}")


@pytest.mark.parametrize(
    ("request_body", "name"),
    [
        ({"facet": ["text"]}, "'facet'"),
        ({"Search": "x"}, "'Search'"),
        ({"top": -1}, "'top'"),
        ({"top": "5"}, "'top'"),
        ({"skip": 100_001}, "'skip'"),
        ({"count": "yes"}, "'count'"),
        ({"searchMode": "some"}, "'searchMode'"),
        ({"queryType": "fuzzy"}, "'queryType'"),
        ({"search": 5}, "'search'"),
        ({"search": "x" * 100_001}, "100001"),
        ({"searchFields": "nope"}, "'nope'"),
        ({"searchFields": "v"}, "'v'"),
        ({"minimumCoverage": 101}, "'minimumCoverage'"),
        ({"sessionId": "_x"}, "'_'"),
        ({"highlightPreTag": "<b>"}, "highlightPostTag"),
        ({"vectorQueries": [3]}, "object"),
        ({"vectorQueries": {}}, "'vectorQueries'"),
    ],
)
def test_what_is_wrong_is_named(request_body, name):
    with pytest.raises(ServiceFault, match=name) as caught:
        MADE.search(request_body, STABLE)
    assert caught.value.status == 400


def test_null_and_empty_are_the_same_as_absent():
    request = {
        "search": "x",
        "facets": [],
        "scoringParameters": [],
        "filter": None,
        "orderby": "",
        "vectorQueries": None,
    }
    request |= {"debug": "disabled", "scoringStatistics": "global", "sessionId": "s", "queryType": "simple"}
    assert ids(MADE.search(request, STABLE)) == ["1"]


def test_an_analyzer_of_the_cloud_is_refused_where_it_is_searched():
    fields = [text_field("text"), text_field("ja", analyzer="ja.microsoft")]
    made = engine(fields, [{"id": "1", "text": "x", "ja": "y"}])
    assert ids(made.search({"search": "x", "searchFields": "text"}, STABLE)) == ["1"]
    assert ids(made.search({"filter": "ja eq 'y'"}, STABLE)) == ["1"]
    with pytest.raises(ServiceFault, match=r"ja\.microsoft"):
        made.search({"search": "x"}, STABLE)


def test_a_changed_definition_keeps_the_documents():
    made = texts("red", "blue")
    definition = {
        "name": "i",
        "fields": [
            {"name": "id", "type": "Edm.String", "key": True, "searchable": False},
            text_field("text", retrievable=False),
            text_field("more"),
        ],
    }
    made.redefine(definition)
    made.put("3", {"id": "3", "text": None, "more": "red"})
    found = made.search({"search": "red"}, STABLE)
    assert {row["id"]: row["more"] for row in found["value"]} == {"1": None, "3": "red"}
    assert "text" not in found["value"][0]
    made.redefine({**definition, "similarity": {"k1": 0.0}})
    assert ids(made.search({"search": "blue"}, STABLE)) == ["2"]
