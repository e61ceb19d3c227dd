"""What a reader of the first k chunks, or of the first N tokens, newly learns: the one input of every metric."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Literal

from azsearch_ops.evaluation.alignment import Interval, Passage, Span, align, merge
from azsearch_ops.evaluation.overlap import fresh_sizes
from azsearch_ops.evaluation.paths import DocumentPaths
from azsearch_ops.evaluation.types import Chunk, CountTokens, Judgement

ENOUGH = 0.5
"""The share of a span from which it counts as found: a reader with half of an answer is at the right place."""

_SLACK = 1e-9


@dataclass(frozen=True, slots=True)
class Cut:
    """Where reading stops: after `size` chunks, or when `size` tokens have been read."""

    size: int
    unit: Literal["chunks", "tokens"] = "chunks"

    def __str__(self) -> str:
        return f"{self.size}t" if self.unit == "tokens" else str(self.size)


@dataclass(frozen=True, slots=True)
class Item:
    """Something relevant to a query: a span, or a document as a whole where `span` is None."""

    document: str
    grade: int
    span: Span | None
    name: str


@dataclass(frozen=True, slots=True)
class Gain:
    """What the chunk at `rank` (1-based) newly adds: `share` of item `item`, which is `characters` of its text."""

    rank: int
    item: int
    share: float
    characters: int


@dataclass(frozen=True, slots=True)
class Reading:
    """A ranking read up to a cut, against the relevant items of its query.

    `grades` and `lengths` (characters; 0 for a whole document) are by item. `sizes` holds the characters read of
    each chunk, in rank order; the last is smaller than its chunk where the token budget ran out inside it.

    Only where it was asked for: `fresh` holds the characters of each chunk that none before it had, `labels` the
    labels of the distinct documents in the order they came (None where nobody judged it) and `judged` those of all
    documents judged for the query. A document's label is its highest grade.
    """

    cut: Cut
    grades: tuple[int, ...]
    lengths: tuple[int, ...]
    gains: tuple[Gain, ...]
    sizes: tuple[int, ...]
    fresh: tuple[int, ...] = ()
    labels: tuple[int | None, ...] = ()
    judged: tuple[int, ...] = ()

    def found_rank(self) -> int | None:
        """The rank at which half of some item has been read; None where that never happens."""
        read: dict[int, float] = {}
        for gain in self.gains:
            read[gain.item] = read.get(gain.item, 0.0) + gain.share
            if read[gain.item] >= ENOUGH - _SLACK:
                return gain.rank
        return None

    def by_rank(self) -> list[tuple[int, float]]:
        """(rank, shares added up over items), for the ranks that add something, in order."""
        totals: dict[int, float] = {}
        for gain in self.gains:
            totals[gain.rank] = totals.get(gain.rank, 0.0) + gain.share
        return list(totals.items())


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
            None if j.excerpt is None else Span.of(j.excerpt, j.before, j.after),
            j.document if j.excerpt is None else f"{j.document}: {j.excerpt}",
        )
        for j in best.values()
    )


class Reader:
    """Reads rankings. Texts are folded and counted once, since the same chunk answers many queries."""

    def __init__(self, paths: DocumentPaths, count_tokens: CountTokens) -> None:
        self.paths = paths
        self.count = count_tokens
        self._passages: dict[str, Passage] = {}
        self._tokens: dict[str, int] = {}

    def tokens(self, text: str) -> int:
        """The number of tokens of `text`, counted once."""
        if text not in self._tokens:
            self._tokens[text] = self.count(text)
        return self._tokens[text]

    def ranking(self, items: Sequence[Item], chunks: Sequence[Chunk], judgements: Sequence[Judgement] = ()) -> Ranking:
        """`chunks` aligned with `items`; `judgements` are wanted for the labels of documents only."""
        held = tuple(self.held(items, chunk.document, chunk.text) for chunk in chunks)
        return Ranking(self, tuple(items), tuple(chunks), held, tuple(judgements))

    def held(self, items: Sequence[Item], address: str, text: str) -> Held:
        """What `text`, taken from the document at `address`, holds of each of `items`."""
        document = self.paths.resolve(address)
        if document is None:
            return ()
        found: list[tuple[int, tuple[Interval, ...]]] = []
        for index, item in enumerate(items):
            if self.paths.key(item.document) != document:
                continue
            if item.span is None:
                found.append((index, ((0, 0),)))
            elif parts := align(item.span, self._passage(text)):
                found.append((index, parts))
        return tuple(found)

    def _passage(self, text: str) -> Passage:
        if text not in self._passages:
            self._passages[text] = Passage.of(text)
        return self._passages[text]


Held = tuple[tuple[int, tuple[Interval, ...]], ...]
"""(item, parts of its excerpt) for each item that a chunk holds something of; ((0, 0),) for a whole document."""


@dataclass(frozen=True, slots=True)
class Ranking:
    """Chunks in rank order, with what each holds of the items."""

    reader: Reader
    items: tuple[Item, ...]
    chunks: tuple[Chunk, ...]
    held: tuple[Held, ...]
    judgements: tuple[Judgement, ...] = ()
    _gains: list[tuple[Gain, ...]] = field(default_factory=list, init=False, repr=False, compare=False)

    def read(self, cut: Cut, needs: Collection[str] = ()) -> Reading:
        """The ranking as far as `cut`; of the chunk in which a token budget ends, the part within counts.

        `needs` names the further members of the reading that are wanted: "fresh", "labels".
        """
        if cut.unit == "tokens":
            held, texts = self._within(cut.size)
            gains = _gains(self.items, held, texts)
        else:
            texts = [chunk.text for chunk in self.chunks[: cut.size]]
            if not self._gains:
                # The gains of a shorter ranking are the first of those of a longer one.
                self._gains.append(_gains(self.items, self.held, [chunk.text for chunk in self.chunks]))
            whole = self._gains[0]
            count = bisect_right(whole, cut.size, key=_rank)
            gains = whole if count == len(whole) else whole[:count]
        return Reading(
            cut,
            tuple([item.grade for item in self.items]),
            tuple([item.span.length if item.span else 0 for item in self.items]),
            gains,
            tuple(map(len, texts)),
            self._fresh(texts) if "fresh" in needs else (),
            *(self._labels(len(texts)) if "labels" in needs else ()),
        )

    def whole(self) -> Reading:
        """All of the ranking."""
        return self.read(Cut(max(1, len(self.chunks))))

    def tokens(self, chunks: int) -> int:
        """The tokens of the first `chunks` chunks."""
        return sum(self.reader.tokens(chunk.text) for chunk in self.chunks[:chunks])

    def _within(self, budget: int) -> tuple[list[Held], list[str]]:
        """What is held of the items, and the texts, within so many tokens."""
        held: list[Held] = []
        texts: list[str] = []
        left = budget
        for chunk, parts in zip(self.chunks, self.held, strict=True):
            if left <= 0:
                break
            text = chunk.text
            tokens = self.reader.tokens(text)
            if tokens > left:
                text = _beginning_within(text, left, tokens, self.reader.count)
                parts = self.reader.held(self.items, chunk.document, text) if parts else ()
            texts.append(text)
            held.append(parts)
            left -= tokens
        return held, texts

    def _fresh(self, texts: Sequence[str]) -> tuple[int, ...]:
        return fresh_sizes([chunk.document for chunk in self.chunks[: len(texts)]], texts)

    def _labels(self, chunks: int) -> tuple[tuple[int | None, ...], tuple[int, ...]]:
        paths = self.reader.paths
        judged: dict[str, int] = {}
        for judgement in self.judgements:
            name = paths.key(judgement.document)
            judged[name] = max(judgement.grade, judged.get(name, 0))
        came = dict.fromkeys(paths.resolve(chunk.document) or chunk.document for chunk in self.chunks[:chunks])
        return tuple(judged.get(name) for name in came), tuple(judged.values())


_rank = attrgetter("rank")


def _gains(items: Sequence[Item], held: Sequence[Held], texts: Sequence[str]) -> tuple[Gain, ...]:
    gains: list[Gain] = []
    covered: dict[int, list[Interval]] = {}
    for rank, parts in enumerate(held, start=1):
        for index, intervals in parts:
            span = items[index].span
            if span is None:
                if index not in covered:
                    covered[index] = []
                    gains.append(Gain(rank, index, 1.0, len(texts[rank - 1])))
                continue
            before = covered.get(index, [])
            after = merge([*before, *intervals])
            added = _size(after) - _size(before)
            covered[index] = after
            if added:
                gains.append(Gain(rank, index, added / span.length, added))
    return tuple(gains)


def _size(intervals: Sequence[Interval]) -> int:
    return sum(end - start for start, end in intervals)


def _beginning_within(text: str, budget: int, tokens: int, count: Callable[[str], int]) -> str:
    """The longest beginning of `text` (which has `tokens` tokens) that costs at most `budget` tokens."""
    low, high = 0, len(text)
    guess = len(text) * budget // tokens
    while low < high:
        middle = min(max(guess, low + 1), high)
        if count(text[:middle]) <= budget:
            low = middle
        else:
            high = middle - 1
        guess = (low + high + 1) // 2
    return text[:low]
