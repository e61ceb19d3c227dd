"""Who meets whom in an evaluation: candidate and live, where their chunks keep what is compared, and live's search."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from azsearch_ops.bodies.ranking_parts import PART_KINDS, Names, parts_of
from azsearch_ops.bodies.render import Bodies
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.errors import NotFoundError, UsageError
from azsearch_ops.evaluation.types import Search
from azsearch_ops.planning.alignment import answerable, names_on_live
from azsearch_ops.planning.live import LiveState
from azsearch_ops.planning.plan import Change
from azsearch_ops.releasing.chunks import key_field
from azsearch_ops.releasing.state import IndexState, index_state
from azsearch_ops.verbs.evaluating.chunk_fields import ChunkFields
from azsearch_ops.verbs.evaluating.retrieval import searcher
from azsearch_ops.verbs.evaluating.yardstick import Ruling
from azsearch_ops.verbs.session import Session


@dataclass(frozen=True, slots=True)
class Contest:
    """Who meets whom. `candidate` is an index name; with settings alone it is the live index itself.

    `changes` is what the plan found to differ between the two, `ruling` how their yardsticks are chosen,
    `plan_identity` the saved plan that is carried out, `breaking` the breaking changes that were accepted, and why.
    """

    index: IndexDefinition
    bodies: Bodies
    candidate: str
    live: LiveState | None
    changes: tuple[Change, ...] = ()
    ruling: Ruling = field(default_factory=Ruling)
    plan_identity: str | None = None
    breaking: Mapping[str, Any] | None = None

    @property
    def settings_only(self) -> bool:
        """Whether both sides are one index under two search requests."""
        return self.live is not None and self.live.index_name == self.candidate

    @property
    def live_search(self) -> Mapping[str, Any] | None:
        """The request that live is measured under: its own release's, else the one wanted now as far as it can."""
        if self.live is None:
            return None
        if self.live.search is not None:
            return self.live.search
        return answerable(self.bodies.search, self.bodies, self.live.index)


def candidate_names(contest: Contest) -> Names:
    """From the definition's names of scoring profiles and semantic configurations to those of the candidate."""
    return {(part.kind, part.own): part.name for part in contest.bodies.ranked}


def require_named(contest: Contest, body: Mapping[str, Any] | None) -> None:
    """UsageError where the candidate lacks a scoring profile or semantic configuration that its request names.

    With settings alone the candidate is live itself, which gets what is new of these when it is built.
    """
    for kind in PART_KINDS:
        name = contest.bodies.search.get(kind)
        if body is not None and name is not None and name not in parts_of(body, kind):
            raise UsageError(
                f"'{contest.candidate}' has no {kind} '{name}' yet", hint=f"azsearch-ops build {contest.index.name}"
            )


def states_of(session: Session, contest: Contest) -> tuple[IndexState, IndexState | None]:
    """Candidate and live as they are now; UsageError where the candidate is not built."""
    try:
        candidate = index_state(session.service, contest.candidate)
    except NotFoundError:
        raise UsageError(
            f"the candidate '{contest.candidate}' is not built", hint=f"azsearch-ops build {contest.index.name}"
        ) from None
    live = index_state(session.service, contest.live.index_name) if contest.live else None
    return candidate, live


def chunk_fields(contest: Contest) -> ChunkFields:
    """Where the candidate keeps key, document, text and parent of a chunk."""
    settings = contest.index.evaluation
    parent = next((name for name, path in contest.index.projection.items() if path == "parentKey"), None)
    return ChunkFields(key_field(contest.bodies.index), settings.document, settings.text, parent)


def side_fields(contest: Contest) -> dict[str, ChunkFields]:
    """Live and candidate by the name of their index, each with where it keeps what is compared."""
    live = {contest.live.index_name: live_fields(contest, contest.live)} if contest.live is not None else {}
    return {**live, contest.candidate: chunk_fields(contest)}


def live_searcher(session: Session, contest: Contest) -> Search | None:
    """The search of live under its own release's settings, None where nothing is live; throttling raises at once.

    UsageError where live lacks a field that the comparison reads.
    """
    if contest.live is None or contest.live_search is None:
        return None
    wanted = chunk_fields(contest)
    names = {str(f["name"]) for f in contest.live.index["fields"]}
    missing = sorted({wanted.document, wanted.text} - names)
    if missing:
        raise UsageError(
            f"live '{contest.live.index_name}' has no field {', '.join(missing)}, so it cannot be compared",
            hint="keep the fields that evaluation.document and evaluation.text name for one release longer",
        )
    fields = live_fields(contest, contest.live)
    called = names_on_live(contest.bodies, contest.live)
    return searcher(session.service, contest.live.index_name, contest.live_search, fields, wait=False, names=called)


def live_fields(contest: Contest, live: LiveState) -> ChunkFields:
    """Where live keeps key, document, text and parent of a chunk."""
    wanted = chunk_fields(contest)
    parent = wanted.parent if any(f["name"] == wanted.parent for f in live.index["fields"]) else None
    return ChunkFields(key_field(live.index), wanted.document, wanted.text, parent)
