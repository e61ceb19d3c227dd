"""Where a chunk boundary runs through a passage, and what would have kept the passage whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from azsearch_ops.chunking.text_split import TextSplit, split
from azsearch_ops.evaluation.alignment import Interval
from azsearch_ops.evaluation.anchoring import occurrences
from azsearch_ops.evaluation.chunk_keys import position
from azsearch_ops.evaluation.diagnosis.instruments import Making
from azsearch_ops.evaluation.diagnosis.stake import Piece, place
from azsearch_ops.evaluation.folding import fold
from azsearch_ops.evaluation.items import Item
from azsearch_ops.evaluation.outcome import Cause

_TRIES = 24
_READABLE = 200_000
"""Characters of a document up to which it is split again to see whether a remedy holds."""

_LARGER = (1.25, 1.5, 2.0, 3.0, 4.0)


@dataclass(frozen=True, slots=True)
class Remedy:
    """What would have kept a passage whole; `held` says that splitting the document so was tried and does."""

    overlap: int | None = None
    page: int | None = None
    held: bool = False


def cut_cause(item: Item, pieces: Sequence[Piece], making: Making) -> Cause:
    """The words for a passage of which every chunk holds a part only. `pieces` are those parts, the largest first."""
    text = making.text(item.document)
    span = passage_in(item, text) if text is not None else None
    at = _boundary(span, pieces, text)
    remedy = _remedy(item, span, at, pieces, text, making)
    parts = ", ".join(
        f"{place(piece.chunk)} holds {100 * piece.share:.0f} %" for piece in sorted(pieces[:2], key=lambda p: p.parts)
    )
    where = f"cut at {at:,}" if at is not None else "cut by a chunk boundary"
    detail = f"{where}; {_remedy_words(remedy, item, making)} ({parts} of the answer in {item.document})"
    return Cause(
        "cut",
        detail,
        {
            "at": at,
            "overlap": remedy.overlap,
            "page": remedy.page,
            "remedy_tried": remedy.held,
            "parts": [
                {
                    "chunk": piece.chunk.key,
                    "position": position(piece.chunk),
                    "share": round(piece.share, 4),
                    "of_answer": [list(part) for part in piece.parts],
                }
                for piece in pieces
            ],
        },
    )


def cut_small(item: Item) -> Cause:
    """The words for a passage in pieces of which each is too small to be told from chance."""
    detail = f"cut by chunk boundaries into pieces of a few words each; the answer is in parts in {item.document}"
    return Cause("cut", detail, {"at": None, "overlap": None, "page": None, "remedy_tried": False, "parts": []})


def passage_in(item: Item, text: str) -> Interval | None:
    """Where the passage stands in the text of its document; None where it does not or is a whole document."""
    if item.span is None:
        return None
    places = occurrences(item.name.removeprefix(f"{item.document}: "), text)
    before = item.span.before
    meant = [p for p in places if before and fold(text[max(0, p[0] - 400) : p[0]]).endswith(before)]
    return next(iter(meant or places), None)


def chunk_in(text: str, chunk: str, near: int = 0) -> Interval | None:
    """Where a chunk stands in the text of its document, word for word, at or after `near`; None where it does not."""
    at = text.find(chunk, near)
    return (at, at + len(chunk)) if at >= 0 else None


def _boundary(span: Interval | None, pieces: Sequence[Piece], text: str | None) -> int | None:
    """The offset in the document at which the first chunk that holds its beginning ends inside the passage."""
    if span is None or text is None:
        return None
    found = [chunk_in(text, piece.chunk.text, max(0, span[0] - len(piece.chunk.text))) for piece in pieces]
    ends = [place[1] for place in found if place is not None and span[0] < place[1] < span[1]]
    starts = [place[0] for place in found if place is not None and span[0] < place[0] < span[1]]
    return min(ends or starts, default=None)


def _remedy(
    item: Item, span: Interval | None, at: int | None, pieces: Sequence[Piece], text: str | None, making: Making
) -> Remedy:
    options = making.split
    if options is not None and options.mode == "sentences":
        return Remedy()
    if span is None or at is None or text is None or options is None or len(text) > _READABLE:
        return Remedy(overlap=_estimate(item, pieces))
    starts = making.token_starts
    if options.unit == "azureOpenAITokens" and starts is None:
        return Remedy()
    needed = at - span[0] if starts is None or options.unit == "characters" else len(starts(text[span[0] : at]))
    most = (options.maximum_page_length - 1) // 2
    step = max(1, (most - needed) // _TRIES)
    for overlap in range(max(needed, options.page_overlap_length + 1), most + 1, step):
        if _holds(text, span, replace(options, page_overlap_length=overlap), making):
            return Remedy(overlap=overlap, held=True)
    for factor in _LARGER:
        page = _round(factor * options.maximum_page_length)
        if _holds(text, span, replace(options, maximum_page_length=page), making):
            return Remedy(page=page, held=True)
    return Remedy()


def _holds(text: str, span: Interval, options: TextSplit, making: Making) -> bool:
    pages = split(text, options, making.token_starts)
    return any(page.start <= span[0] and span[1] <= page.end for page in pages)


def _estimate(item: Item, pieces: Sequence[Piece]) -> int | None:
    """The overlap by which the next chunk would have begun where the passage does, told from the chunks alone."""
    starts = [(piece.parts[0][1], len(piece.chunk.text)) for piece in pieces if piece.parts[0][0] == 0]
    if item.span is None or not starts:
        return None
    overlap, size = max(starts)
    return overlap if 2 * overlap < size and item.span.length <= size else None


def _remedy_words(remedy: Remedy, item: Item, making: Making) -> str:
    if remedy.overlap is not None:
        return f"an overlap of {remedy.overlap:,} {'keeps' if remedy.held else 'would keep'} it whole"
    if remedy.page is not None:
        return f"pages of {remedy.page:,} keep it whole"
    options = making.split
    if options is not None and options.mode == "sentences":
        return "sentences have no overlap"
    length = item.span.length if item.span else 0
    if options is not None and options.unit == "characters" and length > options.maximum_page_length:
        return f"the answer has {length:,} characters, a page {options.maximum_page_length:,}"
    return "no overlap below half a page keeps it whole" if options is not None else "the answer is in parts"


def _round(length: float) -> int:
    return round(length / 50) * 50 if length >= 500 else round(length)
