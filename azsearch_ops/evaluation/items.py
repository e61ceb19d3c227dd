"""What is relevant to a query: the items that its judgements come to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from azsearch_ops.evaluation.alignment import Span
from azsearch_ops.evaluation.types import Judgement


@dataclass(frozen=True, slots=True)
class Item:
    """Something relevant to a query: a span, or a document as a whole where `span` is None."""

    document: str
    grade: int
    span: Span | None
    name: str


def relevant_items(judgements: Sequence[Judgement]) -> tuple[Item, ...]:
    """The distinct relevant items, in the order of the judgements; the highest grade counts where one repeats."""
    best: dict[tuple[str, str | None, int | None], Judgement] = {}
    for judgement in judgements:
        key = (judgement.document, judgement.excerpt, judgement.occurrence)
        if judgement.grade >= 1 and (key not in best or judgement.grade > best[key].grade):
            best[key] = judgement
    return tuple(
        Item(
            j.document,
            j.grade,
            None if j.excerpt is None else Span.of(j.excerpt, j.before, j.after, j.occurrence),
            j.document if j.excerpt is None else f"{j.document}: {j.excerpt}",
        )
        for j in best.values()
    )
