"""Where the chunks of one index stand in their documents, so that a repeated passage counts at its own place only.

`alignment` finds a span by a chunk's words, and passages that repeat read the same. Where the text of the document is
known, a chunk is looked up in it instead, and holds of a span what lies at the same place. A chunk that reads like
several places, in documents that repeat whole pages, stands behind the chunk before it and in front of the one after
it: that is asked only where it makes a difference. Without the text of the document its chunks are laid end to end,
where a judgement counts places at all.

What cannot be placed so is left to the words: chunks whose text the document does not have (extracted elsewhere,
rewritten), and equal chunks whose keys carry no order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from azsearch_ops.errors import ServiceError
from azsearch_ops.evaluation.alignment import Interval, Passage, Span, align, body_starts, merge, stands_alone
from azsearch_ops.evaluation.anchoring import occurrences
from azsearch_ops.evaluation.asking import DEEPEST
from azsearch_ops.evaluation.chunk_keys import position
from azsearch_ops.evaluation.folding import fold
from azsearch_ops.evaluation.overlap import shared_end
from azsearch_ops.evaluation.paths import DocumentPaths
from azsearch_ops.evaluation.placing_order import Ordered, starts_in_order
from azsearch_ops.evaluation.types import Chunk, Judgement

MOST_PLACES = 64
"""A text that stands more often than this is not placed: it says too little, and trying all would take long."""

ChunksAt = Callable[[str], Sequence[Chunk]]
"""All chunks at the address of a document, at most `asking.DEEPEST`; may raise ServiceError."""


@dataclass(frozen=True, slots=True)
class _Found:
    """Where a chunk may start in a text, `lead` folded characters of it being context in front; `size` without it."""

    starts: tuple[int, ...]
    lead: int
    size: int


class _Text:
    """A document's text, folded, and what was found in it. `raw` is None where chunks were laid end to end."""

    def __init__(self, folded: str, raw: str | None) -> None:
        self.folded = folded
        self._raw = raw
        self._spots: dict[tuple[str, int | None], tuple[int, ...]] = {}

    def spots(self, span: Span) -> tuple[int, ...]:
        """Where the span may start: at the `occurrence` that is meant, or at each; () where that is not there."""
        key = (span.excerpt, span.occurrence)
        if key not in self._spots:
            self._spots[key] = self._find_spots(span, span.occurrence)
        return self._spots[key]

    def has_near(self, read: Passage, span: Span, spots: Sequence[int]) -> bool:
        """Whether the text has `read` where it touches the span; most chunks are ruled out so without a long search."""
        reach = len(read.text) - 1
        return any(self.folded.find(read.text, max(0, at - reach), at + len(span.text) + reach) >= 0 for at in spots)

    def find(self, passage: Passage) -> _Found | None:
        """Where a chunk reads like this text, as it is or behind context of some lines."""
        for lead in body_starts(passage):
            body = passage.text[lead:]
            starts = _places(body, self.folded, MOST_PLACES + 1)
            if starts:
                return _Found(starts, lead, len(body)) if len(starts) <= MOST_PLACES else None
        return None

    def _find_spots(self, span: Span, occurrence: int | None) -> tuple[int, ...]:
        starts = _places(span.text, self.folded)
        if occurrence is None:
            whole = Passage(self._raw, self.folded) if self._raw is not None else None
            return tuple(at for at in starts if whole is None or stands_alone(span, whole, at))
        if self._raw is None:
            return starts[occurrence - 1 : occurrence]
        # Passages are counted as they are written, and only where that is nowhere as they are folded
        counted = occurrences(span.excerpt, self._raw)
        if len(counted) == len(starts):
            return starts[occurrence - 1 : occurrence]
        if occurrence > len(counted) or not starts:
            return ()
        near = len(fold(self._raw[: counted[occurrence - 1][0]]))
        return (min(starts, key=lambda at: abs(at - near)),)


@dataclass(frozen=True, slots=True)
class Sources:
    """What can be read beside the rankings: the documents' texts by path, and all chunks of a document on each side."""

    texts: Mapping[str, str] = field(default_factory=dict)
    candidate: ChunksAt | None = None
    live: ChunksAt | None = None


class Places:
    """The places of one index's chunks. `chunks` are those that are known so far; a document's others are asked for
    by `chunks_at` where equal chunks have to be told apart.
    """

    def __init__(
        self,
        paths: DocumentPaths,
        texts: Mapping[str, str],
        judgements: Iterable[Judgement],
        chunks_at: ChunksAt | None = None,
    ) -> None:
        self._paths = paths
        self._raw = {paths.key(name): text for name, text in texts.items() if paths.resolve(name) is not None}
        self._counted = {paths.key(j.document) for j in judgements if j.occurrence is not None and j.excerpt}
        self._chunks_at = chunks_at
        self._chunks: dict[str, dict[str, Chunk]] = {}
        self._texts: dict[str, _Text | None] = {}
        self._found: dict[tuple[str, str], _Found | None] = {}
        self._all: dict[str, bool] = {}
        self._solved: dict[str, dict[str, int]] = {}

    def learn(self, chunks: Iterable[Chunk]) -> None:
        """Further chunks of the index, of any document."""
        for chunk in chunks:
            document = self._paths.resolve(chunk.document)
            if document is not None and chunk.key not in self._chunks.setdefault(document, {}):
                self._chunks[document][chunk.key] = chunk
                self._solved.pop(document, None)

    def parts(self, span: Span, chunk: Chunk, read: Passage) -> tuple[Interval, ...]:
        """The parts of the span that `read` holds, a beginning of `chunk`: by its place, else by its words."""
        by_words = align(span, read)
        document = self._paths.resolve(chunk.document)
        text = self._text(document, chunk.document) if document is not None else None
        spots = text.spots(span) if text is not None else ()
        if document is None or text is None or not spots:
            return by_words
        if not by_words and not text.has_near(read, span, spots):
            return ()
        found = self._find(document, text, chunk)
        if found is None:
            return by_words
        size = min(found.size, len(read.text) - found.lead)
        held = [_overlap(span, spots, start, start + size) for start in found.starts]
        if all(parts == held[0] for parts in held):
            return held[0]
        start = self._in_order(document, text, chunk.document).get(chunk.key)
        return by_words if start is None else held[found.starts.index(start)]

    def _text(self, document: str, address: str) -> _Text | None:
        if document not in self._texts:
            raw = self._raw.get(document)
            if raw:
                self._texts[document] = _Text(fold(raw), raw)
            else:
                self._texts[document] = self._joined(document, address) if document in self._counted else None
        return self._texts[document]

    def _joined(self, document: str, address: str) -> _Text | None:
        """The text that all chunks of a document make up; None where they are not all known or have no order."""
        if not self._complete(document, address):
            return None
        chunks = self._chunks[document].values()
        ordinals = {position(chunk) for chunk in chunks}
        if None in ordinals or len(ordinals) < len(chunks):
            return None
        text = ""
        for chunk in sorted(chunks, key=lambda c: position(c) or 0):
            folded = fold(chunk.text)
            new = folded[shared_end(text[-len(folded) :], folded) :] if folded else ""
            text += new
            self._found[document, chunk.key] = _Found((len(text) - len(folded),), 0, len(folded))
        return _Text(text, None)

    def _find(self, document: str, text: _Text, chunk: Chunk) -> _Found | None:
        key = (document, chunk.key)
        if key not in self._found:
            self._found[key] = text.find(Passage.of(chunk.text))
        return self._found[key]

    def _complete(self, document: str, address: str) -> bool:
        """Whether all chunks of the document are known, after asking for them once."""
        if document not in self._all:
            self._all[document] = False
            if self._chunks_at is not None:
                try:
                    chunks = self._chunks_at(address)
                except ServiceError:  # The address may not be filterable, as in indexes that others made
                    self._chunks_at = None
                else:
                    self.learn(chunks)
                    self._all[document] = 0 < len(chunks) < DEEPEST
        return self._all[document]

    def _in_order(self, document: str, text: _Text, address: str) -> Mapping[str, int]:
        """The start of each chunk that order puts in one of its places, by key."""
        complete = self._complete(document, address)
        if document not in self._solved:
            keys: list[str] = []
            row: list[Ordered] = []
            for key, chunk in self._chunks.get(document, {}).items():
                found, ordinal = self._find(document, text, chunk), position(chunk)
                if found is not None and ordinal is not None:
                    keys.append(key)
                    row.append(Ordered(ordinal, found.size, found.starts))
            blank = sum(not chunk.text.strip() for chunk in self._chunks[document].values())
            complete = complete and len(row) + blank == len(self._chunks[document])
            starts = starts_in_order(row, len(text.folded), complete=complete)
            self._solved[document] = dict(zip(keys, starts, strict=True)) if starts else {}
        return self._solved[document]


def _overlap(span: Span, spots: Sequence[int], start: int, stop: int) -> tuple[Interval, ...]:
    """What of a span at each of `spots` lies between `start` and `stop`, in characters of the excerpt."""
    if stop <= start:
        return ()
    size = len(span.text)
    inside = [(max(start, at) - at, min(stop, at + size) - at) for at in spots if start < at + size and at < stop]
    return tuple(merge([span.source(first, last) for first, last in inside]))


def _places(wanted: str, text: str, most: int | None = None) -> tuple[int, ...]:
    """Where `wanted` starts in `text`, the first `most` places; they may overlap."""
    places: list[int] = []
    at = text.find(wanted) if wanted else -1
    while at >= 0 and len(places) != most:
        places.append(at)
        at = text.find(wanted, at + 1)
    return tuple(places)
