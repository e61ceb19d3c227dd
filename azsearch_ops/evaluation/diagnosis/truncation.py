"""Whether the embedding model ever read the passage that it was to find."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from azsearch_ops.evaluation.diagnosis.instruments import Window
from azsearch_ops.evaluation.diagnosis.stake import Piece, named
from azsearch_ops.evaluation.outcome import Cause
from azsearch_ops.evaluation.reading import Item, Reader

KNOWN_WINDOWS: Final = (
    (re.compile(r"text-embedding-(ada-002|3-(small|large))", re.IGNORECASE), 8191),
    (re.compile(r"cohere-?embed|embed-(english|multilingual)-(light-)?v3", re.IGNORECASE), 512),
    (re.compile(r"\bbge-(small|base|large)", re.IGNORECASE), 512),
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


def truncated_cause(item: Item, piece: Piece, reader: Reader, window: Window | None) -> Cause | None:
    """The cause where the passage lies behind what the model read of its chunk; None where it does not."""
    if window is None or item.span is None or not piece.parts:
        return None
    text = piece.chunk.text
    tokens = window.count(text)
    if tokens <= window.tokens:
        return None
    start = _first_read(item, piece, reader)
    before = window.count(text[:start])
    end = start + sum(stop - begin for begin, stop in piece.parts)
    if window.count(text[:end]) <= window.tokens:
        return None
    over = tokens - window.tokens
    words = (
        f"truncated before embedding: {named(piece.chunk)} has {tokens:,} tokens, {over:,} more than "
        f"{window.model} reads, and the answer begins at {before:,}"
    )
    data = {"tokens": tokens, "window": window.tokens, "over": over, "answer_at": before, "model": window.model}
    return Cause("truncated", words, data)


def _first_read(item: Item, piece: Piece, reader: Reader) -> int:
    """The shortest beginning of the chunk, in characters, behind which nothing of the passage is lost."""
    text, document = piece.chunk.text, piece.chunk.document
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        held = reader.held((item,), document, text[middle:])
        if held and sum(stop - begin for begin, stop in held[0][1]) >= sum(stop - begin for begin, stop in piece.parts):
            low = middle
        else:
            high = middle - 1
    return low
