"""The questions can be trusted: their excerpts exist, and paraphrases do not give the answer's words away."""

import re
from collections import Counter
from collections.abc import Mapping

from sample_words import content_words

from azsearch_ops.definitions.queries import QuerySet
from azsearch_ops.documents.cracked import Cracked

Handbook = Mapping[str, Cracked]
TAGS = {"lookup", "paraphrase", "code", "multi-span", "it"}


def _flat(text: str) -> str:
    return " ".join(text.split())


def test_ids_are_unique_and_count_up(questions: QuerySet) -> None:
    assert [entry.id for entry in questions.entries] == [f"q{n:03d}" for n in range(1, len(questions.entries) + 1)]


def test_no_question_is_asked_twice(questions: QuerySet) -> None:
    assert [text for text, count in Counter(e.query.lower() for e in questions.entries).items() if count > 1] == []


def test_there_are_enough_questions_of_every_kind(questions: QuerySet) -> None:
    tags = Counter(tag for entry in questions.entries for tag in entry.tags)
    assert set(tags) == TAGS
    assert len(questions.entries) >= 160
    assert tags["paraphrase"] >= 70
    assert tags["multi-span"] >= 20
    assert tags["code"] >= 20
    assert tags["it"] >= 20
    assert all(entry.tags for entry in questions.entries)


def test_every_excerpt_stands_in_its_document_exactly_once(questions: QuerySet, handbook: Handbook) -> None:
    flat = {path: _flat(document.text) for path, document in handbook.items()}
    wrong = {
        entry.id: (judged.document, flat[judged.document].count(judged.excerpt or ""))
        for entry in questions.entries
        for judged in entry.relevant
        if judged.excerpt is None
        or judged.excerpt != _flat(judged.excerpt)
        or flat[judged.document].count(judged.excerpt) != 1
    }
    assert wrong == {}


def test_excerpts_are_long_enough_to_mean_something_and_some_can_be_cut(questions: QuerySet) -> None:
    lengths = [len(judged.excerpt or "") for entry in questions.entries for judged in entry.relevant]
    assert min(lengths) >= 40
    assert max(lengths) <= 400
    assert sum(length >= 200 for length in lengths) >= 30


def test_every_document_is_asked_about(questions: QuerySet, handbook: Handbook) -> None:
    asked = Counter(judged.document for entry in questions.entries for judged in entry.relevant)
    assert set(asked) == set(handbook)
    assert min(asked.values()) >= 3


def test_multi_span_questions_have_two_or_three_excerpts_and_others_one(questions: QuerySet) -> None:
    for entry in questions.entries:
        assert len(entry.relevant) in ((2, 3) if "multi-span" in entry.tags else (1,)), entry.id


def test_some_multi_span_questions_need_more_than_one_document(questions: QuerySet) -> None:
    assert sum(len({judged.document for judged in entry.relevant}) > 1 for entry in questions.entries) >= 10


def test_paraphrases_share_no_content_word_with_their_excerpt(questions: QuerySet) -> None:
    shared = {
        entry.id: sorted(words)
        for entry in questions.entries
        if "paraphrase" in entry.tags
        for judged in entry.relevant
        if (words := content_words(entry.query) & content_words(judged.excerpt or ""))
    }
    assert shared == {}


def test_the_check_of_paraphrases_can_fail() -> None:
    assert content_words("Who approves the deployments in Brno?") & content_words("An approved deployment, 20-2200-04")
    assert not content_words("Who is in Brno for 20-2200-04?")


def test_code_questions_name_a_code(questions: QuerySet) -> None:
    coded = [entry for entry in questions.entries if "code" in entry.tags]
    assert [entry.id for entry in coded if not re.search(r"\d", entry.query)] == []


def test_italian_questions_are_asked_about_italian_documents(questions: QuerySet) -> None:
    for entry in questions.entries:
        italian = {judged.document.startswith("it/") for judged in entry.relevant}
        assert italian == {"it" in entry.tags}, entry.id
