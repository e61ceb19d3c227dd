"""The simple query language: precedence, operators in odd places, negation, escapes."""

import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from search_indexes import KEY, ids, scores, text_field, texts

from azsearch_ops.local.errors import ServiceFault
from azsearch_ops.local.search.expansion import MAX_CLAUSES, FieldExpansion
from azsearch_ops.local.search.query import Boolean, MatchAll, MatchNone, Occur, Phrase, Prefix, Query, Term
from azsearch_ops.local.search.schema import Schema
from azsearch_ops.local.search.simple_query import parse_simple

SCHEMA = Schema({"fields": [KEY, text_field("t", analyzer="whitespace")]})
SIGNS = {Occur.MUST: "+", Occur.SHOULD: "", Occur.MUST_NOT: "-"}


def parse(text: str, default: Occur = Occur.SHOULD, schema: Schema = SCHEMA) -> Query:
    return parse_simple(text, FieldExpansion(schema.searchable, default), default)


def shown(query: Query) -> str:
    if isinstance(query, Boolean):
        return "(" + " ".join(SIGNS[clause.occur] + shown(clause.query) for clause in query.clauses) + ")"
    if isinstance(query, Term):
        return query.term
    if isinstance(query, Prefix):
        return query.prefix + "*"
    if isinstance(query, Phrase):
        return '"' + " ".join(term for term, _ in query.terms) + '"'
    return "*" if isinstance(query, MatchAll) else "none"


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        ("a b c", "(a b c)"),
        ("a + b", "(+a +b)"),
        ("a+b", "(+a +b)"),
        ("a | b + c", "(+(a b) +c)"),
        ("a + b | c", "((+a +b) c)"),
        ("a + (b | c)", "(+a +(b c))"),
        ("a -b", "(a (-b *))"),
        ("a --b", "(a b)"),
        ("a - b", "(a b)"),
        ("-a", "(-a *)"),
        ("a-b -", "a-b"),
        ("--- a", "a"),
        ("-(a b)", "(-(a b) *)"),
        ('-"a b"', '(-"a b" *)'),
        ("+ | a", "a"),
        ("a + | b", "(+a +b)"),
        ("a | + b", "(a b)"),
        ("a +", "a"),
        ("(a", "a"),
        ("a)", "a"),
        ("((a) b))", "(a b)"),
        ("a + () b", "(a b)"),
        ('a + "" b', "(a b)"),
        ('a "b c', "(a b c)"),
        ('"a b" c', '("a b" c)'),
        ('"a"', "a"),
        ('"a \\" b"', '"a " b"'),
        ("ab* c", "(ab* c)"),
        ("*", "*"),
        (" * ", "*"),
        ("", "*"),
        ("** a", "(** a)"),
        ("*a", "*a"),
        ("a*b", "a*b"),
        ("a\\* b", "(a* b)"),
        ("\\-a", "-a"),
        ("a \\| b", "(a | b)"),
        ("\\(a\\)", "(a)"),
        ("a\\", "a"),
        ("+|()", "none"),
        ("a~2 b^3", "(a~2 b^3)"),
    ],
)
def test_trees(text, tree):
    assert shown(parse(text)) == tree


def test_search_mode_all_joins_by_and():
    assert shown(parse("a b | c", Occur.MUST)) == "((+a +b) c)"
    assert shown(parse("a -b", Occur.MUST)) == "(+a +(-b *))"


def test_a_term_that_is_split_is_joined_by_the_default_operator_inside_each_field():
    schema = Schema({"fields": [KEY, text_field("t"), text_field("w", analyzer="whitespace")]})
    assert shown(parse("air-condition x", Occur.MUST, schema)) == "(+((+air +condition) air-condition) +(x x))"


def test_a_stop_word_drops_out_even_when_all_must_match():
    schema = Schema({"fields": [KEY, text_field("t", analyzer="en.lucene")]})
    assert shown(parse("the hotels", Occur.MUST, schema)) == "hotel"
    assert isinstance(parse("the of", Occur.MUST, schema), MatchNone)


def test_the_case_of_a_prefix_is_the_analyzers():
    schema = Schema({"fields": [KEY, text_field("t", analyzer="en.lucene"), text_field("k", analyzer="keyword")]})
    assert shown(parse("Running*", Occur.SHOULD, schema)) == "(running* Running*)"


def test_too_many_clauses_are_refused():
    parse(" ".join(["x"] * MAX_CLAUSES))
    with pytest.raises(ServiceFault) as caught:
        parse(" ".join(["x"] * (MAX_CLAUSES + 1)))
    assert caught.value.code == "ClauseLimitExceeded"


@given(st.text(alphabet=st.sampled_from('ab+|-"()*\\ \t~^'), max_size=40), st.sampled_from([Occur.MUST, Occur.SHOULD]))
def test_never_fails(text, default):
    parse(text, default)


@given(st.text(max_size=40))
def test_never_fails_on_any_text(text):
    texts("a b", "b c").search({"search": text}, "2026-04-01")


def test_depth_is_no_limit():
    depth = sys.getrecursionlimit() * 2
    assert shown(parse("(" * depth + "a" + ")" * depth)) == "a"
    chain = " ".join(f"a {'|' if number % 2 else '+'} b" for number in range(1400))
    assert ids(texts("a b", "c").search({"search": chain}, "2026-04-01")) == ["1"]


def test_negation_under_any_also_finds_documents_that_lack_the_word():
    made = texts("wifi luxury", "wifi", "pool", "luxury")
    assert scores(made.search({"search": "wifi -luxury"}, "2026-04-01")).keys() == {"1", "2", "3"}
    assert ids(made.search({"search": "wifi -luxury", "searchMode": "all"}, "2026-04-01")) == ["2"]


def test_phrases_need_the_words_side_by_side():
    made = texts("good view of the sea", "view good", "the good old view")
    assert ids(made.search({"search": '"good view"'}, "2026-04-01")) == ["1"]
    assert ids(made.search({"search": '"view of the sea"'}, "2026-04-01")) == ["1"]


def test_a_stop_word_in_a_phrase_keeps_its_place():
    made = texts("view of sea", "view sea", "view at sea", analyzer="en.lucene")
    assert ids(made.search({"search": '"view of sea"'}, "2026-04-01")) == ["1", "3"]


def test_prefixes_score_one_in_each_field():
    made = texts("motel motor", "hotel", "mo")
    assert scores(made.search({"search": "mot*"}, "2026-04-01")) == {"1": 1.0}
    assert scores(made.search({"search": "MO*"}, "2026-04-01")) == {"1": 1.0, "3": 1.0}
