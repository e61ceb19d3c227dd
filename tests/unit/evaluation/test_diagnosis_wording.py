"""Words that carry meaning, and what questions share with their answers."""

from __future__ import annotations

import pytest

from azsearch_ops.evaluation.types import Judgement, Query
from azsearch_ops.evaluation.wording import closest_share, content_words, lexical_overlap


def test_words_that_only_join_others_do_not_count_and_forms_are_one() -> None:
    assert content_words("What is the limit of the expenses?") == content_words("limits, expense")
    assert content_words("Quante ferie ho?") == {"ferie"}
    assert content_words("cost type 6310") == {"cost", "type", "6310"}


def test_overlap_is_the_share_of_the_questions_words_that_its_excerpts_have() -> None:
    answer = Judgement("a.md", "Mileage claims are due within thirty days.")
    same = Query("q1", "When are mileage claims due?", (answer,))
    other = Query("q2", "How long can I wait with petrol money?", (answer,))
    whole = Query("q3", "anything", (Judgement("a.md"),))
    literal = lexical_overlap([same])
    assert literal is not None
    assert (literal.share, literal.queries, literal.high) == (1.0, 1, True)
    both = lexical_overlap([same, other, whole])
    assert both is not None
    assert (both.share, both.queries) == (0.5, 2)
    assert lexical_overlap([whole]) is None


def test_words_count_only_where_they_stand_together() -> None:
    answer = "Mileage claims are due within thirty days"
    assert closest_share(answer, "All claims for mileage: thirty days are due.") == 1.0
    scattered = "mileage " + "filler " * 40 + "claims " + "filler " * 40 + "thirty " + "filler " * 40 + "days due"
    assert closest_share(answer, scattered) == pytest.approx(2 / 5)
    assert closest_share("the of", "the of") == 0.0
