"""Where the chunks and the references of a document lie, for the metrics that read all of its chunks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from azsearch_ops.evaluation.alignment import Interval, merge
from azsearch_ops.evaluation.anchoring import occurrences
from azsearch_ops.evaluation.chunk_keys import position
from azsearch_ops.evaluation.overlap import shared_end
from azsearch_ops.evaluation.paths import DocumentPaths
from azsearch_ops.evaluation.types import Chunk, Judgement


@dataclass(frozen=True, slots=True)
class Corpora:
    """All chunks of the documents that judgements name, of each side, and those documents' texts where they are known.

    `texts` is by the path that judgements use. Without the text of a document its chunks are laid end to end, what
    neighbours share once.
    """

    candidate: Sequence[Chunk]
    live: Sequence[Chunk] = ()
    texts: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DocumentLayout:
    """Characters of one document: `references` are the spans judged relevant to a query, `chunks` all chunks."""

    references: tuple[Interval, ...]
    chunks: tuple[Interval, ...]


@dataclass(frozen=True, slots=True)
class _Laid:
    text: str
    chunks: tuple[Interval, ...]


class Layouts:
    """The layouts of one side's documents; each document is laid out once."""

    def __init__(self, chunks: Sequence[Chunk], texts: Mapping[str, str], paths: DocumentPaths) -> None:
        self._paths = paths
        self._texts = {paths.key(name): text for name, text in texts.items() if paths.resolve(name) is not None}
        self._chunks: dict[str, list[Chunk]] = defaultdict(list)
        for chunk in chunks:
            document = paths.resolve(chunk.document)
            if document is not None:
                self._chunks[document].append(chunk)
        self._laid: dict[str, _Laid] = {}

    def of(self, judgements: Sequence[Judgement]) -> tuple[DocumentLayout, ...]:
        """One layout for each document with a relevant excerpt; a document without chunks has none of them."""
        wanted: dict[str, dict[tuple[str, int], None]] = defaultdict(dict)
        for judgement in judgements:
            if judgement.grade >= 1 and judgement.excerpt is not None:
                wanted[self._paths.key(judgement.document)][judgement.excerpt, judgement.occurrence or 1] = None
        return tuple(self._layout(document, list(excerpts)) for document, excerpts in wanted.items())

    def _layout(self, document: str, excerpts: list[tuple[str, int]]) -> DocumentLayout:
        if document not in self._laid:
            self._laid[document] = _lay(self._chunks[document], self._texts.get(document))
        laid = self._laid[document]
        references: list[Interval] = []
        beyond = len(laid.text)  # What no chunk holds gets a place of its own behind the text
        for excerpt, occurrence in excerpts:
            places = occurrences(excerpt, laid.text)
            if places:
                references.append(places[min(occurrence, len(places)) - 1])
            else:
                references.append((beyond + 1, beyond + 1 + len(excerpt)))
                beyond += 1 + len(excerpt)
        return DocumentLayout(tuple(references), laid.chunks)


def covered(references: Sequence[Interval], chunks: Sequence[Interval]) -> tuple[list[Interval], list[Interval]]:
    """The parts of `references` inside and outside of `chunks`."""
    inside: list[Interval] = []
    outside: list[Interval] = []
    whole = merge(list(chunks))
    for start, end in merge(list(references)):
        at = start
        for low, high in whole:
            if high <= at or low >= end:
                continue
            if low > at:
                outside.append((at, low))
            inside.append((max(at, low), min(end, high)))
            at = min(end, high)
        if at < end:
            outside.append((at, end))
    return inside, outside


def measure(intervals: Sequence[Interval]) -> int:
    """The number of characters in the union of `intervals`."""
    return sum(end - start for start, end in merge(list(intervals)))


def share_of_touched(layouts: Sequence[DocumentLayout], touches: Callable[[Interval, Interval], bool]) -> float:
    """Characters of the references that touched chunks hold, over those of these chunks and of what they do not hold.

    `touches` tells of a chunk and a reference whether the chunk counts. 0.0 without a reference.
    """
    held = below = 0
    for layout in layouts:
        touched = [c for c in layout.chunks if any(touches(c, reference) for reference in layout.references)]
        inside, outside = covered(layout.references, touched)
        held += measure(inside)
        below += measure([*touched, *outside])
    return held / below if below else 0.0


def _lay(chunks: Sequence[Chunk], text: str | None) -> _Laid:
    ordered = sorted(chunks, key=_ordinal)
    if text is not None:
        found = _found(ordered, text)
        if found is not None:
            return _Laid(text, found)
    return _joined(ordered)


def _found(chunks: Sequence[Chunk], text: str) -> tuple[Interval, ...] | None:
    """Where each chunk stands in `text`, each after the one before it; None where one does not."""
    places: list[Interval] = []
    after = 0
    for chunk in chunks:
        at = text.find(chunk.text, after if position(chunk) is not None else 0)
        if at < 0:
            return None
        places.append((at, at + len(chunk.text)))
        after = at + 1
    return tuple(places)


def _joined(chunks: Sequence[Chunk]) -> _Laid:
    """The chunks laid end to end."""
    text = ""
    places: list[Interval] = []
    for chunk in chunks:
        shared = shared_end(text[-len(chunk.text) :], chunk.text) if chunk.text else 0
        start = len(text) - shared
        text += chunk.text[shared:]
        places.append((start, start + len(chunk.text)))
    return _Laid(text, tuple(places))


def _ordinal(chunk: Chunk) -> tuple[int, str]:
    ordinal = position(chunk)
    return (-1 if ordinal is None else ordinal), chunk.key
