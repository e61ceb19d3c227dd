"""What must not move a score, and which way it may move."""

import random
from dataclasses import replace
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from azsearch_ops.evaluation.items import relevant_items
from azsearch_ops.evaluation.metrics.registry import parse_metric
from azsearch_ops.evaluation.paths import DocumentPaths
from azsearch_ops.evaluation.reading import Reader
from azsearch_ops.evaluation.run import evaluate
from azsearch_ops.evaluation.types import Chunk, Judgement, Query, Search


def sentence(name: str, number: int) -> str:
    """A sentence of words that no other has."""
    chance = random.Random(f"{name} {number}")
    words = ["".join(chance.choices("abcdefghijklmnoprstuvw", k=chance.randint(4, 9))) for _ in range(8)]
    return f"{name.capitalize()} {number} {' '.join(words)}."


TEXTS = {f"{name}.md": " ".join(sentence(name, i) for i in range(12)) for name in ("east", "west", "south")}
METRICS = ("recall@900t", "mrr@10", "ndcg@10", "recall@5", "precision@5", "map@10", "span_iou@5", "foundry_fidelity@10")


QUERIES = [
    Query(
        f"{name}{i}",
        f"{name} {i}",
        (Judgement(f"{name}.md", sentence(name, i)), Judgement("west.md", sentence("west", 3))),
    )
    for name in ("east", "south")
    for i in range(12)
]


def cut(size: int, build: str) -> list[Chunk]:
    return [
        Chunk(f"{build}{document[:2]}_pages_{at // size}", document, text[at : at + size])
        for document, text in TEXTS.items()
        for at in range(0, len(text), size)
    ]


def search_in(chunks: list[Chunk]) -> Search:
    """By words in common, in steps so coarse that ties are many; equal scores come in the order of `chunks`."""

    def search(query: Query, depth: int) -> list[Chunk]:
        wanted = query.text.split()
        scored = [replace(c, score=float(sum(word in c.text for word in wanted))) for c in chunks]
        return sorted(scored, key=lambda c: -(c.score or 0.0))[:depth]

    return search


@given(st.sampled_from([70, 150, 400]), st.randoms(use_true_random=False))
@settings(max_examples=25, deadline=None)
def test_relabelled_and_reordered_chunks_give_equal_scores(size: int, chance: random.Random) -> None:
    chunks, other = cut(size, "a"), cut(size, "zz")
    chance.shuffle(other)
    # Deep enough for everything that ties: a service that cuts inside a tie decides by itself what is left out.
    metrics = [*METRICS, "hit@200"]
    result = evaluate(QUERIES, search_in(chunks), search_in(other), metrics, len, resamples=50)
    assert result.changed == ()
    assert [metric.difference for metric in result.metrics] == [0.0] * len(metrics)


def read(chunks: list[Chunk], judgements: list[Judgement], name: str) -> float:
    metric = parse_metric(name)
    reader = Reader(DocumentPaths(j.document for j in judgements), len)
    ranking = reader.ranking(relevant_items(judgements), chunks, judgements)
    return metric.value(ranking.read(metric.cut, metric.about.needs))


JUDGED = [Judgement("east.md", sentence("east", 4)), Judgement("east.md", sentence("east", 9), grade=2)]


@given(
    st.lists(st.integers(1, len(TEXTS["east.md"]) - 1), max_size=8, unique=True),
    st.sampled_from([100, 300, 500, 800, 2000]),
)
@settings(max_examples=150, deadline=None)
def test_a_split_that_changes_no_covered_text_within_the_budget_gives_equal_recall(
    cuts: list[int], budget: int
) -> None:
    text = TEXTS["east.md"]
    spans = [(text.index(j.excerpt or ""), text.index(j.excerpt or "") + len(j.excerpt or "")) for j in JUDGED]
    # A piece of a passage that says less than a few words is not told from chance, so no cut leaves one.
    edges = sorted({0, len(text), *(c for c in cuts if not any(s - 30 < c < e + 30 for s, e in spans))})
    pieces = [Chunk(f"k_{i}", "east.md", text[a:b]) for i, (a, b) in enumerate(pairwise(edges))]
    whole = [Chunk("k_0", "east.md", text)]
    assert read(pieces, JUDGED, f"recall@{budget}t") == read(whole, JUDGED, f"recall@{budget}t")


PIECES = st.lists(
    st.tuples(st.sampled_from(sorted(TEXTS)), st.integers(0, 800), st.integers(20, 400)), min_size=1, max_size=12
)


@given(PIECES, PIECES, st.integers(1, 12), st.integers(1, 1500))
@settings(max_examples=150, deadline=None)
def test_a_longer_ranking_never_lowers_recall(
    first: list[tuple[str, int, int]], more: list[tuple[str, int, int]], k: int, budget: int
) -> None:
    def chunks(pieces: list[tuple[str, int, int]]) -> list[Chunk]:
        return [Chunk(f"k_{i}", name, TEXTS[name][at : at + size]) for i, (name, at, size) in enumerate(pieces)]

    short, long = chunks(first), chunks([*first, *more])
    for name in ("recall", "hit", "chroma_recall", "foundry_fidelity"):
        assert read(long, JUDGED, f"{name}@{k}") >= read(short, JUDGED, f"{name}@{k}") - 1e-12
        assert read(short, JUDGED, f"{name}@{k + 1}") >= read(short, JUDGED, f"{name}@{k}") - 1e-12
    assert read(long, JUDGED, f"recall@{budget}t") >= read(short, JUDGED, f"recall@{budget}t") - 1e-12
    assert read(short, JUDGED, f"recall@{budget + 25}t") >= read(short, JUDGED, f"recall@{budget}t") - 1e-12
