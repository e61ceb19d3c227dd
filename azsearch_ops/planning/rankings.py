"""Scoring profiles and semantic configurations in a plan: a new one is put beside the old, and no ranking moves.

Names come from the content, so whatever is changed is new. What is there beyond the definition is left alone: released
requests may name it, and prune takes it when none does any more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from azsearch_ops.bodies.ranking_parts import (
    PART_KINDS,
    PartKind,
    RankingPart,
    default_part,
    part_content,
    parts_of,
    ranked_by,
    with_default_part,
    with_parts,
)
from azsearch_ops.bodies.render import Bodies
from azsearch_ops.contract import limits
from azsearch_ops.planning.alignment import predecessor, used_parts
from azsearch_ops.planning.compare import Difference, differences
from azsearch_ops.planning.live import LiveState
from azsearch_ops.planning.plan import Change, ChangeClass

LISTS: Final[Mapping[PartKind, tuple[str, ...]]] = {
    "scoringProfile": ("scoringProfiles",),
    "semanticConfiguration": ("semantic", "configurations"),
}
DEFAULTS: Final[Mapping[PartKind, tuple[str, ...]]] = {
    "scoringProfile": ("defaultScoringProfile",),
    "semanticConfiguration": ("semantic", "defaultConfiguration"),
}
MOST: Final[Mapping[PartKind, int]] = {
    "scoringProfile": limits.SCORING_PROFILES,
    "semanticConfiguration": limits.SEMANTIC_CONFIGURATIONS,
}
PLURALS: Final[Mapping[PartKind, str]] = {
    "scoringProfile": "scoring profiles",
    "semanticConfiguration": "semantic configurations",
}

_EDITED: Final = (
    "it was edited on the service while the released request ranks by it: put back there what the release has, or "
    "take the edit into the definitions"
)
_UNNAMED: Final = (
    "the request names none, so on live it goes on ranking by the old default and cannot be measured without it: "
    "define an empty scoring profile and name that in retrieval.request, and leave it out with a later release"
)


@dataclass(frozen=True, slots=True)
class RankingChange:
    """A change of one part or default. `path` is where the body says it, `shown` the same under the plain name."""

    path: tuple[str | int, ...]
    shown: tuple[str | int, ...]
    before: Any
    after: Any
    change_class: ChangeClass
    rule: str


def without_parts(index: Mapping[str, Any]) -> dict[str, Any]:
    """The index body without what this module compares."""
    result = dict(index)
    for kind in PART_KINDS:
        result = with_default_part(with_parts(result, kind, ()), kind, None)
    return result


def ranking_changes(desired: Bodies, live: LiveState) -> Iterator[RankingChange]:
    """The changes of parts and defaults; `desired` is aligned to live."""
    for kind in PART_KINDS:
        there, wanted = parts_of(live.index, kind), parts_of(desired.index, kind)
        after = len({*there, *wanted})
        for part in _of(desired, kind):
            held, body = there.get(part.name), wanted[part.name]
            if held is None:
                rule = f"put beside the old, where no ranking moves: {after} of {MOST[kind]} {PLURALS[kind]} then"
                yield from _added(part, body, predecessor(part, live), rule)
            elif part_content(kind, held) != part_content(kind, body):
                yield from _edited(part, held, body, live)
        yield from _default(kind, desired, live)


def moves_ranking(change: Change) -> bool:
    """Whether a change of a plan is one of parts or defaults."""
    steps = tuple(change.pointer[1:].split("/"))
    starts = (*LISTS.values(), *DEFAULTS.values())
    return change.kind == "index" and any(steps[: len(start)] == start for start in starts)


def is_default(change: Change) -> bool:
    """Whether it is what ranks requests that name nothing."""
    return change.kind == "index" and tuple(change.pointer[1:].split("/")) in DEFAULTS.values()


def overfull(desired: Bodies, live: LiveState) -> Iterator[tuple[PartKind, int]]:
    """The kinds of which live would have more than Azure allows, and how many that would be."""
    for kind in PART_KINDS:
        there, wanted = parts_of(live.index, kind), parts_of(desired.index, kind)
        after = len({*there, *wanted})
        if after > MOST[kind] and set(wanted) - set(there):
            yield kind, after


def _of(desired: Bodies, kind: PartKind) -> Iterator[RankingPart]:
    seen: set[str] = set()
    for part in desired.ranked:
        if part.kind == kind and part.name not in seen:
            seen.add(part.name)
            yield part


def _added(
    part: RankingPart, body: Mapping[str, Any], old: Mapping[str, Any] | None, rule: str
) -> Iterator[RankingChange]:
    """Told by setting where live has it under another digest, else as a whole."""
    at, shown = (*LISTS[part.kind], part.name), (*LISTS[part.kind], part.own)
    settings = () if old is None else _settings(part.kind, old, body)
    if not settings:
        yield RankingChange(at, shown, None, part_content(part.kind, body), "in place", rule)
        return
    for found in settings:
        yield RankingChange((*at, *found.path), (*shown, *found.path), found.before, found.after, "in place", rule)


def _edited(
    part: RankingPart, held: Mapping[str, Any], body: Mapping[str, Any], live: LiveState
) -> Iterator[RankingChange]:
    used = live.search is None or part.name in used_parts(live, part.kind)
    change_class: ChangeClass = "forbidden" if used else "in place"
    rule = _EDITED if used else "it was edited on the service, and nothing released ranks by it"
    at = (*LISTS[part.kind], part.name)
    for found in _settings(part.kind, held, body):
        path = (*at, *found.path)
        yield RankingChange(path, path, found.before, found.after, change_class, rule)


def _default(kind: PartKind, desired: Bodies, live: LiveState) -> Iterator[RankingChange]:
    before, after = default_part(live.index, kind), default_part(desired.index, kind)
    if before == after:
        return
    change_class: ChangeClass = "settings only"
    rule = "changed with the promotion: it ranks the requests that name none"
    if after != desired.search.get(kind):
        rule += ", and no question measures it unless one names it"
    if before is not None and ranked_by(desired.search, live.index, kind) != ranked_by(
        desired.search, desired.index, kind
    ):
        change_class, rule = "forbidden", _UNNAMED
    yield RankingChange(DEFAULTS[kind], DEFAULTS[kind], before, after, change_class, rule)


def _settings(kind: PartKind, before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Difference, ...]:
    return differences(kind, {**before, "name": ""}, {**after, "name": ""})
