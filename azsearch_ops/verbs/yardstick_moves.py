"""What a change does to the yardstick that it is measured with, said in words: reviewers see it before any figure."""

from __future__ import annotations

from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.verbs.session import Session
from azsearch_ops.verbs.yardstick import Yardstick, base_of, yardstick_of

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
            to = "nothing" if new.floor is None else f"{new.floor:g}"
            found.append(f"lowers the floor of {metric} from {old.floor:g} to {to}")
        for name, limit in (("max_drop", "largest drop"), ("margin", "margin")):
            wider, was = getattr(new, name), getattr(old, name)
            if wider > was:
                found.append(f"widens the {limit} of {metric} from {was:g} to {wider:g}")
    kept = {entry.id for entry in now.queries.entries}
    missing = (entry for entry in before.queries.entries if entry.id not in kept)
    gone = sorted("(held out)" if entry.holdout else entry.id for entry in missing)
    if gone:
        more = f" and {len(gone) - MOST_NAMED} more" if len(gone) > MOST_NAMED else ""
        plural = "query" if len(gone) == 1 else f"{len(gone)} queries:"
        found.append(f"deletes {plural} {', '.join(gone[:MOST_NAMED])}{more}")
    return tuple(found)
