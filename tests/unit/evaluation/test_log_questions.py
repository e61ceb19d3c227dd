"""Questions out of logs, questions that ask the same, and candidates out of documents."""

import pytest

from azsearch_ops.evaluation.drafting import candidates, sentences_of
from azsearch_ops.evaluation.log_questions import mask, questions_of
from azsearch_ops.evaluation.question_likeness import nearly_equal
from azsearch_ops.evaluation.types import Query


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("write to anna.b+x@mail.example.org now", "write to <email> now"),
        ("call +43 660 123 45 67 today", "call <phone> today"),
        ("call 0316/873-10 0", "call <phone>"),
        ("ring 0660 1234567", "ring <phone>"),
        ("card 4111 1111 1111 1111 refused", "card <card> refused"),
        ("card 4111 1111 1111 1112 refused", "card 4111 1111 1111 1112 refused"),
        ("pay AT61 1904 3002 3457 3201", "pay <account>"),
        ("pay AT62 1904 3002 3457 3202", "pay AT62 1904 3002 3457 3202"),
        ("host 10.20.30.40 is down", "host <ip address> is down"),
        ("personnel number 123456789", "personnel number <number>"),
        ("part 20-2100-01 of 2026-04-01, 1,800 euro", "part 20-2100-01 of 2026-04-01, 1,800 euro"),
        ("version 12.0.0 and KX-204", "version 12.0.0 and KX-204"),
    ],
)
def test_what_has_the_form_of_personal_data_is_masked(text, masked):
    assert mask(text)[0] == masked


def test_questions_are_counted_by_what_they_ask():
    found = questions_of(
        ["How many days?", "how  many DAYS", "How many days?", "ab", "42", "x" * 2000, "Other\x00 thing"]
    )
    assert [(q.text, q.count) for q in found.questions] == [("How many days?", 3), ("Other thing", 1)]
    assert (found.read, found.left_out) == (7, 3)


def asked(*texts, **more):
    return [Query(f"q{n}", text, (), **more) for n, text in enumerate(texts)]


def test_questions_that_ask_nearly_the_same_are_found():
    found = nearly_equal(
        asked(
            "How many days of annual leave do new employees get?",
            "How many annual leave days does a new employee get?",
            "How many days of sick leave do new employees get?",
            "Why?",
            "why",
        )
    )
    assert [(pair.first, pair.second) for pair in found] == [("q0", "q1"), ("q3", "q4")]
    apart = [*asked("What is the limit?"), Query("other", "What is the limit?", (), filter="lang eq 'it'")]
    assert nearly_equal(apart) == ()


PAGE = """# Leave

Last revised in May.

## Carry over

Up to five unused days go into the next year. They lapse in March.

## Terms

A **carry day**: a day that was not used in its leave year.
The leave year is a period of twelve months that starts in April.
It is a rule that nobody asks about twice.

## Table

| Country | Days | After 3 years |
|---|--:|---|
| Ireland | 25 | 26 |
| Czechia | 25 | 27 |

text
"""


def test_candidates_come_from_headings_definitions_and_tables():
    found = candidates(PAGE)
    assert [(c.kind, c.question, c.excerpt) for c in found] == [
        ("heading", "Leave: Carry over", "Up to five unused days go into the next year."),
        ("heading", "Leave: Terms", "A **carry day**: a day that was not used in its leave year."),
        ("definition", "What is carry day?", "A **carry day**: a day that was not used in its leave year."),
        (
            "definition",
            "What is leave year?",
            "The leave year is a period of twelve months that starts in April.",
        ),
        ("table", "Days: Ireland?", "| Ireland | 25 | 26 |"),
        ("table", "Days: Czechia?", "| Czechia | 25 | 27 |"),
    ]
    assert candidates(PAGE) == found and candidates("") == ()


def test_an_excerpt_that_stands_twice_is_no_candidate():
    assert candidates(PAGE + PAGE.replace("# Leave", "# Again")) == ()


def test_sentences_are_those_of_the_text():
    text = "One. Two! Three\nFour? 五。六。"
    assert sentences_of(text) == ("One.", "Two!", "Three", "Four?", "五。", "六。")
