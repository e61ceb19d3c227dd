"""What placing chunks in their documents' texts costs beside finding spans by their words alone.

    python tests/benchmarks/placing.py [--documents 1000]

Documents of 100 chunks with one judged span each; then the same with every document written twice over, so that all
chunks have twins and the order of the chunks decides. Prints seconds of both in one run, and their ratio.
"""

from __future__ import annotations

import argparse
import random
import time

from azsearch_ops.evaluation.items import relevant_items
from azsearch_ops.evaluation.paths import DocumentPaths
from azsearch_ops.evaluation.placing import Places
from azsearch_ops.evaluation.reading import Reader
from azsearch_ops.evaluation.types import Chunk, Judgement

CHUNKS, WORDS, OVERLAP, EXCERPT = 100, 18_000, 200, 300


def corpus(count: int, *, twice: bool) -> tuple[dict[str, str], dict[str, list[Chunk]], list[Judgement]]:
    """Texts and chunks by path, and a judgement for each; of documents written twice the second half is judged."""
    chance = random.Random(1)
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(3, 9))) for _ in range(5000)]
    texts: dict[str, str] = {}
    chunks: dict[str, list[Chunk]] = {}
    judgements: list[Judgement] = []
    for number in range(count):
        path = f"d{number}.md"
        once = " ".join(chance.choices(words, k=WORDS // 2 if twice else WORDS))
        text = texts[path] = f"{once} {once}" if twice else once
        step = len(text) // CHUNKS + 1
        chunks[path] = [
            Chunk(f"{path}_pages_{i}", path, text[at : at + step + OVERLAP])
            for i, at in enumerate(range(0, len(text), step))
        ]
        start = chance.randrange(len(text) // 2 + 1000, len(text) - 2000)
        judgements.append(Judgement(path, text[start : start + EXCERPT].strip(), 2 if twice else None))
    return texts, chunks, judgements


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=1000)
    count = parser.parse_args().documents
    for twice in (False, True):
        texts, chunks, judgements = corpus(count, twice=twice)
        paths = DocumentPaths(texts)
        seconds: list[float] = []
        held: list[int] = []
        for placed in (False, True):
            started = time.perf_counter()
            reader = Reader(paths, len)
            places = Places(paths, texts, judgements, chunks.__getitem__) if placed else None
            rankings = [reader.ranking(relevant_items([j]), chunks[j.document], (), places) for j in judgements]
            seconds.append(time.perf_counter() - started)
            held.append(sum(bool(parts) for ranking in rankings for parts in ranking.held))
        size = sum(map(len, texts.values())) / 1e6
        print(
            f"{count} documents × {CHUNKS} chunks, {size:.0f} MB{', written twice' if twice else ''}: by words "
            f"{seconds[0]:.1f} s ({held[0]} chunks hold something), by place {seconds[1]:.1f} s ({held[1]}), "
            f"ratio {seconds[1] / seconds[0]:.1f}",
            flush=True,
        )


if __name__ == "__main__":
    main()
