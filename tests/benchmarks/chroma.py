"""Ship the corpora of Chroma's chunking study, re-chunk them and go back; print what was measured.

    python tests/benchmarks/chroma.py --data DIR [--model wordllama] [--copies 10] [--keep FOLDER]

DIR holds `questions_df.csv` and `corpora/*.md` of github.com/brandonstarxel/chunking_evaluation (MIT). `--model
all-MiniLM-L6-v2-512` is the other model that was measured elsewhere (`azsearch-ops local model add all-MiniLM-L6-v2`).
The project is written into a temporary folder and shipped through the real command: pages of 2000/500, then 1000/0,
then back. Text and vector retrieval are measured on each built index beside the shipped hybrid. The measurement
elsewhere had another page splitter, and so little changes this much: with pages 1 to 4 % longer or shorter, vector
recall@5 by wordllama is 76.7 to 80.5 (2000/500) and 67.9 to 72.8 (1000/0). At the end the corpora are built once more,
`--copies` times (0: not), for the memory of the service.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

from chroma_study import (
    MINILM,
    WORDLLAMA,
    Service,
    Study,
    command,
    dimensions,
    embedding,
    environment,
    index_definition,
    measure,
    need,
    stages,
    write,
)

NAME = "chroma"
METRICS = ("recall@2000t", "mrr@10", "chroma_recall@5", "chroma_precision@5", "chroma_iou@5", "hit@5", "mrr@5")
PAGES = ((2000, 500), (1000, 0), (2000, 500))
# An independent computation: vector, BM25 with the English analyzer, hybrid (recall@5 of the study, percent)
ELSEWHERE = {
    WORDLLAMA: {(2000, 500): (78.2, 94.0, 89.2), (1000, 0): (70.6, 87.4, 81.2)},
    f"{MINILM}-256": {(2000, 500): (78.4, 94.0, 89.9), (1000, 0): (76.8, 87.4, 85.2)},
    f"{MINILM}-512": {(2000, 500): (82.2, 94.0, 91.7), (1000, 0): (76.6, 87.4, 85.0)},
}


def write_project(root: Path, study: Study, model: str, *, copies: int = 1) -> None:
    """The project of the corpora; further copies begin with a line of their own, so that every chunk differs."""
    container = root / "infra/local/containers" / NAME
    container.mkdir(parents=True, exist_ok=True)
    for name, text in study.texts.items():
        (container / f"{name}.md").write_bytes(text.encode())
        for copy in range(2, copies + 1):
            (container / f"{name}-{copy}.md").write_bytes(f"Copy {copy}{'.' * copy}\n{text}".encode())
    write(root / "infra/environments/local.yaml", environment(model))
    pages = "/document/pages/*"
    definition = index_definition(
        NAME, mode="hybrid", parsing="default", chunk=pages, vector=f"{pages}/text_vector", metrics=METRICS
    )
    write(root / f"indexes/{NAME}/index.yaml", definition)
    write(root / f"indexes/{NAME}/queries.json", study.query_set(".md"))


def cut_into(root: Path, length: int, overlap: int) -> None:
    """The skillset with pages of this length and overlap."""
    chunking = {"textSplitMode": "pages", "maximumPageLength": length, "pageOverlapLength": overlap}
    chunking["defaultLanguageCode"] = "en"
    write(root / f"skillsets/{NAME}.yaml", {"name": NAME, "chunking": chunking, "embedding": embedding()})


def main() -> None:
    """Ship three times, measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--model", default=WORDLLAMA)
    parser.add_argument("--copies", type=int, default=10)
    parser.add_argument("--keep", type=Path, help="write the projects here and leave them")
    arguments = parser.parse_args()
    model = f"{MINILM}-256" if arguments.model == MINILM else arguments.model
    need(model)
    study = Study.read(arguments.data)
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.keep or Path(temporary)
        for name, copies in (("once", 1), ("many", arguments.copies)):
            root = folder / name
            if copies:
                write_project(root, study, model, copies=copies)
                cut_into(root, *PAGES[0])
                try:
                    run(root, study, model) if copies == 1 else memory_of_many(root, model, copies)
                finally:
                    command(root, "local", "stop")


def run(root: Path, study: Study, model: str) -> None:
    """The three ships."""
    service = Service(root)
    idle, _ = service.memory()
    service.load(model)
    loaded, _ = service.memory()
    service.forget_peak()
    built: list[str] = []
    for length, overlap in PAGES:
        cut_into(root, length, overlap)
        searches, inside = service.searches()
        started = time.perf_counter()
        data = command(root, "ship", NAME, codes=(0, 3))
        seconds = time.perf_counter() - started
        now = service.searches()
        print(f"\n== {model}, pages {length}/{overlap}: {data['verdict']}, promoted {data['promoted']}")
        print("; ".join((data["evaluation"] or {}).get("reasons", [])) or "nothing to do: this is live")
        print_profile(service, study, model, (length, overlap), data, seconds, (now[0] - searches, now[1] - inside))
        print_metrics(data)
        built.append(data["candidate"])
        print_modes(root, study, model, (length, overlap), data["candidate"], service)
    payload = sum(service.payload(index, dimensions(model))[1] for index in dict.fromkeys(built))
    print()
    print_memory(service, idle, loaded, payload, f"{len(set(built))} indexes")


def print_profile(
    service: Service,
    study: Study,
    model: str,
    pages: tuple[int, int],
    data: Any,
    seconds: float,
    searched: tuple[int, float],
) -> None:
    """Where the seconds of a ship went. Parts of the indexer's run were measured alone, its remainder is indexing."""
    build, parts = data["build"], ""
    if build and not build["reused"]:
        run_seconds = service.run_seconds(data["candidate"])
        alone = dict(stages(study.texts, model, *pages))
        rest = max(0.0, run_seconds - sum(alone.values()))  # Alone they may take longer than in the run
        named = ", ".join(f"{name} {spent:.2f}" for name, spent in {**alone, "index and store": rest}.items())
        parts = f" (indexer's run {run_seconds:.2f}: {named})"
    made = build["seconds"] if build else 0.0
    print(f"ship {seconds:.2f} s: build {made:.2f}{parts};", end=" ")
    print(f"{searched[0]} searches, {searched[1]:.2f} s of the service's time; the rest {seconds - made:.2f}")
    if build:
        print(f"chunks {build['chunks']}")


def print_metrics(data: Any) -> None:
    """Live against candidate."""
    if not data["metrics"]:
        return
    print(f"{'metric':20}{'live':>9}{'candidate':>11}{'diff':>9}{'p':>9}")
    for name, m in data["metrics"].items():
        live, diff, p = (f"{m[k]:.4f}" if m[k] is not None else "-" for k in ("live", "difference", "p"))
        print(f"{name:20}{live:>9}{m['candidate']:>11.4f}{diff:>9}{p:>9}")


def print_modes(root: Path, study: Study, model: str, pages: tuple[int, int], index: str, service: Service) -> None:
    """Text, vector and hybrid retrieval on one index, and how much of an evaluation is the service's calls."""
    texts = {f"{name}.md": text for name, text in study.texts.items()}
    measured: dict[str, dict[str, float]] = {}
    print(f"{'mode':8}" + "".join(f"{name:>20}" for name in METRICS))
    for mode in ("vector", "text", "hybrid"):
        before = service.searches()
        found = measure(root, NAME, index, mode, texts, METRICS)
        own = service.searches()[1] - before[1]
        measured[mode] = {m.name: m.candidate for m in found.result.metrics}
        print(f"{mode:8}" + "".join(f"{100 * measured[mode][name]:>20.1f}" for name in METRICS))
    print(
        f"evaluating hybrid alone, one query at a time: {found.search.calls} searches, "
        f"{found.search.seconds:.2f} of {found.seconds:.2f} s "
        f"({100 * found.search.seconds / found.seconds:.0f} %) in the SDK's calls, {own:.2f} s of it in the service"
    )
    elsewhere = ELSEWHERE.get(model, {}).get(pages)
    if elsewhere:
        got = [100 * measured[mode]["chroma_recall@5"] for mode in ("vector", "text", "hybrid")]
        told = " / ".join(f"{g:.1f} ({g - e:+.1f})" for g, e in zip(got, elsewhere, strict=True))
        print("chroma_recall@5, vector / BM25 / hybrid, and the difference to what was measured elsewhere: ", told)


def print_memory(service: Service, idle: float, loaded: float, payload: float, what: str) -> None:
    """The service's memory, as it is and as growth over what its interpreter, libraries and model take."""
    now, peak = service.memory()
    print(
        f"service: idle {idle:.0f} MB, model and libraries loaded {loaded:.0f} MB, now {now:.0f} MB, "
        f"peak {peak:.0f} MB; texts and vectors of {what} {payload:.1f} MB: peak {peak / payload:.1f} times that, "
        f"growth over loaded {(peak - loaded) / payload:.1f} times"
    )


def memory_of_many(root: Path, model: str, copies: int) -> None:
    """One build of the corpora `copies` times; no evaluation: equal passages would compete."""
    service = Service(root)
    idle, _ = service.memory()
    service.load(model)
    loaded, _ = service.memory()
    service.forget_peak()
    build = command(root, "build", NAME)
    index = build["candidate"]
    service.call(f"/indexes('{index}')/docs/search.post.search?api-version=2026-04-01", {"search": "first", "top": 1})
    chunks, payload = service.payload(index, dimensions(model))
    run_seconds = service.run_seconds(index)
    print(f"\n== the corpora {copies} times: {chunks} chunks, build {build['seconds']:.1f} s (run {run_seconds:.1f} s)")
    print_memory(service, idle, loaded, payload, "one index")


if __name__ == "__main__":
    main()
