"""The keys that a question takes in YAML and in JSON lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

from pydantic import Field, TypeAdapter

from azsearch_ops.definitions.queries_entries import HIGHEST_GRADE, JudgementEntry, QueryEntry, stable_id
from azsearch_ops.definitions.tree import Tree
from azsearch_ops.definitions.typed import STRICT

Text = Annotated[str, Field(min_length=1)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One judgement."""

    __pydantic_config__ = STRICT

    document: Text
    excerpt: Text | None = None
    occurrence: Annotated[int | None, Field(ge=1)] = None
    grade: Annotated[int, Field(ge=0, le=HIGHEST_GRADE)] = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One question."""

    __pydantic_config__ = STRICT

    id: Text | None = None
    query: Text
    relevant: tuple[Judged, ...] = ()
    tags: tuple[Text, ...] = ()
    filter: str | None = None
    request: Mapping[str, object] = field(default_factory=dict)
    holdout: bool = False
    draft: bool = False
    count: Annotated[int | None, Field(ge=1)] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class QuerySetFile:
    """A YAML file of questions."""

    __pydantic_config__ = STRICT

    queries: tuple[Asked, ...]


QUERY_SET = TypeAdapter(QuerySetFile)
ASKED = TypeAdapter(Asked)


def entry_from(asked: Asked, pointer: str, tree: Tree) -> QueryEntry:
    """The question that stands at `pointer` of `tree`; without an id it gets one made of what it asks."""
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
        id=asked.id or stable_id(asked.query, asked.filter),
        query=asked.query,
        relevant=relevant,
        tags=asked.tags,
        filter=asked.filter,
        request=asked.request,
        location=tree.locate(f"{pointer}/{'id' if asked.id else 'query'}"),
        holdout=asked.holdout,
        draft=asked.draft,
        count=asked.count,
    )


def plain_entry(entry: QueryEntry) -> dict[str, Any]:
    """The question as YAML and JSON lines have it; what is at its default is left out."""
    plain: dict[str, Any] = {"id": entry.id, "query": entry.query}
    if entry.tags:
        plain["tags"] = list(entry.tags)
    if entry.filter is not None:
        plain["filter"] = entry.filter
    if entry.request:
        plain["request"] = dict(entry.request)
    if entry.holdout:
        plain["holdout"] = True
    if entry.draft:
        plain["draft"] = True
    if entry.count is not None:
        plain["count"] = entry.count
    if entry.relevant:
        plain["relevant"] = [plain_judgement(judged) for judged in entry.relevant]
    return plain


def plain_judgement(judged: JudgementEntry) -> dict[str, Any]:
    """The judgement as YAML and JSON lines have it."""
    plain: dict[str, Any] = {"document": judged.document}
    if judged.excerpt is not None:
        plain["excerpt"] = judged.excerpt
    if judged.occurrence is not None:
        plain["occurrence"] = judged.occurrence
    if judged.grade != 1:
        plain["grade"] = judged.grade
    return plain
