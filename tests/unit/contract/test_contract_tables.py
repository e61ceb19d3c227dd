"""The contract is one consistent table: every reference resolves, every row has a source."""

import pytest

from azsearch_ops.contract.fields import FIELD_PROPERTIES, changed_in_place, field_defaults
from azsearch_ops.contract.names import check_name
from azsearch_ops.contract.objects import OBJECTS, is_open, list_key, properties_of
from azsearch_ops.contract.versions import API_VERSIONS, DEFAULT_API_VERSION, aliases_supported, is_preview, supports

ROWS = [(kind.name, row) for kind in OBJECTS.values() for row in kind.properties.values()]


@pytest.mark.parametrize(("kind", "row"), ROWS, ids=[f"{kind}.{row.name}" for kind, row in ROWS])
def test_each_row_is_complete(kind, row):
    assert row.source, f"{kind}.{row.name} names no source"
    assert row.of is None or row.of in OBJECTS
    assert row.default is None or not row.values or row.default in row.values
    assert row.kind in ("object", "list") or row.of is None
    if row.minimum is not None and row.maximum is not None:
        assert row.minimum < row.maximum
    if row.order == "named":
        assert all(key in OBJECTS[row.of].properties for key in row.key.split("|"))
    assert row.since in API_VERSIONS or row.since == "2020-06-30-preview"


def test_variants_exist():
    for kind in OBJECTS.values():
        assert all(variant in OBJECTS for variant in kind.variants.values())


def test_a_variant_adds_its_rows_and_closes_the_object():
    split = {"@odata.type": "#Microsoft.Skills.Text.SplitSkill"}
    assert "maximumPageLength" in properties_of("skill", split)
    assert not is_open("skill", split)
    assert not is_open("skill", {"@odata.type": "#Microsoft.Skills.Text.V3.EntityRecognitionSkill"})
    assert is_open("skill", {"@odata.type": "#Microsoft.Skills.Text.NotYetKnownSkill"})


def test_items_are_told_apart_by_the_first_key_they_have():
    row = properties_of("indexer")["fieldMappings"]
    assert list_key(row, {"sourceFieldName": "a", "targetFieldName": "b"}) == "b"
    assert list_key(row, {"sourceFieldName": "a"}) == "a"
    assert list_key(row, {}) is None


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("index", "handbook-3fa81c20"),
        ("index", "a_b"),
        ("index", "ab"),
        ("index", "ab-"),
        ("index", "x" * 128),
        ("alias", "handbook-live"),
        ("skillset", "a"),
        ("skillset", "a--b"),
        ("field", "Title_2"),
        ("key", "a=_-Z9"),
        ("scoringProfile", "product-score"),
        ("suggester", "sg_1"),
        ("analysis", "my analyzer-2"),
    ],
)
def test_names_that_azure_takes(kind, name):
    assert check_name(kind, name) is None


@pytest.mark.parametrize(
    ("kind", "name", "reason"),
    [
        ("index", "a", "2 to 128"),
        ("index", "x" * 129, "has 129"),
        ("index", "Docs", "lower-case"),
        ("index", "-docs", "start with"),
        ("index", "docs--v1", "in a row"),
        ("index", "docs__v1", "in a row"),
        ("alias", "a_b", "lower-case"),
        ("alias", "live-", "start or end"),
        ("alias", "a--b", "in a row"),
        ("skillset", "-a", "start or end"),
        ("field", "2nd", "start with a letter"),
        ("field", "azureSearchX", "azureSearch"),
        ("field", "a-b", "letters, digits"),
        ("scoringProfile", "-score", "start with"),
        ("suggester", "s-g", "letters, digits"),
        ("analysis", "my_", "start and end"),
        ("analysis", "x" * 128, "has 128"),
        ("key", "_a", "underscore"),
        ("key", "", "1 to 1024"),
        ("key", "ä", "may only have"),
    ],
)
def test_names_that_azure_refuses(kind, name, reason):
    assert reason in (check_name(kind, name) or "")


def test_defaults_follow_the_type():
    text = field_defaults({"name": "a", "type": "Edm.String"})
    assert (text["searchable"], text["filterable"], text["sortable"], text["facetable"]) == (True, True, True, True)
    vector = field_defaults({"name": "v", "type": "Collection(Edm.Single)", "dimensions": 3})
    assert (vector["searchable"], vector["filterable"], vector["retrievable"]) == (True, False, False)
    tags = field_defaults({"name": "t", "type": "Collection(Edm.String)"})
    assert (tags["searchable"], tags["sortable"], tags["facetable"]) == (True, False, True)
    point = field_defaults({"name": "g", "type": "Edm.GeographyPoint"})
    assert (point["searchable"], point["facetable"], point["sortable"]) == (False, False, True)
    assert field_defaults({"name": "n", "type": "Edm.Int32", "filterable": False})["filterable"] is False


def test_sub_fields_get_defaults_and_those_of_a_collection_do_not_sort():
    rooms = field_defaults(
        {"name": "rooms", "type": "Collection(Edm.ComplexType)", "fields": [{"name": "beds", "type": "Edm.Int32"}]}
    )
    assert set(rooms) == {"name", "type", "fields"}
    assert rooms["fields"][0]["sortable"] is False
    address = field_defaults(
        {"name": "address", "type": "Edm.ComplexType", "fields": [{"name": "city", "type": "Edm.String"}]}
    )
    assert address["fields"][0]["sortable"] is True


def test_what_a_put_changes():
    assert changed_in_place("retrievable") and changed_in_place("searchAnalyzer")
    assert not any(changed_in_place(name) for name in ("type", "analyzer", "filterable", "dimensions", "unheardOf"))
    assert FIELD_PROPERTIES["searchAnalyzer"].change == "candidate"


@pytest.mark.parametrize(
    ("version", "supported"),
    [
        (DEFAULT_API_VERSION, True),
        ("2025-09-01", False),
        ("2024-07-01", False),
        ("2025-11-01-preview", True),
        ("2021-04-30-Preview", True),
        ("2020-06-30-Preview", False),
        ("2026-08-01-preview", True),
    ],
)
def test_which_versions_know_aliases(version, supported):
    assert aliases_supported(version) is supported


def test_previews_are_cumulative_and_stable_versions_lack_them():
    assert supports("2026-05-01-preview", "2024-07-01")
    assert supports("2025-11-01-preview", "2024-09-01-preview")
    assert not supports("2026-04-01", "2024-09-01-preview")
    assert not supports("2023-11-01", "2024-07-01")
    assert is_preview("2026-05-01-preview") and not is_preview("2026-04-01")
