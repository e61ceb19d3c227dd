"""`queries judge`: what live and candidate bring that the other does not, graded blind, written into the query set."""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from azsearch_ops.definitions.files import read_text, shown_path
from azsearch_ops.definitions.project import load_project
from azsearch_ops.definitions.queries import QueryEntry, QuerySet, form_of, load_queries
from azsearch_ops.definitions.queries_edit import add_judgements
from azsearch_ops.definitions.queries_entries import HIGHEST_GRADE, JudgementEntry
from azsearch_ops.errors import DefinitionError, Location, Problem, UsageError
from azsearch_ops.evaluation.drafting import sentences_of
from azsearch_ops.evaluation.folding import fold
from azsearch_ops.evaluation.outcome import QueryResult, Ranked
from azsearch_ops.evaluation.paths import DocumentPaths, below_container
from azsearch_ops.verbs.evaluating.run_files import Run

EXCERPT: Final = 200
"""Characters of a result that is judged not relevant that are kept: enough to know it again."""

_SENTENCE_END = re.compile(r"[.!?。！？](?=\s|$)|\n")


@dataclass(frozen=True, slots=True)
class Item:
    """A result to be judged. It says neither which side brought it nor at what rank."""

    id: str
    query_id: str
    query: str
    document: str
    text: str


@dataclass(frozen=True, slots=True)
class Grade:
    """How relevant a result is, and the words of it that are (None: all of them)."""

    grade: int
    excerpt: str | None = None


Answer = Grade | Literal["skip", "quit"]
Ask = Callable[[Item, int, int], Answer]
"""Shows an item, which is the so-manieth of so many, and returns what somebody says of it."""


@dataclass(frozen=True, slots=True)
class Target:
    """The query set that takes the judgements."""

    path: Path
    root: Path
    qrels: Path | None
    queries: QuerySet


@dataclass(frozen=True, slots=True)
class Judging:
    """What came of it. `path` is the query set's file, or that of the exported items."""

    path: str
    items: int
    judged: int
    skipped: int
    grades: Mapping[int, int]


def target_of(
    root: Path, run: Run, environment: str, environ: Mapping[str, str], queries: Path | None = None
) -> Target:
    """The query set of the run's index definition, or the file that is named instead."""
    if queries is not None:
        return Target(queries, root, None, load_queries(queries, root))
    project = load_project(root, environment, environ)
    index = project.indexes.get(run.outcome.name)
    if index is None:
        raise UsageError(f"the project has no index definition '{run.outcome.name}'", hint="--queries FILE")
    settings = index.evaluation
    return Target(settings.queries, root, settings.qrels, load_queries(settings.queries, root, settings.qrels))


def items_of(
    run: Run, target: Target, texts: Mapping[str, Mapping[str, str]], *, top: int, seed: int
) -> tuple[Item, ...]:
    """What one side has among its first `top` results and the other has not, unless it is judged already.

    Held-out queries are not in a run. Within a query the order is shuffled by `seed`. `texts` are by side and key.
    """
    entries = {entry.id: entry for entry in target.queries.accepted if not entry.holdout}
    paths = DocumentPaths(judged.document for entry in target.queries.entries for judged in entry.relevant)
    order = {change.id: number for number, change in enumerate(run.outcome.evaluation.changed)}
    results = sorted(run.outcome.evaluation.queries, key=lambda query: (order.get(query.id, len(order)), query.id))
    items: list[Item] = []
    for result in results:
        entry = entries.get(result.id)
        if entry is not None and result.live is not None:
            found = _differing(result, entry, texts, paths, top)
            found.sort(key=lambda item: item.id)
            random.Random(f"{seed}/{result.id}").shuffle(found)
            items += found
    return tuple(items)


def lines_of(item: Item) -> tuple[str, ...]:
    """The sentences and lines of an item's text, to be chosen from."""
    return sentences_of(item.text)


def chosen_lines(item: Item, words: str) -> str | None:
    """The part of the text that `3` or `2-4` means, counted from 1; all of it for nothing; None for what means none."""
    lines = lines_of(item)
    first, _, last = words.replace(" ", "").partition("-")
    if not first and not last:
        return item.text
    if not (first.isdigit() and (last or first).isdigit() and 1 <= int(first) <= int(last or first) <= len(lines)):
        return None
    start = at = 0
    for place, line in enumerate(lines[: int(last or first)], start=1):
        found = item.text.index(line, at)
        start = found if place == int(first) else start
        at = found + len(line)
    return item.text[start:at]


def judge_items(target: Target, items: Sequence[Item], ask: Ask) -> Judging:
    """Asks about each item in turn and writes each answer at once, so that nothing is lost by stopping."""
    given: list[int] = []
    skipped = 0
    for number, item in enumerate(items, start=1):
        answer = ask(item, number, len(items))
        if answer == "quit":
            break
        if isinstance(answer, Grade):
            _write(target, {item.query_id: [_judgement(item, answer)]})
            given.append(answer.grade)
        else:
            skipped += 1
    return _judging(target.path, target.root, len(items), given, skipped)


def export_items(items: Sequence[Item], out: Path, root: Path) -> Judging:
    """Writes the items as JSON lines with an empty `grade`, to be filled in by somebody and imported."""
    out.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        {
            "item": item.id,
            "query_id": item.query_id,
            "query": item.query,
            "document": item.document,
            "text": item.text,
            "excerpt": "",
            "grade": None,
        }
        for item in items
    ]
    out.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8", newline="")
    return _judging(out, root, len(items), [], 0)


def import_grades(target: Target, path: Path) -> Judging:
    """Takes the grades that somebody filled in; an empty grade is skipped. Nothing is written if a line is wrong.

    Raises:
        DefinitionError: lines that cannot be used, each with its place.
    """
    problems: list[Problem] = []
    text = read_text(path, target.root, problems) or ""
    shown = shown_path(path, target.root)
    known = {entry.id for entry in target.queries.entries}
    judged: dict[str, list[JudgementEntry]] = {}
    given: list[int] = []
    count = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        count += 1
        found = _imported(line, known)
        if isinstance(found, str):
            problems.append(Problem("AZS010", found, Location(shown, number)))
        elif found is not None:
            item, grade = found
            judged.setdefault(item.query_id, []).append(_judgement(item, grade))
            given.append(grade.grade)
    if problems:
        raise DefinitionError(tuple(problems))
    _write(target, judged)
    return _judging(target.path, target.root, count, given, count - len(given))


def _differing(
    result: QueryResult, entry: QueryEntry, texts: Mapping[str, Mapping[str, str]], paths: DocumentPaths, top: int
) -> list[Item]:
    assert result.live is not None
    sides: list[dict[tuple[str, str], tuple[Ranked, str]]] = []
    for name, side in (("live", result.live), ("candidate", result.candidate)):
        words = texts.get(name, {})
        rows: dict[tuple[str, str], tuple[Ranked, str]] = {}
        for chunk in side.ranking[:top]:
            if text := words.get(chunk.key, "").strip():
                document = paths.resolve(chunk.document) or below_container(chunk.document)
                rows.setdefault((document, fold(text)), (chunk, text))
        sides.append(rows)
    differing = {key: row for a, b in (sides, sides[::-1]) for key, row in a.items() if key not in b}
    return [
        Item(_item_id(entry.id, document, folded), entry.id, entry.query, document, text)
        for (document, folded), (chunk, text) in differing.items()
        if not chunk.covered and not _judged_before(entry, document, folded)
    ]


def _judged_before(entry: QueryEntry, document: str, folded: str) -> bool:
    return any(
        judged.document == document and (judged.excerpt is None or fold(judged.excerpt) in folded)
        for judged in entry.relevant
    )


def _item_id(query: str, document: str, folded: str) -> str:
    return hashlib.sha256(json.dumps([query, document, folded]).encode()).hexdigest()[:12]


def _judgement(item: Item, given: Grade) -> JudgementEntry:
    excerpt = (given.excerpt or "").strip() or item.text
    if given.grade == 0 and not given.excerpt:
        excerpt = _beginning(item.text)
    return JudgementEntry(item.document, excerpt, None, given.grade, Location(""))


def _beginning(text: str) -> str:
    """The first sentences, as many as fit; else the first words."""
    if len(text) <= EXCERPT:
        return text
    ends = [found.end() for found in _SENTENCE_END.finditer(text, 0, EXCERPT) if found.end() >= EXCERPT // 3]
    if ends:
        return text[: ends[-1]].strip()
    return text[:EXCERPT].rsplit(None, 1)[0] if any(c.isspace() for c in text[:EXCERPT]) else text[:EXCERPT]


def _write(target: Target, judged: Mapping[str, Sequence[JudgementEntry]]) -> None:
    if form_of(target.path, target.qrels) in ("trec", "foundry"):
        judged = _by_document(target, judged)
    if any(judged.values()):
        add_judgements(target.path, target.root, judged, target.qrels)


def _by_document(target: Target, judged: Mapping[str, Sequence[JudgementEntry]]) -> dict[str, list[JudgementEntry]]:
    """For forms without excerpts: the highest grade of each document that nobody judged before."""
    now = load_queries(target.path, target.root, target.qrels)
    before = {(entry.id, j.document) for entry in now.entries for j in entry.relevant}
    found: dict[str, dict[str, int]] = {}
    for name, entries in judged.items():
        for j in entries:
            if (name, j.document) not in before:
                grades = found.setdefault(name, {})
                grades[j.document] = max(j.grade, grades.get(j.document, 0))
    return {
        name: [JudgementEntry(document, None, None, grade, Location("")) for document, grade in grades.items()]
        for name, grades in found.items()
    }


def _imported(line: str, known: set[str]) -> tuple[Item, Grade] | str | None:
    """The item and its grade; what is wrong with the line; None where no grade is given."""
    try:
        row: Any = json.loads(line)
    except (ValueError, RecursionError):
        return "malformed JSON"
    if not isinstance(row, dict) or not all(isinstance(row.get(k), str) for k in ("query_id", "document", "text")):
        return "not a line that `queries judge --export` wrote"
    grade = row.get("grade")
    if grade is None or grade == "":
        return None
    if not isinstance(grade, int) or isinstance(grade, bool) or not 0 <= grade <= HIGHEST_GRADE:
        return f"grade: takes a whole number from 0 to {HIGHEST_GRADE}, or null"
    if row["query_id"] not in known:
        return f"the query set has no query {row['query_id']!r}"
    excerpt = row.get("excerpt") or None
    if excerpt is not None and (not isinstance(excerpt, str) or fold(excerpt) not in fold(row["text"])):
        return "the excerpt is not in the text"
    item = Item(str(row.get("item", "")), row["query_id"], str(row.get("query", "")), row["document"], row["text"])
    return item, Grade(grade, excerpt)


def _judging(path: Path, root: Path, items: int, given: Sequence[int], skipped: int) -> Judging:
    grades = {grade: given.count(grade) for grade in sorted(set(given))}
    return Judging(shown_path(path, root), items, len(given), skipped, grades)
