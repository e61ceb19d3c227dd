"""Query sets: the questions, and what is relevant to each."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from pydantic import Field, TypeAdapter

from azsearch_ops.definitions.files import read_tree
from azsearch_ops.definitions.order import in_order
from azsearch_ops.definitions.tree import Tree
from azsearch_ops.definitions.typed import STRICT, typed
from azsearch_ops.errors import DefinitionError, Location, Problem

Text = Annotated[str, Field(min_length=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Judged:
    __pydantic_config__ = STRICT

    document: Text
    excerpt: Text | None = None
    occurrence: Annotated[int | None, Field(ge=1)] = None
    grade: Annotated[int, Field(ge=0, le=10)] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asked:
    __pydantic_config__ = STRICT

    id: Text
    query: Text
    relevant: tuple[_Judged, ...]
    tags: tuple[Text, ...] = ()
    filter: str | None = None
    request: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class _QuerySetFile:
    __pydantic_config__ = STRICT

    queries: tuple[_Asked, ...]


QUERY_SET = TypeAdapter(_QuerySetFile)


@dataclass(frozen=True, slots=True)
class JudgementEntry:
    """A document (path below its container), or a span of it by its words, with a grade (0: judged not relevant)."""

    document: str
    excerpt: str | None
    occurrence: int | None
    grade: int
    location: Location


@dataclass(frozen=True, slots=True)
class QueryEntry:
    """One question. `filter` and `request` are added to the released search request for this question only."""

    id: str
    query: str
    relevant: tuple[JudgementEntry, ...]
    tags: tuple[str, ...]
    filter: str | None
    request: Mapping[str, object]
    location: Location


@dataclass(frozen=True, slots=True)
class QuerySet:
    """All questions in file order; `digest` is of what they say, not of layout, comments or order."""

    path: str
    entries: tuple[QueryEntry, ...]
    digest: str


def load_queries(path: Path, root: Path) -> QuerySet:
    """The query set of a YAML file. Raises DefinitionError with every problem found in it."""
    queries, problems = read_queries(path, root)
    if queries is None or any(problem.severity == "error" for problem in problems):
        raise DefinitionError(problems)
    return queries


def read_queries(path: Path, root: Path) -> tuple[QuerySet | None, tuple[Problem, ...]]:
    """The query set as far as it can be understood, and every problem; None when the file cannot be used."""
    problems: list[Problem] = []
    tree = read_tree(path, root, problems)
    if tree is None:
        return None, tuple(problems)
    if tree.value is None or tree.value == {"queries": None} or tree.value == {"queries": []}:
        place = tree.locate("/queries")
        hint = "- id: q001, query: …, relevant: [{document: …, excerpt: …}]"
        problems.append(Problem("AZS701", "the query set is empty", place, hint=hint))
        return None, tuple(problems)
    content = typed(QUERY_SET, tree, problems)
    if content is None:
        return None, in_order(problems)
    entries = tuple(_entry(asked, f"/queries/{i}", tree) for i, asked in enumerate(content.queries))
    problems.extend(_faults(entries))
    return QuerySet(tree.path, entries, _digest(entries)), in_order(problems)


def _entry(asked: _Asked, pointer: str, tree: Tree) -> QueryEntry:
    relevant = tuple(
        JudgementEntry(
            judged.document,
            judged.excerpt,
            judged.occurrence,
            judged.grade,
            tree.locate(f"{pointer}/relevant/{i}/{'document' if judged.excerpt is None else 'excerpt'}"),
        )
        for i, judged in enumerate(asked.relevant)
    )
    return QueryEntry(
        asked.id, asked.query, relevant, asked.tags, asked.filter, asked.request, tree.locate(f"{pointer}/id")
    )


def _faults(entries: tuple[QueryEntry, ...]) -> list[Problem]:
    problems: list[Problem] = []
    first: dict[str, QueryEntry] = {}
    for entry in entries:
        if entry.id in first:
            message = f"the query id {entry.id!r} stands twice (first in line {first[entry.id].location.line})"
            problems.append(Problem("AZS702", message, entry.location))
        first.setdefault(entry.id, entry)
        if not entry.query.strip():
            problems.append(Problem("AZS703", f"query {entry.id}: the question is blank", entry.location))
        if not any(judged.grade > 0 for judged in entry.relevant):
            hint = "name at least one document with a grade above 0"
            problems.append(Problem("AZS703", f"query {entry.id}: nothing is relevant", entry.location, hint=hint))
        for judged in entry.relevant:
            if judged.occurrence is not None and judged.excerpt is None:
                message = f"query {entry.id}: occurrence counts the occurrences of an excerpt, and there is none"
                problems.append(Problem("AZS703", message, judged.location))
    return problems


def _digest(entries: tuple[QueryEntry, ...]) -> str:
    content = [
        {
            "id": entry.id,
            "query": entry.query,
            "tags": sorted(entry.tags),
            "filter": entry.filter,
            "request": entry.request,
            "relevant": sorted(
                [judged.document, judged.excerpt or "", judged.occurrence or 1, judged.grade]
                for judged in entry.relevant
            ),
        }
        for entry in sorted(entries, key=lambda entry: entry.id)
    ]
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
