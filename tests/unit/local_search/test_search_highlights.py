"""Hit highlighting: which words are marked, and what comes back around them."""

import pytest
from search_indexes import KEY, STABLE, engine, text_field

from azsearch_ops.local.errors import ServiceFault
from azsearch_ops.local.search.engine import SearchEngine

LONG = "The pool is warm. Pools are cleaned daily. Nobody swims at night! Is the pool safe?"
FIELDS = [
    text_field("about", analyzer="en.lucene"),
    text_field("name"),
    {"name": "tags", "type": "Collection(Edm.String)", "searchable": True},
    {"name": "rooms", "type": "Collection(Edm.ComplexType)", "fields": [text_field("kind")]},
    {"name": "size", "type": "Edm.Int32"},
]
DOCUMENT = {
    "id": "1", "about": LONG, "name": "Pool view hotel", "tags": ["pool", "view", "swimming pool"],
    "rooms": [{"kind": "deluxe room"}, {"kind": "Pool room"}], "size": 3,
}  # fmt: skip


def marks(search, highlight, **more):
    made = engine(FIELDS, [DOCUMENT])
    (row,) = made.search({"search": search, "highlight": highlight, **more}, STABLE)["value"]
    return row.get("@search.highlights")


def test_the_words_of_the_text_are_marked_and_not_their_stems():
    assert marks("pools", "about")["about"] == [
        "The <em>pool</em> is warm.",
        "<em>Pools</em> are cleaned daily.",
        "Is the <em>pool</em> safe?",
    ]


def test_fields_without_a_match_are_left_out_and_so_is_the_member():
    assert marks("view", "about,name") == {"name": ["Pool <em>view</em> hotel"]}
    assert marks("pool", "name", searchFields="about") is None
    assert marks("*", "name") is None


def test_as_many_fragments_as_are_wanted():
    assert len(marks("pool", "about-2")["about"]) == 2
    assert marks("pool", " tags-1 , name") == {"tags": ["<em>pool</em>"], "name": ["<em>Pool</em> view hotel"]}


def test_every_value_of_a_collection_and_below_complex_fields():
    assert marks("pool", "tags,rooms/kind") == {
        "tags": ["<em>pool</em>", "swimming <em>pool</em>"],
        "rooms/kind": ["<em>Pool</em> room"],
    }


def test_tags_of_ones_own():
    assert marks("view", "name", highlightPreTag="[", highlightPostTag="]") == {"name": ["Pool [view] hotel"]}


@pytest.mark.parametrize(
    ("search", "expected"),
    [
        ('"view hotel"', "Pool <em>view</em> <em>hotel</em>"),
        ('"pool hotel"~2', "<em>Pool</em> view <em>hotel</em>"),
        ("vie*", "Pool <em>view</em> hotel"),
        ("vi?w", "Pool <em>view</em> hotel"),
        ("/vi.*/", "Pool <em>view</em> hotel"),
        ("vlew~", "Pool <em>view</em> hotel"),
        ("pool^2 NOT closed", "<em>Pool</em> view hotel"),
        ("name:hotel pool", "<em>Pool</em> view <em>hotel</em>"),
    ],
)
def test_each_kind_of_query(search, expected):
    assert marks(search, "name", queryType="full") == {"name": [expected]}


def test_only_words_that_form_the_phrase_are_marked():
    made = engine([text_field("text")], [{"id": "1", "text": "sea view and a sea"}])
    (row,) = made.search({"search": '"sea view"', "highlight": "text"}, STABLE)["value"]
    assert row["@search.highlights"]["text"] == ["<em>sea</em> <em>view</em> and a sea"]


def test_synonyms_are_marked_like_the_word_itself():
    fields = [KEY, text_field("text", synonymMaps=["words"])]
    made = SearchEngine({"name": "i", "fields": fields}, lambda v, t: [], None, lambda name: "car, automobile")
    made.put("1", {"id": "1", "text": "a car is an automobile"})
    (row,) = made.search({"search": "car", "highlight": "text"}, STABLE)["value"]
    assert row["@search.highlights"]["text"] == ["a <em>car</em> is an <em>automobile</em>"]


@pytest.mark.parametrize(
    ("highlight", "message"),
    [
        ("none", "'none' in the highlight list does not exist"),
        ("size", "'size' in the highlight list is not searchable"),
        ("name-0", "'name-0' asks for no number"),
        ("name-1001", "'name-1001' asks for no number"),
        ("name-x", "'name-x' asks for no number"),
    ],
)
def test_refusals(highlight, message):
    with pytest.raises(ServiceFault, match=message):
        marks("pool", highlight)
