"""By which leg of a search one chunk stands above another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from azsearch_ops.evaluation.diagnosis.stake import named
from azsearch_ops.evaluation.types import Chunk
from azsearch_ops.evaluation.wording import closest_share, content_words

_ALIKE = 0.6
"""The share of an answer's content words, close together, from which a chunk may well answer the same question."""

_FEW = 5


def leads(other: Chunk, own: Chunk) -> str:
    """In which legs `other` leads or trails `own`: `BM25 +0.8, vector −0.02`; empty where no score is known.

    A leg of which `own`, which holds the answer, is not among the results reads `answer not found by vector`.
    """
    told: list[str] = []
    for leg in dict.fromkeys([*other.subscores, *own.subscores]):
        mine, theirs = own.subscores.get(leg), other.subscores.get(leg)
        if mine is not None and theirs is not None:
            told.append(f"{leg} {_signed(theirs - mine)}")
        elif mine is None:
            told.append(f"answer not found by {leg}")
        else:
            told.append(f"ahead without {leg}")
    if not told and other.score is not None and own.score is not None:
        told.append(f"score {_signed(other.score - own.score)}")
    return ", ".join(told)


def overtaking(above: Sequence[Chunk], before: Sequence[Chunk]) -> Chunk:
    """The first of the chunks `above` that did not stand in front on the other side either, else the very first.

    Chunks of two indexes are the same where one's text is within the other's.
    """
    for chunk in above:
        if not any(chunk.text in other.text or other.text in chunk.text for other in before):
            return chunk
    return above[0]


def outranked_words(other: Chunk, own: Chunk) -> str:
    """`outranked by travel/faq.md chunk 2 (BM25 +0.8)`."""
    by = leads(other, own)
    return f"outranked by {named(other)}{f' ({by})' if by else ''}"


def likeness(answer: str, chunk: str) -> float:
    """The share of the content words of `answer` that `chunk` has close together; 0.0 where there are too few."""
    return closest_share(answer, chunk) if len(content_words(answer)) >= _FEW else 0.0


def may_answer(answer: str, chunk: str) -> bool:
    """Whether `chunk` has so many words of `answer` that somebody should judge it."""
    return likeness(answer, chunk) >= _ALIKE


def scores_data(chunk: Chunk) -> Mapping[str, object]:
    """A chunk with its scores, as plain values."""
    return {"chunk": chunk.key, "document": chunk.document, "score": chunk.score, "legs": dict(chunk.subscores)}


def _signed(value: float) -> str:
    return f"{value:+.2g}".replace("-", "−")
