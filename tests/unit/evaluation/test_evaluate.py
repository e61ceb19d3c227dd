import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from azsearch_ops.errors import EvaluationError
from azsearch_ops.evaluation.outcome import Evaluation
from azsearch_ops.evaluation.record import from_summary, record, summary
from azsearch_ops.evaluation.run import evaluate
from azsearch_ops.evaluation.types import Chunk, Judgement, Query, Search

RULES = 30
DOCUMENTS = {
    f"rules/{i}.md": f"This page is about rule {i}. The penalty of rule {i} is a fine of {i + 100} euros and a letter. "
    "Ask the office in the yard for help with it."
    for i in range(RULES)
}
QUERIES = [
    Query(
        f"q{i:02}",
        f"penalty {i}",
        (Judgement(f"rules/{i}.md", f"The penalty of rule {i} is a fine of {i + 100} euros and a letter."),),
        tags=("even" if i % 2 == 0 else "odd",),
    )
    for i in range(RULES)
]
METRICS = ("recall@40t", "mrr@10", "ndcg@10")


def count_words(text: str) -> int:
    return len(text.split())


class Index:
    """Answers by shared words; documents are cut every `size` characters and keys carry `build`."""

    def __init__(self, size: int, build: str = "a", broken: Sequence[str] = ()) -> None:
        self.asked: list[tuple[str, int]] = []
        self._broken = set(broken)
        self._chunks = [
            Chunk(f"{build}{document}_pages_{at // size}", document, text[at : at + size])
            for document, text in DOCUMENTS.items()
            for at in range(0, len(text), size)
        ]

    def __call__(self, query: Query, depth: int) -> list[Chunk]:
        self.asked.append((query.id, depth))
        wanted = set(query.text.split())
        scored = [replace(c, score=float(len(wanted & set(c.text.split())))) for c in self._chunks]
        hits = [c for c in scored if c.score and not (query.id in self._broken and c.document == query_document(query))]
        return sorted(hits, key=lambda c: -(c.score or 0.0))[:depth]


def query_document(query: Query) -> str:
    return query.judgements[0].document


def run(live: Search | None, candidate: Search, queries: Sequence[Query] = QUERIES, seed: int = 1) -> Evaluation:
    return evaluate(queries, live, candidate, METRICS, count_words, seed=seed, resamples=2000)


def test_equal_sides_change_nothing() -> None:
    result = run(Index(200), Index(200, build="b"))
    assert result.changed == ()
    assert (result.better, result.worse) == (0, 0)
    assert [(m.difference, m.p, m.changed, m.bound) for m in result.metrics] == [(0.0, 1.0, 0, 0.0)] * 3
    assert result.probe.live is True
    assert result.probe.candidate is True


def test_the_metrics_are_those_of_both_sides_and_their_difference() -> None:
    result = run(Index(200), Index(200, broken=["q03", "q04"]))
    recall = result.metric("recall@40t")
    assert recall is not None
    assert recall.live == 1.0
    assert recall.candidate == pytest.approx(28 / 30)
    assert recall.difference == pytest.approx(-2 / 30)
    assert (recall.changed, recall.better, recall.worse) == (2, 0, 2)
    assert recall.low is not None
    assert recall.high is not None
    assert recall.low <= recall.difference <= recall.high
    assert result.metric("hit@3") is None


def test_slices_hold_the_means_of_each_tag() -> None:
    result = run(Index(200), Index(200, broken=["q03"]))
    assert [(s.tag, s.queries) for s in result.slices] == [("even", 15), ("odd", 15)]
    assert result.slices[0].values["recall@40t"] == (1.0, 1.0)
    assert result.slices[1].values["recall@40t"] == (1.0, pytest.approx(14 / 15))


def test_a_lost_query_says_where_it_was_and_why() -> None:
    result = run(Index(200), Index(200, broken=["q03"]))
    (lost,) = result.changed
    assert (lost.id, lost.state, lost.better, lost.live_rank, lost.candidate_rank) == ("q03", "lost", False, 1, None)
    assert lost.cause.kind in ("beyond what is read", "not retrieved")
    assert "rules/3.md" in lost.cause.detail
    assert lost.values["mrr@10"] == (1.0, 0.0)


def test_a_gain_is_the_mirror_of_a_loss() -> None:
    result = run(Index(200, broken=["q03"]), Index(200))
    (found,) = result.changed
    assert (found.state, found.better, found.live_rank, found.candidate_rank) == ("found", True, None, 1)
    assert (result.better, result.worse) == (1, 0)


def test_a_cut_answer_names_the_chunks_and_the_overlap_that_would_help() -> None:
    def cut(query: Query, depth: int) -> list[Chunk]:
        document = query_document(query)
        text = DOCUMENTS[document]
        at = text.index("fine of")
        return [Chunk("x_pages_0", document, text[:at], 2.0), Chunk("x_pages_1", document, text[at:], 1.0)]

    result = run(Index(200), cut)
    cause = result.changed[0].cause
    assert cause.kind == "cut"
    assert "chunk 0 holds" in cause.detail
    assert "chunk 1 holds" in cause.detail


def test_an_outranked_answer_names_what_stands_above_it() -> None:
    def crowded(query: Query, depth: int) -> list[Chunk]:
        answer = Chunk("x_pages_0", query_document(query), DOCUMENTS[query_document(query)], 1.5)
        return [Chunk("y_pages_4", "faq.md", "Frequently asked questions are answered here.", 2.3), answer]

    result = run(Index(200), crowded)
    changed = next(c for c in result.changed if c.id == "q05")
    assert (changed.state, changed.live_rank, changed.candidate_rank) == ("moved", 1, 2)
    assert changed.cause.kind == "outranked"
    assert changed.cause.detail == "outranked by faq.md chunk 4 (score +0.8)"


def test_the_worst_queries_come_first() -> None:
    result = run(Index(200, broken=["q20"]), Index(200, broken=["q03", "q07"]))
    assert [c.id for c in result.changed] == ["q03", "q07", "q20"]


def test_the_sides_take_turns() -> None:
    asked: list[str] = []

    def noted(name: str, index: Index) -> Search:
        def search(query: Query, depth: int) -> list[Chunk]:
            asked.append(f"{query.id} {name}")
            return index(query, depth)

        return search

    run(noted("live", Index(200)), noted("candidate", Index(200)))
    order = list(dict.fromkeys(asked))
    assert order[:4] == ["q00 live", "q00 candidate", "q01 candidate", "q01 live"]
    assert len(order) == 2 * RULES


def test_the_depth_follows_the_budget_and_the_cuts() -> None:
    small, large = Index(30), Index(30)
    evaluate(QUERIES[:3], None, small, ["recall@100t"], count_words)
    assert {depth for _, depth in small.asked} >= {10, 20}
    evaluate(QUERIES[:3], None, large, ["recall@25"], count_words)
    assert {depth for _, depth in large.asked} == {25}


def test_a_side_that_answers_differently_when_asked_again_is_found_out() -> None:
    calls = [0]

    def unsteady(query: Query, depth: int) -> list[Chunk]:
        calls[0] += 1
        return [Chunk("k", "rules/1.md", "text", score=float(calls[0]))]

    probe = run(Index(200), unsteady).probe
    assert (probe.queries, probe.live, probe.candidate) == (5, True, False)
    assert probe.told == f"candidate answered {probe.candidate_otherwise} of 5 queries otherwise when asked again"
    assert run(Index(200), Index(200)).probe.told == ""


def test_ties_are_broken_by_document_and_position() -> None:
    def tied(keys: Sequence[str]) -> Search:
        chunks = {
            "b_2": Chunk("7b_2", "b.md", "Second of b."),
            "b_10": Chunk("3b_10", "b.md", "Tenth of b."),
            "a_1": Chunk("9a_1", "a.md", "First of a."),
        }
        return lambda query, depth: [replace(chunks[key], score=1.0) for key in keys]

    one = run(tied(["b_10", "a_1", "b_2"]), tied(["a_1", "b_2", "b_10"])).queries[0]
    assert one.live is not None
    assert [r.key for r in one.live.ranking] == [r.key for r in one.candidate.ranking] == ["9a_1", "7b_2", "3b_10"]


def test_a_ranking_without_scores_stays_as_it_is() -> None:
    def ordered(query: Query, depth: int) -> list[Chunk]:
        return [Chunk("2", "b.md", "B"), Chunk("1", "a.md", "A")]

    assert [r.key for r in run(None, ordered).queries[0].candidate.ranking] == ["2", "1"]


def test_cost_counts_tokens_time_calls_and_what_nobody_judged() -> None:
    ticks = iter(float(i) for i in range(10_000))
    result = evaluate(
        QUERIES, Index(200), Index(50), METRICS, count_words, clock=lambda: next(ticks), reader_top=2, resamples=100
    )
    assert result.live_cost is not None
    assert result.live_cost.tokens > result.candidate_cost.tokens
    assert (result.live_cost.p50, result.candidate_cost.p95) == (1.0, 1.0)
    assert result.live_cost.calls >= RULES + 5
    assert 0.5 < result.live_cost.unjudged < 1.0


def test_queries_without_a_relevant_judgement_are_named_and_not_asked() -> None:
    index = Index(200)
    result = run(None, index, [*QUERIES, Query("q98", "any", ()), Query("q99", "any", (Judgement("a.md", grade=0),))])
    assert result.unscored == ("q98", "q99")
    assert result.query_count == RULES
    assert not {"q98", "q99"} & {query for query, _ in index.asked}


@pytest.mark.parametrize(
    ("queries", "metrics", "words"),
    [
        ([], METRICS, "the query set is empty"),
        ([QUERIES[0], QUERIES[0]], METRICS, "query ids repeat: q00"),
        ([Query("q1", "any", ())], METRICS, "no query has a relevant judgement"),
        (QUERIES, (), "no metric to measure"),
        (QUERIES, ("recal@5", "hit"), "Did you mean recall?"),
        ([Query("q1", "any", (Judgement("a.md"),))], ("chroma_iou@5",), "q1 judges a document as a whole"),
    ],
)
def test_what_cannot_be_evaluated_is_refused(queries: Sequence[Query], metrics: Sequence[str], words: str) -> None:
    with pytest.raises(EvaluationError) as error:
        evaluate(queries, None, Index(200), metrics, count_words)
    assert words in error.value.message


def test_progress_counts_every_query() -> None:
    seen: list[tuple[int, int]] = []
    evaluate(QUERIES, None, Index(200), METRICS, count_words, progress=lambda done, of: seen.append((done, of)))
    assert seen == [(i, RULES) for i in range(1, RULES + 1)]


def test_the_record_is_the_same_every_time_and_reads_back() -> None:
    first = run(Index(200), Index(60))
    again = run(Index(200), Index(60))
    assert record(first) == record(again)
    assert from_summary(json.loads(json.dumps(record(first), allow_nan=False))) == first
    assert record(run(Index(200), Index(60), seed=2)) != record(first)


def test_the_summary_holds_nothing_per_query() -> None:
    result = run(Index(200), Index(60))
    short = summary(result)
    assert "queries" not in short
    assert "changed" not in short
    assert from_summary(short) == replace(result, queries=(), changed=())


@pytest.mark.parametrize("data", [{}, {"schema": "azsearch-ops/evaluation/1"}])
def test_what_is_no_record_is_refused(data: dict[str, object]) -> None:
    with pytest.raises(EvaluationError):
        from_summary(data)


@given(st.permutations(range(RULES)))
def test_the_order_of_queries_and_the_names_of_chunks_do_not_matter(order: list[int]) -> None:
    queries = [QUERIES[i] for i in order]
    usual = evaluate(QUERIES, None, Index(90), METRICS, count_words)
    other = evaluate(queries, None, Index(90, build="zz"), METRICS, count_words)
    assert [m.candidate for m in other.metrics] == pytest.approx([m.candidate for m in usual.metrics])
