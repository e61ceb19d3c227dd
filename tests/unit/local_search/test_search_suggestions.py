"""Suggestions and completions while somebody types."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from search_indexes import engine, ids, text_field

from azsearch_ops.local.errors import ServiceFault
from azsearch_ops.local.search.closeness import distance
from azsearch_ops.local.search.near_words import begins_nearly, is_nearly

FIELDS = [
    text_field("about", analyzer="en.lucene"),
    text_field("name"),
    {"name": "tags", "type": "Collection(Edm.String)", "searchable": True, "filterable": True},
    {"name": "rating", "type": "Edm.Int32", "filterable": True, "sortable": True},
]
SUGGESTERS = [{"name": "sg", "searchMode": "analyzingInfixMatching", "sourceFields": ["about", "name", "tags"]}]
DOCUMENTS = [
    {"id": "1", "about": "Running the Marathon", "name": "Long runs", "tags": ["street races"], "rating": 1},
    {"id": "2", "about": "A quiet park", "name": "Runner's rest", "tags": ["trees", "Quiet places"], "rating": 3},
    {"id": "3", "about": None, "name": "The race of the year", "tags": [], "rating": 2},
]


def searched():
    return engine(FIELDS, DOCUMENTS, suggesters=SUGGESTERS)


def suggest(text, **more):
    return searched().suggest({"search": text, "suggesterName": "sg", **more})


def complete(text, **more):
    rows = searched().autocomplete({"search": text, "suggesterName": "sg", **more})["value"]
    return [row["text"] for row in rows]


def test_the_text_is_the_whole_value_of_the_first_field_that_matches():
    assert suggest("run")["value"] == [
        {"@search.text": "Running the Marathon", "id": "1"},
        {"@search.text": "Runner's rest", "id": "2"},
    ]
    assert suggest("run", searchFields="name")["value"][0]["@search.text"] == "Long runs"
    assert suggest("quiet pl")["value"] == [{"@search.text": "Quiet places", "id": "2"}]


def test_every_word_must_stand_in_one_value_and_only_the_last_is_a_beginning():
    assert ids(suggest("race ye")) == ["3"] and ids(suggest("year rac")) == ["3"]
    assert ids(suggest("rac year")) == [] and ids(suggest("long street")) == []


def test_words_are_those_of_the_text_and_not_stems():
    assert ids(suggest("the mar")) == ["1"]  # the analyzer of the field drops the one and keeps both as stems
    assert ids(suggest("runni")) == ["1"]


def test_tags_go_round_whole_words():
    found = suggest("the ye", highlightPreTag="<b>", highlightPostTag="</b>")["value"]
    assert found[0]["@search.text"] == "<b>The</b> race of <b>the</b> <b>year</b>"


def test_one_edit_in_all_the_words():
    assert ids(suggest("rum")) == [] and ids(suggest("rum", fuzzy=True)) == ["1", "2"]
    assert ids(suggest("raec year", fuzzy=True)) == ["3"] and ids(suggest("raec yeer", fuzzy=True)) == []


def test_order_filter_fields_and_number():
    assert ids(suggest("r", orderby="rating desc")) == ["2", "3", "1"]
    assert ids(suggest("r", orderby="rating desc", top=2)) == ["2", "3"]
    assert ids(suggest("r", filter="rating lt 3")) == ["1", "3"]
    row = suggest("quiet", select="id,rating", minimumCoverage=50)
    assert row == {"@search.coverage": 100.0, "value": [{"@search.text": "A quiet park", "id": "2", "rating": 3}]}


def test_one_term_completes_without_regard_to_the_words_before():
    answer = searched().autocomplete(
        {"search": "Very ru", "suggesterName": "sg", "highlightPreTag": "[", "highlightPostTag": "]"}
    )
    assert answer["value"] == [
        {"text": "runner's", "queryPlusText": "Very [runner's]"},
        {"text": "running", "queryPlusText": "Very [running]"},
        {"text": "runs", "queryPlusText": "Very [runs]"},
    ]
    assert complete("ra") == ["race", "races"] and complete("ra", filter="rating eq 2") == ["race"]
    assert complete("ra", searchFields="tags") == ["races"] and complete("zz") == []


def test_two_terms_are_the_word_and_the_next_or_the_word_alone():
    assert complete("ra", autocompleteMode="twoTerms") == ["race of", "races"]


def test_the_word_before_must_have_stood_before_it():
    assert complete("the ra", autocompleteMode="oneTermWithContext") == ["the race"]
    assert complete("tha ra", autocompleteMode="oneTermWithContext") == []
    assert complete("tha ra", autocompleteMode="oneTermWithContext", fuzzy=True) == ["the race", "the marathon"]
    rows = searched().autocomplete(
        {"search": "see the ye", "suggesterName": "sg", "autocompleteMode": "oneTermWithContext"}
    )
    assert rows["value"] == [{"text": "the year", "queryPlusText": "see the year"}]


def test_what_begins_as_typed_comes_before_what_begins_nearly_so():
    assert complete("rac", fuzzy=True) == ["race", "races"]
    assert complete("runs", fuzzy=True) == ["runs", "runner's", "running"]
    assert complete("r", top=3) == ["races", "running", "runs"]  # those of the oldest document, not "race"


def test_a_document_that_goes_takes_its_words_with_it():
    made = searched()
    made.remove("3")
    asked = {"search": "rac", "suggesterName": "sg"}
    assert made.autocomplete(asked)["value"] == [{"text": "races", "queryPlusText": "races"}]
    made.put("1", {**DOCUMENTS[0], "tags": []})
    assert made.autocomplete(asked)["value"] == [] and made.suggest(asked)["value"] == []


@pytest.mark.parametrize(
    ("request_body", "message"),
    [
        ({"search": "a", "suggesterName": "no"}, "The specified suggester name 'no' does not exist in this index"),
        ({"search": "a"}, "Cannot find fields enabled for suggestions."),
        ({"search": "###", "suggesterName": "sg"}, "Failed to parse query string."),
        ({"search": "", "suggesterName": "sg"}, "between 1 and 100 characters"),
        ({"search": "a" * 101, "suggesterName": "sg"}, "between 1 and 100 characters"),
        ({"search": "a", "suggesterName": "sg", "top": 101}, "'top' must be a whole number from 1 to 100"),
        ({"search": "a", "suggesterName": "sg", "searchFields": "id"}, "not one of the source fields"),
        ({"search": "a", "suggesterName": "sg", "highlightPreTag": "<b>"}, "must be set together"),
        ({"search": "a", "suggesterName": "sg", "filter": "no eq 1"}, "Could not find a property named 'no'"),
        ({"search": "a", "suggesterName": "sg", "queryType": "full"}, "'queryType' in the request payload"),
    ],
)
def test_refusals(request_body, message):
    for ask in (searched().suggest, searched().autocomplete):
        with pytest.raises(ServiceFault, match=message) as caught:
            ask(request_body)
        assert caught.value.status == 400


WORDS = st.text("abc", min_size=1, max_size=6)


@given(WORDS, WORDS)
def test_near_words_are_within_one_edit(word, wanted):
    assert is_nearly(word, wanted) == (distance(word, wanted, 1) <= 1)
    prefixes = [word[:length] for length in range(len(word) + 1)]
    assert begins_nearly(word, wanted) == any(distance(prefix, wanted, 1) <= 1 for prefix in prefixes)
