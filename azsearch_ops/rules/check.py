"""All rules over a project, and what a code means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from azsearch_ops.definitions.index import IndexDefinition, missing_documents
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.order import in_order
from azsearch_ops.definitions.project import Project, read_project
from azsearch_ops.definitions.queries import read_queries
from azsearch_ops.errors import Problem, UsageError
from azsearch_ops.rules import (
    enrichment,
    fields,
    files,
    gate,
    queries,
    ranking,
    rest,
    retrieval,
    secrets,
    shipping,
    text_split,
    vectors,
)
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import Subject

EXPLANATIONS: Final[Mapping[str, Explanation]] = {
    explanation.code: explanation
    for family in (
        files,
        text_split,
        rest,
        fields,
        vectors,
        enrichment,
        retrieval,
        ranking,
        shipping,
        gate,
        queries,
        secrets,
    )
    for explanation in family.EXPLANATIONS
}

Texts = Mapping[str, Mapping[str, str]]
"""By index definition: the text of each source document by its path below the container."""


def check_project(
    project: Project, texts: Texts | None = None, nearest_passage: queries.Nearest | None = None
) -> tuple[Problem, ...]:
    """Every problem that the rules find in a project, by file and place.

    With `texts`, the judgements of those indexes are held against their documents; `nearest_passage` finds quotes
    that were edited since. Reads the query sets' files.
    """
    return in_order(_check(project, texts or {}, nearest_passage))


def check_files(root: Path, environment: str, environ: Mapping[str, str]) -> tuple[Project | None, tuple[Problem, ...]]:
    """The project as far as it can be understood, and every problem of its files and of its rules, in one run.

    A definition that cannot be typed is left out of the rules, and so are references to it. None when the
    environment cannot be used.
    """
    project, problems = read_project(root, environment, environ)
    if project is None:
        return None, problems
    return project, in_order((*problems, *check_project(project)))


def explain(code: str) -> Explanation:
    """What a code means; UsageError when there is no such code."""
    explanation = EXPLANATIONS.get(code.upper())
    if explanation is None:
        raise UsageError(f"there is no rule {code!r}", hint=name_hint(code.upper(), EXPLANATIONS))
    return explanation


def _check(project: Project, texts: Texts, nearest_passage: queries.Nearest | None) -> Iterator[Problem]:
    environment = project.environment
    yield from shipping.check_environment(environment)
    yield from secrets.check_secrets(environment.tree)
    yield from shipping.check_aliases(project)
    for skillset in project.skillsets.values():
        yield from secrets.check_secrets(skillset.tree)
        yield from rest.check_skillset_rest(skillset, environment.api_version)
        yield from text_split.check_text_split(skillset)
        yield from vectors.check_embedding_models(skillset)
    for index in project.indexes.values():
        subject = Subject(index, project.skillsets.get(index.skillset), environment)
        yield from secrets.check_secrets(index.tree)
        yield from shipping.check_shipping(project, index)
        yield from rest.check_rest(subject)
        yield from fields.check_fields(index)
        yield from vectors.check_vectors(subject)
        yield from enrichment.check_enrichment(subject)
        yield from retrieval.check_retrieval(index)
        yield from ranking.check_ranking(index)
        yield from gate.check_gate(index)
        yield from _check_queries(project, index, texts.get(index.name), nearest_passage)


def _check_queries(
    project: Project,
    index: IndexDefinition,
    texts: Mapping[str, str] | None,
    nearest_passage: queries.Nearest | None,
) -> Iterator[Problem]:
    found, problems = read_queries(index.evaluation.queries, project.root, index.evaluation.qrels)
    yield from problems
    if found is not None and texts is not None:
        missing = missing_documents(index, project.environment)
        yield from queries.check_judgements(found, texts, missing=missing, nearest_passage=nearest_passage)
