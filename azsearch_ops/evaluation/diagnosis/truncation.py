"""Whether the embedding model ever read the passage that it was to find."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from azsearch_ops.evaluation.anchoring import occurrences
from azsearch_ops.evaluation.diagnosis.instruments import Window
from azsearch_ops.evaluation.diagnosis.stake import Piece, named
from azsearch_ops.evaluation.items import Item
from azsearch_ops.evaluation.outcome import Cause

KNOWN_WINDOWS: Final = (
    (re.compile(r"text-embedding-(ada-002|3-(small|large))", re.IGNORECASE), 8191),
    (re.compile(r"cohere-?embed|embed-(english|multilingual)-(light-)?v3", re.IGNORECASE), 512),
    (re.compile(r"\bbge-(small|base|large)", re.IGNORECASE), 512),
    (re.compile(r"all-MiniLM-L6-v2-512", re.IGNORECASE), 512),  # The local service's name for a wider window
    (re.compile(r"all-MiniLM-L6-v2", re.IGNORECASE), 256),
)
"""Tokens that a model reads of a text, by its name: the models' own documentation; further ones are told by the user.

https://learn.microsoft.com/azure/ai-services/openai/concepts/models, https://docs.cohere.com/docs/models,
https://huggingface.co/BAAI/bge-base-en-v1.5, https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2
"""


def window_of(model: str, count: Callable[[str], int], tokens: int | None = None) -> Window | None:
    """The window of an embedding model, `tokens` long where the user said so; None for a model that is not known."""
    known = next((size for pattern, size in KNOWN_WINDOWS if pattern.search(model)), None)
    size = tokens if tokens is not None else known
    return Window(model, size, count) if size is not None else None


def truncated_cause(item: Item, piece: Piece, window: Window | None) -> Cause | None:
    """The cause where the passage lies behind what the model read of its chunk; None where it does not."""
    if window is None or item.span is None or not piece.parts:
        return None
    text = piece.chunk.text
    tokens = window.count(text)
    if tokens <= window.tokens:
        return None
    start, end = _within(item, piece)
    if window.count(text[:end]) <= window.tokens:
        return None
    before, over = window.count(text[:start]), tokens - window.tokens
    words = (
        f"truncated before embedding: {named(piece.chunk)} has {tokens:,} tokens, {over:,} more than "
        f"{window.model} reads, and the answer begins at {before:,}"
    )
    data = {"tokens": tokens, "window": window.tokens, "over": over, "answer_at": before, "model": window.model}
    return Cause("truncated", words, data)


def _within(item: Item, piece: Piece) -> tuple[int, int]:
    """Where in the chunk its parts of the passage begin and end, in characters."""
    excerpt = item.span.excerpt if item.span is not None else ""
    found = [occurrences(excerpt[begin:stop], piece.chunk.text) for begin, stop in piece.parts]
    places = [where[0] for where in found if where]
    return min((begin for begin, _ in places), default=0), max((stop for _, stop in places), default=0)
