"""All rules over a project, and what a code means."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from azsearch_ops.definitions.index import IndexDefinition, missing_documents
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.order import in_order
from azsearch_ops.definitions.project import Project, endpoint_of, environment_names, read_project
from azsearch_ops.definitions.queries import read_queries
from azsearch_ops.errors import Problem, UsageError
from azsearch_ops.rules import (
    analysis,
    calls,
    chunks,
    component_settings,
    compressions,
    consumers,
    document_keys,
    document_languages,
    enrichment,
    fields,
    files,
    filters,
    gate,
    index_parts,
    queries,
    ranking,
    request_effects,
    request_forms,
    rest,
    retrieval,
    secrets,
    shipping,
    silencing,
    skill_order,
    skill_settings,
    skills,
    source,
    source_settings,
    strays,
    text_split,
    token_budgets,
    vector_types,
    vectors,
)
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import Subject
from azsearch_ops.rules.silencing import silenced
from azsearch_ops.rules.split_skills import Tokenizers

EXPLANATIONS: Final[Mapping[str, Explanation]] = {
    explanation.code: explanation
    for family in (
        files,
        text_split,
        rest,
        fields,
        vectors,
        vector_types,
        enrichment,
        retrieval,
        ranking,
        request_forms,
        filters,
        shipping,
        gate,
        queries,
        secrets,
        silencing,
        analysis,
        component_settings,
        chunks,
        document_languages,
        token_budgets,
        consumers,
        index_parts,
        compressions,
        skills,
        skill_settings,
        skill_order,
        calls,
        source,
        source_settings,
        document_keys,
        strays,
    )
    for explanation in family.EXPLANATIONS
}

Texts = Mapping[str, Mapping[str, str]]
"""By index definition: the text of each source document by its path below the container."""


def check_project(
    project: Project,
    texts: Texts | None = None,
    nearest_passage: queries.Nearest | None = None,
    tokenizers: Tokenizers | None = None,
    tell: document_languages.Tell | None = None,
    *,
    tell_all: bool = True,
) -> tuple[Problem, ...]:
    """Every problem that the rules find in a project, by file and place, but for those that comments silence.

    With `texts`, the judgements of those indexes are held against their documents; `nearest_passage` finds quotes
    that were edited since, and with `tokenizers` documents are split as the definitions say. `tell` tells their
    languages; without it scripts stand in, as they do without `tell_all` where only the reader's budget asks. Reads the
    query sets' files.
    """
    found = _check(project, texts or {}, nearest_passage, tokenizers, tell, tell_all)
    return in_order(silenced((p for p in found if p.location not in project.unrendered), project.root))


def explain(code: str) -> Explanation:
    """What a code means; UsageError when there is no such code."""
    explanation = EXPLANATIONS.get(code.upper())
    if explanation is None:
        raise UsageError(f"there is no rule {code!r}", hint=name_hint(code.upper(), EXPLANATIONS))
    return explanation


def check_environments(project: Project, environ: Mapping[str, str]) -> tuple[Problem, ...]:
    """Aliases that another environment of the same service claims; those environments are read for it."""
    here = project.environment
    others: list[Project] = []
    for name in environment_names(project.root):
        if name != here.name and endpoint_of(project.root, name, environ) == here.endpoint:
            other, _ = read_project(project.root, name, environ)
            others += [] if other is None else [other]
    return in_order(silenced(consumers.check_claims(project, others), project.root))


def _check(
    project: Project,
    texts: Texts,
    nearest_passage: queries.Nearest | None,
    tokenizers: Tokenizers | None,
    tell: document_languages.Tell | None,
    tell_all: bool,
) -> Iterator[Problem]:
    environment = project.environment
    yield from shipping.check_environment(environment)
    yield from consumers.check_preview_age(environment)
    yield from consumers.check_consumers(project)
    yield from consumers.check_synonyms(project)
    yield from rest.check_beside(project)
    yield from secrets.check_secrets(environment.tree)
    yield from shipping.check_aliases(project)
    yield from strays.check_strays(project.root)
    for skillset in project.skillsets.values():
        yield from secrets.check_secrets(skillset.tree)
        yield from rest.check_skillset_rest(skillset, environment)
        yield from text_split.check_text_split(skillset)
        yield from vectors.check_embedding_models(skillset)
        yield from skills.check_skills(skillset)
        yield from calls.check_skill_calls(skillset)
        yield from skill_settings.check_skill_settings(skillset)
        yield from skill_order.check_skill_order(skillset)
        yield from document_languages.check_detected_language(skillset)
        using = [index for index in project.indexes.values() if index.skillset == skillset.name]
        yield from enrichment.check_unused(skillset, using)
    for synonym_map in project.synonym_maps.values():
        yield from secrets.check_secrets(synonym_map.tree)
    for index in project.indexes.values():
        subject = Subject(index, project.skillsets.get(index.skillset or ""), environment)
        yield from secrets.check_secrets(index.tree)
        yield from shipping.check_shipping(project, index)
        yield from rest.check_rest(subject)
        yield from fields.check_fields(index)
        yield from analysis.check_analysis(index)
        yield from index_parts.check_index_parts(index, environment.service.tier if environment.service else None)
        yield from compressions.check_compressions(index)
        yield from source.check_source(index, environment)
        yield from source_settings.check_source_settings(subject)
        yield from consumers.check_synonym_names(project, index)
        yield from consumers.check_deployments(subject)
        yield from vectors.check_vectors(subject)
        yield from vector_types.check_vector_types(subject)
        yield from calls.check_vectorizer_calls(index)
        yield from enrichment.check_enrichment(subject)
        yield from retrieval.check_retrieval(index)
        yield from ranking.check_ranking(index)
        yield from request_forms.check_request_forms(index)
        yield from request_effects.check_request_effects(index)
        yield from filters.check_request_filters(index)
        yield from gate.check_gate(index)
        if index.name in texts:
            yield from document_keys.check_document_keys(index, texts[index.name])
            yield from document_keys.check_accepted(index, texts[index.name])
        if index.name in texts and tokenizers is not None:
            yield from chunks.check_chunks(subject, texts[index.name], tokenizers)
            yield from document_languages.check_documents_split(subject, texts[index.name], tell)
            yield from token_budgets.check_token_budgets(subject, texts[index.name], tokenizers, tell, reader=tell_all)
        yield from _check_queries(project, index, texts.get(index.name), nearest_passage)


def _check_queries(
    project: Project,
    index: IndexDefinition,
    texts: Mapping[str, str] | None,
    nearest_passage: queries.Nearest | None,
) -> Iterator[Problem]:
    if not index.evaluated:
        message = "there is no evaluation, so nothing can pass a gate: the index can be built and never promoted"
        yield Problem("AZS604", message, index.tree.locate_key("/evaluation"), severity="warning")
        return
    found, problems = read_queries(index.evaluation.queries, project.root, index.evaluation.qrels)
    yield from problems
    if found is not None:
        yield from ranking.check_filters(index, any(entry.filter for entry in found.entries))
        yield from filters.check_query_filters(index, found)
        yield from gate.check_slices(index, found)
        yield from queries.check_own_requests(found)
    if found is not None and texts is not None:
        missing = missing_documents(index, project.environment)
        yield from queries.check_judgements(found, texts, missing=missing, nearest_passage=nearest_passage)
