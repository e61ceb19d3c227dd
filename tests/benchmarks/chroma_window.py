"""Pages of Azure's kind, searched by MiniLM with a window of 256 and of 512 tokens, by BM25 and by both.

    azsearch-ops local model add all-MiniLM-L6-v2
    python tests/benchmarks/chroma_window.py [--data DIR]

The corpora and questions of Chroma's chunking study, cut three ways, beside a computation by other code of the same
rows: its own approximation of the page splitter, bm25s with Snowball stems, exact cosine, RRF (k 60) over 50 of each.
Ends with 1 where recall of a row differs by more than two points; takes some minutes, nearly all of it embedding.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from chroma_rooms import DATA, Study, build, measure, read_study
from chroma_study import MINILM, need

from azsearch_ops.chunking.text_split import TextSplit
from azsearch_ops.models.embedder import load_embedder

METRICS = ("chroma_recall@5", "chroma_precision@5", "chroma_iou@5", "hit@5", "mrr@5", "mrr@10")
ALLOWED = 2.0
SPLITS = {
    "2000c/500": TextSplit("pages", 2000, 500),
    "1000c/0": TextSplit("pages", 1000),
    "512t/128": TextSplit("pages", 512, 128, unit="azureOpenAITokens"),
}
# What the other code found, in the order of METRICS, percent
ELSEWHERE = {
    ("2000c/500", "vector 256"): (78.4, 2.4, 2.4, 80.1, 63.0, 64.1),
    ("2000c/500", "vector 512"): (82.2, 2.5, 2.5, 83.7, 65.3, 66.4),
    ("2000c/500", "BM25 standard"): (93.9, 2.7, 2.7, 94.9, 79.8, 80.2),
    ("2000c/500", "BM25 English"): (94.0, 2.7, 2.7, 94.9, 81.2, 81.6),
    ("2000c/500", "hybrid 512"): (91.7, 2.7, 2.7, 93.0, 76.8, 77.3),
    ("1000c/0", "vector 256"): (76.8, 4.7, 4.7, 80.3, 61.9, 63.1),
    ("1000c/0", "vector 512"): (76.6, 4.7, 4.7, 80.1, 61.9, 63.0),
    ("1000c/0", "BM25 standard"): (87.1, 5.0, 5.0, 91.7, 74.1, 74.5),
    ("1000c/0", "BM25 English"): (87.4, 5.1, 5.0, 91.7, 74.9, 75.4),
    ("1000c/0", "hybrid 512"): (85.0, 5.1, 5.0, 88.6, 69.4, 70.1),
    ("512t/128", "vector 256"): (77.6, 2.0, 2.0, 80.1, 62.0, 63.0),
    ("512t/128", "vector 512"): (84.0, 2.1, 2.1, 85.6, 67.6, 68.3),
    ("512t/128", "BM25 standard"): (95.0, 2.3, 2.3, 95.3, 81.1, 81.4),
    ("512t/128", "BM25 English"): (95.0, 2.3, 2.3, 95.1, 80.1, 80.5),
    ("512t/128", "hybrid 512"): (90.5, 2.2, 2.2, 91.1, 77.7, 78.4),
}


def rows(study: Study, options: TextSplit) -> dict[str, tuple[float, ...]]:
    """Every row of one split, in percent."""
    found: dict[str, tuple[float, ...]] = {}
    for window, analyzer in ((256, "standard.lucene"), (512, "en.lucene")):
        built = build(study, options, load_embedder(f"{MINILM}-{window}"), analyzer)
        named = {"text": f"BM25 {'standard' if window == 256 else 'English'}", "vector": f"vector {window}"}
        if analyzer == "en.lucene":
            named["hybrid"] = f"hybrid {window}"
        for mode, name in named.items():
            found[name] = tuple(100 * metric.candidate for metric in measure(study, built, mode, METRICS).metrics)
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    study = read_study(parser.parse_args().data)
    need(f"{MINILM}-256")
    print("here (elsewhere), percent")
    print(f"{'split':11}{'retrieval':15}" + "".join(f"{name:>20}" for name in METRICS))
    beyond = []
    for split_name, options in SPLITS.items():
        started = time.perf_counter()
        for name, values in rows(study, options).items():
            theirs = ELSEWHERE[split_name, name]
            told = "".join(f"{f'{v:.1f} ({t:.1f})':>20}" for v, t in zip(values, theirs, strict=True))
            print(f"{split_name:11}{name:15}{told}", flush=True)
            if abs(values[0] - theirs[0]) > ALLOWED:
                beyond.append(f"{split_name} {name}: {values[0] - theirs[0]:+.1f}")
        print(f"{split_name:11}{time.perf_counter() - started:.0f} s", flush=True)
    print("beyond two points of recall: " + "; ".join(beyond) if beyond else "all within two points of recall")
    sys.exit(1 if beyond else 0)


if __name__ == "__main__":
    main()
