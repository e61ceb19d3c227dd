"""What a reader of the first k chunks, or of the first N tokens, newly learns: the one input of every metric."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from azsearch_ops.evaluation.alignment import Interval, Passage, align, merge
from azsearch_ops.evaluation.cut import Cut
from azsearch_ops.evaluation.items import Item
from azsearch_ops.evaluation.overlap import fresh_sizes
from azsearch_ops.evaluation.paths import DocumentPaths
from azsearch_ops.evaluation.placing import Places
from azsearch_ops.evaluation.token_budget import beginning_within
from azsearch_ops.evaluation.types import Chunk, CountTokens, Judgement

ENOUGH = 0.5
"""The share of a span from which it counts as found: a reader with half of an answer is at the right place."""

DOCUMENTS_WITHIN = 50
"""The chunks, at least, among which the first k documents are looked for: several of one document come together."""

_SLACK = 1e-9


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

    `grades` and `lengths` (characters; 0 for a whole document) are by item.

    Only where it was asked for: `sizes` holds the characters read of each chunk, in rank order, the last smaller than
    its chunk where the token budget ran out inside it; `fresh` those of them that no chunk before had; `labels` the
    labels of the distinct documents in the order they came (None where nobody judged it), `leading` those of the
    first so many documents as the cut has chunks, further down where chunks of one document repeat, and `judged` those
    of all documents judged for the query. A document's label is its highest grade.
    """

    cut: Cut
    grades: tuple[int, ...]
    lengths: tuple[int, ...]
    gains: tuple[Gain, ...]
    sizes: tuple[int, ...] = ()
    fresh: tuple[int, ...] = ()
    labels: tuple[int | None, ...] = ()
    judged: tuple[int, ...] = ()
    leading: tuple[int | None, ...] = ()

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

    def ranking(
        self,
        items: Sequence[Item],
        chunks: Sequence[Chunk],
        judgements: Sequence[Judgement] = (),
        places: Places | None = None,
    ) -> Ranking:
        """`chunks` aligned with `items`, by their `places` where these are known, else by their words.

        `judgements` are wanted for the labels of documents only.
        """
        held = tuple(self.held(items, chunk, places=places) for chunk in chunks)
        return Ranking(self, tuple(items), tuple(chunks), held, tuple(judgements), places)

    def held(self, items: Sequence[Item], chunk: Chunk, size: int | None = None, places: Places | None = None) -> Held:
        """What `chunk`, or its first `size` characters, holds of each of `items`."""
        document = self.paths.resolve(chunk.document)
        if document is None:
            return ()
        found: list[tuple[int, tuple[Interval, ...]]] = []
        for index, item in enumerate(items):
            if self.paths.key(item.document) != document:
                continue
            if item.span is None:
                found.append((index, ((0, 0),)))
                continue
            read = self._passage(chunk.text if size is None else chunk.text[:size])
            if parts := places.parts(item.span, chunk, read) if places else align(item.span, read):
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
    """Chunks in rank order, with what each holds of the items; `places` are those of the index that they are from."""

    reader: Reader
    items: tuple[Item, ...]
    chunks: tuple[Chunk, ...]
    held: tuple[Held, ...]
    judgements: tuple[Judgement, ...] = ()
    places: Places | None = None
    _once: list[_Once] = field(default_factory=list, init=False, repr=False, compare=False)

    def held_by(self, chunk: Chunk, size: int | None = None) -> Held:
        """What a chunk of the same index, or its first `size` characters, holds of each of the items."""
        return self.reader.held(self.items, chunk, size, self.places)

    def read(self, cut: Cut, needs: Collection[str] = ()) -> Reading:
        """The ranking as far as `cut`; of the chunk in which a token budget ends, the part within counts.

        `needs` names the further members of the reading that are wanted: "sizes", "fresh", "labels", "leading".
        """
        if not self._once:
            self._once.append(_Once.of(self.items, self.held, self.chunks))
        once = self._once[0]
        if cut.unit == "tokens":
            held, texts = self._within(cut.size, exact=bool(needs))
            gains = _gains(self.items, held, texts)
        else:
            texts = None
            count = bisect_right(once.ranks, cut.size)
            gains = once.gains if count == len(once.gains) else once.gains[:count]
        if not needs:
            return Reading(cut, once.grades, once.lengths, gains)
        if texts is None:
            texts = [chunk.text for chunk in self.chunks[: cut.size]]
        return Reading(
            cut,
            once.grades,
            once.lengths,
            gains,
            tuple(map(len, texts)) if "sizes" in needs else (),
            self._fresh(texts) if "fresh" in needs else (),
            *(self._labels(len(texts)) if "labels" in needs or "leading" in needs else ((), ())),
            self._leading(cut, len(texts)) if "leading" in needs else (),
        )

    def whole(self) -> Reading:
        """All of the ranking."""
        return self.read(Cut(max(1, len(self.chunks))))

    def tokens(self, chunks: int) -> int:
        """The tokens of the first `chunks` chunks."""
        return sum(self.reader.tokens(chunk.text) for chunk in self.chunks[:chunks])

    def _within(self, budget: int, exact: bool) -> tuple[list[Held], list[str]]:
        """What is held of the items, and the texts, within so many tokens.

        Without `exact` a last chunk that holds nothing is left whole: where its reading ends changes no gain.
        """
        held: list[Held] = []
        texts: list[str] = []
        left = budget
        for chunk, parts in zip(self.chunks, self.held, strict=True):
            if left <= 0:
                break
            text = chunk.text
            tokens = self.reader.tokens(text)
            if tokens > left and (parts or exact):
                text = beginning_within(text, left, tokens, self.reader.count)
                parts = self.held_by(chunk, len(text)) if parts else ()
            texts.append(text)
            held.append(parts)
            left -= tokens
        return held, texts

    def _fresh(self, texts: Sequence[str]) -> tuple[int, ...]:
        return fresh_sizes([chunk.document for chunk in self.chunks[: len(texts)]], texts)

    def _leading(self, cut: Cut, chunks: int) -> tuple[int | None, ...]:
        if cut.unit == "tokens":
            return self._labels(chunks)[0]
        return self._labels(max(DOCUMENTS_WITHIN, cut.size))[0][: cut.size]

    def _labels(self, chunks: int) -> tuple[tuple[int | None, ...], tuple[int, ...]]:
        paths = self.reader.paths
        judged: dict[str, int] = {}
        for judgement in self.judgements:
            name = paths.key(judgement.document)
            judged[name] = max(judgement.grade, judged.get(name, 0))
        came = dict.fromkeys(paths.resolve(chunk.document) or chunk.document for chunk in self.chunks[:chunks])
        return tuple(judged.get(name) for name in came), tuple(judged.values())


@dataclass(frozen=True, slots=True)
class _Once:
    """What every reading of a ranking has in common; the gains of a shorter one are the first of those of a longer."""

    grades: tuple[int, ...]
    lengths: tuple[int, ...]
    gains: tuple[Gain, ...]
    ranks: list[int]

    @classmethod
    def of(cls, items: Sequence[Item], held: Sequence[Held], chunks: Sequence[Chunk]) -> _Once:
        gains = _gains(items, held, chunks)
        return cls(
            tuple([item.grade for item in items]),
            tuple([item.span.length if item.span else 0 for item in items]),
            gains,
            [gain.rank for gain in gains],
        )


def _gains(items: Sequence[Item], held: Sequence[Held], texts: Sequence[str] | Sequence[Chunk]) -> tuple[Gain, ...]:
    gains: list[Gain] = []
    covered: dict[int, list[Interval]] = {}
    for rank, parts in enumerate(held, start=1):
        if not parts:
            continue
        for index, intervals in parts:
            span = items[index].span
            if span is None:
                if index not in covered:
                    covered[index] = []
                    read = texts[rank - 1]
                    gains.append(Gain(rank, index, 1.0, len(read if isinstance(read, str) else read.text)))
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
