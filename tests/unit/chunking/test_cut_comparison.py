"""Two cuttings of one text: what is kept, gone and new, and which passages the change divides or mends."""

from __future__ import annotations

from azsearch_ops.chunking.comparison import Boundary, CutPassage, Passage, boundaries, compare, cut_passages
from azsearch_ops.chunking.text_split import Span, TextSplit, split

BEFORE = (Span(0, 100), Span(80, 200), Span(200, 300))
AFTER = (Span(0, 100), Span(100, 200), Span(200, 250), Span(250, 300))


def passage(query: str, *places: tuple[int, int]) -> Passage:
    return Passage(query, tuple(Span(*place) for place in places))


def test_boundaries_are_between_neighbours() -> None:
    assert boundaries(BEFORE) == (Boundary(100, 80), Boundary(200, 200))
    assert [b.overlap for b in boundaries(BEFORE)] == [20, 0]
    assert Boundary(10, 12).overlap == 0, "white space that no chunk has"
    assert boundaries((Span(0, 5),)) == boundaries(()) == ()


def test_what_is_kept_gone_and_new() -> None:
    moves = compare(BEFORE, AFTER)
    assert (moves.kept, moves.gone) == (1, (Boundary(100, 80),)), "an overlap that is lost moves its boundary"
    assert moves.new == (Boundary(100, 100), Boundary(250, 250))
    assert (moves.same, moves.before) == (1, BEFORE)
    assert compare(AFTER, AFTER).weight == (0, 0)


def test_a_passage_is_cut_where_no_chunk_holds_it_whole() -> None:
    passages = [passage("in", (10, 100)), passage("overlap", (85, 110)), passage("over", (70, 110))]
    assert cut_passages(passages, BEFORE) == (CutPassage("over", Span(70, 110), 100),)
    assert [cut.query for cut in cut_passages(passages, AFTER)] == ["over", "overlap"]


def test_of_several_places_one_whole_is_enough() -> None:
    twice = passage("twice", (90, 110), (210, 240))
    assert cut_passages([twice], AFTER) == ()
    assert cut_passages([passage("twice", (90, 110), (240, 260))], AFTER) == (CutPassage("twice", Span(90, 110), 100),)


def test_what_no_chunk_covers_is_cut_where_it_begins() -> None:
    (cut,) = cut_passages([passage("beyond", (400, 420))], BEFORE)
    assert cut.at == 400


def test_the_reverse_of_a_change_mends_what_it_cut() -> None:
    passages = [passage("a", (85, 95)), passage("b", (85, 110)), passage("c", (240, 260)), passage("d", (90, 210))]
    there, back = compare(BEFORE, AFTER, passages), compare(AFTER, BEFORE, passages)
    assert [(cut.query, cut.at) for cut in there.cut] == [("b", 100), ("c", 250)]
    assert there.mended == ()
    assert back.mended == there.cut
    assert back.cut == ()
    assert (back.gone, back.new) == (there.new, there.gone)


def test_less_overlap_cuts_a_sentence_that_more_keeps_whole() -> None:
    text = " ".join(f"This is sentence number {n:03} of the report." for n in range(40))
    start = text.index("number 006")
    judged = passage("q", (start, text.index("number 008")))
    wide = split(text, TextSplit("pages", 330, 150))
    narrow = split(text, TextSplit("pages", 330, 0))
    moves = compare(wide, narrow, [judged])
    assert [cut.query for cut in moves.cut] == ["q"]
    assert moves.cut[0].at in {span.end for span in narrow}
