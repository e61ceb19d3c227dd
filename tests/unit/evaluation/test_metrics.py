from math import log2

import pytest

from azsearch_ops.evaluation.items import relevant_items
from azsearch_ops.evaluation.metrics.registry import CORPUS_METRICS, METRICS, parse_metric
from azsearch_ops.evaluation.paths import DocumentPaths
from azsearch_ops.evaluation.reading import Ranking, Reader
from azsearch_ops.evaluation.types import Chunk, Judgement


def count_words(text: str) -> int:
    return len(text.split())


def ranking(judgements: list[Judgement], chunks: list[tuple[str, str]]) -> Ranking:
    reader = Reader(DocumentPaths(j.document for j in judgements), count_words)
    found = [Chunk(f"k{i}", document, text) for i, (document, text) in enumerate(chunks)]
    return reader.ranking(relevant_items(judgements), found, judgements)


def value(name: str, judgements: list[Judgement], chunks: list[tuple[str, str]]) -> float:
    metric = parse_metric(name)
    return metric.value(ranking(judgements, chunks).read(metric.cut, metric.about.needs))


ONE = "The first rule is that the blue form goes to the office in Turin."
TWO = "The second rule is that every copy stays with the team in Milan."
SPANS = [Judgement("a.md", ONE), Judgement("a.md", TWO, grade=2)]


def test_ideal_values_come_from_the_judgements_and_not_from_the_results() -> None:
    judgements = [Judgement(f"d{i}.md") for i in range(20)]
    results = [("d7.md", "text"), *((f"x{i}.md", "other") for i in range(9))]
    assert value("hit@10", judgements, results) == 1.0
    assert value("recall@10", judgements, results) == pytest.approx(0.05)
    assert value("mrr@10", judgements, results) == 1.0
    assert value("ndcg@10", judgements, results) == pytest.approx(1 / sum(1 / log2(r + 1) for r in range(1, 11)))
    assert value("ndcg@10", judgements, results) == pytest.approx(0.220, abs=5e-4)
    assert value("precision@10", judgements, results) == pytest.approx(0.1)
    assert value("map@10", judgements, results) == pytest.approx(0.05)


@pytest.mark.parametrize("name", sorted(METRICS))
@pytest.mark.parametrize("cut", ["5", "100t"])
def test_every_metric_is_zero_without_results_and_one_for_exactly_the_answer(name: str, cut: str) -> None:
    metric = f"{name}@{cut}"
    assert value(metric, SPANS, []) == METRICS[name][0].empty == 0.0
    perfect = value(metric, SPANS[:1], [("a.md", ONE)])
    # XDCG is absolute: a single document of label 1 stands alone on a scale made for three of label 4.
    odd = {"precision@5": 0.2, "foundry_xdcg@5": 25 / sum(0.6**i for i in range(5)), "foundry_xdcg@100t": 25.0}
    usual = 1.0 if METRICS[name][0].higher_is_better else 0.0
    assert perfect == pytest.approx(odd.get(metric, usual))


@pytest.mark.parametrize("name", sorted([*METRICS, *CORPUS_METRICS]))
def test_every_metric_says_what_it_is(name: str) -> None:
    about = parse_metric(name if name in CORPUS_METRICS else f"{name}@5").about
    assert about.name == name
    assert about.title
    assert about.formula
    assert about.reference


def test_a_second_chunk_of_a_document_adds_nothing_new() -> None:
    judgements = [Judgement("a.md"), Judgement("b.md")]
    results = [("a.md", "one"), ("a.md", "two"), ("b.md", "three")]
    assert value("recall@2", judgements, results) == 0.5
    assert value("precision@2", judgements, results) == 0.5
    assert value("recall@3", judgements, results) == 1.0
    assert value("map@3", judgements, results) == pytest.approx((1 + 2 / 3) / 2)


def test_what_overlapping_chunks_share_counts_once() -> None:
    start, end = ONE[:50], ONE[30:]
    assert value("recall@1", SPANS[:1], [("a.md", start)]) == pytest.approx(50 / len(ONE), abs=0.02)
    assert value("recall@2", SPANS[:1], [("a.md", start), ("a.md", end)]) == pytest.approx(1.0)
    assert value("recall@2", SPANS[:1], [("a.md", start), ("a.md", start)]) == value(
        "recall@1", SPANS[:1], [("a.md", start)]
    )


def test_an_answer_is_found_when_half_of_it_has_been_read() -> None:
    pieces = [ONE[:26], ONE[26:52], ONE[52:]]
    assert value("mrr@5", SPANS[:1], [("a.md", piece) for piece in pieces]) == pytest.approx(1 / 2)
    assert value("hit@1", SPANS[:1], [("a.md", pieces[0])]) == 0.0


def test_several_answers_in_one_chunk_do_not_beat_the_ideal() -> None:
    both = value("ndcg@5", SPANS, [("a.md", f"{ONE} {TWO}")])
    best_first = value("ndcg@5", SPANS, [("a.md", TWO), ("a.md", ONE)])
    worst_first = value("ndcg@5", SPANS, [("a.md", ONE), ("a.md", TWO)])
    assert both == best_first == pytest.approx(1.0)
    assert worst_first == pytest.approx((1 + 2 / log2(3)) / (2 + 1 / log2(3)))
    assert value("map@5", SPANS, [("a.md", f"{ONE} {TWO}")]) == pytest.approx(1.0)


def test_exponential_gain_tells_grades_further_apart() -> None:
    worst_first = [("a.md", ONE), ("a.md", TWO)]
    assert value("ndcg_exp@5", SPANS, worst_first) == pytest.approx((1 + 3 / log2(3)) / (3 + 1 / log2(3)))


def test_a_token_budget_ends_inside_a_chunk() -> None:
    filler = "word " * 90
    half = value("recall@97t", SPANS[:1], [("b.md", filler), ("a.md", ONE)])
    assert 0.35 < half < 0.55
    assert value("recall@104t", SPANS[:1], [("b.md", filler), ("a.md", ONE)]) == 1.0
    assert value("recall@90t", SPANS[:1], [("b.md", filler), ("a.md", ONE)]) == 0.0


def test_a_budget_does_not_reward_long_chunks() -> None:
    before = " ".join(f"Before {i} of it all." for i in range(40))
    text = f"{before} {ONE} {before}"
    words = text.split()
    for size in (20, 50, 100):
        chunks = [("a.md", " ".join(words[at : at + size])) for at in range(0, len(words), size)]
        assert value("recall@500t", SPANS[:1], chunks) == pytest.approx(1.0, abs=0.01)
        assert value("precision@500t", SPANS[:1], chunks) == pytest.approx(len(ONE) / len(text), rel=0.03)


def test_chroma_counts_characters_and_pays_for_overlap_each_time() -> None:
    padding = "x" * 100
    chunks = [("a.md", padding + ONE), ("a.md", padding + ONE), ("z.md", "y" * 200)]
    read = 2 * (100 + len(ONE)) + 200
    total = len(ONE) + len(TWO)
    assert value("chroma_recall@5", SPANS, chunks) == pytest.approx(len(ONE) / total)
    assert value("chroma_precision@5", SPANS, chunks) == pytest.approx(len(ONE) / read)
    assert value("chroma_iou@5", SPANS, chunks) == pytest.approx(len(ONE) / (read + len(TWO)))


def test_a_repeated_judgement_counts_once_with_its_best_grade() -> None:
    items = relevant_items([Judgement("a.md", ONE), Judgement("a.md", ONE, grade=3), Judgement("b.md", grade=0)])
    assert [(item.document, item.grade) for item in items] == [("a.md", 3)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("recal@5", "Did you mean recall?"),
        ("nonsense@5", "Known are chroma_iou, "),
        ("recall", "write recall@5 for five chunks or recall@2000t"),
        ("recall@0", "how far to read"),
        ("recall@5x", "how far to read"),
        ("recall@1001", "more chunks than a request can return"),
        ("precision_omega@5", "takes no cut: write precision_omega"),
    ],
)
def test_a_metric_that_cannot_be_read_is_refused_with_the_way_out(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=r"unknown metric|does not say|reads more|takes no cut") as error:
        parse_metric(text)
    assert words in str(error.value)


@pytest.mark.parametrize("text", ["recall@5", "ndcg@2000t", "chroma_iou@10", "foundry_top1@3", "precision_omega"])
def test_a_metric_is_written_as_it_was_read(text: str) -> None:
    assert str(parse_metric(text)) == text


def test_what_chunks_share_is_paid_for_once_in_the_corrected_forms() -> None:
    before, after = "Some words before it all. " * 3, " And some words after it all." * 3
    text = before + ONE + after
    cut, back = len(before) + 40, 30
    chunks = [("a.md", text[:cut]), ("a.md", text[cut - back :])]
    assert value("span_precision@5", SPANS[:1], chunks) == pytest.approx(len(ONE) / len(text))
    assert value("chroma_precision@5", SPANS[:1], chunks) == pytest.approx(len(ONE) / (len(text) + back))
    assert value("span_iou@5", SPANS[:1], chunks) == pytest.approx(len(ONE) / len(text))
    again = [*chunks, chunks[0], ("b.md", text[:cut])]
    assert value("span_precision@5", SPANS[:1], again) == pytest.approx(len(ONE) / (len(text) + cut))
    assert value("span_iou@5", SPANS, chunks) == pytest.approx(len(ONE) / (len(text) + len(TWO)))


def test_document_retrieval_gives_what_azure_ai_evaluation_gave() -> None:
    """Constants from azure-ai-evaluation 1.18.0: labels a 4, b 3, c 2, d 1, e 0; retrieved c, x, a, e, y, d."""
    judgements = [Judgement(f"{name}.md", grade=4 - i) for i, name in enumerate("abcde")]
    chunks = [(f"{name}.md", "text") for name in "cxaeyd"]
    assert value("foundry_ndcg@3", judgements, chunks) == pytest.approx(0.5019958332409522)
    assert value("foundry_xdcg@3", judgements, chunks) == pytest.approx(43.87755102040816)
    assert value("foundry_fidelity@6", judgements, chunks) == pytest.approx(41 / 56)
    assert value("foundry_top1@6", judgements, chunks) == 2.0
    assert value("foundry_top3_max@6", judgements, chunks) == 4.0
    assert value("foundry_holes@6", judgements, chunks) == 2.0
    assert value("foundry_holes_ratio@6", judgements, chunks) == pytest.approx(2 / 6)


def test_a_document_that_comes_in_several_chunks_counts_once_at_its_first_rank() -> None:
    judgements = [Judgement("a.md", grade=2), Judgement("b.md", grade=1)]
    chunks = [("x.md", "1"), ("a.md", "2"), ("a.md", "3"), ("b.md", "4")]
    once = [("x.md", "1"), ("a.md", "2"), ("b.md", "4")]
    assert value("foundry_fidelity@4", judgements, chunks) == value("foundry_fidelity@3", judgements, once) == 1.0
    assert value("foundry_holes@4", judgements, chunks) == 1.0
    assert value("foundry_top1@4", judgements, chunks) == 0.0
    for name in ("foundry_ndcg", "foundry_xdcg"):
        assert value(f"{name}@3", judgements, chunks) == value(f"{name}@3", judgements, once) > 0.0
        assert value(f"{name}@2", judgements, chunks) < value(f"{name}@3", judgements, chunks)
        assert value(f"{name}@3", judgements, [*chunks[:3], *[chunks[2]] * 47, chunks[3]]) < value(
            f"{name}@3", judgements, chunks
        ), "documents are looked for among 50 chunks"
