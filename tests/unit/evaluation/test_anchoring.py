from azsearch_ops.evaluation.alignment import Passage, Span, align
from azsearch_ops.evaluation.anchoring import anchored, occurrences
from azsearch_ops.evaluation.types import Judgement

RULE = "The limit is forty euros a day, and receipts are kept for ten years."
DOCUMENT = (
    "Meals at home. Whoever eats in the canteen of the house needs no receipt at all for what is eaten there. "
    f"{RULE} Drinks are not part of it, whatever the hour and whoever is at the table that evening. "
    "Meals abroad. Whoever eats in a restaurant of another country asks the waiter for a receipt with a stamp. "
    f"{RULE} Tips are part of it, as long as they stay within what is usual in the country of the visit."
)
SECOND = DOCUMENT.index("Meals abroad")


def span(judgement: Judgement) -> Span:
    return Span.of(judgement.excerpt or "", judgement.before, judgement.after)


def test_without_an_occurrence_any_place_counts() -> None:
    judgement = anchored(Judgement("a.md", RULE), DOCUMENT)
    assert judgement == Judgement("a.md", RULE)
    for part in (DOCUMENT[:SECOND], DOCUMENT[SECOND:]):
        assert align(span(judgement), Passage.of(part)) == ((0, len(RULE)),)


def test_with_an_occurrence_only_the_meant_place_counts() -> None:
    for number, own, other in ((1, DOCUMENT[:SECOND], DOCUMENT[SECOND:]), (2, DOCUMENT[SECOND:], DOCUMENT[:SECOND])):
        judgement = anchored(Judgement("a.md", RULE, number), DOCUMENT)
        assert align(span(judgement), Passage.of(own)) == ((0, len(RULE)),)
        assert align(span(judgement), Passage.of(other)) == ()


def test_the_words_around_also_tell_pieces_apart() -> None:
    judgement = anchored(Judgement("a.md", RULE, 2), DOCUMENT)
    first, second = DOCUMENT.index(RULE), DOCUMENT.rindex(RULE)
    for at, counts in ((first, False), (second, True)):
        middle = at + len(RULE) // 2
        assert bool(align(span(judgement), Passage.of(DOCUMENT[at - 90 : middle]))) is counts
        assert bool(align(span(judgement), Passage.of(DOCUMENT[middle : middle + 120]))) is counts


def test_context_in_front_of_a_chunk_is_no_contradiction() -> None:
    judgement = anchored(Judgement("a.md", RULE, 2), DOCUMENT)
    body = DOCUMENT[DOCUMENT.rindex(RULE) :]
    assert align(span(judgement), Passage.of(f"Handbook > Travel\n{body}")) == ((0, len(RULE)),)


def test_a_judgement_that_needs_or_finds_no_anchor_stays_as_it_is() -> None:
    for judgement in (
        Judgement("a.md"),
        Judgement("a.md", "Tips are part of it", 1),
        Judgement("a.md", RULE, 3),
        Judgement("a.md", "not there", 1),
    ):
        assert anchored(judgement, DOCUMENT) == judgement


def test_occurrences_are_found_word_for_word_or_after_folding() -> None:
    assert occurrences("a a", "a a a") == ((0, 3), (2, 5))
    assert occurrences("forty  EUROS", "about forty euros a day") == ((6, 18),)
    assert occurrences("", "text") == ()
