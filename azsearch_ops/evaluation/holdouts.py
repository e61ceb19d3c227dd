"""Held-out queries: they count in every figure, and no result shows one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from azsearch_ops.evaluation.outcome import Evaluation
from azsearch_ops.evaluation.types import Query


def without_holdouts(evaluation: Evaluation, queries: Sequence[Query]) -> Evaluation:
    """`evaluation` of `queries`, with its means and counts as they are, and not a row, id or word of a held-out query.

    A slice that is one held-out query would show it, so it is left out too.
    """
    hidden = {query.id for query in queries if query.holdout}
    if not hidden:
        return evaluation
    shown_tags = {tag for query in evaluation.queries if query.id not in hidden for tag in query.tags}
    return replace(
        evaluation,
        queries=tuple(query for query in evaluation.queries if query.id not in hidden),
        changed=tuple(query for query in evaluation.changed if query.id not in hidden),
        unscored=tuple(name for name in evaluation.unscored if name not in hidden),
        slices=tuple(s for s in evaluation.slices if s.queries > 1 or s.tag in shown_tags),
        holdouts=sum(query.id in hidden for query in evaluation.queries),
    )


def shown(queries: Sequence[Query]) -> tuple[Query, ...]:
    """The queries that records and reports may name."""
    return tuple(query for query in queries if not query.holdout)
