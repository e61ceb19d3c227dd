"""The reader budget at work: the same questions on large and on small pages, at equal k and at equal reading.

    python tests/benchmarks/budget.py [--data DIR]

Prints recall of BM25 on the corpora of Chroma's study, for pages of 2,000 characters with 500 shared and of 1,000 with
200 shared. At five chunks the small pages lose because they are small; at an equal number of characters or tokens
they do not. Ends with 1 where that is not seen.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from chroma_rooms import DATA, build, measure, read_study

from azsearch_ops.chunking.text_split import TextSplit
from azsearch_ops.models.embedder import load_embedder
from azsearch_ops.models.tokenizer import tokenizer

SPLITS = ((2000, 500), (1000, 200))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    study, embedder = read_study(parser.parse_args().data), load_embedder("wordllama")
    large, small = (build(study, TextSplit("pages", length, overlap), embedder) for length, overlap in SPLITS)
    rows: list[tuple[str, float, float]] = []
    # A reader who counts characters is one for whom a character is a token.
    for count, metrics in (
        (tokenizer("cl100k_base").count, ("chroma_recall@5", "recall@5", "recall@1000t", "recall@2000t")),
        (len, ("chroma_recall@5000t", "chroma_recall@10000t", "recall@5000t", "recall@10000t")),
    ):
        evaluation = measure(study, small, "text", metrics, large, count)
        for metric in evaluation.metrics:
            name = metric.name.replace("000t", ",000 characters") if count is len else metric.name
            rows.append((name, 100 * (metric.live or 0.0), 100 * metric.candidate))
    print(f"{'BM25, percent':32}{'2000/500':>10}{'1000/200':>10}{'difference':>12}")
    for name, before, after in rows:
        print(f"{name:32}{before:>10.1f}{after:>10.1f}{after - before:>+12.1f}")
    found = {name: after - before for name, before, after in rows}
    equal_k, equal_reading = found["chroma_recall@5"], found["chroma_recall@10,000 characters"]
    missed = []
    if not -7.3 <= equal_k <= -4.3:
        missed.append(f"recall@5 differs by {equal_k:+.1f} points, about -5.8 was expected")
    if abs(round(equal_reading, 1)) > 1.0:
        missed.append(f"at 10,000 characters they differ by {equal_reading:+.1f} points, more than one")
    print("\n".join(missed or ["as expected: small pages lose at five chunks, and not at equal reading"]))
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
