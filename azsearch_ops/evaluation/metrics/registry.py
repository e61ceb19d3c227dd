"""Metrics by name: `recall@5` reads five chunks, `recall@2000t` reads 2,000 tokens."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from azsearch_ops.evaluation.cut import Cut
from azsearch_ops.evaluation.layout import DocumentLayout
from azsearch_ops.evaluation.metrics import (
    chroma_iou,
    chroma_precision,
    chroma_precision_omega,
    chroma_recall,
    foundry_fidelity,
    foundry_holes,
    foundry_holes_ratio,
    foundry_ndcg,
    foundry_top1,
    foundry_top3_max,
    foundry_xdcg,
    hit,
    map,
    mrr,
    ndcg,
    ndcg_exp,
    precision,
    precision_omega,
    recall,
    rprecision,
    span_iou,
    span_precision,
)
from azsearch_ops.evaluation.metrics.about import About
from azsearch_ops.evaluation.reading import DOCUMENTS_WITHIN, Reading

LARGEST_K = 1000
"""The service returns no more than 1,000 results a request."""

_RANKED = (
    hit, recall, precision, mrr, ndcg, ndcg_exp, map, rprecision, span_precision, span_iou,
    chroma_recall, chroma_precision, chroma_iou,
    foundry_ndcg, foundry_xdcg, foundry_fidelity, foundry_top1, foundry_top3_max, foundry_holes, foundry_holes_ratio,
)  # fmt: skip
METRICS: dict[str, tuple[About, Callable[[Reading], float]]] = {m.ABOUT.name: (m.ABOUT, m.value) for m in _RANKED}
"""What reads a ranking, by name."""

CORPUS_METRICS: dict[str, tuple[About, Callable[[tuple[DocumentLayout, ...]], float]]] = {
    m.ABOUT.name: (m.ABOUT, m.value) for m in (precision_omega, chroma_precision_omega)
}
"""What reads all chunks of the documents concerned, by name."""

_NAME = re.compile(r"(?P<name>[a-z0-9_]+)@(?P<size>[1-9][0-9]*)(?P<tokens>t?)")


RankedMetrics = tuple[tuple[Cut, frozenset[str], tuple[tuple[str, Callable[[Reading], float]], ...]], ...]
"""For each cut: what its reading has to bring along, and the names and functions of the metrics that read it."""


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric with the cut at which it reads; one that reads all chunks has a cut that says nothing."""

    name: str
    cut: Cut

    def __str__(self) -> str:
        return self.name if self.about.of_corpus else f"{self.name}@{self.cut}"

    @property
    def about(self) -> About:
        """What the metric says about itself."""
        return CORPUS_METRICS[self.name][0] if self.name in CORPUS_METRICS else METRICS[self.name][0]

    @property
    def asked(self) -> Cut:
        """How far a ranking has to go for this metric: past its cut where it looks for so many documents."""
        leading = "leading" in self.about.needs and self.cut.unit == "chunks"
        return Cut(max(self.cut.size, DOCUMENTS_WITHIN)) if leading else self.cut

    def value(self, reading: Reading) -> float:
        """The value on one query's `reading`, which was read to `cut`."""
        return METRICS[self.name][1](reading)

    def value_of_corpus(self, layouts: tuple[DocumentLayout, ...]) -> float:
        """The value on all chunks of the documents of one query; for metrics that read these."""
        return CORPUS_METRICS[self.name][1](layouts)


def ranked_metrics(metrics: Sequence[Metric]) -> RankedMetrics:
    """Those of `metrics` that read a ranking, grouped by their cut."""
    groups: dict[Cut, tuple[set[str], list[tuple[str, Callable[[Reading], float]]]]] = {}
    for metric in metrics:
        if metric.name in METRICS:
            about, function = METRICS[metric.name]
            needs, functions = groups.setdefault(metric.cut, (set(), []))
            needs.update(about.needs)
            functions.append((str(metric), function))
    return tuple((cut, frozenset(needs), tuple(functions)) for cut, (needs, functions) in groups.items())


def parse_metric(text: str) -> Metric:
    """The metric that `text` names.

    Raises:
        ValueError: the name is unknown, the cut is missing or out of place, or k is above what the service returns.
    """
    name, at, _ = text.partition("@")
    if name in CORPUS_METRICS:
        if at:
            raise ValueError(f"{text!r} reads all chunks, so it takes no cut: write {name}")
        return Metric(name, Cut(1))
    if name not in METRICS:
        known = [*METRICS, *CORPUS_METRICS]
        near = get_close_matches(name, known, n=1, cutoff=0.5)
        guess = f" Did you mean {near[0]}?" if near else ""
        raise ValueError(f"unknown metric {name!r}.{guess} Known are {', '.join(sorted(known))}")
    found = _NAME.fullmatch(text)
    if found is None:
        raise ValueError(
            f"{text!r} does not say how far to read: write {name}@5 for five chunks or {name}@2000t for 2,000 tokens"
        )
    size = int(found["size"])
    if not found["tokens"] and size > LARGEST_K:
        raise ValueError(f"{text!r} reads more chunks than a request can return, which is {LARGEST_K}")
    return Metric(name, Cut(size, "tokens" if found["tokens"] else "chunks"))
