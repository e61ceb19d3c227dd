"""The corpora of Chroma's chunking study in this process: split, embedded, searched and measured by our own rooms."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from chroma_study import Study as Files

from azsearch_ops.chunking.text_split import TextSplit, split
from azsearch_ops.evaluation.anchoring import anchored
from azsearch_ops.evaluation.outcome import Evaluation
from azsearch_ops.evaluation.placing import Sources
from azsearch_ops.evaluation.run import evaluate
from azsearch_ops.evaluation.types import Chunk, CountTokens, Judgement, Query, Search
from azsearch_ops.local.search.engine import SearchEngine
from azsearch_ops.models.embedder import Embedder, load_embedder
from azsearch_ops.models.tokenizer import tokenizer

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "chroma"
API_VERSION = "2026-04-01"


def index_body(dimensions: int, analyzer: str) -> dict[str, Any]:
    """The sample's index in short."""
    return {
        "name": "chroma",
        "fields": [
            {"name": "id", "type": "Edm.String", "key": True, "searchable": False},
            {"name": "path", "type": "Edm.String", "searchable": False},
            {"name": "chunk", "type": "Edm.String", "analyzer": analyzer},
            {
                "name": "text_vector",
                "type": "Collection(Edm.Single)",
                "searchable": True,
                "dimensions": dimensions,
                "vectorSearchProfile": "vectors",
            },
        ],
        "vectorSearch": {
            "algorithms": [{"name": "hnsw", "kind": "hnsw"}],
            "profiles": [{"name": "vectors", "algorithm": "hnsw"}],
        },
    }


@dataclass(frozen=True)
class Study:
    """Texts by path and the questions, each with the words around passages that stand more than once."""

    texts: Mapping[str, str]
    queries: tuple[Query, ...]


def read_study(data: Path) -> Study:
    """The study's files; SystemExit where they are not there."""
    if not (data / "questions_df.csv").is_file():
        raise SystemExit(
            f"skipped: {data} does not hold the study (github.com/brandonstarxel/chunking_evaluation, MIT)"
        )
    files = Files.read(data)
    texts, queries = files.texts, []
    for row in files.query_set(".md")["queries"]:
        judgements = tuple(
            anchored(Judgement(**judged), texts[judged["document"].removesuffix(".md")]) for judged in row["relevant"]
        )
        queries.append(Query(row["id"], row["query"], judgements, tuple(row["tags"])))
    return Study({f"{name}.md": text for name, text in texts.items()}, tuple(queries))


@dataclass(frozen=True)
class Built:
    """An index of the study's texts: text, vector and hybrid search, and the chunks of each document."""

    searches: Mapping[str, Search]
    chunks: Mapping[str, Sequence[Chunk]]


def build(study: Study, options: TextSplit, embedder: Embedder, analyzer: str = "en.lucene") -> Built:
    """The study's texts, cut by `options`, embedded and indexed."""
    starts = tokenizer(options.encoder).starts if options.unit == "azureOpenAITokens" else None
    chunks = {
        path: [
            Chunk(f"{path}_pages_{number}", path, text[span.start : span.end])
            for number, span in enumerate(split(text, options, starts))
        ]
        for path, text in study.texts.items()
    }
    rows = [chunk for part in chunks.values() for chunk in part]
    questions = dict(zip((q.text for q in study.queries), embedder.embed([q.text for q in study.queries]), strict=True))
    engine = SearchEngine(index_body(embedder.dimensions, analyzer), lambda vectorizer, text: [])
    for row, vector in zip(rows, embedder.embed([row.text for row in rows]), strict=True):
        engine.put(row.key, {"id": row.key, "path": row.document, "chunk": row.text, "text_vector": vector.tolist()})

    def searcher(text: bool, vector: bool) -> Search:
        def search(query: Query, depth: int) -> list[Chunk]:
            request: dict[str, Any] = {"top": depth, "select": "id,path,chunk"}
            if text:
                request["search"] = query.text
            if vector:
                values = questions[query.text].tolist()
                request["vectorQueries"] = [{"kind": "vector", "vector": values, "fields": "text_vector", "k": 50}]
            found = engine.search(request, API_VERSION)["value"]
            return [Chunk(row["id"], row["path"], row["chunk"], row["@search.score"]) for row in found]

        return search

    searches = {"text": searcher(True, False), "vector": searcher(False, True), "hybrid": searcher(True, True)}
    return Built(searches, chunks)


def measure(
    study: Study,
    candidate: Built,
    mode: str,
    metrics: Sequence[str],
    live: Built | None = None,
    count_tokens: CountTokens | None = None,
) -> Evaluation:
    """The evaluation of one index, or of two, in a mode; what repeats counts at its own place."""
    return evaluate(
        study.queries,
        live.searches[mode] if live else None,
        candidate.searches[mode],
        metrics,
        count_tokens or tokenizer("cl100k_base").count,
        sources=Sources(study.texts, candidate.chunks.__getitem__, live.chunks.__getitem__ if live else None),
    )


def per_query(data: Path, lengths: Sequence[int], mode: str, metrics: Sequence[str]) -> list[dict[str, list[float]]]:
    """For each page length (no overlap) the values of every query, by metric; kept in the temporary folder."""
    study, embedder = read_study(data), load_embedder("wordllama")
    found = []
    for length in lengths:
        told = json.dumps([2, length, mode, list(metrics), embedder.name, len(study.queries)])
        kept = Path(tempfile.gettempdir()) / f"azsearch-ops-gate-{sha256(told.encode()).hexdigest()[:16]}.json"
        if not kept.is_file():
            evaluation = measure(study, build(study, TextSplit("pages", length), embedder), mode, metrics)
            values = {name: [query.candidate.values[name] for query in evaluation.queries] for name in metrics}
            kept.write_text(json.dumps(values), "utf-8")
        found.append(json.loads(kept.read_text("utf-8")))
    return found
