"""A query set held against what there is of its documents: their texts, else the chunks of what is live."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from azsearch_ops.bodies.render import render
from azsearch_ops.definitions.index import IndexDefinition, missing_documents
from azsearch_ops.definitions.project import Project
from azsearch_ops.definitions.queries import QueryEntry, QuerySet
from azsearch_ops.errors import AzsearchOpsError, Location, NotFoundError, Problem
from azsearch_ops.evaluation.anchoring_chunks import Place
from azsearch_ops.evaluation.anchoring_queries import Coverage, bring_to
from azsearch_ops.evaluation.anchoring_quotes import DocumentText, find_quote
from azsearch_ops.evaluation.counted import counted
from azsearch_ops.evaluation.paths import DocumentPaths
from azsearch_ops.releasing.chunks import key_field
from azsearch_ops.rules.check import check_project
from azsearch_ops.rules.unquoted import unquoted
from azsearch_ops.verbs.any_index.anchoring import IndexAnchoring, anchor_to_indexes
from azsearch_ops.verbs.evaluating.chunk_fields import ChunkFields
from azsearch_ops.verbs.evaluating.queries import as_queries
from azsearch_ops.verbs.session import open_session
from azsearch_ops.verbs.sources import SourceTexts, source_texts


@dataclass(frozen=True, slots=True)
class Anchored:
    """A judgement that is not word for word in its document: how it was found, how alike, and what stands there."""

    query: str
    document: str
    how: str
    score: float
    reads: str
    location: Location


@dataclass(frozen=True, slots=True)
class Held:
    """What the judgements were held against (or why not), how many stand how, and what does not fit."""

    against: str
    anchoring: Mapping[str, int]
    moved: tuple[Anchored, ...]
    problems: tuple[Problem, ...]
    coverage: Coverage


def hold_against(
    root: Path,
    project: Project,
    index: IndexDefinition,
    found: QuerySet,
    environment: str,
    environ: Mapping[str, str],
) -> Held:
    """The judgements of `found` against the source documents where they can be read, else against what is live.

    Where neither can be read `against` says why, and nothing passes for checked.
    """
    words = project.environment.reports.text == "full"
    read = source_texts(project, index)
    if read is not None:
        held = _against_texts(project, index, found, read)
    else:
        try:
            held = _against_live(root, project, index, found, environment, environ)
        except NotFoundError:
            held = _unchecked(found, f"not checkable here: the documents cannot be read, and nothing is {index.alias}")
        except AzsearchOpsError as why:
            held = _unchecked(
                found, f"not checkable here: the documents cannot be read, nor what is live: {why.message}"
            )
    if words:
        return held
    moved = tuple(Anchored(m.query, m.document, m.how, m.score, "", m.location) for m in held.moved)
    return Held(held.against, held.anchoring, moved, tuple(unquoted(held.problems)), held.coverage)


def _unchecked(found: QuerySet, why: str) -> Held:
    return Held(why, {}, (), (), bring_to(as_queries(found), None))


def _against_texts(project: Project, index: IndexDefinition, found: QuerySet, read: SourceTexts) -> Held:
    texts = {**read.texts, **dict.fromkeys(read.unreadable, "")}
    problems = check_project(project, {index.name: texts}, lambda e, t: find_quote(e, DocumentText(t)))
    anchoring, moved = _anchoring(found, texts)
    against = f"{counted(len(texts), 'document', 'documents')} of {index.source.container}"
    return Held(against, anchoring, moved, tuple(problems), bring_to(as_queries(found), texts))


def _against_live(
    root: Path,
    project: Project,
    index: IndexDefinition,
    found: QuerySet,
    environment: str,
    environ: Mapping[str, str],
) -> Held:
    settings = index.evaluation
    fields = ChunkFields(key_field(render(project, index.name).index), settings.document, settings.text)
    problems = tuple(check_project(project))
    with open_session(root, environment, environ) as session:
        anchoring = anchor_to_indexes(
            session.service,
            {index.alias: fields},
            found,
            missing_documents(index, project.environment),
            lost="error",
            leave_out=True,
        )
    counts: Counter[str] = Counter(place.how for stands in anchoring.standings for place in stands.places)
    against = f"the chunks of what is live, since the documents cannot be read from here: {anchoring.how[0]}"
    return Held(against, dict(counts), _moved(found, anchoring), (*problems, *anchoring.problems), anchoring.coverage)


def _moved(found: QuerySet, anchoring: IndexAnchoring) -> tuple[Anchored, ...]:
    entries = [(entry, judged) for entry in found.accepted for judged in entry.relevant]
    moved = []
    for (entry, judged), stands in zip(entries, anchoring.standings, strict=True):
        place: Place = stands.places[0]
        if place.how == "fuzzy":
            reads = "" if entry.holdout else " ".join(place.reads.split())
            moved.append(Anchored(shown_query(entry), judged.document, place.how, place.score, reads, judged.location))
    return tuple(moved)


def shown_query(entry: QueryEntry) -> str:
    """How a check names a query: of one that is held out only the place is told."""
    return "held out" if entry.holdout else entry.id


def _anchoring(found: QuerySet, texts: Mapping[str, str]) -> tuple[dict[str, int], tuple[Anchored, ...]]:
    counts: Counter[str] = Counter()
    moved: list[Anchored] = []
    paths = DocumentPaths(texts)
    read = {path: DocumentText(text) for path, text in texts.items()}
    for entry in found.accepted:
        for judged in entry.relevant:
            path = paths.resolve(judged.document)
            if path is None:
                counts["document missing"] += 1
            elif judged.excerpt is None:
                counts["whole document"] += 1
            elif not texts[path].strip():
                counts["document unreadable"] += 1
            else:
                quote = find_quote(judged.excerpt, read[path], judged.occurrence)
                counts[quote.how if quote else "lost"] += 1
                if quote is not None and quote.how == "fuzzy":
                    reads = "" if entry.holdout else " ".join(quote.text.split())
                    moved.append(
                        Anchored(shown_query(entry), judged.document, quote.how, quote.score, reads, judged.location)
                    )
    return dict(counts), tuple(moved)
