"""Labels that die when chunks change (cases P43 and P30): here they are words of documents, and outlive both."""

from __future__ import annotations

from azsearch_ops.evaluation.anchoring_queries import bring_to
from azsearch_ops.evaluation.run import evaluate
from azsearch_ops.evaluation.types import Chunk, Judgement, Query, Search
from azsearch_ops.gate.coverage import heed_coverage
from azsearch_ops.gate.policy import GateLimits
from azsearch_ops.gate.verdict import judge

GATE = {"recall@5": GateLimits(), "mrr@10": GateLimits()}
NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
TEXTS = {
    f"{name}.md": f"# Rule {name}\n\nDoor {name} opens at noon and shuts at dusk. "
    + f"Nothing else is said of it here, in part {name} of the rules. " * 4
    + f"The key of door {name} hangs behind the desk of the porter."
    for name in NUMBERS
}
SPANS = [
    Query(f"q-{n}", f"Where is the key of {n}?", (Judgement(f"{n}.md", f"The key of door {n} hangs behind the desk"),))
    for n in NUMBERS
]


def split(size: int, digest: str, texts: dict[str, str] = TEXTS) -> Search:
    """An index of pages of `size` characters with projected keys, which brings a document's chunks in order."""
    keys = {path: f"{digest}_{path.encode().hex()}" for path in texts}

    def search(query: Query, depth: int) -> list[Chunk]:
        path = f"{query.id.removeprefix('q-')}.md"
        parts = [texts[path][at : at + size] for at in range(0, len(texts[path]), size)]
        return [Chunk(f"{keys[path]}_pages_{n}", path, part, 1.0) for n, part in enumerate(parts)][:depth]

    return search


def test_p43_labels_by_chunk_get_no_verdict_and_the_advice() -> None:
    """agentops docs/retrieval-optimization.md: chunk ids of split A resolve in no split B; that is not recall 0."""
    ids = [
        Query(q.id, q.text, (Judgement(f"8f2a77c1d0e5_{q.judgements[0].document.encode().hex()}_pages_1"),))
        for q in SPANS
    ]
    coverage = bring_to(ids, TEXTS)
    result = evaluate(ids, split(400, "8f2a77c1d0e5"), split(150, "0011aabbccdd"), list(GATE), len, resamples=200)
    verdict = heed_coverage(judge(result, GATE), result, coverage.reason)
    assert verdict.outcome == "undecided"
    assert "100 % of the judgements (12 of 12) are unresolved" in verdict.reasons[0]
    assert "name the document, and the words of it as excerpt" in verdict.reasons[0]


def test_p43_labels_by_words_score_both_splits_and_follow_a_quote_that_moved() -> None:
    edited = {
        path: text.replace("hangs behind the desk", "now hangs behind the old desk") for path, text in TEXTS.items()
    }
    coverage = bring_to(SPANS, edited)
    assert len(coverage.moved) == len(SPANS) and coverage.scored == len(SPANS)
    assert all(0.75 <= moved.found.score < 1.0 for moved in coverage.moved)
    both = split(400, "8f2a77c1d0e5", edited), split(150, "0011aabbccdd", edited)
    result = evaluate(coverage.queries, *both, list(GATE), len, resamples=200)
    recall = result.metric("recall@5")
    assert recall is not None and recall.live == 1.0
    assert recall.candidate > 0.9, "pages of 150 characters cut some quotes, and leave pieces that say too little"


def test_p30_another_run_of_the_indexer_changes_every_key_and_no_figure() -> None:
    """azure-search-openai-demo#1380: the keys change with each run; what a chunk is, is its parent and its words."""
    again = evaluate(
        SPANS, split(150, "8f2a77c1d0e5"), split(150, "0011aabbccdd"), list(GATE), len, seed=3, resamples=200
    )
    assert (again.better, again.worse, again.changed) == (0, 0, ())
    assert judge(again, GATE).reasons[0] == "0 of 12 queries changed"
    keys = {
        chunk.key
        for query in again.queries
        for side in (query.live, query.candidate)
        if side is not None
        for chunk in side.ranking
    }
    assert {key.partition("_")[0] for key in keys} == {"8f2a77c1d0e5", "0011aabbccdd"}
