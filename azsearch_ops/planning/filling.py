"""Definitions without a source: applications push to the index, so there is nothing that could fill a candidate."""

from __future__ import annotations

import re
from typing import Final

from azsearch_ops.bodies.render import DIGITS, Bodies
from azsearch_ops.errors import DefinitionError, Problem
from azsearch_ops.planning.live import LiveState
from azsearch_ops.planning.places import Locate
from azsearch_ops.planning.plan import Action, Change

FILLING: Final = ("skillset", "dataSource", "indexer")
"""What fills an index. Whatever does so for one whose definition has no source is not ours, and left alone."""


def require_filling(
    desired: Bodies, live: LiveState | None, action: Action, changes: tuple[Change, ...], locate: Locate
) -> None:
    """DefinitionError where an index is to be built that nothing can fill, or one that we fill loses its source."""
    if live is not None and (indexer := _own_indexer(desired, live)):
        message = f"{live.index_name} is filled by our indexer '{indexer}', and the definition has no source any more"
        hint = "give it its source back; or let another definition adopt the index, once its indexer is deleted"
        raise DefinitionError((Problem("AZS526", message, locate("index", ""), hint=hint),))
    if action not in ("create", "rebuild"):
        return
    hint = (
        "add `source`; or fill an index of another name from your applications, and adopt that one: "
        "azsearch-ops import NAME --index INDEX --alias ALIAS"
    )
    building = [change for change in changes if change.change_class in ("rebuild", "breaking", "forbidden")]
    if not building:
        message = f"nothing is live under '{desired.alias}', and without a source nothing can fill an index"
        raise DefinitionError((Problem("AZS526", message, locate("index", ""), hint=hint),))
    raise DefinitionError(
        tuple(
            Problem(
                "AZS526",
                f"{_told(change)} needs a new index, and without a source nothing can fill it",
                change.location,
                hint=hint,
            )
            for change in building
        )
    )


def _own_indexer(desired: Bodies, live: LiveState) -> str | None:
    """Name of the indexer that this tool gave live, or None where it gave none."""
    name = str((live.indexer or {}).get("name", ""))
    base = re.escape(desired.candidate[:-DIGITS])
    return name if name == live.index_name and re.fullmatch(rf"{base}[0-9a-f]{{{DIGITS}}}", name) else None


def _told(change: Change) -> str:
    return change.pointer[1:].replace("/", ".") or change.name
