"""Facets: recorded shapes on small data, counting by document, refusals."""

import pytest
from search_indexes import STABLE, engine, text_field, vector_field, vector_search

from azsearch_ops.local.errors import ServiceFault

FIELDS = [
    text_field("kind"),
    text_field("plain", facetable=False),
    {"name": "rating", "type": "Edm.Int32"},
    {"name": "open", "type": "Edm.Boolean"},
    {"name": "day", "type": "Edm.DateTimeOffset"},
    {"name": "tags", "type": "Collection(Edm.String)"},
    {"name": "rooms", "type": "Collection(Edm.ComplexType)", "fields": [{"name": "rate", "type": "Edm.Double"}]},
    vector_field("v", 2),
]
DOCUMENTS = [
    {"id": "1", "kind": "b", "rating": 5, "open": True, "day": "1995-07-01T00:00:00Z", "tags": ["x", "x", "y"],
     "rooms": [{"rate": 2.5}, {"rate": 2.5}, {"rate": 8.0}], "v": [1.0, 0.0]},
    {"id": "2", "kind": "a", "rating": 4, "open": False, "day": "1995-12-31T23:30:00Z", "tags": ["y"],
     "rooms": [{"rate": 9.5}], "v": [0.0, 1.0]},
    {"id": "3", "kind": "a", "rating": 4, "open": False, "day": "2012-08-12T10:00:00Z", "tags": [], "rooms": []},
    {"id": "4", "kind": "c", "rating": 14},
    {"id": "5"},
]  # fmt: skip
MADE = engine(FIELDS, DOCUMENTS, vectorSearch=vector_search())


def facet(text: str, **request):
    found = MADE.search({"facets": [text], "top": 0, **request}, STABLE)["@search.facets"]
    return [tuple(bucket.values()) for bucket in found[text.partition(",")[0]]]


def test_form():
    found = MADE.search({"facets": ["kind", "rooms/rate,values:5|9"], "top": 0}, STABLE)
    assert found["@search.facets"] == {
        "kind": [{"value": "a", "count": 2}, {"value": "b", "count": 1}, {"value": "c", "count": 1}],
        "rooms/rate": [{"to": 5.0, "count": 1}, {"from": 5.0, "to": 9.0, "count": 1}, {"from": 9.0, "count": 1}],
    }


@pytest.mark.parametrize(
    ("text", "buckets"),
    [
        ("kind,count:1", [("a", 2)]),
        ("kind,sort:value", [("a", 2), ("b", 1), ("c", 1)]),
        ("kind,sort:-value", [("c", 1), ("b", 1), ("a", 2)]),
        ("kind,sort:-count", [("b", 1), ("c", 1), ("a", 2)]),
        ("rating,count:2,sort:-value", [(14, 1), (5, 1)]),
        ("open,sort:count", [(False, 2), (True, 1)]),
        ("tags,sort:value", [("x", 1), ("y", 2)]),
        ("rooms/rate,sort:value", [(2.5, 1), (8.0, 1), (9.5, 1)]),
        ("rating,interval:5", [(0, 2), (5, 1), (10, 1)]),
        ("rating,values:5", [(5, 2), (5, 2)]),
        ("day,interval:year", [("1995-01-01T00:00:00Z", 2), ("2012-01-01T00:00:00Z", 1)]),
        ("day,interval:quarter", [
            ("1995-07-01T00:00:00Z", 1),
            ("1995-10-01T00:00:00Z", 1),
            ("2012-07-01T00:00:00Z", 1),
        ]),
        ("day,interval:day,timeoffset:+01:00", [
            ("1995-06-30T23:00:00Z", 1),
            ("1995-12-31T23:00:00Z", 1),
            ("2012-08-11T23:00:00Z", 1),
        ]),
        ("day,interval:year,timeoffset:+01", [
            ("1994-12-31T23:00:00Z", 1),
            ("1995-12-31T23:00:00Z", 1),
            ("2011-12-31T23:00:00Z", 1),
        ]),
        ("day,values:2000-01-01T00:00:00Z", [("2000-01-01T00:00:00.000+0000", 2), ("2000-01-01T00:00:00.000+0000", 1)]),
    ],
)  # fmt: skip
def test_buckets(text, buckets):
    assert facet(text) == buckets


def test_zero_is_no_limit_and_ten_the_default():
    many = engine([{"name": "n", "type": "Edm.Int32"}], [{"id": str(n), "n": n} for n in range(25)])
    assert len(many.search({"facets": ["n"]}, STABLE)["@search.facets"]["n"]) == 10
    assert len(many.search({"facets": ["n,count:0"]}, STABLE)["@search.facets"]["n"]) == 25


def test_ranges_without_documents_are_shown():
    assert facet("rating,values:1|2", filter="rating gt 100") == [(1, 0), (1, 2, 0), (2, 0)]


def test_facets_are_about_all_that_matches():
    assert facet("kind", filter="rating eq 4", skip=1) == [("a", 2)]
    vector = {"kind": "vector", "vector": [1.0, 0.0], "fields": "v", "k": 1}
    assert facet("kind", vectorQueries=[vector]) == [("b", 1)]
    assert facet("kind", search="c", vectorQueries=[vector]) == [("b", 1), ("c", 1)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nope", "Could not find a property named 'nope'"),
        ("plain", "'plain' is not a facetable field"),
        ("v", "cannot be a facet"),
        ("rooms", "cannot be a facet"),
        ("kind,size:3", "'size:3'"),
        ("kind,count:x", "count"),
        ("kind,sort:up", "sort"),
        ("kind,values:a", "'values'"),
        ("rating,values:5|3", "ascend"),
        ("rating,values:x", "do not fit"),
        ("rating,interval:0", "interval"),
        ("rating,interval:2,count:3", "'interval'"),
        ("day,interval:century", "interval"),
        ("day,interval:week", "'week'"),
        ("rating,metric:sum", "'metric'"),
        ("kind,timeoffset:+01:00", "timeoffset"),
    ],
)
def test_refused_facets(text, message):
    with pytest.raises(ServiceFault, match=message) as caught:
        facet(text)
    assert caught.value.status == 400
