"""The section of a review about how documents are cut: bounded, safe, and without words where there are none."""

from __future__ import annotations

from dataclasses import replace

from azsearch_ops.chunking.comparison import Passage, compare, cut_passages
from azsearch_ops.chunking.text_split import Span, TextSplit
from azsearch_ops.reporting.chunks import chunks_data, render_chunks
from azsearch_ops.reporting.chunks_markdown import SECTION_LIMIT, cut_section
from azsearch_ops.reporting.style import Style
from azsearch_ops.verbs.chunks_of import ChunksOf, DocumentChunks, chunk_lines

TEXT = "A sentence, @somebody and <b>markup</b>. " * 100
AFTER = tuple(Span(start, start + 41) for start in range(0, len(TEXT), 41))
BEFORE = tuple(Span(start, min(start + 410, len(TEXT))) for start in range(0, len(TEXT), 410))
PASSAGES = [Passage(f"q{n:03}", (Span(41 * n - 20, 41 * n + 20),)) for n in range(2, 40, 9)]


def example(documents: int = 3, *, words: bool = True) -> ChunksOf:
    one = [
        DocumentChunks(
            f"a/`document`|{number}.md",
            chunk_lines(TEXT, AFTER, words=words),
            len(PASSAGES),
            cut_passages(PASSAGES, AFTER),
            compare(BEFORE, AFTER, PASSAGES),
        )
        for number in range(documents)
    ]
    before, after = TextSplit("pages", 410), TextSplit("pages", 41)
    return ChunksOf("handbook", "local", after, tuple(one), "main (abc1234)", before)


def test_the_section_shows_the_chunks_around_what_is_cut_and_fits() -> None:
    lines = cut_section(example(1))
    text = "\n".join(lines)
    assert lines[1] == "<details><summary>How one document is cut now</summary>"
    assert lines[-1] == "</details>"
    assert "cut now: q002 at 82, q011 at 451" in text
    assert "| 2 | 41–82 | 41 |" in text
    assert "| 60 |" not in text, "nothing happens there"
    assert "@s" not in text
    assert "<b>" not in text


def test_it_has_fewer_rows_where_there_is_less_room_and_is_left_out_where_there_is_none() -> None:
    sizes = []
    for room in (50_000, 3_000, 1_500, 200):
        section = cut_section(example(), room)
        sizes.append(sum(len(line) + 1 for line in section))
        assert sizes[-1] <= min(room, SECTION_LIMIT)
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-2] > 0
    assert sizes[-1] == 0
    assert cut_section(None) == []


def test_no_words_where_reports_may_have_none() -> None:
    found = example(words=False)
    for text in ("\n".join(cut_section(found)), render_chunks(found, True, Style()), str(chunks_data(found, True))):
        assert "sentence" not in text
        assert "q002" in text


def test_lengths_are_what_the_service_counts() -> None:
    (first, second) = chunk_lines("🙂🙂 a", (Span(0, 3), Span(1, 4)), words=True)
    assert (first.length, first.start, first.end) == (5, 0, 3)
    assert (second.length, second.overlap) == (4, 3)


def test_what_may_be_cut_otherwise_is_said_everywhere() -> None:
    found = replace(example(1), note="the service cuts something else")
    for text in ("\n".join(cut_section(found)), render_chunks(found, False, Style()), str(chunks_data(found, False))):
        assert "the service cuts something else" in text
