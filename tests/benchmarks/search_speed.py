"""Speed and memory of the search engine, as ratios measured side by side in one run.

    python tests/benchmarks/search_speed.py [--sizes 1000 10000 100000] [--dimensions 256] [--seed 7]

Documents are drawn from a Zipf-like vocabulary, about 120 words each. The naive side scores BM25 in a Python loop over
prepared term counts, and sorts all cosines of one numpy product.
"""

from __future__ import annotations

import argparse
import json
import math
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable

import numpy as np

from azsearch_ops.local.search.engine import SearchEngine

WORDS = 120
VERSION = "2026-04-01"
INDEX = {
    "name": "speed",
    "fields": [
        {"name": "id", "type": "Edm.String", "key": True, "searchable": False},
        {"name": "parent", "type": "Edm.String", "searchable": False},
        {"name": "text", "type": "Edm.String", "analyzer": "en.lucene", "filterable": False, "sortable": False,
         "facetable": False},
        {"name": "vector", "type": "Collection(Edm.Single)", "vectorSearchProfile": "p"},
    ],
    "vectorSearch": {"profiles": [{"name": "p", "algorithm": "a"}], "algorithms": [{"name": "a", "kind": "hnsw"}]},
}  # fmt: skip


def best(run: Callable[[], object], seconds: float = 0.5) -> float:
    """The shortest of repeated runs, in milliseconds."""
    times: list[float] = []
    until = time.perf_counter() + seconds
    while time.perf_counter() < until or len(times) < 3:
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return min(times) * 1000


def peak() -> int:
    """Peak memory of this process in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def naive(counts: list[Counter[str]], lengths: list[int], words: list[str]) -> list[tuple[float, int]]:
    average = sum(lengths) / len(lengths)
    found: Counter[int] = Counter()
    for word in words:
        holders = [number for number, count in enumerate(counts) if word in count]
        idf = math.log(1 + (len(counts) - len(holders) + 0.5) / (len(holders) + 0.5))
        for number in holders:
            tf = counts[number][word]
            found[number] += idf * tf * 2.2 / (tf + 1.2 * (0.25 + 0.75 * lengths[number] / average))
    return sorted(((score, -number) for number, score in found.items()), reverse=True)[:10]


def measure(size: int, dimensions: int, seed: int) -> dict[str, float]:
    generator = np.random.default_rng(seed)
    vocabulary = [f"w{number}" for number in range(20_000)]
    weights = 1 / np.arange(1, len(vocabulary) + 1)
    drawn = generator.choice(len(vocabulary), (size, WORDS), p=weights / weights.sum())
    vectors = generator.normal(size=(size, dimensions)).astype(np.float32)
    INDEX["fields"][3]["dimensions"] = dimensions  # type: ignore[index]
    engine = SearchEngine(INDEX, lambda vectorizer, text: [])
    before = peak()
    payload = 0
    start = time.perf_counter()
    for number in range(size):
        text = " ".join(vocabulary[word] for word in drawn[number])
        payload += len(text) + vectors[number].nbytes
        document = {"id": str(number), "parent": str(number // 50), "text": text, "vector": vectors[number].tolist()}
        engine.put(str(number), document)
    putting = time.perf_counter() - start
    start = time.perf_counter()
    engine.search({"search": "w1"}, VERSION)
    first = time.perf_counter() - start
    memory = peak() - before
    words = ["w3", "w40", "w500", "w6000", "w700", "w20", "w1000", "w90"]
    query = generator.normal(size=dimensions)
    vector = {"kind": "vector", "vector": query.tolist(), "fields": "vector", "k": 50}
    text = {"search": " ".join(words), "top": 10}
    hybrid = {**text, "vectorQueries": [vector]}
    counts = [Counter(f"w{word}" for word in row) for row in drawn[: min(size, 10_000)]]
    lengths = [WORDS] * len(counts)
    scale = size / len(counts)
    text_time = best(lambda: engine.search(text, VERSION))
    vector_time = best(lambda: engine.search({"vectorQueries": [vector], "top": 10}, VERSION))
    engine.put("0", {"id": "0", "parent": "0", "text": "w1", "vector": vectors[0].tolist()})
    start = time.perf_counter()
    engine.search(text, VERSION)
    after_write = (time.perf_counter() - start) * 1000
    wanted = query.astype(np.float32)
    return {
        "documents": size,
        "put, µs each": putting / size * 1e6,
        "first search, s": first,
        "memory / (text + vectors)": memory / payload,
        "text, ms": text_time,
        "vector, ms": vector_time,
        "hybrid, ms": best(lambda: engine.search(hybrid, VERSION)),
        "filtered, ms": best(lambda: engine.search({**hybrid, "filter": "parent eq '3'"}, VERSION)),
        "after one write, ms": after_write,
        "naive BM25 / text": best(lambda: naive(counts, lengths, words)) * scale / text_time,
        "one product and sort / vector": best(lambda: np.argsort(-(vectors @ wanted))[:50]) / vector_time,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1000, 10_000, 100_000])
    parser.add_argument("--dimensions", type=int, default=256)
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    for size in arguments.sizes:
        found = measure(size, arguments.dimensions, arguments.seed)
        print(json.dumps({name: float(f"{value:.3g}") for name, value in found.items()}, ensure_ascii=False))


if __name__ == "__main__":
    main()
