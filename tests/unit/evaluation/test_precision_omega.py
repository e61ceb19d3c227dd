from collections.abc import Sequence

import pytest

from azsearch_ops.errors import EvaluationError
from azsearch_ops.evaluation.layout import Corpora, Layouts, covered, measure
from azsearch_ops.evaluation.metrics.registry import parse_metric
from azsearch_ops.evaluation.paths import DocumentPaths
from azsearch_ops.evaluation.run import evaluate
from azsearch_ops.evaluation.types import Chunk, Judgement, Query

TEXT = "".join(f"Sentence number {i:03d} says something of its own. " for i in range(40))
SIZE = len(TEXT) // 40
START, END = 5 * SIZE + 10, 6 * SIZE + 20
WANTED = [Judgement("a.md", TEXT[START:END])]


def cut(size: int, overlap: int = 0) -> list[Chunk]:
    starts = range(0, max(1, len(TEXT) - overlap), size - overlap)
    return [Chunk(f"key_pages_{i}", "a.md", TEXT[at : at + size]) for i, at in enumerate(starts)]


def value(
    name: str, chunks: Sequence[Chunk], judgements: Sequence[Judgement] = WANTED, text: str | None = TEXT
) -> float:
    paths = DocumentPaths(j.document for j in judgements)
    layouts = Layouts(chunks, {"a.md": text} if text is not None else {}, paths)
    return parse_metric(name).value_of_corpus(layouts.of(judgements))


@pytest.mark.parametrize("text", [TEXT, None])
def test_it_is_what_the_chunks_around_the_reference_leave(text: str | None) -> None:
    assert value("precision_omega", cut(SIZE), text=text) == pytest.approx((END - START) / (2 * SIZE))
    assert value("precision_omega", cut(10 * SIZE), text=text) == pytest.approx((END - START) / (10 * SIZE))
    # Three chunks of two sentences, each beginning in the middle of the one before, span four sentences.
    assert value("precision_omega", cut(2 * SIZE, SIZE), text=text) == pytest.approx((END - START) / (4 * SIZE))


def test_a_chunk_that_only_touches_counts_as_in_the_study_and_not_in_the_corrected_form() -> None:
    whole = [Judgement("a.md", TEXT[5 * SIZE : 6 * SIZE])]
    assert value("precision_omega", cut(SIZE), whole) == 1.0
    assert value("chroma_precision_omega", cut(SIZE), whole) == pytest.approx(1 / 3)


def test_what_no_chunk_holds_counts_below_the_line() -> None:
    chunks = [chunk for chunk in cut(SIZE) if chunk.key != "key_pages_6"]
    held = 6 * SIZE - START
    assert value("precision_omega", chunks) == pytest.approx(held / (SIZE + (END - 6 * SIZE)))
    assert value("precision_omega", []) == 0.0


def test_equal_passages_are_told_apart_by_their_occurrence() -> None:
    text = "Fees are waived. " * 3 + "A very long tail that is part of the last chunk only, and nothing but a tail."
    chunks = [Chunk("k_0", "a.md", text[:17]), Chunk("k_1", "a.md", text[17:34]), Chunk("k_2", "a.md", text[34:])]
    first = [Judgement("a.md", "Fees are waived.", 1)]
    last = [Judgement("a.md", "Fees are waived.", 3)]
    assert value("precision_omega", chunks, first, text) == pytest.approx(16 / 17)
    assert value("precision_omega", chunks, last, text) == pytest.approx(16 / len(text[34:]))


def test_parts_inside_and_outside() -> None:
    assert covered([(0, 10), (20, 30)], [(5, 8), (7, 25)]) == ([(5, 10), (20, 25)], [(0, 5), (25, 30)])
    assert measure([(0, 5), (3, 8), (10, 11)]) == 9


def test_an_evaluation_measures_it_on_both_sides_and_asks_for_the_chunks() -> None:
    small, large = cut(SIZE), cut(10 * SIZE)
    queries = [Query("q1", "what does it say", tuple(WANTED))]

    def search(query: Query, depth: int) -> list[Chunk]:
        return small[:depth]

    result = evaluate(
        queries, search, search, ["precision_omega", "mrr@5"], len, corpora=Corpora(small, large, {"a.md": TEXT})
    )
    metric = result.metric("precision_omega")
    assert metric is not None
    assert metric.candidate == pytest.approx((END - START) / (2 * SIZE))
    assert metric.live == pytest.approx((END - START) / (10 * SIZE))
    assert result.changed == (), "where chunks are cut is no change of a ranking"
    with pytest.raises(EvaluationError, match="precision_omega reads all chunks"):
        evaluate(queries, None, search, ["precision_omega"], len)
