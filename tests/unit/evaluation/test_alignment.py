import pytest
from hypothesis import given
from hypothesis import strategies as st

from azsearch_ops.evaluation.alignment import Passage, Span, align, merge

EXCERPT = "Expenses above 200 EUR need the approval of the head of department before the trip begins."
BEFORE = "Travel is booked through the desk on the second floor. "
AFTER = " Receipts are kept for ten years."
DOCUMENT = BEFORE + EXCERPT + AFTER


def parts(chunk: str, excerpt: str = EXCERPT) -> tuple[tuple[int, int], ...]:
    return align(Span.of(excerpt), Passage.of(chunk))


def words(chunk: str, excerpt: str = EXCERPT) -> list[str]:
    return [excerpt[start:end] for start, end in parts(chunk, excerpt)]


def test_a_chunk_that_holds_the_excerpt_covers_all_of_it() -> None:
    assert parts(DOCUMENT) == ((0, len(EXCERPT)),)


def test_a_chunk_of_something_else_covers_nothing() -> None:
    assert parts(BEFORE) == ()
    assert parts("") == ()
    assert parts(DOCUMENT, "–") == ()


def test_a_boundary_inside_the_excerpt_divides_it_without_a_gap() -> None:
    cut = DOCUMENT.index("head of")
    first, second = parts(DOCUMENT[:cut])[0], parts(DOCUMENT[cut:])[0]
    assert first[0] == 0
    assert first[1] == second[0]
    assert second[1] == len(EXCERPT)
    assert EXCERPT[: first[1]].endswith("of the ")


def test_a_cut_inside_a_word_is_found() -> None:
    cut = DOCUMENT.index("partment")
    assert words(DOCUMENT[:cut]) == [EXCERPT[: EXCERPT.index("partment")]]
    assert words(DOCUMENT[cut:]) == [EXCERPT[EXCERPT.index("partment") :]]


def test_a_chunk_inside_the_excerpt_covers_its_piece() -> None:
    assert words("need the approval of the head") == ["need the approval of the head "]


def test_a_chunk_can_hold_both_ends_of_a_span() -> None:
    excerpt = "The blue form goes to the office in Turin, while every copy stays with the blue team."
    assert words("stays with the blue team. Some words in between. The blue form goes to the", excerpt) == [
        "The blue form goes to the ",
        "stays with the blue team.",
    ]


@pytest.mark.parametrize(
    "chunk",
    [
        DOCUMENT.upper(),
        DOCUMENT.replace(" ", "\n"),
        DOCUMENT.replace("approval", "ap\u00adproval").replace("department", "depart-\nment"),
        "People > Travel > Expenses\n" + DOCUMENT,
        DOCUMENT.replace("200 EUR", "２００ EUR"),
    ],
)
def test_normalised_wrapped_and_prefixed_text_is_the_same_text(chunk: str) -> None:
    assert parts(chunk) == ((0, len(EXCERPT)),)


def test_an_end_after_context_in_front_is_found() -> None:
    tail = DOCUMENT[DOCUMENT.index("approval") :]
    wanted = [EXCERPT[EXCERPT.index("approval") :]]
    assert words(f"Handbook\nPeople > Travel\n\n{tail}") == wanted
    assert words(f"Handbook: People, Travel: {tail}") == wanted


def test_a_middle_after_context_in_front_is_found() -> None:
    assert words("Handbook > Travel\nneed the approval of the head") == ["need the approval of the head "]


def test_a_common_word_at_the_boundary_is_not_coverage() -> None:
    assert parts("It was sunny that day. Expenses") == ()
    assert parts("trip begins. And so it was.") == ()


def test_words_that_recur_inside_another_chunk_are_not_the_end_of_the_span() -> None:
    chunk = "Tickets are bought early. Ask for it before the trip begins. Then pack your bags and go."
    assert parts(chunk) == ()


@pytest.mark.parametrize(
    ("excerpt", "chunk", "holds"),
    [
        ("5 days", "You have 5 days for it.", True),
        ("5 days", "You have 15 days for it.", False),
        ("5 days", "You have 5 daystars.", False),
        ("5 days", "You have 5 days", True),
        ("art 5", "See chart 56 and art 5.", True),
        ("art 5", "See chart 56.", False),
        ("| Berlin | 5 | 10", "| Berlin | 5 | 100 |", False),
        ("The limit for meals on a trip is 10", "The limit for meals on a trip is 100 EUR", False),
        ("休暇は五日", "年次休暇は五日間です", True),
    ],
)
def test_short_words_and_numbers_have_to_stand_alone(excerpt: str, chunk: str, holds: bool) -> None:
    assert (parts(chunk, excerpt) != ()) is holds


def test_text_without_word_boundaries_is_cut_anywhere() -> None:
    excerpt = "出張費用が二万円を超える場合は部長の承認が必要です"
    cut = excerpt.index("場合")
    assert parts("第三章。" + excerpt[:cut], excerpt) == ((0, cut),)
    assert parts(excerpt[cut:] + "。領収書は十年間保管します", excerpt) == ((cut, len(excerpt)),)
    assert parts("今日は出張", excerpt) == ()


@given(
    st.lists(st.sampled_from(["alpha", "bravo", "charlie", "delta"]), min_size=30, max_size=60),
    st.integers(30, 120),
)
def test_chunks_that_follow_each_other_cover_the_span_once(names: list[str], size: int) -> None:
    tokens = [f"{name}{number}" for number, name in enumerate(names)]
    text = " ".join(tokens)
    span = Span.of(" ".join(tokens[len(tokens) // 4 : 3 * len(tokens) // 4]))
    found = [part for at in range(0, len(text), size) for part in align(span, Passage.of(text[at : at + size]))]
    covered = sum(stop - begin for begin, stop in merge(found))
    # A piece lighter than the least is not counted, at each end of the span.
    assert span.length - 32 <= covered <= span.length
    assert covered == sum(stop - begin for begin, stop in found)


def test_a_hundred_thousand_pairs_are_aligned() -> None:
    chunks = [f"Chunk {i} of the handbook says that rule {i % 100} holds. " * 12 for i in range(1000)]
    spans = [Span.of(f"says that rule {i} holds. Chunk") for i in range(100)]
    passages = [Passage.of(chunk) for chunk in chunks]
    found = sum(bool(align(span, passage)) for span in spans for passage in passages)
    assert found >= 1000
