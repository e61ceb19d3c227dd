"""What a side can still be asked about a query, and what is known about how it was made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from azsearch_ops.chunking.text_split import TextSplit
from azsearch_ops.evaluation.types import Chunk, CountTokens, Query


@dataclass(frozen=True, slots=True)
class Variation:
    """How a query is asked again: with the subscores of each leg, without threshold, without filter, or `deep`:

    as far down as the service goes, in every leg, and without threshold.
    """

    explained: bool = True
    without_threshold: bool = False
    without_filter: bool = False
    deep: bool = False


AskAgain = Callable[[Query, int, Variation], Sequence[Chunk]]
"""The ranking of a query to some depth under a variation; raises ServiceError where the service refuses."""

Chunks = Callable[[str], Sequence[Chunk]]
"""Chunks by the address of their document, or by words that they hold; raises ServiceError like `AskAgain`."""


@dataclass(frozen=True, slots=True)
class Window:
    """How many tokens the embedding model reads of a text; the rest of it has no part in the vector."""

    model: str
    tokens: int
    count: CountTokens


@dataclass(frozen=True, slots=True)
class Making:
    """How an index was made from its documents, as far as it is known.

    `text` returns a document's text by its judged path, or None. `listed` names the documents of the source, None
    where it cannot be listed. `failed` maps documents to what the indexer said about them. `model` embeds the chunks.
    """

    text: Callable[[str], str | None] = lambda document: None
    split: TextSplit | None = None
    token_starts: Callable[[str], Sequence[int]] | None = None
    window: Window | None = None
    listed: frozenset[str] | None = None
    failed: Mapping[str, str] = field(default_factory=dict)
    model: str = ""


@dataclass(frozen=True, slots=True)
class Instruments:
    """One side: its index (and release, where it is one), how to ask it again, and how it was made.

    `chunks_at` takes a document's address, `chunks_with` words. `threshold` (a similarity) and `filter_of` tell what
    the request holds back. `vectors` says whether a vector query is part of it, `k` how many each brings.
    """

    index: str
    ask: AskAgain
    chunks_at: Chunks
    chunks_with: Chunks
    release: int | None = None
    threshold: float | None = None
    filter_of: Callable[[Query], str] = lambda query: query.filter or ""
    vectors: bool = True
    k: int | None = None
    making: Making = Making()
