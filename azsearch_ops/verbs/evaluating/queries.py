"""Query sets as files tell them, turned into what an evaluation takes, and what an evaluation of them may say."""

from __future__ import annotations

from collections.abc import Mapping

from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.project import Project
from azsearch_ops.definitions.queries import QueryEntry, QuerySet, load_queries
from azsearch_ops.errors import UsageError
from azsearch_ops.evaluation.anchoring_queries import Coverage
from azsearch_ops.evaluation.counted import counted, queries_of
from azsearch_ops.evaluation.outcome import Evaluation
from azsearch_ops.evaluation.types import Judgement, Query
from azsearch_ops.evaluation.unlabelled import OVERLAP
from azsearch_ops.gate.coverage import heed_coverage, heed_stand_in, unlabelled_verdict
from azsearch_ops.gate.policy import Limits, Policy
from azsearch_ops.gate.verdict import Verdict, judge


def query_set(project: Project, index: IndexDefinition) -> QuerySet:
    """The query set of an index definition; DefinitionError with every problem in it, UsageError where it has none."""
    if not index.evaluated:
        raise UsageError(
            f"the index definition {index.name!r} has no evaluation, so no candidate of it can pass a gate",
            hint="add `evaluation` with a query set",
        )
    return load_queries(index.evaluation.queries, project.root, index.evaluation.qrels)


def as_queries(queries: QuerySet) -> tuple[Query, ...]:
    """The accepted questions and their judgements, without their places in the file; drafts are left out."""
    return tuple(_query(entry) for entry in queries.accepted)


def coverage_notes(coverage: Coverage) -> tuple[str, ...]:
    """What of the judgements did not fit the documents, in words; nothing where all did."""
    notes = []
    if coverage.moved:
        more = "quotes stand in other words in their documents and were"
        least = min(moved.found.score for moved in coverage.moved)
        notes.append(
            f"{counted(len(coverage.moved), 'quote stands in other words in its document and was', more)} re-anchored "
            f"(likeness {least:.2f} and more); azsearch-ops queries check names them"
        )
    if coverage.scored < coverage.total:
        left = coverage.total - coverage.scored
        notes.append(f"{left} of {queries_of(coverage.total)} left out: their documents are not in this environment")
    return tuple(notes)


def judged(
    evaluation: Evaluation,
    policy: Mapping[str, Limits] | Policy,
    noise: Mapping[str, float] | None = None,
    coverage: Coverage | None = None,
    *,
    stand_in: bool = False,
) -> Verdict:
    """The verdict of the gate; undecided where nothing is judged, or too little of it can be scored here.

    With `stand_in` the results were ordered by a stand-in semantic ranker, and nothing is gated at all.
    """
    if [metric.name for metric in evaluation.metrics] == [OVERLAP]:
        return unlabelled_verdict(evaluation)
    verdict = heed_coverage(judge(evaluation, policy, noise), evaluation, coverage.reason if coverage else "")
    return heed_stand_in(verdict) if stand_in else verdict


def unlabelled(queries: tuple[Query, ...]) -> bool:
    """Whether nothing is judged relevant to any of them."""
    return not any(judgement.grade > 0 for query in queries for judgement in query.judgements)


def _query(entry: QueryEntry) -> Query:
    judgements = tuple(Judgement(j.document, j.excerpt, j.occurrence, j.grade) for j in entry.relevant)
    return Query(entry.id, entry.query, judgements, entry.tags, entry.filter, dict(entry.request), entry.holdout)
