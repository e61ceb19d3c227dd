"""The corpora and questions of Chroma's chunking study as a project, and what its benchmarks measure with."""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[2]
COMMAND = [str(Path(sys.executable).parent / "azsearch-ops")]
WORDLLAMA, MINILM = "wordllama", "all-MiniLM-L6-v2"


@dataclass(frozen=True)
class Study:
    """`texts` by corpus name, and the rows of the questions."""

    texts: Mapping[str, str]
    rows: Sequence[Mapping[str, str]]

    @staticmethod
    def read(data: Path) -> Study:
        """DIR holds `corpora/*.md` and `questions_df.csv`."""
        texts = {p.stem: p.read_bytes().decode("utf-8") for p in sorted((data / "corpora").glob("*.md"))}
        with (data / "questions_df.csv").open(newline="", encoding="utf-8") as file:
            return Study(texts, list(csv.DictReader(file)))

    def query_set(self, suffix: str) -> dict[str, Any]:
        """The questions as a query file; a passage that stands more than once is told by its occurrence."""
        return {"queries": [self._query(number, row, suffix) for number, row in enumerate(self.rows, 1)]}

    def _query(self, number: int, row: Mapping[str, str], suffix: str) -> dict[str, Any]:
        text = self.texts[row["corpus_id"]]
        relevant = []
        for reference in json.loads(row["references"]):
            start, end = reference["start_index"], reference["end_index"]
            excerpt = text[start:end]
            judgement = {"document": f"{row['corpus_id']}{suffix}", "excerpt": excerpt}
            places = [match.start() for match in re.finditer(f"(?={re.escape(excerpt)})", text)]
            if len(places) > 1:
                judgement["occurrence"] = places.index(start) + 1
            relevant.append(judgement)
        return {"id": f"q{number:03d}", "query": row["question"], "tags": [row["corpus_id"]], "relevant": relevant}


def dimensions(model: str) -> int:
    """The vector length of a local model."""
    return 384 if model.startswith(MINILM) else 256


def environment(model: str) -> dict[str, Any]:
    """The local environment, answered by `model`."""
    embedding = {"resourceUri": "local", "deployment": model, "model": model, "dimensions": dimensions(model)}
    return {
        "endpoint": "local",
        "apiVersion": "2026-04-01",
        "connections": {"docs": {"folder": "infra/local/containers"}},
        "variables": {"embedding": embedding},
    }


def index_definition(name: str, *, mode: str, parsing: str, chunk: str, vector: str, metrics: Sequence[str]) -> Any:
    """An index over the container of its name; `chunk` and `vector` are paths."""
    return {
        "name": name,
        "alias": f"{name}-live",
        "skillset": name,
        "source": {"type": "azureblob", "connection": "docs", "container": name, "parsingMode": parsing},
        "projection": {
            "parent_id": "parentKey",
            "path": "/document/metadata_storage_path",
            "chunk": chunk,
            "text_vector": vector,
        },
        "index": {
            "fields": [
                {"name": "chunk_id", "type": "Edm.String", "key": True, "searchable": True, "analyzer": "keyword",
                 "sortable": True, "filterable": True},
                {"name": "parent_id", "type": "Edm.String", "searchable": False, "filterable": True},
                {"name": "path", "type": "Edm.String", "searchable": False, "filterable": True},
                {"name": "chunk", "type": "Edm.String", "searchable": True, "analyzer": "en.lucene"},
                {"name": "text_vector", "type": "Collection(Edm.Single)", "searchable": True, "retrievable": False,
                 "dimensions": "{{ embedding.dimensions }}", "vectorSearchProfile": "vectors"},
            ],
            "vectorSearch": {
                "algorithms": [{"name": "hnsw", "kind": "hnsw", "hnswParameters": {"metric": "cosine"}}],
                "profiles": [{"name": "vectors", "algorithm": "hnsw", "vectorizer": "embedding"}],
            },
        },
        "retrieval": {"mode": mode, "top": 5, "k": 50, "request": {"select": "chunk_id,path,chunk"}},
        "evaluation": {"queries": "queries.json", "document": "path", "text": "chunk", "metrics": list(metrics)},
        "gate": {name: {} for name in metrics[:2]},
    }  # fmt: skip


def embedding(**more: Any) -> dict[str, Any]:
    """The embedding of a skillset, by the environment's variables."""
    names = {
        "resourceUri": "resourceUri",
        "deploymentId": "deployment",
        "modelName": "model",
        "dimensions": "dimensions",
    }
    return {**{key: f"{{{{ embedding.{name} }}}}" for key, name in names.items()}, **more}


def write(path: Path, content: object) -> None:
    """JSON, which is YAML."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, ensure_ascii=False, indent=1) + "\n", "utf-8")


def command(root: Path, *arguments: str, codes: tuple[int, ...] = (0,)) -> Any:
    """A command's data."""
    done = subprocess.run(
        [*COMMAND, *arguments, "--project", str(root), "--output", "json"], capture_output=True, text=True, check=False
    )
    if done.returncode not in codes:
        sys.exit(f"{' '.join(arguments)} ended with {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return json.loads(done.stdout)["data"]


def need(model: str) -> None:
    """Leaves with the command to run when the model is not on this machine."""
    from azsearch_ops.errors import AzsearchOpsError
    from azsearch_ops.models.embedder import load_embedder
    from azsearch_ops.models.names import local_model

    try:
        load_embedder(local_model(model, None))
    except AzsearchOpsError as error:
        sys.exit(f"{error.message}. {error.hint}")


@dataclass
class Watched:
    """A search that counts its calls and the seconds inside them."""

    search: Any
    calls: int = 0
    seconds: float = 0.0

    def __call__(self, query: Any, depth: int) -> Any:
        started = time.perf_counter()
        found = self.search(query, depth)
        self.seconds += time.perf_counter() - started
        self.calls += 1
        return found


@dataclass(frozen=True)
class Measured:
    """An evaluation of one index alone, one query at a time: its search, its seconds, its queries and all chunks."""

    result: Any
    search: Watched
    seconds: float
    queries: Sequence[Any]
    chunks: Sequence[Any]


def measure(root: Path, name: str, index: str, mode: str, texts: Mapping[str, str], metrics: Sequence[str]) -> Measured:
    """What an index that was built under the definition `name` is worth in a retrieval mode.

    `texts` are by the document that judgements name: equal passages are told apart by where they stand in it.
    """
    from azsearch_ops.bodies.render import render
    from azsearch_ops.evaluation.anchoring import anchored
    from azsearch_ops.evaluation.placing import Sources
    from azsearch_ops.evaluation.run import evaluate
    from azsearch_ops.models.tokenizer import tokenizer
    from azsearch_ops.verbs.evaluating.chunk_fields import ChunkFields
    from azsearch_ops.verbs.evaluating.corpus import document_chunks, judged_chunks
    from azsearch_ops.verbs.evaluating.queries import as_queries, query_set
    from azsearch_ops.verbs.evaluating.retrieval import searcher
    from azsearch_ops.verbs.session import open_session

    with open_session(root, "local", os.environ) as session:
        definition = session.project.indexes[name]
        wanted = replace(definition, retrieval=replace(definition.retrieval, mode=mode))
        project = replace(session.project, indexes={**session.project.indexes, name: wanted})
        fields = ChunkFields("chunk_id", "path", "chunk", "parent_id")
        search = Watched(searcher(session.service, index, render(project, name).search, fields))
        queries = tuple(
            replace(q, judgements=tuple(anchored(j, texts[j.document]) for j in q.judgements))
            for q in as_queries(query_set(project, wanted))
        )
        started = time.perf_counter()
        sources = Sources(texts, document_chunks(session.service, index, fields))
        result = evaluate(queries, None, search, metrics, tokenizer("cl100k_base").count, sources=sources)
        seconds = time.perf_counter() - started
        return Measured(result, search, seconds, queries, judged_chunks(session.service, index, fields, queries))


class Service:
    """The running local service seen from outside: memory of its process, its log, requests with its key."""

    def __init__(self, root: Path) -> None:
        started = command(root, "local", "start")
        self.endpoint, self.key, self.pid = started["endpoint"], started["key"], started["pid"]
        self.log = root / ".azsearch/local/service.log"

    def call(self, path: str, body: object = None) -> Any:
        """The JSON of an answer."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.endpoint + path, data=data, headers={"api-key": self.key, "Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=120) as answer:
            return json.load(answer)

    def load(self, model: str) -> None:
        """Has it load the model and everything that a search and a run need."""
        self.call(f"/openai/deployments/{model}/embeddings?api-version=2024-10-21", {"input": "warm"})

    def memory(self) -> tuple[float, float]:
        """(resident now, highest since the last `forget_peak`) in MB."""
        status = Path(f"/proc/{self.pid}/status").read_text("utf-8")
        found = dict(re.findall(r"^(VmRSS|VmHWM):\s+(\d+) kB", status, re.MULTILINE))
        return int(found["VmRSS"]) / 1024, int(found["VmHWM"]) / 1024

    def forget_peak(self) -> None:
        """Begins the highest value anew."""
        Path(f"/proc/{self.pid}/clear_refs").write_text("5", "ascii")

    def searches(self) -> tuple[int, float]:
        """How many searches it has answered, and in how many seconds of its own."""
        lines = [line.split() for line in self.log.read_text("utf-8").splitlines() if "search.post.search" in line]
        return len(lines), sum(float(line[4].removesuffix("ms")) for line in lines) / 1000

    def run_seconds(self, indexer: str) -> float:
        """The longest run of an indexer."""
        from datetime import datetime

        status = self.call(f"/indexers('{indexer}')/search.status?api-version=2026-04-01")
        runs = [run for run in status["executionHistory"] if run["endTime"]]
        return max(
            (datetime.fromisoformat(r["endTime"]) - datetime.fromisoformat(r["startTime"])).total_seconds()
            for r in runs
        )

    def payload(self, index: str, size: int) -> tuple[int, float]:
        """(chunks, MB of their texts and vectors of `size` dimensions) of an index."""
        found, last = 0, ""
        letters = 0
        while True:
            body = {"search": "*", "filter": f"chunk_id gt '{last}'", "orderby": "chunk_id", "top": 1000,
                    "select": "chunk_id,chunk"}  # fmt: skip
            rows = self.call(f"/indexes('{index}')/docs/search.post.search?api-version=2026-04-01", body)["value"]
            if not rows:
                return found, (letters + 4 * size * found) / 1e6
            found += len(rows)
            letters += sum(len(row["chunk"].encode()) for row in rows)
            last = rows[-1]["chunk_id"]


def stages(texts: Mapping[str, str], model: str, length: int, overlap: int) -> Iterator[tuple[str, float]]:
    """Seconds of the parts of an indexer run, each alone in this process and without any cache."""
    from azsearch_ops.chunking.text_split import TextSplit, split
    from azsearch_ops.documents.crack import crack
    from azsearch_ops.models.embedder import load_embedder
    from azsearch_ops.models.names import local_model

    embedder = load_embedder(local_model(model, None))
    embedder.embed(["warm"])
    blobs = [(f"{name}.md", text.encode()) for name, text in texts.items()]
    started = time.perf_counter()
    cracked = [crack(name, content).text for name, content in blobs]
    yield "extract", time.perf_counter() - started
    started = time.perf_counter()
    options = TextSplit("pages", length, overlap)
    chunks = [text[s.start : s.end] for text in cracked for s in split(text, options)]
    yield "split", time.perf_counter() - started
    started = time.perf_counter()
    embedder.embed(chunks)
    yield "embed", time.perf_counter() - started
