"""What a change does to the yardstick that it is measured with, said in words: reviewers see it before any figure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from azsearch_ops.definitions.gate import GateRules
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.queries import QueryEntry
from azsearch_ops.verbs.evaluating.yardstick import Yardstick, base_of, yardstick_of
from azsearch_ops.verbs.session import Session
from azsearch_ops.verbs.shipping.promoting import PROTECTED_AGE, USUAL_AGE

MOST_NAMED = 5


def yardstick_moves(session: Session, index: IndexDefinition, base: str | None) -> tuple[str, ...]:
    """What makes the gate of an index definition easier than at `base`, then what else differs; empty where nothing."""
    if base is None:
        return ()
    before = base_of(session, index, base).yardstick
    if before is None:
        return ()
    now = yardstick_of(session.project, index)
    return (*softened(now, before), *(f"changes {name}" for name in now.differences(before)))


def softened(now: Yardstick, before: Yardstick) -> tuple[str, ...]:
    """What `now` asks less than `before`: lower floors, wider limits, metrics and queries that are gone."""
    found: list[str] = []
    for metric, old in before.index.gate.items():
        new = now.index.gate.get(metric)
        if new is None:
            found.append(f"no longer gates {metric}")
            continue
        if old.floor is not None and (new.floor is None or new.floor < old.floor):
            found.append(f"lowers the floor of {metric} from {old.floor:g} to {_said(new.floor)}")
        for name, limit in (("max_drop", "largest drop"), ("margin", "margin")):
            wider, was = getattr(new, name), getattr(old, name)
            if wider > was:
                found.append(f"widens the {limit} of {metric} from {was:g} to {wider:g}")
    found += _limits(now.index.gate_rules, before.index.gate_rules)
    kept = {entry.id for entry in now.queries.entries}
    counted = {entry.id for entry in now.queries.accepted}
    was = before.queries.accepted
    found += _queries("deletes", (entry for entry in was if entry.id not in kept))
    found += _queries("no longer counts", (entry for entry in was if entry.id in kept - counted))
    return tuple(found)


def _limits(now: GateRules, before: GateRules) -> Iterator[str]:
    """What of slices, lost queries, growth and age is asked no longer, or less strictly."""
    for tag, limits in before.slices.items():
        for metric, old in limits.items():
            new, name = now.slices.get(tag, {}).get(metric), f"{metric} on the tag {tag}"
            if new is None:
                yield f"no longer holds {name}"
                continue
            if old.floor is not None and (new.floor is None or new.floor < old.floor):
                yield f"lowers the floor of {name} from {old.floor:g} to {_said(new.floor)}"
            if old.max_drop is not None and (new.max_drop is None or new.max_drop > old.max_drop):
                yield f"widens the largest drop of {name} from {old.max_drop:g} to {_said(new.max_drop)}"
    if before.lost_queries is not None and (now.lost_queries is None or now.lost_queries > before.lost_queries):
        to = "any number of" if now.lost_queries is None else now.lost_queries
        yield f"allows {to} lost queries instead of {before.lost_queries}"
    allowed = now.growth.said()
    for name, limit in before.growth.said().items():
        if name not in allowed or allowed[name] > limit:
            yield f"widens the growth of {name} from {limit:g} to {_said(allowed.get(name))}"
    usual = USUAL_AGE if now.max_age is None else PROTECTED_AGE  # Which of them held is for the environment to say
    if (now.max_age or USUAL_AGE) > (before.max_age or usual):
        yield "lets an evaluation count for longer"


def _said(limit: float | None) -> str:
    return "nothing" if limit is None else f"{limit:g}"


def _queries(what: str, entries: Iterable[QueryEntry]) -> Iterator[str]:
    names = sorted("(held out)" if entry.holdout else entry.id for entry in entries)
    if names:
        more = f" and {len(names) - MOST_NAMED} more" if len(names) > MOST_NAMED else ""
        plural = "query" if len(names) == 1 else f"{len(names)} queries:"
        yield f"{what} {plural} {', '.join(names[:MOST_NAMED])}{more}"
