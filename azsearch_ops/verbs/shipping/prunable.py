"""What `prune` would delete, read-only: for a preview, and for a plan that finds no room."""

from __future__ import annotations

from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.releasing.part_retention import WHY, spare_parts
from azsearch_ops.releasing.pruning import UNNAMED, Done, Pruned, decisions, prunable_sources
from azsearch_ops.releasing.retention import Rules
from azsearch_ops.releasing.snapshot import Objects
from azsearch_ops.releasing.synonym_maps import prunable_synonym_maps
from azsearch_ops.verbs.session import Session


def rules_of(index: IndexDefinition) -> Rules:
    """The retention of an index definition."""
    said = index.retention
    return Rules(said.keep, said.fresh_for, said.failed)


def base_of(session: Session, index: IndexDefinition) -> str:
    """What the names of a definition's objects begin with."""
    return f"{session.project.environment.prefix}{index.name}"


def preview(session: Session, index: IndexDefinition, objects: Objects) -> tuple[Pruned, ...]:
    """What would become of each index, data source and synonym map of a definition, and of parts of its indexes."""
    now, rules = session.clock.now(), rules_of(index)
    knowledge = session.service.knowledge_sources() or {}
    base = base_of(session, index)
    found = decisions(session.service, session.ledger, objects, knowledge, index.alias, base, rules, now)
    told: dict[str, Done] = {"keep": "kept", "delete": "would delete", "rest": "would rest"}
    indexes = [Pruned("index", name, told[d.fate], d.why) for name, d in found.items()]
    sources = prunable_sources(session.ledger, objects, base, rules, now)
    parts = spare_parts(session.ledger, objects, index.alias, rules, now)
    maps = prunable_synonym_maps(session.ledger, objects, index.alias, rules, now)
    return (
        *indexes,
        *(Pruned("dataSource", name, "would delete", "no indexer reads it") for name in sources),
        *(Pruned(part.kind, f"{part.index}/{part.name}", "would delete", WHY) for part in parts),
        *(Pruned("synonymMap", name, "would delete", UNNAMED) for name in maps),
    )


def prunable_names(session: Session, objects: Objects) -> tuple[str, ...]:
    """The indexes of the whole project that `prune` would delete."""
    return tuple(
        pruned.name
        for index in session.project.indexes.values()
        for pruned in preview(session, index, objects)
        if pruned.done == "would delete" and pruned.kind == "index"
    )
