"""What is live against what was released: edits made behind our back."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any, Literal

from azsearch_ops.bodies.ranking_parts import PART_KINDS, PartKind, is_named_by_content, parts_of, with_parts
from azsearch_ops.bodies.synonym_body import says_what_it_is_called
from azsearch_ops.planning.compare import differences
from azsearch_ops.planning.live import LiveState
from azsearch_ops.planning.places import pointer_of

DriftKind = Literal["alias", "index", "skillset", "dataSource", "indexer", "synonymMap", "settings", "refresh"]


@dataclass(frozen=True, slots=True)
class Drifted:
    """One difference: `released` is what the ledger says, `found` what is there; None for absent.

    What a synonym map had is in its name only, so that `released` says nothing of it. Of kind "refresh" it is no edit:
    the indexer of live fails, or has not succeeded for too long.
    """

    kind: DriftKind
    name: str
    pointer: str
    released: Any
    found: Any
    told: str


Part = tuple[PartKind, str]


def drifted_objects(
    released: LiveState, found: LiveState, earlier: AbstractSet[Part] = frozenset()
) -> tuple[Drifted, ...]:
    """Every setting of index, skillset, data source and indexer that is not as it was released.

    `earlier` names the parts of the index that releases before this one had.
    """
    pairs: tuple[tuple[DriftKind, Mapping[str, Any] | None, Mapping[str, Any] | None], ...] = (
        ("index", released.index, found.index),
        ("skillset", released.skillset, found.skillset),
        ("dataSource", released.data_source, found.data_source),
        ("indexer", released.indexer, found.indexer),
    )
    result: list[Drifted] = []
    for kind, before, after in pairs:
        if not before:
            continue
        name = str(before.get("name", ""))
        if not after:
            result.append(Drifted(kind, name, "", name, None, f"{kind} '{name}' was deleted"))
            continue
        if kind == "index":
            after = _without_ours(before, after, earlier)
        for difference in differences(kind, before, after):
            pointer = pointer_of(difference.path)
            told = f"{kind} '{name}': {pointer.strip('/') or 'the whole'} was changed"
            result.append(Drifted(kind, name, pointer, difference.before, difference.after, told))
    return tuple(result)


def drifted_synonym_map(name: str, found: Mapping[str, Any] | None) -> Drifted | None:
    """What became of a synonym map of ours; None where it has the rules that its name is made of."""
    if found is None:
        return Drifted("synonymMap", name, "", name, None, f"synonymMap '{name}' was deleted")
    if says_what_it_is_called(found):
        return None
    told = f"synonymMap '{name}' has other rules than those that its name is made of"
    return Drifted("synonymMap", name, "/synonyms", None, found.get("synonyms"), told)


def unexplained_parts(released: Mapping[str, Any], found: Mapping[str, Any]) -> frozenset[Part]:
    """Scoring profiles and semantic configurations that this release has not, and that no digest tells to be ours."""
    return frozenset(
        (kind, name)
        for kind in PART_KINDS
        for name, part in parts_of(found, kind).items()
        if name not in parts_of(released, kind) and not is_named_by_content(kind, part)
    )


def _without_ours(
    released: Mapping[str, Any], found: Mapping[str, Any], earlier: AbstractSet[Part]
) -> Mapping[str, Any]:
    """What was found, without parts of ours that this release has not: those before it and those to come."""
    edits = unexplained_parts(released, found) - earlier
    for kind in PART_KINDS:
        own = parts_of(released, kind)
        left = tuple(part for name, part in parts_of(found, kind).items() if name in own or (kind, name) in edits)
        found = with_parts(found, kind, left)
    return found


def drifted_settings(released: Mapping[str, Any], published: Mapping[str, Any], alias: str) -> tuple[Drifted, ...]:
    """Settings that the ledger publishes to applications and that no release made."""
    return tuple(
        Drifted(
            "settings",
            alias,
            pointer_of(difference.path),
            difference.before,
            difference.after,
            f"the published search request: {pointer_of(difference.path).strip('/')} was changed",
        )
        for difference in differences("searchRequest", released, published)
    )
