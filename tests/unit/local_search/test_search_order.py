"""Orders, ties, and pages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from search_indexes import STABLE, engine, ids, text_field

from azsearch_ops.local.errors import ServiceFault

FIELDS = [
    text_field("s"),
    {"name": "n", "type": "Edm.Double"},
    {"name": "t", "type": "Edm.DateTimeOffset"},
    {"name": "p", "type": "Edm.GeographyPoint"},
    {"name": "tags", "type": "Collection(Edm.String)"},
    {"name": "plain", "type": "Edm.String", "sortable": False},
]


def point(longitude: float) -> dict[str, object]:
    return {"type": "Point", "coordinates": [longitude, 0.0]}


MADE = engine(
    FIELDS,
    [
        {"id": "1", "s": "b", "n": 2.0, "p": point(3)},
        {"id": "2", "s": "B", "n": None, "p": None},
        {"id": "3", "s": "é", "n": "NaN", "p": point(1)},
        {"id": "4", "s": None, "n": "-INF", "p": point(2)},
        {"id": "5", "s": "a", "n": 2.0, "t": "2020-01-01T00:00:00Z", "p": point(1)},
    ],
)


@pytest.mark.parametrize(
    ("orderby", "expected"),
    [
        ("s", "42513"),
        ("s desc", "31524"),
        ("n", "24153"),
        ("n desc", "31542"),
        ("n desc, s", "35142"),
        ("n asc,id desc", "24513"),
        ("t desc", "51234"),
        ("geo.distance(p, geography'POINT(0 0)')", "35412"),
        ("geo.distance(p, geography'POINT(0 0)') desc, id desc", "21453"),
        ("search.score() desc, id desc", "54321"),
    ],
)
def test_orders(orderby, expected):
    assert "".join(ids(MADE.search({"orderby": orderby}, STABLE))) == expected


@pytest.mark.parametrize(
    ("orderby", "message"),
    [
        ("plain", "'plain' is not a sortable field. Only sortable fields can be used in \\$orderby"),
        ("tags", "not a sortable field"),
        ("nope", "Could not find a property named 'nope'"),
        ("s sideways", "Syntax error"),
        ("p", r"cannot be used in \$orderby"),
        ("search.in(s, 'a')", r"cannot be used in \$orderby"),
        (",".join(["s"] * 33), "more than 32"),
    ],
)
def test_refused_orders(orderby, message):
    with pytest.raises(ServiceFault, match=message) as caught:
        MADE.search({"orderby": orderby}, STABLE)
    assert caught.value.message.endswith("$orderby")


def test_equal_scores_keep_the_order_of_insertion_through_rewrites():
    made = engine([text_field("s")], [{"id": key, "s": "x"} for key in "dbac"])
    made.put("b", {"id": "b", "s": "x"})
    assert ids(made.search({"search": "x"}, STABLE)) == list("dbac")
    made.remove("d")
    made.put("d", {"id": "d", "s": "x"})
    assert ids(made.search({"search": "x"}, STABLE)) == list("bacd")


def test_many_rewrites_change_nothing():
    made = engine([text_field("s"), {"name": "n", "type": "Edm.Double"}], [])
    for turn in range(120):
        for key in range(30):
            made.put(str(key), {"id": str(key), "s": "x" if key % 2 else f"x y{turn}", "n": float(key + turn)})
        made.search({"search": "x"}, STABLE)
    assert ids(made.search({"search": "x", "searchMode": "all"}, STABLE))[:3] == ["1", "3", "5"]
    assert ids(made.search({"search": "y119", "filter": "n gt 145"}, STABLE)) == ["28"]
    assert ids(made.search({"search": "y118"}, STABLE)) == []


@given(st.lists(st.sampled_from(["x", "x x", "y x", "y"]), max_size=30), st.integers(0, 8), st.integers(1, 9))
def test_pages_are_slices_of_the_whole(values, skip, top):
    made = engine([text_field("s")], [{"id": str(n), "s": value} for n, value in enumerate(values)])
    whole = ids(made.search({"search": "x", "top": 100}, STABLE))
    assert ids(made.search({"search": "x", "top": top, "skip": skip}, STABLE)) == whole[skip : skip + top]


def test_fifty_results_and_how_to_get_the_next():
    made = engine([text_field("s")], [{"id": f"{n:03}", "s": "x"} for n in range(120)])
    request = {"search": "x", "count": True, "select": "id"}
    pages = []
    while request:
        found = made.search(request, STABLE)
        pages.append(len(found["value"]))
        assert found["@odata.count"] == 120
        request = found.get("@search.nextPageParameters")
        if request:
            assert request["skip"] == sum(pages)
    assert pages == [50, 50, 20]


def test_a_given_top_has_no_next_page_unless_it_is_beyond_a_page():
    made = engine([text_field("s")], [{"id": f"{n:04}", "s": "x"} for n in range(1300)])
    assert "@search.nextPageParameters" not in made.search({"search": "x", "top": 1000}, STABLE)
    found = made.search({"search": "x", "top": 1200, "select": "id"}, STABLE)
    assert len(found["value"]) == 1000
    assert found["@search.nextPageParameters"] == {"search": "x", "top": 200, "skip": 1000, "select": "id"}
    assert made.search({"search": "x", "top": 0, "count": True}, STABLE) == {"@odata.count": 1300, "value": []}
