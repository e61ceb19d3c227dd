"""Metrics by name: `recall@5` reads five chunks, `recall@2000t` reads 2,000 tokens."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches

from azsearch_ops.evaluation.metrics import (
    chroma_iou,
    chroma_precision,
    chroma_recall,
    hit,
    map,
    mrr,
    ndcg,
    ndcg_exp,
    precision,
    recall,
    rprecision,
)
from azsearch_ops.evaluation.metrics.about import About
from azsearch_ops.evaluation.reading import Cut, Reading

LARGEST_K = 1000
"""The service returns no more than 1,000 results a request."""

_MODULES = (
    hit, recall, precision, mrr, ndcg, ndcg_exp, map, rprecision, chroma_recall, chroma_precision, chroma_iou,
)  # fmt: skip
METRICS: dict[str, tuple[About, Callable[[Reading], float]]] = {m.ABOUT.name: (m.ABOUT, m.value) for m in _MODULES}

_NAME = re.compile(r"(?P<name>[a-z_]+)@(?P<size>[1-9][0-9]*)(?P<tokens>t?)")


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric with the cut at which it reads."""

    name: str
    cut: Cut

    def __str__(self) -> str:
        return f"{self.name}@{self.cut}"

    @property
    def about(self) -> About:
        """What the metric says about itself."""
        return METRICS[self.name][0]

    def value(self, reading: Reading) -> float:
        """The value on one query's `reading`, which was read to `cut`."""
        return METRICS[self.name][1](reading)


def parse_metric(text: str) -> Metric:
    """The metric that `text` names.

    Raises:
        ValueError: the name is unknown, the cut is missing, or k is above what the service returns.
    """
    name = text.partition("@")[0]
    if name not in METRICS:
        near = get_close_matches(name, METRICS, n=1, cutoff=0.5)
        guess = f" Did you mean {near[0]}?" if near else ""
        raise ValueError(f"unknown metric {name!r}.{guess} Known are {', '.join(sorted(METRICS))}")
    found = _NAME.fullmatch(text)
    if found is None:
        raise ValueError(
            f"{text!r} does not say how far to read: write {name}@5 for five chunks or {name}@2000t for 2,000 tokens"
        )
    size = int(found["size"])
    if not found["tokens"] and size > LARGEST_K:
        raise ValueError(f"{text!r} reads more chunks than a request can return, which is {LARGEST_K}")
    return Metric(name, Cut(size, "tokens" if found["tokens"] else "chunks"))
