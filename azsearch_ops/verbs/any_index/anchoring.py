"""Judgements held against what indexes hold, with the place in the query set's file of each that does not fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from azsearch_ops.definitions.queries import JudgementEntry, QueryEntry, QuerySet
from azsearch_ops.errors import Problem, Severity
from azsearch_ops.evaluation.anchoring_chunks import Standing, Standings, bring_to_chunks
from azsearch_ops.evaluation.anchoring_queries import Coverage
from azsearch_ops.evaluation.placing import ChunksAt
from azsearch_ops.evaluation.types import Chunk
from azsearch_ops.service.client import Service
from azsearch_ops.verbs.evaluating.chunk_fields import ChunkFields
from azsearch_ops.verbs.evaluating.held_documents import look_for
from azsearch_ops.verbs.evaluating.queries import as_queries

Missing = Literal["fail", "skip"]


@dataclass(frozen=True, slots=True)
class IndexAnchoring:
    """A query set as one index or several have it. `how` says what was read, `chunks` counts those of each index.

    `held` has the chunks of the judged documents, as far as they were read, by index; of the indexes in `whole` that
    is all there are. `certain` has by index the addresses of the documents of which they are.
    """

    coverage: Coverage
    standings: tuple[Standings, ...]
    problems: tuple[Problem, ...]
    how: tuple[str, ...]
    chunks: Mapping[str, int]
    held: Mapping[str, tuple[Chunk, ...]]
    whole: frozenset[str] = frozenset()
    certain: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def chunks_at(self, index: str) -> ChunksAt:
        """The chunks of a document by the address that the index has for it, without a further call.

        None of a document of which others may be there: the order of some says nothing about the place of any.
        """
        by_address: dict[str, list[Chunk]] = {}
        for chunk in self.held[index]:
            if chunk.document in self.certain.get(index, frozenset()):
                by_address.setdefault(chunk.document, []).append(chunk)
        return lambda address: tuple(by_address.get(address, ()))


def anchor_to_indexes(
    service: Service,
    fields: Mapping[str, ChunkFields],
    found: QuerySet,
    missing: Missing = "skip",
    lost: Severity | None = None,
    *,
    leave_out: bool | None = None,
) -> IndexAnchoring:
    """Hold the judgements of `found` against each index of `fields`; every call is a search.

    A document that no index has and an excerpt that none has are errors where `missing` says `fail`; else the one is
    a note and its judgements are left out, and the other is a warning and counts as not found. `lost` says otherwise
    how grave an excerpt is that none has, and `leave_out` whether the coverage is without documents that none has.
    """
    lost = lost or ("error" if missing == "fail" else "warning")
    queries = as_queries(found)
    looked = [look_for(service, index, named, queries) for index, named in fields.items()]
    coverage, standings = bring_to_chunks(
        queries, [each.held for each in looked], leave_out=missing == "skip" if leave_out is None else leave_out
    )
    wanted = {judged.document for query in queries for judged in query.judgements}
    entries = [(entry, judged) for entry in found.accepted for judged in entry.relevant]
    problems = [
        problem
        for (entry, judged), stands in zip(entries, standings, strict=True)
        for problem in _problems(entry, judged, stands, missing, lost)
    ]
    return IndexAnchoring(
        coverage,
        standings,
        tuple(problems),
        tuple(each.how for each in looked),
        {each.held.index: each.chunks for each in looked},
        {each.held.index: tuple(c for chunks in each.held.chunks.values() for c in chunks) for each in looked},
        frozenset(each.held.index for each in looked if wanted <= each.held.certain),
        {
            each.held.index: frozenset(
                c.document for path, chunks in each.held.chunks.items() if path in each.held.certain for c in chunks
            )
            for each in looked
        },
    )


def _problems(
    entry: QueryEntry, judged: JudgementEntry, stands: Standings, missing: Missing, lost: Severity
) -> Sequence[Problem]:
    indexes = " or ".join(place.index for place in stands.places)
    if stands.nowhere:
        left = "" if missing == "fail" else "; the judgement is left out"
        message = f"{entry.label}: no chunk in {indexes} is of a document {judged.document!r}{left}"
        return [_problem("AZS711", message, judged, "error" if missing == "fail" else "note")]
    if stands.lost:
        having = " and ".join(place.index for place in stands.places if place.how == "lost")
        message = (
            f"{entry.label}: excerpt lost in extraction: {judged.document} is in {having}, and none of its chunks has "
            "these words"
        )
        hint = "or they are not the document's words: copy them from a chunk; until then it counts as not found"
        return [replace(_problem("AZS712", message, judged, lost), hint=hint)]
    alike: dict[tuple[Standing, float, str], list[str]] = {}
    for place in stands.places:
        alike.setdefault((place.how, place.score, place.reads), []).append(place.index)
    return [
        problem
        for (how, score, reads), names in alike.items()
        if (problem := _misfit(entry, judged, how, f"{score:.2f}", reads, " and ".join(names))) is not None
    ]


def _misfit(
    entry: QueryEntry, judged: JudgementEntry, how: Standing, likeness: str, reads: str, indexes: str
) -> Problem | None:
    """What is to be said where `indexes` do not have a judgement as it is written; None where they have."""
    if how == "lost":
        message = f"{entry.label}: excerpt lost in extraction: in {indexes} no chunk of {judged.document} has it"
        return _problem("AZS712", message, judged, "warning")
    if how == "fuzzy":
        message = f"{entry.label}: {judged.document} has the excerpt in other words in {indexes} (likeness {likeness})"
        hint = "" if entry.holdout else f"it reads: {' '.join(reads.split())}"
        return replace(_problem("AZS715", message, judged, "note"), hint=hint)
    if how == "not seen":
        message = f"{entry.label}: {judged.document} was not seen as judged in {indexes}; it may be there"
        return _problem("AZS711", message, judged, "note")
    return None


def _problem(code: str, message: str, judged: JudgementEntry, severity: Severity) -> Problem:
    return Problem(code, message, judged.location, severity=severity)
