"""Values of documents by the type of their field."""

from __future__ import annotations

import struct
from array import array
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from azsearch_ops.local.documents.schema import schema_of
from azsearch_ops.local.documents.values import ValueFault, check_terms, completed, merged, shortest_singles, typed

INDEX = {
    "fields": [
        {"name": "id", "type": "Edm.String", "key": True},
        {"name": "when", "type": "Edm.DateTimeOffset"},
        {"name": "weight", "type": "Edm.Double"},
        {"name": "packed", "type": "Collection(Edm.Byte)", "dimensions": 12, "vectorEncoding": "packedBit"},
        {"name": "small", "type": "Collection(Edm.SByte)", "dimensions": 2},
        {"name": "author", "type": "Edm.ComplexType", "fields": [{"name": "name", "type": "Edm.String"}]},
    ]
}
SCHEMA = schema_of(INDEX)


def value(name: str, given: object) -> object:
    return typed({"id": "1", name: given}, SCHEMA)[name]


zones = st.builds(lambda minutes: timezone(timedelta(minutes=minutes)), st.integers(-14 * 60, 14 * 60))


@given(st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 12, 31), timezones=zones))
def test_dates_become_utc_to_the_millisecond(moment: datetime):
    kept = value("when", moment.isoformat())
    assert kept.endswith("Z")
    read = datetime.fromisoformat(kept)
    assert timedelta(0) <= moment - read < timedelta(milliseconds=1)
    assert value("when", kept) == kept


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1, max_size=8))
def test_singles_are_printed_short_and_exactly(numbers: list[float]):
    printed = shortest_singles(array("f", numbers))
    assert [struct.unpack("<f", struct.pack("<f", number))[0] for number in printed] == numbers
    assert shortest_singles(array("f", [0.1, 1.0, 123456.78])) == [0.1, 1.0, 123456.78]


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 10**400, "nan", True])
def test_numbers_that_are_none(number: object):
    with pytest.raises(ValueFault):
        value("weight", number)


def test_packed_bits_and_small_vectors():
    assert value("packed", [255, 0]) == [255, 0]
    assert value("small", [-128, 127]) == [-128, 127]
    assert value("small", []) is None
    for bad in ([256, 0], [-1, 0], [1, 2, 3], [1.5, 0], "AA"):
        with pytest.raises(ValueFault):
            value("packed", bad)
    with pytest.raises(ValueFault):
        value("small", [128, 0])


def test_merging_null_into_an_object_clears_it():
    old = typed({"id": "1", "author": {"name": "Ada"}}, SCHEMA)
    assert merged(old, {"author": None}, SCHEMA.fields)["author"] is None
    assert merged(old, {"author": {}}, SCHEMA.fields)["author"] == {"name": "Ada"}
    assert completed({"id": "1"}, SCHEMA.fields)["packed"] == []


def test_only_single_terms_have_a_limit():
    field = {"name": "text", "type": "Edm.String", "filterable": True}
    assert "text" in (check_terms({"text": "é" * 16_384}, {"fields": [field]}) or "")
    assert check_terms({"text": "é" * 16_383}, {"fields": [field]}) is None
    assert check_terms({"text": "é" * 16_384}, {"fields": [{**field, "filterable": False}]}) is None
