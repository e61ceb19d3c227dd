"""Judgements held against the chunks of an index, where no document of its source can be read.

An excerpt is where a chunk has its words, or where several have its parts, which the rankings are scored by too
(`alignment.py`). Otherwise its document was edited since, and the passage most like it takes its place, with a stated
likeness (`anchoring_quotes.py`); or no chunk has it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from azsearch_ops.evaluation.alignment import Passage, Span, align, merge
from azsearch_ops.evaluation.anchoring import anchored
from azsearch_ops.evaluation.anchoring_queries import Coverage, Moved
from azsearch_ops.evaluation.anchoring_quotes import DocumentText, Quote, find_quote
from azsearch_ops.evaluation.chunk_keys import ordinal_in, position
from azsearch_ops.evaluation.folding import fold
from azsearch_ops.evaluation.types import Chunk, Judgement, Query

_WHOLE = 0.98
"""The share of an excerpt that its parts in several chunks have to come to: white space at the cuts may be gone."""

_CHANCE = 3
"""Fewer characters that neighbours share are no overlap: `let` and `ter` are cut from `letter`."""

Standing = Literal["exact", "normalised", "fuzzy", "whole document", "lost", "document missing", "not seen"]


@dataclass(frozen=True, slots=True)
class HeldDocuments:
    """What `index` holds of judged documents: their chunks by judged path.

    `certain` names the documents of which `chunks` has all there is, which may be nothing; of any other, what was
    seen may not be all.
    """

    index: str
    chunks: Mapping[str, tuple[Chunk, ...]]
    certain: frozenset[str]


@dataclass(frozen=True, slots=True)
class Place:
    """How a judgement stands in one index, how alike (0 to 1) the words there are, and what they read."""

    index: str
    how: Standing
    score: float = 1.0
    reads: str = ""


@dataclass(frozen=True, slots=True)
class Standings:
    """Judgement number `number` (from 0) of a query, in each index."""

    query: str
    number: int
    places: tuple[Place, ...]

    @property
    def nowhere(self) -> bool:
        """Whether no index has the document, and each is certain of it."""
        return all(place.how == "document missing" for place in self.places)

    @property
    def lost(self) -> bool:
        """Whether an index has the document and not the excerpt, and none has the excerpt in any form."""
        hows = {place.how for place in self.places}
        return "lost" in hows and hows <= {"lost", "document missing"}


def bring_to_chunks(
    queries: Sequence[Query], sides: Sequence[HeldDocuments], *, leave_out: bool = True
) -> tuple[Coverage, tuple[Standings, ...]]:
    """`queries` with their judgements as the indexes have them, and how each judgement stands in each.

    An excerpt that an index has word for word stays; one that all have in other words at best is replaced by those
    of the greatest likeness; one that none has stays, and is not found by either. Judgements on documents that no
    index has are left out where `leave_out` says so, as in `anchoring_queries.bring_to`.
    """
    texts = [_Texts(side) for side in sides]
    standings: list[Standings] = []
    moved: list[Moved] = []
    missing: list[tuple[str, str]] = []
    brought: list[Query] = []
    total = scored = 0
    for query in queries:
        kept: list[Judgement] = []
        for number, judged in enumerate(query.judgements):
            found = [text.find(judged) for text in texts]
            stands = Standings(query.id, number, tuple(place for place, _ in found))
            standings.append(stands)
            if stands.nowhere:
                missing.append((query.id, judged.document))
                if leave_out:
                    continue
            kept.append(_anchored(query, judged, found, texts, moved))
        relevant = any(judged.grade > 0 for judged in query.judgements)
        remains = any(judged.grade > 0 for judged in kept)
        total += relevant
        scored += remains
        if remains or not relevant:
            brought.append(replace(query, judgements=tuple(kept)))
    coverage = Coverage(
        queries=tuple(brought) if scored or not total else tuple(queries),
        total=total,
        scored=scored,
        judgements=len(standings),
        moved=tuple(moved),
        missing=tuple(missing),
        chunk_keys=sum(ordinal_in(document) is not None for _, document in missing),
    )
    return coverage, tuple(standings)


def joined(chunks: Sequence[Chunk]) -> str:
    """The text of a document put together from its chunks in order, what neighbours repeat of each other once."""
    whole = ""
    for chunk in sorted(chunks, key=lambda chunk: (position(chunk) is None, position(chunk) or 0, chunk.key)):
        shared = _shared(whole, chunk.text)
        whole += chunk.text[shared:] if shared else ("\n" if whole else "") + chunk.text
    return whole


def _anchored(
    query: Query,
    judged: Judgement,
    found: Sequence[tuple[Place, Quote | None]],
    texts: Sequence[_Texts],
    moved: list[Moved],
) -> Judgement:
    if judged.excerpt is None:
        return judged
    quotes = [quote for _, quote in found if quote is not None]
    trimmed = [q.text for q in quotes if q.score >= 1.0 and fold(q.text) in fold(judged.excerpt)]
    if trimmed:  # An index without the marks at its ends: what all have is what can be found in all
        return replace(judged, excerpt=min(trimmed, key=len))
    if any(place.how in ("exact", "normalised") and quote is None for place, quote in found):
        if judged.occurrence is not None:
            orders = [text.whole(judged.document) for text in texts if text.in_order(judged.document)]
            placed = [anchored(judged, order.text) for order in orders]
            return next((one for one in placed if one != judged), judged)
        return judged
    if not quotes:
        return judged
    best = max(quotes, key=lambda quote: quote.score)
    if best.score < 1.0:
        moved.append(Moved(query.id, judged.document, judged.excerpt, best))
    return replace(judged, excerpt=best.text, occurrence=None)


class _Texts:
    """The chunks of one index, each read once for all judgements."""

    def __init__(self, side: HeldDocuments) -> None:
        self._side = side
        self._whole: dict[str, DocumentText] = {}
        self._read: dict[str, list[tuple[DocumentText, Passage]]] = {}

    def in_order(self, document: str) -> bool:
        """Whether all chunks of a document were seen, and their order is known."""
        chunks = self._side.chunks.get(document, ()) if document in self._side.certain else ()
        return bool(chunks) and (len(chunks) == 1 or all(position(chunk) is not None for chunk in chunks))

    def whole(self, document: str) -> DocumentText:
        """The document's chunks as one text."""
        if document not in self._whole:
            self._whole[document] = DocumentText(joined(self._side.chunks.get(document, ())))
        return self._whole[document]

    def find(self, judged: Judgement) -> tuple[Place, Quote | None]:
        """How a judgement stands here, and the passage that is like its excerpt where none reads as it does."""
        index, document = self._side.index, judged.document
        certain = document in self._side.certain
        if not self._side.chunks.get(document):
            return Place(index, "document missing" if certain else "not seen", 0.0), None
        if judged.excerpt is None:
            return Place(index, "whole document"), None
        parts = self._parts(document)
        if any(judged.excerpt in text.text for text, _ in parts):
            return Place(index, "exact"), None
        if self._covered(Span.of(judged.excerpt), parts):
            return Place(index, "normalised"), None
        texts = [self.whole(document), *(text for text, _ in parts if len(parts) > 1)]
        quotes = [quote for text in texts if (quote := find_quote(judged.excerpt, text)) is not None]
        if not quotes:
            return Place(index, "lost" if certain else "not seen", 0.0), None
        best = max(quotes, key=lambda quote: quote.score)
        if best.how != "fuzzy":  # It stands across chunks whose parts say too little each
            return Place(index, "normalised"), None
        if best.score >= 1.0:  # The same words: what differs are marks between them
            return Place(index, "normalised"), best
        return Place(index, "fuzzy", best.score, best.text), best

    def _parts(self, document: str) -> list[tuple[DocumentText, Passage]]:
        if document not in self._read:
            chunks = self._side.chunks[document]
            self._read[document] = [(DocumentText(chunk.text), Passage.of(chunk.text)) for chunk in chunks]
        return self._read[document]

    @staticmethod
    def _covered(span: Span, parts: Sequence[tuple[DocumentText, Passage]]) -> bool:
        intervals = [interval for _, passage in parts for interval in align(span, passage)]
        covered = sum(end - start for start, end in merge(intervals))
        return span.length > 0 and covered >= _WHOLE * span.length


def _shared(before: str, after: str) -> int:
    """How many characters the end of one text and the beginning of the next have in common, from `_CHANCE` on."""
    longest = min(len(before), len(after))
    at = before.find(after[:1], len(before) - longest) if longest else -1
    while at >= 0:
        size = len(before) - at
        if size < _CHANCE:
            return 0
        if after.startswith(before[at:]):
            return size
        at = before.find(after[:1], at + 1)
    return 0
