"""Synonym maps at query time."""

import pytest
from search_indexes import KEY, STABLE, ids, scores, text_field

from azsearch_ops.local.errors import ServiceFault
from azsearch_ops.local.search.analysis.analyzers import analyzer
from azsearch_ops.local.search.engine import SearchEngine
from azsearch_ops.local.search.synonyms import Synonyms

DOCUMENTS = {
    "1": "a holiday in the united states",
    "2": "annual leave, then leave again",
    "3": "a trip through usa parks",
    "4": "states that are united again",
    "5": "nothing of the kind",
}
RULES = r"""
# what people say
holiday, leave, time off
united states, united states of america => usa
WA\, USA => washington
"""


def searched(rules=RULES, *, full=False, documents=DOCUMENTS, name="standard.lucene"):
    fields = [KEY, text_field("text", analyzer=name, synonymMaps=["words"]), text_field("plain", analyzer=name)]
    made = SearchEngine({"name": "i", "fields": fields}, lambda v, t: [], None, lambda name: rules)
    for key, text in documents.items():
        made.put(key, {"id": key, "text": text, "plain": text})
    return made


def find(text, made=None, **more):
    request = {"search": text, "searchFields": "text", **more}
    return (searched() if made is None else made).search(request, STABLE)


def test_equivalent_words_find_each_other():
    assert set(ids(find("holiday"))) == {"1", "2"} == set(ids(find("leave")))
    assert ids(find("holiday", searchFields="plain")) == ["1"]


def test_an_explicit_rule_replaces_what_was_asked():
    assert ids(find('"united states"')) == ["3"]  # and not 1, which has just these words
    assert ids(find("usa")) == ["3"]
    assert set(ids(find("united states"))) == {"1", "4"}  # two terms of the query, which no rule joins


def test_a_word_that_means_several_in_a_row_finds_them_in_a_row():
    documents = {"1": "some time off", "2": "off time", "3": "leave"}
    assert set(ids(find("holiday", searched(documents=documents)))) == {"1", "3"}


def test_a_phrase_goes_on_behind_what_was_replaced():
    assert ids(find('"united states parks"')) == ["3"]
    assert ids(find('"through united states parks"')) == ["3"]
    assert ids(find('"annual holiday"')) == ["2"]
    assert ids(find('"annual time off then"')) == ["2"]


def test_synonyms_are_scored_as_one_word():
    one = {"1": "car seat", "2": "automobile seat", "3": "seat", "4": "seat"}
    found = scores(find("car", searched("car, automobile", documents=one)))
    assert found["1"] == found["2"]
    alone = scores(find("automobile", searched("", documents=one)))
    assert found["2"] == alone["2"]  # as recorded: plain BM25 of the term that was found
    both = {"1": "car automobile", "2": "car seat", "3": "car car", "4": "seat"}
    found = scores(find("car", searched("car, automobile", documents=both)))
    assert found["1"] == found["3"] > found["2"]


def test_words_of_a_rule_are_analyzed_as_those_of_a_query():
    made = searched("Holidays, LEAVES", name="en.lucene")
    assert set(ids(find("holiday", made))) == {"1", "2"}


@pytest.mark.parametrize("text", ["holid*", "holiday~1", "/holiday/", "holi?ay"])
def test_parts_of_words_have_no_synonyms(text):
    assert ids(find(text, queryType="full")) == ["1"]


def test_full_queries_have_them_in_any_field_that_is_named():
    assert set(ids(find("text:holiday", queryType="full", searchFields="plain"))) == {"1", "2"}
    assert ids(find("plain:holiday", queryType="full")) == ["1"]


def test_a_change_takes_effect_at_once():
    current = {"words": ""}
    made = SearchEngine(
        {"name": "i", "fields": [KEY, text_field("text", synonymMaps=["words"])]},
        lambda v, t: [],
        None,
        lambda name: current[name],
    )
    made.put("1", {"id": "1", "text": "automobile"})
    assert ids(find("car", made)) == []
    current["words"] = "car, automobile"
    assert ids(find("car", made)) == ["1"]


def test_too_many_alternatives_are_too_many_clauses():
    rules = "\n".join(f"w{n}, " + ", ".join(f"w{n}x{m}" for m in range(19)) for n in range(3))
    with pytest.raises(ServiceFault, match="maximum clause limit of 3000"):
        find('"w0 w1 w2"', searched(rules))


@pytest.mark.parametrize(
    ("rules", "text", "expected"),
    [
        ("a, b", "a c", [(("a",), ("b",)), (("c",),)]),
        ("a b => c\na => d", "a b a", [(("c",),), (("d",),)]),
        ("a => b\na => c", "a", [(("b",), ("c",))]),
        (r"a\, b => c", "a b", [(("c",),)]),
        ("a =>", "a", [()]),
        (", ,", "a", [(("a",),)]),
    ],
)
def test_rules_are_read_as_solr_writes_them(rules, text, expected):
    tokens = list(analyzer("standard.lucene").tokens(text))
    assert [piece.alternatives for piece in Synonyms(rules, "standard.lucene").pieces(tokens)] == expected
