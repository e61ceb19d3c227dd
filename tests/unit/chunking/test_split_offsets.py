"""Offsets and lengths in three encodings."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from azsearch_ops.chunking.offsets import Extent, lengths, offsets
from azsearch_ops.chunking.rulers import CodePoints, Tokens, Utf16, utf16_ruler
from azsearch_ops.chunking.text_split import TextSplit, split


def sizes(text: str) -> Extent:
    return Extent(len(text.encode()), len(text.encode("utf-16-le")) // 2, len(text))


@settings(deadline=None, max_examples=150)
@given(st.text(alphabet="ab. é語😀\n", max_size=300), st.integers(10, 60))
def test_offsets_and_lengths_are_those_of_the_text(text: str, limit: int) -> None:
    spans = split(text, TextSplit("pages", limit, limit // 3))
    assert offsets(text, spans) == tuple(sizes(text[: span.start]) for span in spans)
    assert lengths(text, spans) == tuple(sizes(text[span.start : span.end]) for span in spans)


def test_extent_is_written_as_the_skill_writes_it() -> None:
    assert Extent(4, 2, 1).body() == {"utf8": 4, "utf16": 2, "codePoint": 1}


@settings(deadline=None, max_examples=300)
@given(st.text(alphabet="aé😀🇮", max_size=40), st.data())
def test_the_utf16_ruler_goes_as_far_as_it_may_and_no_further(text: str, data: st.DataObject) -> None:
    def units(start: int, end: int) -> int:
        return len(text[start:end].encode("utf-16-le")) // 2

    place = data.draw(st.integers(0, len(text)))
    amount = data.draw(st.integers(0, 20))
    ruler = utf16_ruler(text)
    end = ruler.forward(place, amount)
    assert units(place, end) <= amount
    assert end == len(text) or units(place, end + 1) > amount
    start = ruler.backward(place, amount)
    assert units(start, place) <= amount
    assert start == 0 or units(start - 1, place) > amount


def test_a_text_of_the_basic_plane_gets_the_cheap_ruler() -> None:
    assert isinstance(utf16_ruler("perché 日本"), CodePoints)
    assert isinstance(utf16_ruler("ok 😀"), Utf16)


def test_a_character_of_several_tokens_is_not_divided() -> None:
    ruler = Tokens(4, [0, 1, 1, 1, 2, 3])
    assert ruler.forward(0, 2) == 1
    assert ruler.forward(0, 4) == 2
    assert ruler.backward(4, 3) == 2
    assert ruler.backward(4, 5) == 1
    assert ruler.align(3) == 3
