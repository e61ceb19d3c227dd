"""The gate of indexes without a project: default limits where two are compared, and the floors that are asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from azsearch_ops.errors import UsageError
from azsearch_ops.gate.policy import GATED_AT_MOST, GateLimits

METRICS: Final = ("recall@2000t", "mrr@10", "recall@5", "ndcg@10")
GATED: Final = ("recall@2000t", "mrr@10")


def policy_of(metrics: Sequence[str], floors: Mapping[str, float], *, compared: bool) -> dict[str, GateLimits]:
    """Default limits on the metrics that are gated where two are compared, and the floors that were asked for."""
    unknown = sorted(set(floors) - set(metrics))
    if unknown:
        raise UsageError(f"a floor for what is not measured: {', '.join(unknown)}", hint="add --metric, or correct it")
    if len(floors) > GATED_AT_MOST:
        raise UsageError(
            f"{len(floors)} metrics have a floor; at most {GATED_AT_MOST} can be gated",
            hint="each further one makes the test blinder; the others are reported without --floor",
        )
    gated = [metric for metric in GATED if metric in metrics] if compared else []
    names = list(dict.fromkeys([*floors, *gated]))[: max(len(floors), len(gated))]
    return {name: GateLimits(floor=floors.get(name)) for name in names}


def floors_of(texts: Sequence[str]) -> dict[str, float]:
    """Metric → floor from `METRIC=VALUE`; UsageError for what is not that."""
    floors: dict[str, float] = {}
    for text in texts:
        name, _, value = text.partition("=")
        try:
            floors[name] = float(value)
        except ValueError:
            raise UsageError(f"'{text}' is no floor", hint="--floor recall@2000t=0.8") from None
        if not 0.0 <= floors[name] <= 1.0:
            raise UsageError(f"a floor lies between 0 and 1, not at {value}", hint="--floor recall@2000t=0.8")
    return floors
