"""Changes that break those who use an alias: refused, unless they are accepted for a reason, which the ledger keeps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from azsearch_ops.errors import BreakingError, UsageError
from azsearch_ops.planning.plan import Plan
from azsearch_ops.planning.saved import SavedIndex


def heed_breaking(plan: Plan, accept: str | None, saved: SavedIndex | None = None) -> None:
    """BreakingError (exit 3) for breaking changes, unless `accept` says why; UsageError where that is empty."""
    found = _breaking(plan, saved)
    if found and accept is None:
        told = "; ".join(f"{pointer[1:].replace('/', '.')}: {rule}" for pointer, rule in found.items())
        raise BreakingError(
            f"what '{plan.name}' changes is breaking: {told}",
            hint="keep what is used, or accept it with: --accept-breaking --reason TEXT",
        )
    if accept is not None and not accept.strip():
        raise UsageError("--accept-breaking needs a reason", hint="add --reason TEXT")


def accepted_breaking(plan: Plan, accept: str | None, saved: SavedIndex | None = None) -> dict[str, Any] | None:
    """What a release keeps of it: the reason and the pointers of the changes; None where nothing breaks anybody."""
    found = _breaking(plan, saved)
    return {"reason": accept, "changes": list(found)} if found and accept is not None else None


def _breaking(plan: Plan, saved: SavedIndex | None) -> Mapping[str, str]:
    """Pointers and rules. Of a saved plan a part may be on live by now, and is no change any more."""
    then = saved.plan.get("changes") or () if saved is not None else ()
    found = {str(c["pointer"]): str(c["rule"]) for c in then if c["change_class"] == "breaking"}
    return {**found, **{change.pointer: change.rule for change in plan.breaking}}
