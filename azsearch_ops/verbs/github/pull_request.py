"""What a pull request would do: every definition planned, and those that change built and evaluated; nothing moves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.errors import AzsearchOpsError, DefinitionError, Problem
from azsearch_ops.gate.outcome import EvaluationOutcome
from azsearch_ops.planning.plan import Plan
from azsearch_ops.verbs.checking import validate
from azsearch_ops.verbs.chunks_of import ChunksOf, most_moved
from azsearch_ops.verbs.evaluating.yardstick import Ruling
from azsearch_ops.verbs.evaluating.yardstick_moves import yardstick_moves
from azsearch_ops.verbs.github.base_revision import base_project
from azsearch_ops.verbs.session import Session, chosen_indexes, open_session
from azsearch_ops.verbs.shipping.claiming import Claim
from azsearch_ops.verbs.shipping.planning import plan_indexes
from azsearch_ops.verbs.shipping.shipping import Talk
from azsearch_ops.verbs.shipping.shipping_many import ship_all
from azsearch_ops.verbs.shipping.steps import build_one, evaluate_one

SEVERITY = (1, 5, 4, 3)
CLAIM_LASTS = timedelta(days=14)  # Longer than a pull request that somebody works on stands still


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One index definition. `error` is what kept it from being planned, built or evaluated, `moves` what the change
    does to its own yardstick, `chunks` the documents that it cuts most differently."""

    name: str
    plan: Plan | None = None
    evaluation: EvaluationOutcome | None = None
    error: AzsearchOpsError | None = None
    moves: tuple[str, ...] = ()
    chunks: ChunksOf | None = None

    @property
    def exit_code(self) -> int:
        """What `evaluate` would return; 0 where nothing is to be measured."""
        if self.error is not None:
            return self.error.exit_code
        if self.evaluation is None:
            return 0
        return 0 if self.evaluation.verdict.outcome == "pass" and not self.evaluation.tainted else 3

    @property
    def verdict(self) -> str:
        """pass, fail, undecided, unchanged or error."""
        if self.error is not None:
            return "error"
        if self.evaluation is None:
            return "unchanged" if self.plan is None or self.plan.action == "none" else "pass"
        return "undecided" if self.evaluation.tainted else self.evaluation.verdict.outcome


@dataclass(frozen=True, slots=True)
class Review:
    """A pull request in one environment. `note` tells how its base was measured, where that needs saying."""

    environment: str
    is_local: bool
    indexes: tuple[Reviewed, ...]
    problems: tuple[Problem, ...] = ()
    note: str = ""

    @property
    def exit_code(self) -> int:
        """The most severe of all."""
        codes = {r.exit_code for r in self.indexes} | ({1} if _errors(self.problems) else set())
        return next((code for code in SEVERITY if code in codes), 0)

    @property
    def verdict(self) -> str:
        """The worst of all: error, fail, undecided, pass or unchanged."""
        found = {r.verdict for r in self.indexes} | ({"error"} if _errors(self.problems) else set())
        return next((v for v in ("error", "fail", "undecided", "pass") if v in found), "unchanged")


def review(
    root: Path,
    environment: str,
    environ: Mapping[str, str],
    names: tuple[str, ...],
    base: str | None,
    talk: Talk,
    *,
    number: int | None = None,
) -> Review:
    """Plan all or the named definitions, build and evaluate those that change.

    On the local service, which begins empty, the definitions of `base` are shipped first, so that there is a live to
    compare with. Problems of definitions and failures of single indexes are part of what is returned; an environment
    that cannot be reached is an error. Candidates are claimed for pull request `number`, where they outlive this run.
    """
    checked = validate(root, environment, environ)
    if checked.exit_code:
        return Review(environment, False, (), checked.problems)
    ruling = Ruling(base=base)
    with open_session(root, environment, environ) as session:
        local = session.project.environment.is_local
        note = _ship_base(session, base, talk) if local and base else ""
        claim = Claim(f"pull/{number}", CLAIM_LASTS, only=True) if number is not None and not local else None
        reviewed = tuple(_one(session, i, talk, ruling, claim) for i in chosen_indexes(session.project, names))
    return Review(environment, local, reviewed, checked.problems, note)


def _one(session: Session, index: IndexDefinition, talk: Talk, ruling: Ruling, claim: Claim | None) -> Reviewed:
    plan: Plan | None = None
    moves: tuple[str, ...] = ()
    try:
        moves = yardstick_moves(session, index, ruling.base)
        (planned,) = plan_indexes(session, (index,))
        plan = planned.plan
        talk.show(plan)
        if not planned.fits:
            raise DefinitionError(planned.problems)
        if plan.action in ("none", "in_place"):
            return Reviewed(index.name, plan, moves=moves)
        if plan.action in ("create", "rebuild"):
            build_one(session, index.name, talk, claim, to_ship=False)
        outcome = evaluate_one(session, index.name, talk, ruling)
        base = ruling.base if plan.action == "rebuild" else None
        chunks = most_moved(session.project, session.environ, index, base) if base else None
        return Reviewed(index.name, plan, outcome, moves=moves, chunks=chunks)
    except AzsearchOpsError as error:
        talk.show(error)
        return Reviewed(index.name, plan, error=error, moves=moves)


def _ship_base(session: Session, base: str, talk: Talk) -> str:
    """Make the base's definitions live on the local service; what to say where that is not possible."""
    folder = base_project(session.project.root, base)
    if folder is None:
        return "The base has no definitions: this is measured as a first release."
    try:
        with open_session(folder, session.project.environment.name, session.environ) as before:
            outcomes = ship_all(before, (), Talk(talk.report, lambda result: None, talk.confirm))
    except AzsearchOpsError as error:
        return f"The base could not be shipped on the local service ({error.message}): measured as a first release."
    missed = [o.name for o in outcomes if o.exit_code]
    return f"The base of {', '.join(missed)} did not pass its own gate here." if missed else ""


def _errors(problems: tuple[Problem, ...]) -> bool:
    return any(p.severity == "error" for p in problems)
