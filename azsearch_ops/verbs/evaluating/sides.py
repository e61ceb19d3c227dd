"""Live and candidate of an index definition as they are asked, outside of an evaluation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from azsearch_ops.bodies.ranking_parts import Names
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.short_forms import parent_key_field, vector_fields
from azsearch_ops.errors import UsageError
from azsearch_ops.evaluation.diagnosis.instruments import Making
from azsearch_ops.planning.alignment import names_on_live
from azsearch_ops.releasing.chunks import key_field
from azsearch_ops.service.client import Service
from azsearch_ops.verbs.evaluating.chunk_fields import ChunkFields
from azsearch_ops.verbs.evaluating.contest import Contest, candidate_names, require_named
from azsearch_ops.verbs.evaluating.making import Documents, making_of
from azsearch_ops.verbs.session import Session


@dataclass(frozen=True, slots=True)
class MeasuredSide:
    """One index as it is asked: its request, its fields, what may be searched as vectors, what reranks.

    `release` is the release that it is, where it is one. `names` are what the index calls the scoring profiles and
    semantic configurations that single queries name.
    """

    service: Service
    index: str
    settings: Mapping[str, Any]
    fields: ChunkFields
    vector_fields: tuple[str, ...] = ()
    semantic: str | None = None
    release: int | None = None
    making: Making = field(default_factory=Making)
    names: Names = field(default_factory=dict)


def live_side(session: Session, contest: Contest) -> MeasuredSide:
    """What is live, under its released request (else the one that is wanted); UsageError where nothing is."""
    index, live = contest.index, contest.live
    if live is None:
        raise UsageError(f"'{index.alias}' points to nothing yet", hint=f"azsearch-ops ship {index.name}")
    current = session.ledger.current(index.alias)
    released = int(current["release"]) if current and current.get("index") == live.index_name else None
    making = making_of(session.service, live.index_name, live.skillset, Documents(session, index))
    settings, names = contest.live_search or contest.bodies.search, names_on_live(contest.bodies, live)
    return _side(session, index, live.index_name, live.index, settings, released, making, names)


def candidate_side(session: Session, contest: Contest) -> MeasuredSide:
    """The candidate of a contest under the request that is wanted now; UsageError where it is not built."""
    index, bodies = contest.index, contest.bodies
    body = session.service.find("index", contest.candidate)
    if body is None:
        raise UsageError(f"the candidate '{contest.candidate}' is not built", hint=f"azsearch-ops build {index.name}")
    require_named(contest, body)
    making = making_of(session.service, contest.candidate, bodies.skillset, Documents(session, index))
    return _side(session, index, contest.candidate, body, bodies.search, None, making, candidate_names(contest))


def _side(
    session: Session,
    index: IndexDefinition,
    name: str,
    body: Mapping[str, Any],
    settings: Mapping[str, Any],
    release: int | None,
    making: Making,
    called: Names,
) -> MeasuredSide:
    names = {str(f["name"]) for f in body["fields"]}
    parent = parent_key_field(index)
    fields = ChunkFields(
        key_field(body), index.evaluation.document, index.evaluation.text, parent if parent in names else None
    )
    vectors = tuple(f for f in vector_fields(index) if f in names)
    return MeasuredSide(session.service, name, settings, fields, vectors, _semantic(body), release, making, called)


def _semantic(body: Mapping[str, Any]) -> str | None:
    """The semantic configuration that an index uses unless another is named: its default, else its first."""
    semantic = body.get("semantic") or body.get("semanticSearch") or {}
    names = [str(c["name"]) for c in semantic.get("configurations") or ()]
    return str(semantic.get("defaultConfiguration") or "") or next(iter(names), None)
