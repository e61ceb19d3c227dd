"""The door to query sets: the questions, and what is relevant to each, from a file of any of the forms taken.

YAML (`.yaml`, `.yml`, `.json`), JSON lines (`.jsonl`, `.ndjson`; Microsoft Foundry's ground truth is told by its
key), CSV (`.csv`, and `.tsv` with tabs), and TREC: topics in a file whose judgements stand in another one, either
named (`evaluation.qrels`) or beside it (`handbook.topics` and `handbook.qrels`, `topics.txt` and `qrels.txt`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

from azsearch_ops.definitions.files import read_text, shown_path
from azsearch_ops.definitions.order import in_order
from azsearch_ops.definitions.queries_csv import read_csv
from azsearch_ops.definitions.queries_entries import JudgementEntry, QueryEntry, QuerySet, digest_of
from azsearch_ops.definitions.queries_faults import faults, merged
from azsearch_ops.definitions.queries_foundry import is_foundry, read_foundry
from azsearch_ops.definitions.queries_jsonl import read_jsonl
from azsearch_ops.definitions.queries_trec import qrels_beside, read_qrels, read_topics
from azsearch_ops.definitions.queries_yaml import read_yaml
from azsearch_ops.errors import DefinitionError, Location, Problem

__all__ = [
    "JudgementEntry",
    "QueryEntry",
    "QuerySet",
    "QuerySetForm",
    "form_of",
    "load_queries",
    "read_queries",
]

QuerySetForm = Literal["yaml", "jsonl", "csv", "tsv", "trec", "foundry"]

_BY_SUFFIX: Final[dict[str, QuerySetForm]] = {
    ".yaml": "yaml",
    ".yml": "yaml",
    ".json": "yaml",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".tsv": "tsv",
}


def load_queries(path: Path, root: Path, qrels: Path | None = None) -> QuerySet:
    """The query set of a file, or of topics and their `qrels`. Raises DefinitionError with every problem in it."""
    queries, problems = read_queries(path, root, qrels)
    if queries is None or any(problem.severity == "error" for problem in problems):
        raise DefinitionError(problems)
    return queries


def read_queries(path: Path, root: Path, qrels: Path | None = None) -> tuple[QuerySet | None, tuple[Problem, ...]]:
    """The query set as far as it can be understood, and every problem; None when the file cannot be used."""
    problems: list[Problem] = []
    entries = _entries(path, root, qrels, problems)
    shown = shown_path(path, root)
    if entries == () and not any(problem.severity == "error" for problem in problems):
        hint = "- id: q001, query: …, relevant: [{document: …, excerpt: …}]"
        problems.append(Problem("AZS701", "the query set is empty", Location(shown), hint=hint))
    if not entries:
        return None, in_order(problems)
    entries = merged(entries, problems)
    faults(entries, problems)
    return QuerySet(shown, entries, digest_of(entries)), in_order(problems)


def form_of(path: Path, qrels: Path | None = None) -> QuerySetForm:
    """The form of a file, told by its name; JSON lines of Foundry are told by their first line."""
    form = _BY_SUFFIX.get(path.suffix.lower(), "trec")
    if qrels is not None or (form == "tsv" and qrels_beside(path) is not None):
        return "trec"
    if form == "jsonl" and path.is_file():
        with path.open(encoding="utf-8-sig", errors="replace") as lines:
            return "foundry" if is_foundry(next((line for line in lines if line.strip()), "")) else form
    return form


def _entries(path: Path, root: Path, qrels: Path | None, problems: list[Problem]) -> tuple[QueryEntry, ...] | None:
    form = form_of(path, qrels)
    if form == "yaml":
        return read_yaml(path, root, problems)
    text = read_text(path, root, problems)
    if text is None:
        return None
    shown = shown_path(path, root)
    match form:
        case "jsonl":
            return read_jsonl(text, shown, problems)
        case "foundry":
            return read_foundry(text, shown, problems)
        case "csv" | "tsv":
            return read_csv(text, shown, problems, separator="," if form == "csv" else "\t")
    topics = read_topics(text, shown, problems)
    judgements = qrels if qrels is not None else qrels_beside(path)
    if judgements is None:
        return topics
    judged = read_text(judgements, root, problems)
    return None if judged is None else read_qrels(judged, shown_path(judgements, root), topics, problems)
