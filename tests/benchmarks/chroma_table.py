"""The published table of Chroma's chunking study for all-MiniLM-L6-v2, through the local service.

    pip install langchain-text-splitters==1.1.3      # a benchmark's own: nothing else needs it
    azsearch-ops local model add all-MiniLM-L6-v2
    python tests/benchmarks/chroma_table.py --data DIR [--rows 1 2 …] [--keep FOLDER]

The study's chunks are made as its authors made them, come in as JSON lines (a skillset that only embeds), and are
searched by vector alone.

The study finds each chunk in its corpus again by its words, at the first place that reads like it, and counts
characters there; so does this table (`places`), through the metrics of azsearch_ops. Beside it stands what
azsearch-ops reports itself, which needs no places: `chroma_recall@5` by the chunks' words, and precision omega with
every chunk where it really is. Corpora that repeat whole passages make these differ.

The study's table calls the sizes cl100k tokens; its stored script shows otherwise: the Recursive
rows count the model's own tokens, special ones included and none beyond 256, and the TokenText rows called 250/125,
250/0 and 200/0 are 278/139, 278/0 and 222/0 cl100k tokens. The study searched an approximate index, here search is
exact, and that is the whole of the difference: for TokenText 250/125, published 82.4, exact search finds 83.43, and the
same vectors in hnswlib 0.8.0 at the study's settings (L2, M 16, ef_construction 100, ef 50) 82.44 to 82.87 (8 seeds).
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chroma_places import places, read, references
from chroma_study import MINILM, Service, Study, command, embedding, environment, index_definition, measure, need, write

MODEL = f"{MINILM}-256"
SEPARATORS = ["\n\n", "\n", ".", "?", "!", " ", ""]
METRICS = ("chroma_recall@5",)


@dataclass(frozen=True)
class Row:
    """A row as published: percent, means with standard deviations. `size` and `overlap` are the true ones."""

    chunker: str
    size: int
    overlap: int
    called: str
    omega: tuple[float, float]
    recall: tuple[float, float]
    precision: float
    iou: float

    @property
    def name(self) -> str:
        """Of the index."""
        return f"{self.chunker.lower()}-{self.called.replace('/', '-')}"


TABLE = (
    Row("Recursive", 250, 125, "250/125", (21.9, 14.9), (78.7, 39.2), 4.9, 4.9),
    Row("TokenText", 278, 139, "250/125", (11.4, 6.6), (82.4, 36.2), 3.6, 3.5),
    Row("Recursive", 250, 0, "250/0", (26.7, 18.3), (78.5, 39.5), 5.4, 5.4),
    Row("TokenText", 278, 0, "250/0", (16.4, 10.3), (77.1, 39.3), 3.3, 3.3),
    Row("Recursive", 200, 0, "200/0", (31.2, 18.4), (75.7, 40.7), 6.5, 6.5),
    Row("TokenText", 222, 0, "200/0", (19.1, 11.0), (76.6, 38.8), 4.1, 4.1),
)


def splitter(row: Row) -> Callable[[str], list[str]]:
    """The study's chunker."""
    try:
        from langchain_text_splitters import RecursiveCharacterTextSplitter
        from langchain_text_splitters.base import Tokenizer, split_text_on_tokens
    except ModuleNotFoundError:
        sys.exit("pip install langchain-text-splitters==1.1.3")
    if row.chunker == "Recursive":
        recursive = RecursiveCharacterTextSplitter(
            chunk_size=row.size, chunk_overlap=row.overlap, length_function=model_tokens(), separators=SEPARATORS
        )
        return recursive.split_text
    from azsearch_ops.models.tokenizer import tokenizer

    cl100k = tokenizer("cl100k_base")
    windows = Tokenizer(
        chunk_overlap=row.overlap, tokens_per_chunk=row.size, decode=cl100k.decode, encode=cl100k.encode
    )
    return lambda text: split_text_on_tokens(text=text, tokenizer=windows)


def model_tokens() -> Callable[[str], int]:
    """The number of the model's tokens, special ones included, and no more than it reads."""
    from tokenizers import Tokenizer

    from azsearch_ops.models.minilm_files import TOKENIZER, model_folder
    from azsearch_ops.models.names import models_folder

    own: Any = Tokenizer.from_file(str(model_folder(models_folder(os.environ)) / TOKENIZER))
    own.no_padding()
    own.no_truncation()
    return lambda text: min(256, len(own.encode(text).ids))


def write_row(root: Path, study: Study, row: Row) -> int:
    """The row's chunks as JSON lines, one blob a corpus, with definitions that take them in; how many there are."""
    split = splitter(row)
    container = root / "infra/local/containers" / row.name
    container.mkdir(parents=True)
    chunks = 0
    for name, text in study.texts.items():
        lines = [json.dumps({"text": chunk}, ensure_ascii=False) for chunk in split(text)]
        chunks += len(lines)
        (container / f"{name}.jsonl").write_text("\n".join(lines) + "\n", "utf-8")
    text = "/document/text"
    definition = index_definition(
        row.name, mode="vector", parsing="jsonLines", chunk=text, vector="/document/text_vector", metrics=["hit@5"]
    )
    write(root / f"indexes/{row.name}/index.yaml", definition)
    write(root / f"indexes/{row.name}/queries.json", study.query_set(".jsonl"))
    only = embedding(inputs=[{"name": "text", "source": text}])
    write(root / f"skillsets/{row.name}.yaml", {"name": row.name, "embedding": only})
    return chunks


def omegas(metric: Any, where: Mapping[str, tuple[str, int, int]], study: Study) -> list[float]:
    """A metric of all chunks, query by query, in percent."""
    from azsearch_ops.evaluation.layout import DocumentLayout

    chunks: dict[str, list[tuple[int, int]]] = {}
    for document, start, end in where.values():
        chunks.setdefault(document, []).append((start, end))
    return [
        100 * metric.value((DocumentLayout(tuple(spans), tuple(chunks[document])),))
        for document, spans in references(study, ".jsonl").values()
    ]


def measured(root: Path, study: Study, row: Row) -> Iterator[str]:
    """Ships and measures a row; lines to print."""
    from azsearch_ops.evaluation.metrics import chroma_precision_omega, precision_omega

    chunks = write_row(root, study, row)
    started = time.perf_counter()
    data = command(root, "ship", row.name)
    seconds = time.perf_counter() - started
    texts = {f"{name}.jsonl": text for name, text in study.texts.items()}
    found = measure(root, row.name, data["candidate"], "vector", texts, METRICS)
    where, judged = places(found.chunks, texts), references(study, ".jsonl")
    omega = omegas(chroma_precision_omega, where.study, study)
    values = [read([c.key for c in q.candidate.ranking], where.study, judged[q.id]) for q in found.result.queries]
    recall, precision, iou = (statistics.fmean(column) for column in zip(*values, strict=True))
    told = statistics.fmean(omega), statistics.pstdev(omega)
    yield (
        f"{row.chunker:10}{row.called:>8}{chunks:>7}"
        f"{row.omega[0]:>8.1f} ±{row.omega[1]:4.1f} → {told[0]:4.1f} ±{told[1]:4.1f}"
        f"{row.recall[0]:>8.1f} → {recall:4.1f} ({recall - row.recall[0]:+.1f})"
        f"{row.precision:>7.1f} → {precision:3.1f}{row.iou:>7.1f} → {iou:3.1f}"
        f"{100 * found.result.metrics[0].candidate:>10.1f}"
        f"{statistics.fmean(omegas(precision_omega, where.true, study)):>8.1f}{seconds:>7.0f} s"
    )
    equal = tuple(round(value, 1) for value in told) == row.omega
    near = abs(round(recall, 1) - row.recall[0]) <= 1.0 + 1e-9
    if not equal or not near:
        words = "equal" if equal else "NOT EQUAL", "within" if near else "NOT WITHIN"
        yield f"  precision omega {words[0]}, recall {words[1]} 1 point"


def main() -> None:
    """All rows, next to what was published."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--rows", type=int, nargs="+", default=range(1, len(TABLE) + 1))
    parser.add_argument("--keep", type=Path, help="write the project here and leave it")
    arguments = parser.parse_args()
    need(MODEL)
    study = Study.read(arguments.data)
    with tempfile.TemporaryDirectory() as temporary:
        root = arguments.keep or Path(temporary)
        write(root / "infra/environments/local.yaml", environment(MODEL))
        Service(root)
        try:
            print_table(root, study, [TABLE[number - 1] for number in arguments.rows])
        finally:
            command(root, "local", "stop")


def print_table(root: Path, study: Study, rows: Sequence[Row]) -> None:
    """A line a row."""
    print(f"{MODEL}, exact search; published → here, percent")
    print(
        f"{'chunker':10}{'size':>8}{'chunks':>7}{'precision omega':>28}{'recall@5':>22}{'precision':>13}{'IoU':>13}"
        f"{'by words':>10}{'omega':>8}{'ship':>9}"
    )
    for row in rows:
        for line in measured(root, study, row):
            print(line, flush=True)


if __name__ == "__main__":
    main()
