import random
from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from azsearch_ops.errors import ServiceError
from azsearch_ops.evaluation.alignment import Interval
from azsearch_ops.evaluation.cut import Cut
from azsearch_ops.evaluation.items import relevant_items
from azsearch_ops.evaluation.paths import DocumentPaths
from azsearch_ops.evaluation.placing import Places
from azsearch_ops.evaluation.placing_order import Ordered, starts_in_order
from azsearch_ops.evaluation.reading import Reader
from azsearch_ops.evaluation.types import Chunk, Judgement

PAGE = (
    "Meals at home. Whoever eats in the canteen of the house needs no receipt at all for what is eaten there. "
    "The limit is forty euros a day, and receipts are kept for ten years. Drinks are not part of it, whatever the "
    "hour and whoever is at the table that evening. Tips are part of it, as long as they stay within what is usual. "
)
RULE = "The limit is forty euros a day, and receipts are kept for ten years."
TWICE = f"First edition. {PAGE}Second edition. {PAGE}"  # More repeats around the rule than any judgement can quote


def cut(text: str, size: int = 150, overlap: int = 30, path: str = "a.md") -> list[Chunk]:
    starts = range(0, max(1, len(text) - overlap), size - overlap)
    return [Chunk(f"{path}_pages_{i}", path, text[at : at + size]) for i, at in enumerate(starts)]


def held(
    chunks: Sequence[Chunk],
    judgement: Judgement,
    text: str | None = None,
    known: Sequence[Chunk] = (),
    chunks_at: Callable[[str], Sequence[Chunk]] | None = None,
) -> list[tuple[Interval, ...]]:
    """What each chunk holds of the judged words."""
    paths = DocumentPaths([judgement.document])
    places = Places(paths, {} if text is None else {judgement.document: text}, [judgement], chunks_at)
    places.learn([*chunks, *known])
    ranking = Reader(paths, len).ranking(relevant_items([judgement]), chunks, (), places)
    return [parts[0][1] if parts else () for parts in ranking.held]


def true_parts(text: str, chunk_at: Interval, span: Interval) -> tuple[Interval, ...]:
    low, high = max(chunk_at[0], span[0]), min(chunk_at[1], span[1])
    return ((low - span[0], high - span[0]),) if low < high else ()


def test_a_page_that_repeats_is_credited_at_its_own_place_only() -> None:
    chunks = cut(TWICE)
    second = TWICE.rindex(RULE)
    found = held(chunks, Judgement("a.md", RULE, 2), TWICE)
    assert sum(bool(parts) for parts in found) < len(chunks) / 2
    for i, parts in enumerate(found):
        wanted = true_parts(TWICE, (i * 120, i * 120 + len(chunks[i].text)), (second, second + len(RULE)))
        assert bool(parts) == bool(wanted), chunks[i].text
    assert held(chunks, Judgement("a.md", RULE, 1), TWICE) != found


def test_without_an_occurrence_each_place_counts() -> None:
    found = held(cut(TWICE), Judgement("a.md", RULE), TWICE)
    assert found == [
        tuple(sorted(one + other))
        for one, other in zip(
            held(cut(TWICE), Judgement("a.md", RULE, 1), TWICE),
            held(cut(TWICE), Judgement("a.md", RULE, 2), TWICE),
            strict=True,
        )
    ]


def test_one_chunk_alone_is_told_from_its_twin_by_the_others_of_its_document() -> None:
    text, half = PAGE * 2, len(PAGE) // 2
    edges = (0, half, len(PAGE), len(PAGE) + half, len(text))
    halves = [Chunk(f"k_chunk_{i}", "a.md", text[start:stop]) for i, (start, stop) in enumerate(pairwise(edges))]
    assert halves[0].text == halves[2].text
    asked: list[str] = []

    def chunks_at(address: str) -> Sequence[Chunk]:
        asked.append(address)
        return halves

    for wanted, twin in ((1, halves[2]), (2, halves[0])):
        assert held([twin], Judgement("a.md", RULE, wanted), text, (), chunks_at) == [()]
    assert held([halves[2]], Judgement("a.md", RULE, 2), text, (), chunks_at) != [()]
    assert asked == ["a.md"] * 3  # Once for each of the indexes above
    assert held(halves[:1], Judgement("a.md", RULE), text, (), chunks_at) != [()]
    assert len(asked) == 3, "no other chunk is needed where all places come to the same"


def test_without_the_text_the_chunks_of_the_document_make_it_up() -> None:
    chunks = cut(TWICE)
    by_text = held(chunks, Judgement("a.md", RULE, 2), TWICE)
    assert held(chunks, Judgement("a.md", RULE, 2), None, (), lambda address: chunks) == by_text
    by_words = held(chunks, Judgement("a.md", RULE, 2), None)
    assert sum(map(bool, by_words)) > sum(map(bool, by_text))


def test_keys_without_an_order_and_a_service_that_refuses_leave_it_to_the_words() -> None:
    def refuse(address: str) -> Sequence[Chunk]:
        raise ServiceError("the field is not filterable")

    text = PAGE * 2
    half = len(PAGE) // 2
    keyed = [Chunk(name, "a.md", text[i * half : (i + 1) * half]) for i, name in enumerate("dbca")]
    judgement = Judgement("a.md", RULE, 2)
    assert held(keyed[:1], judgement, text, (), refuse) == held(keyed[:1], judgement)
    assert held(keyed[:1], judgement, text, keyed) == held(keyed[:1], judgement) != [()]
    assert held(keyed[:1], judgement, None, (), refuse) == held(keyed[:1], judgement)


def test_a_chunk_that_the_text_does_not_have_is_left_to_its_words() -> None:
    chunk = Chunk("k_chunk_0", "a.md", f"Rewritten: {RULE} And so on, in words of somebody else.")
    assert held([chunk], Judgement("a.md", RULE, 2), TWICE) == [((0, len(RULE)),)]


@pytest.mark.parametrize(
    "rewrite",
    [
        str.upper,
        lambda text: text.replace(" ", "\n"),
        lambda text: f"Handbook > Travel\n{text}",
        lambda text: text.replace("receipts", "re\u00adceipts"),
    ],
)
def test_normalised_and_prefixed_chunks_have_their_place_too(rewrite: Callable[[str], str]) -> None:
    chunks = [Chunk(c.key, c.document, rewrite(c.text)) for c in cut(TWICE)]
    assert held(chunks, Judgement("a.md", RULE, 2), TWICE) == held(cut(TWICE), Judgement("a.md", RULE, 2), TWICE)


def test_a_text_without_word_boundaries_is_placed() -> None:
    rule = "出張費用が二万円を超える場合は部長の承認が必要です。"
    text = f"第一版。年次休暇は五日間です。{rule}領収書は十年間保管します。" * 2
    chunks = [Chunk(f"a.md_pages_{i}", "a.md", text[at : at + 11]) for i, at in enumerate(range(0, len(text), 11))]
    second = text.rindex(rule)
    for i, parts in enumerate(held(chunks, Judgement("a.md", rule, 2), text)):
        assert parts == true_parts(text, (i * 11, i * 11 + 11), (second, second + len(rule)))


def test_short_words_stand_alone_in_the_text_too() -> None:
    text = "You have 15 days for it. You have 5 days for that."
    chunks = [Chunk("k_chunk_0", "a.md", text[:24]), Chunk("k_chunk_1", "a.md", text[24:])]
    assert held(chunks, Judgement("a.md", "5 days"), text) == [(), ((0, 6),)]


def test_a_budget_that_ends_in_a_chunk_counts_what_was_read_of_its_place() -> None:
    chunk = Chunk("a.md_pages_1", "a.md", TWICE[TWICE.index("Second") :])
    judgement = Judgement("a.md", RULE, 2)
    paths = DocumentPaths(["a.md"])
    places = Places(paths, {"a.md": TWICE}, [judgement])
    places.learn([chunk])
    ranking = Reader(paths, len).ranking(relevant_items([judgement]), [chunk], (), places)
    at = chunk.text.index(RULE)
    for read, wanted in ((at, 0.0), (at + 3, 3 / len(RULE)), (at + 30, 30 / len(RULE)), (at + 500, 1.0)):
        gains = ranking.read(Cut(read, "tokens")).gains
        assert sum(gain.share for gain in gains) == pytest.approx(wanted, abs=0.02)


SENTENCES = [
    "The limit is forty euros a day. ",
    "Receipts are kept for ten years. ",
    "Tips are no part of it. ",
    "五日間の休暇。",
    "See page 12 of the annex. ",
]


def letters(excerpt: str, parts: Sequence[Interval]) -> set[int]:
    """The offsets of what is not white space: that is not compared."""
    return {i for start, stop in parts for i in range(start, stop) if not excerpt[i].isspace()}


@given(
    st.lists(st.integers(0, len(SENTENCES) - 1), min_size=4, max_size=40),
    st.integers(15, 140),
    st.integers(0, 14),
    st.data(),
)
@settings(max_examples=300, deadline=None)
def test_whatever_repeats_each_chunk_holds_what_lies_at_its_place(
    order: list[int], size: int, overlap: int, data: st.DataObject
) -> None:
    text = "".join(SENTENCES[i] for i in order)
    chunks = cut(text, size, overlap)
    start = data.draw(st.integers(0, len(text) - 12))
    excerpt = text[start : start + data.draw(st.integers(12, 90))].strip()
    start = text.index(excerpt, start)
    occurrences = [i for i in range(len(text)) if text.startswith(excerpt, i)]
    judgement = Judgement("a.md", excerpt, occurrences.index(start) + 1)
    found = held(chunks, judgement, text, (), lambda address: chunks)
    for i, (chunk, parts) in enumerate(zip(chunks, found, strict=True)):
        at = i * (size - overlap)
        wanted = true_parts(text, (at, at + len(chunk.text)), (start, start + len(excerpt)))
        assert letters(excerpt, parts) == letters(excerpt, wanted), (chunk.text, excerpt)


@given(st.integers(2, 9), st.integers(2, 60), st.randoms(use_true_random=False))
@settings(max_examples=100, deadline=None)
def test_chunks_in_order_find_their_starts_among_twins(copies: int, pieces: int, chance: random.Random) -> None:
    page = "".join(chance.choices("abcdefgh ", k=max(pieces * 3, 30)))
    text = page * copies
    edges = sorted({0, len(text), *(chance.randrange(1, len(text)) for _ in range(pieces))})
    row = []
    for number, (start, stop) in enumerate(pairwise(edges)):
        piece = text[start:stop]
        row.append(Ordered(number, len(piece), tuple(i for i in range(len(text)) if text.startswith(piece, i))))
    assert starts_in_order(row, len(text), complete=True) == tuple(edges[:-1])


def test_an_order_that_cannot_be_says_nothing() -> None:
    assert starts_in_order([Ordered(0, 5, (50,)), Ordered(1, 5, (10,))], 60, complete=True) is None
    assert starts_in_order([Ordered(3, 5, (10,)), Ordered(3, 5, (50,))], 60, complete=False) is None
    assert starts_in_order([], 60, complete=False) is None


def test_missing_chunks_are_bridged_by_the_stride_of_the_others() -> None:
    known = [Ordered(number, 10, (10 * number,)) for number in (0, 1, 2, 9)]
    doubtful = Ordered(6, 10, (30, 60, 80))
    assert starts_in_order([*known, doubtful], 100, complete=False) == (0, 10, 20, 90, 60)
