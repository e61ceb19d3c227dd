"""Which in-place changes would move the ranking of live before anybody has measured it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from azsearch_ops.planning.compare import Difference

RULE: Final = (
    "it would move the ranking of live unmeasured: define it under another name, and name that in retrieval.request"
)


def moves_ranking(difference: Difference, index: Mapping[str, Any], search: Mapping[str, Any] | None) -> bool:
    """Whether a change of scoring profiles or semantic configurations touches what live's request uses.

    Additions touch nothing. Without a released request anything that is there may be in use.
    """
    path = difference.path
    if path[0] == "defaultScoringProfile" or path[:2] == ("semantic", "defaultConfiguration"):
        return True
    if difference.before is None and len(path) in (1, 3 if path[0] == "semantic" else 2):
        return False
    if path[0] == "scoringProfiles":
        used = _used(search, "scoringProfile", index.get("defaultScoringProfile"))
        touched = _touched(path[1:], difference.before)
    elif path[0] == "semantic":
        semantic = index.get("semantic") or {}
        used = _used(search, "semanticConfiguration", semantic.get("defaultConfiguration"))
        before = difference.before.get("configurations") if len(path) == 1 else difference.before
        touched = _touched(path[2:], before)
    else:
        return False
    return touched is None or used is None or bool(touched & used)


def _used(search: Mapping[str, Any] | None, setting: str, default: object) -> set[object] | None:
    """The names in use, or None where that is not known."""
    if search is None:
        return None
    return {name for name in (search.get(setting), default) if name}


def _touched(below: tuple[str | int, ...], before: object) -> set[object] | None:
    """The name that a path goes through, or all names of what is there when the whole list goes."""
    if below:
        return {below[0]}
    return set(before) if isinstance(before, Mapping) else None
