"""Query sets as files tell them, turned into what an evaluation takes."""

from __future__ import annotations

from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.project import Project
from azsearch_ops.definitions.queries import QueryEntry, QuerySet, load_queries
from azsearch_ops.evaluation.types import Judgement, Query


def query_set(project: Project, index: IndexDefinition) -> QuerySet:
    """The query set of an index definition; DefinitionError with every problem in it."""
    return load_queries(index.evaluation.queries, project.root)


def as_queries(queries: QuerySet) -> tuple[Query, ...]:
    """The questions and judgements without their places in the file."""
    return tuple(_query(entry) for entry in queries.entries)


def _query(entry: QueryEntry) -> Query:
    judgements = tuple(Judgement(j.document, j.excerpt, j.occurrence, j.grade) for j in entry.relevant)
    return Query(entry.id, entry.query, judgements, tuple(entry.tags), entry.filter, dict(entry.request))
