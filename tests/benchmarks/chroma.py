"""Ship the corpora of Chroma's chunking study, re-chunk them and go back; print what was measured.

    python tests/benchmarks/chroma.py --data DIR [--model wordllama] [--keep FOLDER]

DIR holds `questions_df.csv` and `corpora/*.md` of github.com/brandonstarxel/chunking_evaluation (MIT). The project is
written into a temporary folder and shipped through the real command: pages of 2000/500, then 1000/0, then back. Text
and vector retrieval are measured on each built index beside the shipped hybrid.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[2]
COMMAND = [str(Path(sys.executable).parent / "azsearch-ops")]
METRICS = ("recall@2000t", "mrr@10", "chroma_recall@5", "chroma_precision@5", "chroma_iou@5", "hit@5", "mrr@5")
# Published: an independent computation with the same model (percent, recall@5 by the study's formula)
ELSEWHERE = {(2000, 500): (78.2, 94.0, 89.2), (1000, 0): (70.6, 87.4, 81.2)}


@dataclass(frozen=True)
class Built:
    """One shipped configuration."""

    length: int
    overlap: int
    data: Mapping[str, Any]
    seconds: float


def write_project(root: Path, data: Path, model: str) -> int:
    """The project of the corpora; the number of characters."""
    container = root / "infra/local/containers/chroma"
    container.mkdir(parents=True)
    texts = {}
    for corpus in sorted((data / "corpora").glob("*.md")):
        texts[corpus.stem] = corpus.read_bytes().decode("utf-8")
        (container / corpus.name).write_bytes(corpus.read_bytes())
    for folder in ("skillsets", "indexes/chroma", "infra/environments"):
        (root / folder).mkdir(parents=True)
    sample = REPOSITORY
    environment = (sample / "infra/environments/local.yaml").read_text("utf-8")
    (root / "infra/environments/local.yaml").write_text(
        environment.replace("container: handbook", "container: chroma").replace("wordllama", model), "utf-8"
    )
    skillset = (sample / "skillsets/handbook.yaml").read_text("utf-8")
    (root / "skillsets/chroma.yaml").write_text(skillset.replace("name: handbook", "name: chroma"), "utf-8")
    index = (sample / "indexes/handbook/index.yaml").read_text("utf-8")
    head, _, _ = index.partition("evaluation:")
    head = head.replace("name: handbook", "name: chroma").replace("skillset: handbook", "skillset: chroma")
    evaluation = {"queries": "queries.json", "document": "path", "text": "chunk", "metrics": list(METRICS)}
    gate = {"recall@2000t": {}, "mrr@10": {}}
    (root / "indexes/chroma/index.yaml").write_text(
        head.replace("handbook-live", "chroma-live")
        + f"evaluation: {json.dumps(evaluation)}\ngate: {json.dumps(gate)}\n",
        "utf-8",
    )
    queries = list(read_queries(data / "questions_df.csv", texts))
    (root / "indexes/chroma/queries.json").write_text(json.dumps({"queries": queries}, indent=0), "utf-8")
    return sum(map(len, texts.values()))


def read_queries(path: Path, texts: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """The study's questions as a query set; a passage that stands more than once is told by its occurrence."""
    with path.open(newline="", encoding="utf-8") as file:
        for number, row in enumerate(csv.DictReader(file), 1):
            text = texts[row["corpus_id"]]
            relevant = []
            for reference in json.loads(row["references"]):
                start, end = reference["start_index"], reference["end_index"]
                excerpt = text[start:end]
                judgement = {"document": f"{row['corpus_id']}.md", "excerpt": excerpt}
                if text.count(excerpt) > 1:
                    judgement["occurrence"] = text.count(excerpt, 0, start + len(excerpt) - 1) + 1
                relevant.append(judgement)
            yield {"id": f"q{number:03d}", "query": row["question"], "tags": [row["corpus_id"]], "relevant": relevant}


def command(root: Path, *arguments: str, codes: tuple[int, ...] = (0,)) -> Any:
    """A command's data."""
    done = subprocess.run(
        [*COMMAND, *arguments, "--project", str(root), "--output", "json"], capture_output=True, text=True, check=False
    )
    if done.returncode not in codes:
        sys.exit(f"{' '.join(arguments)} ended with {done.returncode}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}")
    return json.loads(done.stdout)["data"]


def ship(root: Path, length: int, overlap: int) -> Built:
    """Ship pages of this length and overlap; the gate may say no."""
    path = root / "skillsets/chroma.yaml"
    lines = path.read_text("utf-8").splitlines()
    for n, line in enumerate(lines):
        for name, value in (("maximumPageLength", length), ("pageOverlapLength", overlap)):
            if line.strip().startswith(name):
                lines[n] = f"  {name}: {value}"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    started = time.perf_counter()
    data = command(root, "ship", "chroma", codes=(0, 3))
    return Built(length, overlap, data, time.perf_counter() - started)


def modes(root: Path, index: str) -> Iterator[tuple[str, Mapping[str, float]]]:
    """Text, vector and hybrid retrieval on a built index."""
    from azsearch_ops.bodies.render import render
    from azsearch_ops.evaluation.run import evaluate
    from azsearch_ops.models.tokenizer import tokenizer
    from azsearch_ops.verbs.chunk_fields import ChunkFields
    from azsearch_ops.verbs.queries import as_queries, query_set
    from azsearch_ops.verbs.retrieval import searcher
    from azsearch_ops.verbs.session import open_session

    path = root / "indexes/chroma/index.yaml"
    kept = path.read_text("utf-8")
    for mode in ("text", "vector", "hybrid"):
        path.write_text(kept.replace("mode: hybrid", f"mode: {mode}"), "utf-8")
        with open_session(root, "local", os.environ) as session:
            definition = session.project.indexes["chroma"]
            fields = ChunkFields("chunk_id", "path", "chunk", "parent_id")
            search = searcher(session.service, index, render(session.project, "chroma").search, fields)
            queries = as_queries(query_set(session.project, definition))
            result = evaluate(queries, None, search, METRICS, tokenizer("cl100k_base").count)
        yield mode, {m.name: m.candidate for m in result.metrics}
    path.write_text(kept, "utf-8")


def stages(data: Path, length: int, overlap: int) -> dict[str, float]:
    """Seconds of the service's own parts, each alone and without its cache."""
    from azsearch_ops.chunking.text_split import TextSplit, split
    from azsearch_ops.documents.crack import crack
    from azsearch_ops.models.embedder import load_embedder

    embedder = load_embedder("wordllama")
    embedder.embed(["warm"])
    spent: dict[str, float] = {}
    blobs = [(p.name, p.read_bytes()) for p in sorted((data / "corpora").glob("*.md"))]
    started = time.perf_counter()
    texts = [crack(name, content).text for name, content in blobs]
    spent["extract"], started = time.perf_counter() - started, time.perf_counter()
    options = TextSplit("pages", length, overlap)
    chunks = [text[s.start : s.end] for text in texts for s in split(text, options)]
    spent["split"], started = time.perf_counter() - started, time.perf_counter()
    embedder.embed(chunks)
    spent["embed"] = time.perf_counter() - started
    return spent


def peak_memory(root: Path) -> tuple[float, float]:
    """Peak resident memory of the service and the size of its state, in MB."""
    running = command(root, "local", "status")["running"]
    status = Path(f"/proc/{running['pid']}/status").read_text("utf-8")
    peak = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))
    size = sum(p.stat().st_size for p in (root / ".azsearch/local").rglob("*") if p.is_file())
    return peak / 1024, size / 1e6


def main() -> None:
    """Ship three times and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", default="wordllama")
    parser.add_argument("--keep", type=Path, help="write the project here and leave it")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        root = arguments.keep or Path(temporary) / "chroma"
        root.mkdir(parents=True, exist_ok=True)
        characters = write_project(root, arguments.data, arguments.model)
        try:
            run(root, arguments.data, characters)
        finally:
            command(root, "local", "stop")


def run(root: Path, data: Path, characters: int) -> None:
    """The three ships."""
    for length, overlap in ((2000, 500), (1000, 0), (2000, 500)):
        built = ship(root, length, overlap)
        print(f"\n== pages {length}/{overlap}: {built.data['verdict']}, promoted {built.data['promoted']}", end="")
        print(f", {built.seconds:.1f} s in all; {'; '.join((built.data['evaluation'] or {}).get('reasons', []))}")
        if built.data["build"]:
            build = built.data["build"]
            alone = stages(data, length, overlap)
            rest = build["seconds"] - sum(alone.values())
            print(f"chunks {build['chunks']}; build {build['seconds']:.2f} s, of it alone: ", end="")
            print(", ".join(f"{k} {v:.2f} s" for k, v in {**alone, "index and calls": rest}.items()))
        print(f"{'metric':20}{'live':>9}{'candidate':>11}{'diff':>9}{'p':>9}")
        for name, m in built.data["metrics"].items():
            live, diff, p = (f"{m[k]:.4f}" if m[k] is not None else "-" for k in ("live", "difference", "p"))
            print(f"{name:20}{live:>9}{m['candidate']:>11.4f}{diff:>9}{p:>9}")
        measured = dict(modes(root, built.data["candidate"]))
        print(f"{'mode':8}" + "".join(f"{name:>20}" for name in METRICS))
        for mode, values in measured.items():
            print(f"{mode:8}" + "".join(f"{100 * values[name]:>20.1f}" for name in METRICS))
        expected = ELSEWHERE[(length, overlap)]
        got = [100 * measured[mode]["chroma_recall@5"] for mode in ("vector", "text", "hybrid")]
        print(
            "recall@5 vector / BM25 / hybrid: ",
            " / ".join(f"{g:.1f} ({g - e:+.1f})" for g, e in zip(got, expected, strict=True)),
        )
    peak, size = peak_memory(root)
    print(f"\nservice: peak {peak:.0f} MB, state on disk {size:.0f} MB; text {characters / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
