"""`noise`: what an environment changes by itself, measured by building the same definition twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from azsearch_ops.bodies.render import Bodies, render
from azsearch_ops.errors import ConflictError, UsageError
from azsearch_ops.evaluation.outcome import Evaluation
from azsearch_ops.gate.sensitivity import unseen_drop
from azsearch_ops.planning.live import LiveState
from azsearch_ops.releasing.outcomes import Progress
from azsearch_ops.service.kinds import Kind
from azsearch_ops.verbs.checking import check_texts, require_sound
from azsearch_ops.verbs.evaluating.contest import Contest
from azsearch_ops.verbs.evaluating.evaluating import run_evaluation
from azsearch_ops.verbs.evaluating.yardstick import noise_key
from azsearch_ops.verbs.session import Session, chosen_indexes
from azsearch_ops.verbs.shipping.building import run_build
from azsearch_ops.verbs.shipping.shipping import Talk

TWINS = ("noise-a", "noise-b")


@dataclass(frozen=True, slots=True)
class NoiseOutcome:
    """What two builds of one definition came to: `chunks` each, and `changed` of `queries` differ.

    `probe` says which build answered a question differently when asked again; it is empty, and `steady`, where none.
    `deviations` is by metric, of the paired differences; `unseen` is the drop of each gated metric that this noise
    alone could hide.
    """

    name: str
    alias: str
    twins: tuple[str, str]
    queries: int
    changed: int
    steady: bool
    probe: str
    chunks: tuple[int, int]
    deviations: Mapping[str, float]
    differences: Mapping[str, float]
    unseen: Mapping[str, float]
    seconds: float


def measure_noise(session: Session, name: str, talk: Talk) -> NoiseOutcome:
    """Build twice beside live under names of their own, compare, write the noise to the ledger, and clean up.

    Live, its candidate and the alias are not touched. A twin that a killed command left is built upon, then deleted.
    """
    started = session.clock.monotonic()
    index = chosen_indexes(session.project, (name,))[0]
    require_sound(session.project)
    environment = session.project.environment
    if environment.protected and not talk.confirm(f"{environment.name} is protected, and two indexes are built."):
        raise UsageError("not confirmed", hint="nothing was changed")
    check_texts(session.project, index)
    bodies = render(session.project, name)
    first, second = (renamed(bodies, f"{bodies.candidate}-{suffix}") for suffix in TWINS)
    with _deleted_afterwards(session, (first, second), talk):
        for twin in (first, second):
            talk.show(run_build(session, index, twin, talk.report))
        chunks = session.service.count(first.candidate), session.service.count(second.candidate)
        contest = Contest(index, second, second.candidate, _as_live(session, first))
        outcome = run_evaluation(session, contest, talk.report, keep=False)
    if outcome.tainted:
        raise ConflictError(
            f"the noise cannot be told: {outcome.tainted}", hint=f"try again: azsearch-ops noise {name}", code="tainted"
        )
    seconds = session.clock.monotonic() - started
    noise = _noise(outcome.evaluation, first, second, tuple(index.gate), chunks, seconds)
    record: dict[str, Any] = {
        "name": name,
        "rebuild_digest": bodies.rebuild_digest,
        "queries": noise.queries,
        "chunks": list(noise.chunks),
        "probe": noise.probe,
        "changed": noise.changed,
        "deviations": dict(noise.deviations),
        "differences": dict(noise.differences),
        "at": session.clock.stamp(),
        "by": session.author().by,
    }
    session.ledger.write(noise_key(index.alias), "noise", index.alias, record)
    talk.show(noise)
    return noise


def renamed(bodies: Bodies, name: str) -> Bodies:
    """`bodies` with another name for index, skillset and indexer, wherever one of them names another."""

    def put(value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: put(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [put(item) for item in value]
        return name if value == bodies.candidate else value

    return replace(
        bodies, candidate=name, index=put(bodies.index), skillset=put(bodies.skillset), indexer=put(bodies.indexer)
    )


def _as_live(session: Session, twin: Bodies) -> LiveState:
    return LiveState(
        index_name=twin.candidate,
        index=session.service.get("index", twin.candidate),
        skillset=twin.skillset,
        data_source=twin.data_source,
        indexer=twin.indexer,
        search=twin.search,
        rebuild_digest=twin.rebuild_digest,
    )


@contextmanager
def _deleted_afterwards(session: Session, twins: tuple[Bodies, ...], talk: Talk) -> Iterator[None]:
    kinds: tuple[Kind, ...] = ("indexer", "skillset", "index")
    try:
        yield
    finally:
        for twin in twins:
            for kind in kinds:
                session.service.delete(kind, twin.candidate)
        talk.report(Progress("noise", "both twins deleted", finished=True))


def _noise(
    evaluation: Evaluation,
    first: Bodies,
    second: Bodies,
    gated: tuple[str, ...],
    chunks: tuple[int, int],
    seconds: float,
) -> NoiseOutcome:
    deviations = {metric.name: metric.deviation or 0.0 for metric in evaluation.metrics}
    return NoiseOutcome(
        name=first.name,
        alias=first.alias,
        twins=(first.candidate, second.candidate),
        queries=evaluation.query_count,
        changed=evaluation.better + evaluation.worse,
        steady=not evaluation.probe.told,
        probe=evaluation.probe.named(first.candidate, second.candidate),
        chunks=chunks,
        deviations=deviations,
        differences={metric.name: metric.difference or 0.0 for metric in evaluation.metrics},
        unseen={
            name: unseen_drop(deviations[name], evaluation.query_count, len(gated))
            for name in gated
            if name in deviations
        },
        seconds=seconds,
    )
