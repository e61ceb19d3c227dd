"""Quotes found again: word for word, folded, edited; and what an environment without some documents can score."""

import pytest

from azsearch_ops.evaluation.anchoring_queries import bring_to
from azsearch_ops.evaluation.anchoring_quotes import LEAST, DocumentText, find_quote
from azsearch_ops.evaluation.types import Judgement, Query

TEXT = (
    "# Leave\n\nEvery employee has 26 days of paid leave a year. "
    "Days that are not used by the end of March are lost.\n\n"
    "# Travel\n\nMileage is paid at 0.42 euro per kilometre. Claims are due within 30 days of the end of the trip.\n\n"
    "The form is sent to the people team. The form is sent to the people team.\n"
)
DOCUMENT = DocumentText(TEXT)


def test_words_as_they_stand():
    found = find_quote("26 days of paid leave", DOCUMENT)
    assert (found.how, found.score, found.count) == ("exact", 1.0, 1)
    assert TEXT[found.start : found.end] == found.text == "26 days of paid leave"


def test_white_space_case_and_marks_are_folded():
    found = find_quote("MILEAGE is paid at 0.42 euro\n per  kilometre", DOCUMENT)
    assert (found.how, found.score) == ("normalised", 1.0)
    assert found.text == "Mileage is paid at 0.42 euro per kilometre"


@pytest.mark.parametrize(
    ("quote", "at_least"),
    [
        ("Mileage is paid at 0.40 euro per kilometre.", 0.9),
        ("Claims are due within 45 days of the end of a trip.", 0.85),
        ("Every employee has 26 paid days of leave a year. Days not used by the end of March are lost.", 0.8),
        ("Each employee now has 26 days of paid leave every calendar year.", LEAST),
    ],
)
def test_edited_words_are_found_with_their_likeness(quote, at_least):
    found = find_quote(quote, DOCUMENT)
    assert found.how == "fuzzy" and at_least <= found.score < 1.0
    assert TEXT[found.start : found.end] == found.text
    assert found.text.split()[-1].strip(".") == quote.split()[-1].strip(".")


def test_the_likeness_is_the_share_of_letters_in_common_words_in_order():
    found = find_quote("alphabet betamax gammas delta", DocumentText("so alphabet betamax GAMMAS epsilon zeta"))
    assert found.text == "alphabet betamax GAMMAS epsilon", "and what stands where the quote goes on"
    assert found.score == pytest.approx(2 * 21 / (26 + 21))


@pytest.mark.parametrize(
    ("quote", "now"),
    [
        (
            "Claims are due within 30 days of the end of the journey",
            "Claims are due within 30 days of the end of the trip",
        ),
        (
            "Demands are due within 30 days of the end of the trip",
            "Claims are due within 30 days of the end of the trip",
        ),
        ("Any worker has 26 days of paid leave a month", "Every employee has 26 days of paid leave a year"),
        ("Mileage in euro is paid at 0.42", "Mileage is paid at 0.42"),
        ("is paid at 0.42 euro per kilometre driven on duty", "is paid at 0.42 euro per kilometre"),
        ("Also note that mileage is paid at 0.42 euro per mile", "Mileage is paid at 0.42 euro per kilometre"),
        ("Mileage is paid at rates of 0.40", "Mileage is paid at 0.42"),
    ],
)
def test_what_was_edited_at_either_end_belongs_to_the_passage(quote, now):
    found = find_quote(quote, DOCUMENT)
    assert (found.how, found.text) == ("fuzzy", now)
    assert TEXT[found.start : found.end] == now


@pytest.mark.parametrize(
    "quote", ["The cafeteria opens at seven in the morning.", "for the", "!!", "euro kilometre trip"]
)
def test_what_does_not_come_near_is_not_found(quote):
    assert find_quote(quote, DOCUMENT) is None


def test_chinese_is_compared_character_by_character():
    document = DocumentText("前言。员工每年有二十六天的带薪年假，未使用的假期三月底失效。附则。")
    found = find_quote("员工每年有三十六天的带薪年假", document)
    assert (
        found.how == "fuzzy" and found.text == "员工每年有二十六天的带薪年假" and found.score == pytest.approx(13 / 14)
    )


def test_occurrences_are_counted():
    first, second = (find_quote("The form is sent", DOCUMENT, n) for n in (1, 2))
    assert first.count == second.count == 2 and second.start > first.start
    assert find_quote("The form is sent", DOCUMENT, 3) is None


def test_a_long_document_takes_no_time():
    text = " ".join(f"word{i} and some filler text number {i}" for i in range(30_000)) + " " + TEXT
    found = find_quote("Claims are due within 45 days of the end of a trip.", DocumentText(text))
    assert found.text.startswith("Claims are due")


def query(name, *judged):
    return Query(name, f"what of {name}?", tuple(judged))


def test_moved_quotes_are_replaced_and_told():
    asked = query("q1", Judgement("hr/leave.md", "Mileage is paid at 0.40 euro per kilometre.", grade=3))
    coverage = bring_to([asked], {"hr/leave.md": TEXT})
    (judged,) = coverage.queries[0].judgements
    assert judged.excerpt == "Mileage is paid at 0.42 euro per kilometre" and judged.grade == 3
    (moved,) = coverage.moved
    assert (moved.query, moved.document) == ("q1", "hr/leave.md") and moved.found.score > 0.9
    assert coverage.enough and not coverage.reason


def test_missing_documents_are_left_out_and_half_is_enough():
    asked = [
        query("q1", Judgement("a.md"), Judgement("gone.md")),
        query("q2", Judgement("gone.md"), Judgement("a.md", grade=0)),
        query("q3", Judgement("gone.md")),
        query("q4", Judgement("b.md")),
    ]
    coverage = bring_to(asked, {"a.md": "x", "b.md": ""})
    assert [q.id for q in coverage.queries] == ["q1", "q4"] and coverage.enough
    assert [j.document for j in coverage.queries[0].judgements] == ["a.md"]
    assert (coverage.total, coverage.scored, len(coverage.missing)) == (4, 2, 3)
    less = bring_to(asked[:3], {"a.md": "x"})
    assert not less.enough and "only 1 of 3 queries can be scored" in less.reason
    assert "60 % of the judgements (3 of 5) are unresolved" in less.reason
    for unknown in (bring_to(asked, None), bring_to(asked, {"a.md": "x"}, leave_out=False)):
        assert [q.judgements for q in unknown.queries] == [q.judgements for q in asked] and unknown.enough


def test_judgements_by_chunk_key_stay_and_are_told():
    asked = [
        query("q1", Judgement("3f9aa0b1c2d3_aHR0cHM6_pages_7")),
        query("q2", Judgement("3f9aa0b1c2d3_aHR0cHM6_pages_1")),
    ]
    coverage = bring_to(asked, {"a.md": "x"})
    assert coverage.queries == tuple(asked) and coverage.scored == 0 and coverage.chunk_keys == 2
    assert (
        "100 % of the judgements (2 of 2) are unresolved" in coverage.reason and "name the document" in coverage.reason
    )
