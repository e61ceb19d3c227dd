"""What the releasing steps return and report while they go: values only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from azsearch_ops.gate.outcome import EvaluationOutcome
from azsearch_ops.planning.plan import Plan

CheckState = Literal["checked", "sampled", "not checkable here"]


@dataclass(frozen=True, slots=True)
class Progress:
    """One moment of long work. `done` of `total` where it can be counted; `finished` once, with its `seconds`."""

    stage: str
    text: str
    done: int | None = None
    total: int | None = None
    finished: bool = False
    seconds: float | None = None


Report = Callable[[Progress], None]


@dataclass(frozen=True, slots=True)
class Check:
    """One completeness check of a candidate and how far it reached."""

    name: str
    state: CheckState
    detail: str


@dataclass(frozen=True, slots=True)
class AcceptedDocument:
    """A source document that failed and is accepted by name with a reason."""

    document: str
    reason: str


@dataclass(frozen=True, slots=True)
class BuildOutcome:
    """A complete candidate. `documents` are source documents with a chunk, `expected` those in the source (or None).

    `documents` is None where nothing was built and nobody looked: what serves is measured as it is.
    """

    name: str
    candidate: str
    reused: bool
    documents: int | None
    expected: int | None
    chunks: int
    checks: tuple[Check, ...]
    accepted: tuple[AcceptedDocument, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class PromoteOutcome:
    """A promotion. `before` and `after` are index names; equal when only settings moved.

    `recorded` is false where `release` was live already, and nothing was written. `accepted_breaking` has the `reason`
    for which breaking changes were accepted, and their pointers as `changes`.
    """

    alias: str
    before: str | None
    after: str
    release: int
    moved: bool
    settings_changed: bool
    recorded: bool = True
    accepted_breaking: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class RollbackOutcome:
    """A rollback from release `left` to what release `back_to` held, written as release `release`."""

    alias: str
    before: str
    after: str
    left: int
    back_to: int
    release: int
    held: str
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class IndexStatus:
    """What is live for one index definition; `note` says what needs attention, empty when nothing does."""

    name: str
    alias: str
    live: str | None
    digest: str | None
    release: int | None
    promoted_at: str | None
    documents: int | None
    indexer: str | None
    candidate: str
    candidate_state: Literal["live", "absent", "built", "held"]
    note: str


@dataclass(frozen=True, slots=True)
class ReleaseRecord:
    """One release as the ledger tells it; newest first in a history. `accepted_breaking` is as in a promotion."""

    release: int
    alias: str
    index: str
    previous: str | None
    kind: Literal["promotion", "rollback"]
    at: str
    by: str
    commit: str | None
    digest: str
    verdict: str | None
    reason: str | None
    held: bool
    search: Mapping[str, Any]
    accepted_breaking: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ShipOutcome:
    """What `ship` came to for one index definition.

    `unchanged` means that there was nothing to do. `promotion` is None when nothing moved; `why_not` says why then.
    `notes` are events worth a line: a cut-off command that was settled, a lifted hold.
    """

    name: str
    alias: str
    plan: Plan
    live: str | None
    candidate: str
    unchanged: bool = False
    build: BuildOutcome | None = None
    evaluation: EvaluationOutcome | None = None
    promotion: PromoteOutcome | None = None
    why_not: str = ""
    exit_code: int = 0
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
