"""Runs for the tests of reports: evaluated for real, over searches that are made up."""

from __future__ import annotations

from collections.abc import Sequence

from azsearch_ops.evaluation.run import evaluate
from azsearch_ops.evaluation.types import Chunk, Judgement, Query, Search
from azsearch_ops.evaluation.wordless import without_words
from azsearch_ops.gate.outcome import EvaluationOutcome
from azsearch_ops.gate.policy import GateLimits
from azsearch_ops.gate.verdict import judge
from azsearch_ops.verbs.evaluating.run_files import ChangeNote, Kept, Measured, Run, Words, judged_items

METRICS = ("recall@300t", "mrr@10", "recall@5", "hit@5", "ndcg@10", "map@10")
HOST = "https://acme.blob.core.windows.net/docs/"


def queries(number: int, *, text: str = "What is rule {n}?") -> tuple[Query, ...]:
    """So many questions; every fifth judges a document as a whole, every seventh two passages."""
    made = []
    for n in range(number):
        excerpt = f"Rule {n} says that door {n * 7} opens at {n % 24}:15 and not before that."
        judgements = [Judgement(f"rules/{n}.md", None if n % 5 == 4 else excerpt)]
        if n % 7 == 6:
            judgements.append(
                Judgement(f"rules/{n}.md", f"Exception {n}: on feast days door {n * 7} stays shut.", grade=2)
            )
        made.append(Query(f"q{n:03d}", text.format(n=n), tuple(judgements), ("even" if n % 2 == 0 else "odd", "rules")))
    return tuple(made)


def index(worse: Sequence[int] = (), cut: Sequence[int] = (), missing: Sequence[int] = (), depth: int = 12) -> Search:
    """An index that finds everything first, except the queries in `worse` (late), `cut` (in halves), `missing`."""

    def search(query: Query, wanted: int) -> tuple[Chunk, ...]:
        n = int(query.id[1:])
        text = " ".join(j.excerpt or f"All about rule {n}." for j in query.judgements)
        padding = f"Before that stands what nobody asked for in {n}. " * 3
        own = [padding + text]
        if n in cut:
            half = len(text) // 2
            own = [padding + text[:half], text[half:] + " And so on."]
        if n in missing:
            own = []
        chunks = [Chunk(f"k{n}_{i}", f"{HOST}rules/{n}.md", part, 0.0, position=i) for i, part in enumerate(own)]
        others = [
            Chunk(f"o{n}_{i}", f"{HOST}other/{i}.txt", f"Something else {i} for {n}. " * 8, 0.0, position=i)
            for i in range(depth)
        ]
        at = 4 if n in worse else 0
        ranked = [*others[:at], *chunks, *others[at:]][: min(depth, wanted)]
        return tuple(
            Chunk(c.key, c.document, c.text, 1.0 / (rank + 1), position=c.position) for rank, c in enumerate(ranked)
        )

    return search


def run(
    questions: Sequence[Query],
    candidate: Search,
    live: Search | None = None,
    *,
    words: bool = True,
    name: str = "handbook",
    tainted: str = "",
    environment: str = "staging",
    changes: tuple[ChangeNote, ...] = (
        ChangeNote("skillsets/handbook.yaml:4", "maximumPageLength", 2000, 1000, "rebuild"),
    ),
) -> Run:
    """The run of an evaluation of `candidate` against `live`."""
    kept = Kept()
    candidate = kept.watch("candidate", candidate)
    live = kept.watch("live", live) if live else None
    evaluation = evaluate(questions, live, candidate, METRICS, lambda text: len(text.split()), seed=7, resamples=500)
    outcome = EvaluationOutcome(
        name=name,
        alias=f"{name}-live",
        candidate=f"{name}-71c09e2b",
        live=f"{name}-3fa81c20" if live else None,
        settings_only=False,
        evaluation=evaluation if words else without_words(evaluation),
        verdict=judge(evaluation, {"recall@300t": GateLimits(), "mrr@10": GateLimits()}),
        key="0123456789abcdef",
        path=".azsearch/runs/x/evaluation.json",
        tainted=tainted,
        seconds=12.5,
    )
    measured = Measured(
        service="https://srch-acme.search.windows.net",
        environment=environment,
        api_version="2026-04-01",
        model="text-embedding-3-small",
        dimensions=1536,
        documents=len(questions),
        documents_expected=len(questions),
        queries_given=len(questions),
        chunks={"live": 100, "candidate": 150} if live else {"candidate": 150},
        query_digest="6f2a91" + "0" * 58,
        yardstick="abcdef0123456789",
        limits={m: {"max_drop": 0.1, "margin": 0.05, "floor": None} for m in ("recall@300t", "mrr@10")},
        commit="9c41e07",
        by="ada",
        at="2026-05-04T10:20:30.000Z",
        budget_encoding="cl100k_base",
        text="full" if words else "ids",
    )
    texts = Words(
        {side: {key: chunk.text for key, chunk in chunks.items()} for side, chunks in kept.chunks.items()},
        {q.id: [j.excerpt for j in q.judgements] for q in questions},
    )
    return Run(outcome, measured, changes, judged_items(questions), texts if words else Words())
