"""Pages: limits, cover, overlap and where they are cut."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from azsearch_ops.chunking.text_split import Span, TextSplit, split

CORPORA = Path(__file__).parents[4] / "shared" / "data" / "chroma" / "corpora"

WORDS = st.sampled_from(
    ["a", "the", "handbook.", "Rossi", "e.g.", "x" * 40, "perché?", "ok!", "\n", "\n\n", "- item", "1.", "😀👍🏽",
     "e\u0301", "日本語。", "…", "\t", "   ", "|", "👨‍👩‍👧", "🇮🇹🇩🇪", "\r\n", "A."]
)  # fmt: skip
TEXTS = st.one_of(
    st.text(max_size=400),
    st.lists(WORDS, max_size=150).map(" ".join),
    st.lists(WORDS, max_size=150).map("".join),
)


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def byte_starts(text: str) -> list[int]:
    """A tokenizer for which every UTF-8 byte is a token: characters then take up to four."""
    return [index for index, letter in enumerate(text) for _ in letter.encode("utf-8", "surrogatepass")]


def pair_starts(text: str) -> list[int]:
    """A tokenizer for which every two characters are a token."""
    return list(range(0, len(text), 2))


def assert_pages(text: str, spans: Sequence[Span], limit: int, measure=utf16) -> None:
    covered = 0
    for span in spans:
        page = text[span.start : span.end]
        assert page and not page.isspace()
        assert measure(page) <= limit
        assert text[covered : span.start].strip() == "", "a gap that is not white space"
        assert span.end > covered, "no progress"
        covered = span.end
    assert text[covered:].strip() == ""
    assert bool(spans) == bool(text.strip())


@settings(deadline=None, max_examples=300)
@given(TEXTS, st.integers(8, 120), st.floats(0, 0.49))
def test_pages_hold_the_limit_and_cover_the_text(text: str, limit: int, share: float) -> None:
    overlap = int(limit * share)
    assert_pages(text, split(text, TextSplit("pages", limit, overlap)), limit)


@settings(deadline=None, max_examples=200)
@given(TEXTS, st.integers(8, 120))
def test_pages_without_overlap_join_to_the_source(text: str, limit: int) -> None:
    spans = split(text, TextSplit("pages", limit))
    for earlier, later in pairwise(spans):
        assert text[earlier.end : later.start].strip() == ""
    joined = "".join(text[span.start : span.end] for span in spans)
    assert "".join(joined.split()) == "".join(text.split())


@settings(deadline=None, max_examples=200)
@given(TEXTS, st.integers(12, 120), st.floats(0.1, 0.49))
def test_each_page_starts_with_the_end_of_the_one_before(text: str, limit: int, share: float) -> None:
    overlap = int(limit * share)
    for earlier, later in pairwise(split(text, TextSplit("pages", limit, overlap))):
        assert earlier.start < later.start
        if later.start < earlier.end:
            assert utf16(text[later.start : earlier.end]) <= overlap


@settings(deadline=None, max_examples=200)
@given(TEXTS, st.integers(8, 60), st.floats(0, 0.49), st.sampled_from([byte_starts, pair_starts]))
def test_pages_in_tokens_hold_the_limit(text: str, limit: int, share: float, starts) -> None:
    options = TextSplit("pages", limit, int(limit * share), unit="azureOpenAITokens")
    spans = split(text, options, starts)
    whole = starts(text)

    def tokens(span: Span) -> int:
        return sum(span.start <= start < span.end for start in whole)

    assert all(tokens(span) <= limit for span in spans)
    assert_pages(text, spans, len(text), measure=len)


def test_the_tokenizer_is_asked_once() -> None:
    asked: list[int] = []

    def starts(text: str) -> list[int]:
        asked.append(len(text))
        return pair_starts(text)

    text = "One sentence here. " * 500
    assert len(split(text, TextSplit("pages", 100, 20, unit="azureOpenAITokens"), starts)) > 10
    assert asked == [len(text)]


def test_a_page_ends_with_a_sentence_where_it_can() -> None:
    text = "First sentence is here. Second sentence follows it. Third one ends the text."
    spans = split(text, TextSplit("pages", 60))
    assert [text[span.start : span.end] for span in spans] == [
        "First sentence is here. Second sentence follows it. ",
        "Third one ends the text.",
    ]


def test_a_sentence_that_fits_a_page_is_not_cut_even_if_the_page_before_stays_short() -> None:
    text = "Short. Long " + "word " * 16 + "end."
    pages = [text[span.start : span.end] for span in split(text, TextSplit("pages", 90))]
    assert pages == ["Short. ", text[7:]]


def test_a_sentence_longer_than_a_page_is_cut_at_a_blank() -> None:
    text = "word " * 100
    pages = [text[span.start : span.end] for span in split(text, TextSplit("pages", 52))]
    assert all(page.endswith("word ") for page in pages)
    assert len(pages) == 10


def test_a_word_longer_than_a_page_is_cut_by_length() -> None:
    text = "x" * 1000
    assert [span.end - span.start for span in split(text, TextSplit("pages", 300))] == [300, 300, 300, 100]


def test_lengths_are_utf16_units() -> None:
    text = "😀" * 400
    spans = split(text, TextSplit("pages", 301))
    assert [span.end - span.start for span in spans] == [150, 150, 100]


@pytest.mark.parametrize("cluster", ["👍🏽", "e\u0301", "👨‍👩‍👧", "🇮🇹", "\r\n"])
def test_what_reads_as_one_character_stays_whole(cluster: str) -> None:
    for shift in range(len(cluster)):
        text = "y" * shift + cluster * 60
        for span in split(text, TextSplit("pages", 37, 11)):
            inside = (span.start - shift) % len(cluster), (span.end - shift) % len(cluster)
            assert inside == (0, 0) or span.start == 0


def test_the_overlap_begins_with_a_whole_word() -> None:
    text = "alpha bravo charlie delta echo foxtrot golf hotel india juliet " * 20
    spans = split(text, TextSplit("pages", 300, 100))
    assert len(spans) > 3
    for earlier, later in pairwise(spans):
        assert text[later.start - 1] == " "
        assert 80 <= earlier.end - later.start <= 100


def test_the_overlap_stays_long_where_no_word_begins() -> None:
    text = "語" * 2000
    for earlier, later in pairwise(split(text, TextSplit("pages", 500, 100))):
        assert earlier.end - later.start == 100


@pytest.mark.parametrize("length", [1, 119, 120, 400, 999, 1000])
def test_a_short_text_is_one_page(length: int) -> None:
    assert split("x" * length, TextSplit("pages", 1000, 400)) == (Span(0, length),)


@pytest.mark.parametrize("text", ["", " ", "\n\t \u3000", "\n" * 5000])
def test_blank_text_has_no_page(text: str) -> None:
    assert split(text, TextSplit("pages", 300, 100)) == ()
    assert split(text, TextSplit("sentences", 300)) == ()


def test_blank_stretches_give_no_pages() -> None:
    text = "start." + " " * 3000 + "end."
    pages = [text[span.start : span.end].strip() for span in split(text, TextSplit("pages", 300))]
    assert pages == ["start.", "end."]


def test_pages_to_take() -> None:
    text = "One sentence of text. " * 200
    every = split(text, TextSplit("pages", 300, 50))
    assert split(text, TextSplit("pages", 300, 50, maximum_pages_to_take=3)) == every[:3]


@pytest.mark.parametrize("overlap", [150, 151, -1])
def test_an_overlap_of_half_a_page_is_refused(overlap: int) -> None:
    with pytest.raises(ValueError, match="half"):
        split("some text", TextSplit("pages", 300, overlap))


def test_tokens_need_a_tokenizer() -> None:
    with pytest.raises(ValueError, match="tokenizer"):
        split("some text", TextSplit("pages", 300, unit="azureOpenAITokens"))


def test_options_of_a_skill_body_take_the_services_defaults() -> None:
    assert TextSplit.from_skill({"textSplitMode": None, "pageOverlapLength": None}) == TextSplit("pages", 5000)
    body = {
        "textSplitMode": "pages",
        "maximumPageLength": 512,
        "pageOverlapLength": 128,
        "maximumPagesToTake": 4,
        "unit": "azureOpenAITokens",
        "azureOpenAITokenizerParameters": {"encoderModelName": "p50k_base"},
        "defaultLanguageCode": "it",
    }
    assert TextSplit.from_skill(body) == TextSplit("pages", 512, 128, 4, "azureOpenAITokens", "p50k_base", "it")


@pytest.mark.skipif(not CORPORA.is_dir(), reason="the chroma corpora lie outside of the repository")
@pytest.mark.parametrize(("limit", "overlap", "reference"), [(2000, 500, 1034), (1000, 0, 1604)])
def test_real_text_gives_about_as_many_pages_as_another_splitter(limit: int, overlap: int, reference: int) -> None:
    count = 0
    for path in CORPORA.glob("*.md"):
        text = path.read_text(encoding="utf-8")
        spans = split(text, TextSplit("pages", limit, overlap))
        assert_pages(text, spans, limit)
        count += len(spans)
    assert count == pytest.approx(reference, rel=0.02)
