"""Which of several equal passages a judgement means, told by the words around it."""

from __future__ import annotations

from dataclasses import replace

from azsearch_ops.evaluation.folding import fold_with_offsets
from azsearch_ops.evaluation.types import Judgement

CONTEXT = 300
"""Characters kept on each side: more than what two equal paragraphs of a report have around them in common."""


def anchored(judgement: Judgement, text: str) -> Judgement:
    """`judgement` with the words around its occurrence in `text`, the text of its document.

    It is returned as it is where the words stand only once, where no `occurrence` says which is meant (any counts
    then), and where there is no such occurrence.
    """
    if judgement.excerpt is None or judgement.occurrence is None:
        return judgement
    places = occurrences(judgement.excerpt, text)
    if len(places) < 2 or judgement.occurrence > len(places):
        return judgement
    start, end = places[judgement.occurrence - 1]
    return replace(judgement, before=text[max(0, start - CONTEXT) : start], after=text[end : end + CONTEXT])


def occurrences(excerpt: str, text: str) -> tuple[tuple[int, int], ...]:
    """Where `excerpt` stands in `text`, word for word or, if nowhere, after folding; they may overlap."""
    exact = _places(excerpt, text)
    if exact:
        return tuple((at, at + len(excerpt)) for at in exact)
    folded, wanted = fold_with_offsets(text), fold_with_offsets(excerpt).text
    return tuple((folded.starts[at], folded.starts[at + len(wanted)]) for at in _places(wanted, folded.text))


def _places(wanted: str, text: str) -> list[int]:
    places: list[int] = []
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        places.append(at)
        at = text.find(wanted, at + 1)
    return places
