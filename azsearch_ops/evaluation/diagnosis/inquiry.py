"""Asking a side again, within a bound, nothing twice, and refusals kept in mind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeVar

from azsearch_ops.errors import ServiceError, UnreachableError
from azsearch_ops.evaluation.diagnosis.instruments import Instruments, Variation
from azsearch_ops.evaluation.types import Chunk, Query

T = TypeVar("T")


class Bound:
    """How many searches a diagnosis may make, over both sides; `calls` counts those that were made."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.calls = 0
        self.refused: dict[str, None] = {}

    def spent(self) -> bool:
        """Whether no further search may be made."""
        return self.calls >= self.most


class Inquiry:
    """One side as it is asked about its losses; an answer of None says that it could not be asked."""

    def __init__(self, instruments: Instruments, bound: Bound) -> None:
        self.instruments = instruments
        self._bound = bound
        self._silent: set[str] = set()
        self._answers: dict[tuple[str, int, Variation], tuple[Chunk, ...] | None] = {}
        self._documents: dict[str, tuple[Chunk, ...] | None] = {}

    def again(self, query: Query, depth: int, variation: Variation) -> tuple[Chunk, ...] | None:
        """The ranking under `variation`; without subscores where the service does not give them."""
        asked = (query.id, depth, variation)
        if asked not in self._answers:
            self._answers[asked] = self._again(query, depth, variation)
        return self._answers[asked]

    def chunks_at(self, address: str) -> tuple[Chunk, ...] | None:
        """All chunks of the document at an address, asked for once."""
        if address not in self._documents:
            self._documents[address] = self._try(
                "the chunks of a document", lambda: tuple(self.instruments.chunks_at(address))
            )
        return self._documents[address]

    def chunks_with(self, words: str) -> tuple[Chunk, ...] | None:
        """The chunks that have most of some words."""
        return self._try("chunks by their words", lambda: tuple(self.instruments.chunks_with(words)))

    def _again(self, query: Query, depth: int, variation: Variation) -> tuple[Chunk, ...] | None:
        if variation.explained:
            answer = self._try("the scores of each leg", lambda: self._ask(query, depth, variation))
            if answer is not None or variation == Variation():
                return answer
        plain = replace(variation, explained=False)
        return self._try("the query without its limits", lambda: self._ask(query, depth, plain))

    def _ask(self, query: Query, depth: int, variation: Variation) -> tuple[Chunk, ...]:
        answer: Sequence[Chunk] = self.instruments.ask(query, depth, variation)
        return tuple(answer)

    def _try(self, what: str, call: Callable[[], T]) -> T | None:
        if what in self._silent:
            return None
        if self._bound.spent():
            self._bound.refused.setdefault(f"no further searches after {self._bound.most}")
            return None
        self._bound.calls += 1
        try:
            return call()
        except ServiceError as refusal:
            # A refusal is for good; a service that does not answer is not asked for the rest either.
            self._silent.add(what)
            if isinstance(refusal, UnreachableError):
                self._bound.most = self._bound.calls
            self._bound.refused.setdefault(f"{self.instruments.index} could not be asked for {what}: {refusal.message}")
            return None
