"""Field values cut into passages for the stand-in ranker, each with its terms and its embedding."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from azsearch_ops.chunking.sentences import sentence_breaks
from azsearch_ops.local.search.analysis.analyzers import analyzer
from azsearch_ops.local.search.schema import Field

WORDS = 120
"""About how many words a passage has: sentences are joined until they have so many."""

MAX_WORDS = 2000
"""What is read of one value; the rest is as if it were not there."""

_KEPT = 4000  # values whose passages are remembered

Read = Callable[[Sequence[str]], NDArray[np.float32]]
"""Texts → unit vectors, one row each; zeros for a blank text."""


@dataclass(frozen=True, slots=True)
class Cut:
    """The passages of one value: their texts, the terms of each, and their vectors, row by row.

    `whole` is False where the value was longer than what is read.
    """

    texts: tuple[str, ...]
    terms: tuple[frozenset[str], ...]
    vectors: NDArray[np.float32]
    whole: bool


class Passages:
    """Cuts values, and remembers the last ones: the same chunks are ranked for many questions."""

    def __init__(self, read: Read) -> None:
        self._read = read
        self._known: OrderedDict[tuple[str, str], Cut] = OrderedDict()

    def embed(self, text: str) -> NDArray[np.float32]:
        """The vector of one text."""
        vector: NDArray[np.float32] = self._read([text])[0]
        return vector

    def of(self, values: Sequence[tuple[Field, str]]) -> list[Cut]:
        """The passages of each value; those that are new are embedded in one call."""
        asked = [(field.search_analyzer, value) for field, value in values]
        new = {key: pieces(key[1]) for key in asked if key not in self._known}
        if new:
            vectors = self._read([text for texts, _ in new.values() for text in texts])
            at = 0
            for (name, value), (texts, whole) in new.items():
                found = analyzer(name)
                terms = tuple(frozenset(token.term for token in found.tokens(text)) for text in texts)
                self._known[name, value] = Cut(texts, terms, vectors[at : at + len(texts)], whole)
                at += len(texts)
        made = []
        for key in asked:
            self._known.move_to_end(key)
            made.append(self._known[key])
        while len(self._known) > _KEPT:
            self._known.popitem(last=False)
        return made


def pieces(text: str) -> tuple[tuple[str, ...], bool]:
    """The passages of a text, whole sentences each, and whether all of it was read."""
    breaks = sentence_breaks(text)
    found: list[str] = []
    start, total = 0, 0
    for end, following in zip((*breaks.ends, len(text)), (*breaks.starts, len(text)), strict=True):
        words = len(text[start:end].split())
        if words < WORDS and end < len(text):
            continue
        if piece := text[start:end].strip():
            found.append(piece)
            total += words
            if total >= MAX_WORDS and following < len(text):
                return tuple(found), False
        start = following
    return tuple(found), True
