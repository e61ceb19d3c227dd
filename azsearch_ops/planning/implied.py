"""Differences that nobody wrote: what Text Split takes or ignores because another of its settings was changed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from azsearch_ops.contract import text_split
from azsearch_ops.contract.objects import properties_of
from azsearch_ops.planning.plan import Change

_SWITCHES: Final = ("textSplitMode", "unit")
"""What decides which of the other settings count."""


def implied(change: Change, changes: Sequence[Change]) -> bool:
    """Whether `change` only follows from another of `changes`: a default that counts no more, or counts now.

    In sentences there are no pages to take and no unit of their length. A value that the definition chose is never
    implied: whoever took it out, or wrote it, changed it.
    """
    if change.kind != "skillset" or change.name not in text_split.PAGES_ONLY:
        return False
    if change.before is not None and change.after is not None:
        return False
    skill = change.pointer.rpartition("/")[0]
    switched = {f"{skill}/{name}" for name in _SWITCHES} - {change.pointer}
    stated = change.before if change.after is None else change.after
    return stated == _default(change.name) and any(other.pointer in switched for other in changes)


def _default(name: str) -> Any:
    if name == "azureOpenAITokenizerParameters":
        return {"encoderModelName": text_split.DEFAULT_ENCODER}
    row = properties_of("skill", {"@odata.type": text_split.ODATA_TYPE}).get(name)
    return row.default if row is not None else None
