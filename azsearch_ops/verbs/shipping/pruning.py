"""`prune`: delete what retention allows; without permission only say what it would be."""

from __future__ import annotations

from dataclasses import dataclass

from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.releasing.claims import drop_claim
from azsearch_ops.releasing.pruning import Pruned, prune_alias
from azsearch_ops.releasing.snapshot import take_snapshot
from azsearch_ops.releasing.standings import own_names
from azsearch_ops.verbs.session import Session
from azsearch_ops.verbs.shipping.prunable import base_of, preview, rules_of


@dataclass(frozen=True, slots=True)
class PruneOutcome:
    """What was deleted (or would be) of one index definition, what is kept and why. `notes` are worth a line."""

    name: str
    alias: str
    pruned: tuple[Pruned, ...]
    deleted: bool
    notes: tuple[str, ...]

    @property
    def exit_code(self) -> int:
        """1 when the service refused a deletion, else 0."""
        return int(any(entry.done == "refused" for entry in self.pruned))


def prune_one(session: Session, index: IndexDefinition, *, delete: bool, drop: str | None = None) -> PruneOutcome:
    """Prune the objects of one index definition; `drop` is a claim to give up first (of a branch that is gone)."""
    base = base_of(session, index)
    notes = [note for note in (session.settle(index.alias),) if note] if delete else []
    if not delete:
        if drop is not None:
            notes.append(f"would drop the claim of {drop}")
        pruned = preview(session, index, take_snapshot(session.service))
        return PruneOutcome(index.name, index.alias, pruned, False, tuple(notes))
    with session.lease(index.alias):
        if drop is not None:
            for name in own_names(session.service.names("index"), base):
                if drop_claim(session.ledger, index.alias, name, drop):
                    notes.append(f"the claim of {drop} on {name} is dropped")
        pruned = prune_alias(
            session.service,
            session.ledger,
            index.alias,
            base,
            rules_of(index),
            session.clock,
            propagation=session.propagation,
        )
    return PruneOutcome(index.name, index.alias, pruned, True, tuple(notes))
