"""What goes into an evaluation: judgements, queries, ranked chunks, and the callable that searches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Judgement:
    """Says that a document, or the span of it that reads `excerpt`, matters to a query.

    `document` is the path below the container, with `/` between segments. Without an `excerpt` the whole
    document is meant. `occurrence` (1-based) says which one is meant where the words stand more than once.
    `grade` 0 means judged and not relevant; 1 and more means relevant, higher being better. `before` and `after`
    are the words around the occurrence that is meant, where the excerpt alone does not tell (`anchoring.anchored`).
    """

    document: str
    excerpt: str | None = None
    occurrence: int | None = None
    grade: int = 1
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True)
class Query:
    """A question with what is relevant to it; `filter` and `request` are handed to the search as they are.

    A `holdout` counts in every figure, and no result shows it.
    """

    id: str
    text: str
    judgements: tuple[Judgement, ...]
    tags: tuple[str, ...] = ()
    filter: str | None = None
    request: Mapping[str, object] = field(default_factory=dict)
    holdout: bool = False


@dataclass(frozen=True, slots=True)
class Chunk:
    """A search result.

    `document` is what the index holds for the source document: a path below the container or a blob URL.
    `score` is the value that the ranking is ordered by; None where the service orders by something else
    (`$orderby`), since equal scores are what makes two neighbours a tie. `position` is the ordinal of the
    chunk in its document; where it is None a `key` of a known pattern tells it (`chunk_keys`).
    """

    key: str
    document: str
    text: str
    score: float | None = None
    subscores: Mapping[str, float] = field(default_factory=dict)
    parent: str = ""
    position: int | None = None


Search = Callable[[Query, int], Sequence[Chunk]]
"""Answers a query with at most so many chunks, best first."""

CountTokens = Callable[[str], int]
"""The number of tokens that a text costs the reader."""
