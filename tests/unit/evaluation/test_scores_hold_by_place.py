"""What must not move a score where chunks are placed in documents that repeat whole passages."""

import random
from collections.abc import Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from azsearch_ops.evaluation.items import relevant_items
from azsearch_ops.evaluation.metrics.registry import parse_metric
from azsearch_ops.evaluation.paths import DocumentPaths
from azsearch_ops.evaluation.placing import Places, Sources
from azsearch_ops.evaluation.reading import Reader
from azsearch_ops.evaluation.run import evaluate
from azsearch_ops.evaluation.types import Chunk, Judgement, Query, Search

PARTS = [
    "Meals abroad are paid up to forty euros a day. ",
    "Receipts are kept for ten years by whoever travels. ",
    "The desk on the second floor books trains and hotels. ",
    "Tips are part of a meal where that is usual. ",
]
LEAST = 6  # A chunk of a letter or two stands in so many places that it has none
ORDERS = st.lists(st.integers(0, len(PARTS) - 1), min_size=6, max_size=24)
METRICS = ("recall@400t", "ndcg@200t", "recall@5", "mrr@10", "chroma_recall@3", "chroma_precision@3", "map@10")


def document(order: Sequence[int]) -> str:
    return "".join(PARTS[i] for i in order)


def judged(order: Sequence[int], number: int) -> Judgement:
    """The sentence at `number`, by which of its equals it is."""
    excerpt = PARTS[order[number]].strip()
    return Judgement("a.md", excerpt, list(order[: number + 1]).count(order[number]))


def split_at(text: str, cuts: Sequence[int], build: str = "k") -> list[Chunk]:
    edges = [0]
    for cut in sorted({cut % len(text) for cut in cuts}):
        if edges[-1] + LEAST <= cut <= len(text) - LEAST:
            edges.append(cut)
    edges.append(len(text))
    return [Chunk(f"{build}_pages_{i}", "a.md", text[a:b]) for i, (a, b) in enumerate(pairwise(edges))]


def read(ranking: Sequence[Chunk], all_chunks: Sequence[Chunk], judgement: Judgement, text: str, name: str) -> float:
    paths = DocumentPaths(["a.md"])
    places = Places(paths, {"a.md": text}, [judgement], lambda address: all_chunks)
    places.learn(ranking)
    metric = parse_metric(name)
    made = Reader(paths, len).ranking(relevant_items([judgement]), ranking, [judgement], places)
    return metric.value(made.read(metric.cut, metric.about.needs))


@given(ORDERS, st.lists(st.integers(1, 5000), max_size=12), st.data())
@settings(max_examples=200, deadline=None)
def test_a_split_of_the_same_text_gives_equal_recall_wherever_it_cuts(
    order: list[int], cuts: list[int], data: st.DataObject
) -> None:
    text = document(order)
    judgement = judged(order, data.draw(st.integers(0, len(order) - 1)))
    budget = data.draw(st.integers(1, len(text) + 50))
    pieces, whole = split_at(text, cuts), split_at(text, [])
    name = f"recall@{budget}t"
    # White space at a cut belongs to the part before or after it, and a letter is what is compared
    assert read(pieces, pieces, judgement, text, name) == pytest.approx(
        read(whole, whole, judgement, text, name), abs=1.5 / len(judgement.excerpt or "")
    )


@given(ORDERS, st.lists(st.integers(1, 5000), min_size=3, max_size=12), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_relabelled_and_reordered_chunks_give_equal_scores(
    order: list[int], cuts: list[int], chance: random.Random
) -> None:
    text = document(order)
    queries = [Query(f"q{i}", f"{i}", (judged(order, i),)) for i in range(len(order))]
    ranks = {chunk.text: chance.random() for chunk in split_at(text, cuts)}

    def side(build: str) -> tuple[Search, list[Chunk]]:
        chunks = split_at(text, cuts, build)
        shuffled = [Chunk(c.key, c.document, c.text, ranks[c.text]) for c in chunks]
        chance.shuffle(shuffled)
        return lambda query, depth: sorted(shuffled, key=lambda c: -(c.score or 0.0))[:depth], chunks

    (live, live_chunks), (candidate, chunks) = side("a"), side("zz")
    sources = Sources({"a.md": text}, lambda address: chunks, lambda address: live_chunks)
    metrics = [*METRICS, "hit@200"]
    result = evaluate(queries, live, candidate, metrics, len, resamples=50, sources=sources)
    assert result.changed == ()
    assert [metric.difference for metric in result.metrics] == [0.0] * len(metrics)
    swapped = evaluate(queries[::-1], live, candidate, metrics, len, resamples=50, sources=sources)
    assert [m.candidate for m in swapped.metrics] == pytest.approx([m.candidate for m in result.metrics])


@given(ORDERS, st.lists(st.integers(1, 5000), min_size=3, max_size=12), st.data())
@settings(max_examples=150, deadline=None)
def test_a_longer_ranking_never_lowers_recall(order: list[int], cuts: list[int], data: st.DataObject) -> None:
    text = document(order)
    judgement = judged(order, data.draw(st.integers(0, len(order) - 1)))
    chunks = split_at(text, cuts)
    ranking = data.draw(st.permutations(chunks))
    k, budget = data.draw(st.integers(1, len(chunks))), data.draw(st.integers(1, len(text)))
    for name in (f"recall@{k}", f"hit@{k}", f"chroma_recall@{k}", f"recall@{budget}t"):
        short = read(ranking[:k], chunks, judgement, text, name)
        assert read(ranking, chunks, judgement, text, name) >= short - 1e-12
    assert read(ranking, chunks, judgement, text, f"recall@{len(chunks)}") == pytest.approx(1.0)


@given(ORDERS, st.lists(st.integers(1, 5000), min_size=3, max_size=12))
@settings(max_examples=100, deadline=None)
def test_no_chunk_is_credited_for_what_stands_elsewhere(order: list[int], cuts: list[int]) -> None:
    """All chunks together hold every sentence once, however often it repeats."""
    text = document(order)
    chunks = split_at(text, cuts)
    starts = [sum(len(PARTS[i]) for i in order[:number]) for number in range(len(order))]
    at = 0
    for chunk in chunks:
        for number, start in enumerate(starts):
            excerpt = PARTS[order[number]].strip()
            inside = text[max(at, start) : max(0, min(at + len(chunk.text), start + len(excerpt)))]
            found = read([chunk], chunks, judged(order, number), text, "chroma_recall@1")
            assert found == pytest.approx(len(inside) / len(excerpt), abs=1.5 / len(excerpt))
        at += len(chunk.text)
