"""`ship` for several index definitions: one that fails does not keep the others from being shipped."""

from __future__ import annotations

from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.errors import AzsearchOpsError, PlanStaleError, UsageError
from azsearch_ops.planning.saved import SavedPlan
from azsearch_ops.releasing.outcomes import ShipOutcome
from azsearch_ops.verbs.checking import require_sound
from azsearch_ops.verbs.evaluating.yardstick import Ruling
from azsearch_ops.verbs.session import Session, chosen_indexes
from azsearch_ops.verbs.shipping.planning import plan_indexes
from azsearch_ops.verbs.shipping.saved_plans import require_same_place
from azsearch_ops.verbs.shipping.shipping import Talk, ship_one


def ship_all(
    session: Session,
    names: tuple[str, ...],
    talk: Talk,
    *,
    lift_hold: str | None = None,
    accept_breaking: str | None = None,
    ruling: Ruling | None = None,
    saved: SavedPlan | None = None,
    only_changed: bool = False,
) -> tuple[ShipOutcome, ...]:
    """Ship the named index definitions, or all; one that fails does not keep the others from being shipped.

    With one name its error is raised as it is; with several the most severe error is raised at the end. With a
    `saved` plan exactly what stands in it is shipped; `only_changed` leaves out what has nothing to do.
    """
    chosen = _to_ship(session, names, saved, only_changed)
    for warning in require_sound(session.project):
        talk.show(warning)
    outcomes: list[ShipOutcome] = []
    errors: list[AzsearchOpsError] = []
    for index in chosen:
        try:
            wanted = saved.index(index.name) if saved is not None else None
            shipped = ship_one(
                session,
                index,
                talk,
                lift_hold=lift_hold,
                accept_breaking=accept_breaking,
                ruling=ruling,
                saved=wanted,
            )
            outcomes.append(shipped)
            talk.show(outcomes[-1])
        except AzsearchOpsError as error:
            if len(chosen) == 1:
                raise
            errors.append(error)
            talk.show(error)
    if errors:
        raise max(errors, key=lambda e: (1, 5, 4, 3)[::-1].index(e.exit_code) if e.exit_code in (1, 5, 4, 3) else -1)
    return tuple(outcomes)


def _to_ship(
    session: Session, names: tuple[str, ...], saved: SavedPlan | None, only_changed: bool
) -> tuple[IndexDefinition, ...]:
    if saved is not None:
        if names or only_changed:
            raise UsageError("--plan says what is shipped: leave out the names and --changed")
        require_same_place(session, saved)
        gone = [index.name for index in saved.indexes if index.name not in session.project.indexes]
        if gone:
            raise PlanStaleError(f"the saved plan is stale: there is no index definition {', '.join(gone)} any more")
        names = tuple(index.name for index in saved.indexes)
    chosen = chosen_indexes(session.project, names)
    if not only_changed:
        return chosen
    require_sound(session.project)
    return tuple(
        planned.index
        for planned in plan_indexes(session, chosen)
        if planned.changed
        or (planned.live is not None and planned.live.adopted)
        or session.ledger.pending(planned.index.alias) is not None
    )
