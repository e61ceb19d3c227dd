"""Breaking changes: refused without a reason, also where a saved plan has brought a part of them to live by now."""

from __future__ import annotations

from dataclasses import asdict, replace

import pytest

from azsearch_ops.errors import BreakingError, UsageError
from azsearch_ops.planning.plan import Change, Plan
from azsearch_ops.planning.saved import SavedIndex
from azsearch_ops.verbs.shipping.breaking import accepted_breaking, heed_breaking

RULE = "the consumer web reads path"
GONE = Change("index", "/fields/path/retrievable", "retrievable", True, False, "breaking", RULE, None)
TOP = Change("search", "/top", "top", 5, 6, "settings only", "nothing is built", None)
PLAN = Plan("handbook", "live", "settings", "handbook-1", "handbook-1", (GONE, TOP), (), (), "")
LATER = replace(PLAN, changes=(TOP,))
SAVED = SavedIndex("handbook", "live", "settings", "handbook-1", "d", "l", "handbook-1", 1, "h", asdict(PLAN), None)


@pytest.mark.parametrize(("plan", "saved"), [(PLAN, None), (PLAN, SAVED), (LATER, SAVED)])
def test_a_breaking_change_needs_a_reason(plan: Plan, saved: SavedIndex | None) -> None:
    with pytest.raises(BreakingError, match=r"fields\.path\.retrievable: the consumer web reads path") as refused:
        heed_breaking(plan, None, saved)
    assert refused.value.exit_code == 3 and "--accept-breaking --reason TEXT" in refused.value.hint
    with pytest.raises(UsageError, match="needs a reason"):
        heed_breaking(plan, " ", saved)
    heed_breaking(plan, "nobody reads it", saved)
    assert accepted_breaking(plan, "nobody reads it", saved) == {"reason": "nobody reads it", "changes": [GONE.pointer]}


def test_where_nothing_breaks_nothing_is_accepted() -> None:
    heed_breaking(LATER, None)
    assert accepted_breaking(LATER, "why") is None
