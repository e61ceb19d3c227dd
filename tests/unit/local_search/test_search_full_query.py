"""The full query language: operators, fields, boosts, fuzzy, wildcards, expressions, distance."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from search_indexes import STABLE, engine, ids, scores, text_field, texts

from azsearch_ops.local.errors import ServiceFault
from azsearch_ops.local.search.automaton import Automaton, RegexError
from azsearch_ops.local.search.closeness import alike, distance
from azsearch_ops.local.search.sloppy import sloppy_frequency

FIELDS = [
    text_field("name"),
    text_field("text", analyzer="en.lucene"),
    {"name": "rooms", "type": "Collection(Edm.ComplexType)", "fields": [text_field("type")]},
    {"name": "n", "type": "Edm.Int32"},
]
MADE = engine(
    FIELDS,
    [
        {"id": "1", "name": "Roach Motel", "text": "the cheapest hotel", "rooms": [{"type": "budget"}]},
        {"id": "2", "name": "Grand Hotel", "text": "luxury hotels with a pool", "rooms": [{"type": "deluxe suite"}]},
        {"id": "3", "name": "EconoStay", "text": "wifi and pool", "rooms": []},
        {"id": "4", "name": "air-condition", "text": "wifi luxury", "rooms": []},
    ],
)


def search(text: str, mode: str = "any", **more) -> dict:
    return MADE.search({"search": text, "queryType": "full", "searchMode": mode, **more}, STABLE)


def found(text: str, mode: str = "any", **more) -> str:
    return "".join(sorted(ids(search(text, mode, **more))))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("wifi luxury", "234"),
        ("wifi AND luxury", "4"),
        ("wifi && luxury", "4"),
        ("+wifi luxury", "34"),
        ("wifi OR cheapest", "134"),
        ("wifi || cheapest", "134"),
        ("pool OR wifi AND luxury", "4"),
        ("pool OR (wifi AND luxury)", "234"),
        ("pool AND NOT wifi", "2"),
        ("pool !wifi", "2"),
        ("pool -wifi", "2"),
        ("wifi - pool", "234"),
        ("and", ""),
        ('"cheapest hotel"', "1"),
        ('"luxury pool"', ""),
        ('"luxury pool"~3', "2"),
        ('"pool luxury"~5', "2"),
        ('"pool luxury"~1', ""),
        ("name:hotel", "2"),
        ("text:hotel", "12"),
        ("name:(roach grand)", "12"),
        ('name:"grand hotel"', "2"),
        ("name:grand pool", "23"),
        ("rooms/type:deluxe", "2"),
        ("air-condition", "4"),
        ("name:Gra*", "2"),
        ("name:m?tel", "1"),
        ("name:ec*o*ay", "3"),
        ("name:roch~", "1"),
        ("name:roch~0", ""),
        ("name:raoch~1", "1"),
        ("name:roa~1", ""),
        ("name:/[rm]oa?ch|gran./", "12"),
        ("name:/hotel/ text:wifi", "234"),
        ("hote\\u006c", "12"),
        ("*", "1234"),
        ("*:*", "1234"),
        ("", "1234"),
    ],
)
def test_matches(text, expected):
    assert found(text) == expected


def test_all_joins_by_and_and_or_still_means_or():
    assert found("wifi luxury", "all") == "4"
    assert found("wifi OR luxury", "all") == "234"
    assert found("pool wifi OR luxury", "all") == "23"


def test_search_fields_limit_only_what_names_no_field():
    assert found("hotel", searchFields="name") == "2"
    assert found("text:pool hotel", searchFields="name") == "23"


def test_a_fuzzy_match_scores_a_part_of_its_term():
    exact = scores(search("name:roach"))["1"]
    assert scores(search("name:roch~"))["1"] == pytest.approx(exact * (1 - 1 / 4), rel=1e-6)
    assert scores(search("name:roach~"))["1"] == exact


def test_several_fuzzy_terms_share_the_weight_of_the_most_frequent():
    made = texts("cat", "cut", "cut", "dog", "dog")
    plain = scores(made.search({"search": "cut"}, STABLE))["2"]
    fuzzy = scores(made.search({"search": "cut~1", "queryType": "full"}, STABLE))
    assert fuzzy == {"2": plain, "3": plain, "1": pytest.approx(plain * (1 - 1 / 3), rel=1e-6)}


@pytest.mark.parametrize("text", ["name:gra*", "name:g?and", "name:/gra.*/"])
def test_patterns_score_one(text):
    assert scores(search(text)) == {"2": 1.0}
    assert scores(search(text + "^2.5")) == {"2": 2.5}


def test_boosts_multiply():
    plain = scores(search("wifi pool"))
    boosted = scores(search("wifi^3 pool"))
    assert boosted["3"] - plain["3"] == pytest.approx(2 * scores(search("wifi"))["3"], rel=1e-5)
    assert scores(search("(wifi pool)^2"))["3"] == pytest.approx(2 * plain["3"], rel=1e-6)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("/.*/.*/", "line 1, column 8"),
        ("a AND", "column 6"),
        ("(a", "column 3"),
        ("a)", "column 2"),
        ("()", "column 2"),
        ('"a', "column 3"),
        ("a^", "column 2"),
        ("*otel", "column 1"),
        ("AND a", "column 1"),
        ("name:name:a", "column 6"),
        ("nope:a", "'nope'"),
        ("n:5", "'n'"),
        ("name:/(a/", "Failed to parse regex expression"),
        ("name:/a&b/", "operator & of regular expressions"),
        ("name:[a TO b]", "ranges"),
        ("-luxury", "only exclude"),
        ("a (-b)", "only exclude"),
        ('"a a"~3', "repeat a word"),
        ("(" * 200 + "a", "column"),
    ],
)
def test_refused_queries(text, message):
    with pytest.raises(ServiceFault, match=message) as caught:
        search(text)
    assert caught.value.status == 400


@given(st.text(alphabet=st.sampled_from('ab+-!()":^~*?/\\ &|[{ANDOR1.'), max_size=25))
def test_any_text_is_a_query_or_a_fault(text):
    try:
        search(text)
    except ServiceFault as fault:
        assert fault.status == 400


def test_distance():
    assert distance("roch", "roach", 2) == 1
    assert distance("raoch", "roach", 2) == 1
    assert distance("abcd", "badc", 2) == 2
    assert distance("abc", "xyz", 2) == 3
    assert alike("cut", 2, ["cut", "cat", "cuts", "c", "xy"]) == [
        ("cut", 1.0), ("cat", pytest.approx(2 / 3)), ("cuts", pytest.approx(2 / 3)),
    ]  # fmt: skip


def slow_distance(a: str, b: str) -> int:
    rows = [[i + j if i * j == 0 else 0 for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            rows[i][j] = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (a[i - 1] != b[j - 1]))
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                rows[i][j] = min(rows[i][j], rows[i - 2][j - 2] + 1)
    return rows[-1][-1]


WORD = st.text(alphabet="abc", max_size=6)


@given(WORD, WORD, st.integers(0, 2))
def test_distance_equals_the_whole_table(first, second, limit):
    assert distance(first, second, limit) == min(slow_distance(first, second), limit + 1)


EXPRESSIONS = st.recursive(
    st.sampled_from(["a", "b", ".", "[ab]", "[^a]", "\\.", "()"]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]}|{pair[1]})"),
        st.tuples(inner, st.sampled_from(["?", "*", "+", "{2}", "{1,}", "{0,2}", "{1,3}"])).map(
            lambda pair: f"({pair[0]}){pair[1]}"
        ),
    ),
    max_leaves=5,
)


@given(EXPRESSIONS, st.lists(st.text(alphabet="ab.", max_size=5), max_size=4))
def test_expressions_match_as_pythons_do(expression, words):
    automaton = Automaton(expression)
    for word in words:
        assert automaton.matches(word) == (re.fullmatch(expression, word) is not None)


@pytest.mark.parametrize("expression", ["(", ")", "a)", "*", "[a", "a{", "a{x}", "a|*", "\\", "[b-a]", "a{9999}{9}"])
def test_malformed_expressions(expression):
    with pytest.raises(RegexError):
        Automaton(expression)


def test_letters_after_a_backslash_and_anchors_mean_themselves():
    assert Automaton("\\d").matches("d")
    assert Automaton("^a$").matches("^a$")


def test_a_hostile_expression_is_quick():
    assert not Automaton("(a*)*b").matches("a" * 5000)


def test_sloppy_frequency_by_hand():
    # "a b" in "a b": exactly; in "a x b": one apart; twice near each other: 1 + 1/2
    assert sloppy_frequency([[0], [0]], 0) == 1
    assert sloppy_frequency([[0], [1]], 2) == pytest.approx(1 / 2)
    assert sloppy_frequency([[0], [5]], 2) == 0
    assert sloppy_frequency([[0, 10], [0, 11]], 2) == pytest.approx(1 + 1 / 2)
