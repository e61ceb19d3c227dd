"""Judgements brought to what an environment has: documents where they can be read, else the chunks of its indexes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from azsearch_ops.definitions.index import IndexDefinition, missing_documents
from azsearch_ops.definitions.project import Project
from azsearch_ops.definitions.queries import QuerySet
from azsearch_ops.errors import DefinitionError, Problem
from azsearch_ops.evaluation.anchoring_queries import Coverage, bring_to
from azsearch_ops.evaluation.types import Chunk
from azsearch_ops.rules.unquoted import unquoted
from azsearch_ops.service.client import Service
from azsearch_ops.verbs.any_index.anchoring import IndexAnchoring, anchor_to_indexes
from azsearch_ops.verbs.evaluating.chunk_fields import ChunkFields
from azsearch_ops.verbs.evaluating.queries import as_queries, coverage_notes, unlabelled
from azsearch_ops.verbs.sources import source_texts

MOST_TOLD = 10
"""Judgements that a report names; how many there are is always told."""

_SKIP = "`missing_documents: skip` in the environment or under `evaluation` leaves out documents that are not there"


@dataclass(frozen=True, slots=True)
class Brought:
    """A query set as an environment has it. `notes` say in words how it was checked and what does not fit.

    `anchoring` tells what the indexes hold of it, where no document could be read; None where that was not asked.
    """

    coverage: Coverage
    notes: tuple[str, ...] = ()
    anchoring: IndexAnchoring | None = None

    def all_judged(self, index: str) -> tuple[Chunk, ...] | None:
        """Every chunk that `index` has of the judged documents; None where not all were read."""
        if self.anchoring is None or index not in self.anchoring.whole:
            return None
        return self.anchoring.held[index]


def brought_to(
    service: Service,
    project: Project,
    index: IndexDefinition,
    queries: QuerySet,
    sides: Mapping[str, ChunkFields],
    *,
    strict: bool = False,
) -> Brought:
    """The questions of `queries` as the documents of this environment are now.

    Where these cannot be read from here, the chunks of `sides` (indexes by name) tell: the ordinary case on Azure. A
    side is measured by the same questions as the other, so a judgement has to fit one of them.

    Raises:
        DefinitionError: `strict`, and a judged document is nowhere though that is to fail, or one that is somewhere
            does not have the excerpt; carries every such judgement with its line.
    """
    missing = missing_documents(index, project.environment)
    questions = as_queries(queries)
    read = source_texts(project, index)
    if read is not None:
        texts = {**read.texts, **dict.fromkeys(read.unreadable, "")}
        coverage = bring_to(questions, texts, leave_out=missing == "skip")
        return Brought(coverage, coverage_notes(coverage))
    if unlabelled(questions):
        return Brought(bring_to(questions, None))
    anchoring = anchor_to_indexes(service, sides, queries, missing, lost="error")
    if strict and any(problem.severity == "error" for problem in anchoring.problems):
        full = project.environment.reports.text == "full"
        problems = anchoring.problems if full else unquoted(anchoring.problems)
        raise DefinitionError(problems, hint=_SKIP if anchoring.coverage.missing and missing == "fail" else "")
    checked = "judgements checked against chunks of the index: the documents cannot be read from here; "
    notes = (checked + "; ".join(anchoring.how), *coverage_notes(anchoring.coverage), *_told(anchoring.problems))
    return Brought(anchoring.coverage, notes, anchoring)


def _told(problems: tuple[Problem, ...]) -> tuple[str, ...]:
    """The judgements that do not fit word for word, without their words: hints have those."""
    told = [f"{p.location}: {p.message}" if p.location is not None else p.message for p in problems]
    more = len(told) - MOST_TOLD
    rest = (f"{more} more judgements do not fit: azsearch-ops queries check names them",) if more > 0 else ()
    return (*told[:MOST_TOLD], *rest)
