"""What text and Markdown say of chunks in the same words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from azsearch_ops.reporting.figures import NONE

if TYPE_CHECKING:
    from azsearch_ops.chunking.comparison import CutPassage
    from azsearch_ops.chunking.text_split import TextSplit
    from azsearch_ops.verbs.chunks_of import ChunksOf, DocumentChunks


def options_words(options: TextSplit | None) -> str:
    """How documents are cut, in words."""
    if options is None:
        return "each document is one chunk"
    if options.mode == "sentences":
        return f"sentences, {options.language}"
    unit = "characters" if options.unit == "characters" else f"tokens ({options.encoder})"
    taken = f", the first {options.maximum_pages_to_take} only" if options.maximum_pages_to_take else ""
    length, overlap = options.maximum_page_length, options.page_overlap_length
    return f"pages of {length:,} {unit}, overlap {overlap:,}, {options.language}{taken}"


def cut_words(cuts: Sequence[CutPassage], most: int) -> str:
    """Queries with the place where their words are cut."""
    told = ", ".join(f"{cut.query} at {cut.at:,}" for cut in cuts[:most])
    return told + (f" and {len(cuts) - most} more" if len(cuts) > most else "")


def moved_words(document: DocumentChunks) -> str:
    """How many chunks and boundaries a document has against before; empty where it was not compared."""
    moves = document.moves
    if moves is None:
        return ""
    return (
        f"chunks {len(moves.before):,} → {len(document.chunks):,}, {moves.same:,} the same; "
        f"boundaries {moves.kept:,} kept, {len(moves.gone):,} gone, {len(moves.new):,} new"
    )


def old_chunks(document: DocumentChunks) -> set[tuple[int, int]]:
    """Start and end of the chunks that there were before; empty where it was not compared."""
    return {(span.start, span.end) for span in document.moves.before} if document.moves else set()


def summary_rows(found: ChunksOf) -> tuple[list[str], str, list[list[str]]]:
    """Head, sides and rows of the table of documents."""
    head = ["document", "chunks", "longest", "tokens", "judged", "cut"]
    sides = "lrrrrr"
    if found.base:
        head += ["before", "kept", "gone", "new", "cut now", "whole now"]
        sides += "rrrrrr"
    return head, sides, [_row(document) for document in found.documents]


def _row(document: DocumentChunks) -> list[str]:
    row = [
        document.document,
        f"{len(document.chunks):,}",
        f"{document.longest:,}",
        f"{document.tokens:,}",
        _count(document.judged),
        _count(len(document.cut)),
    ]
    moves = document.moves
    if moves is None:
        return row
    counts = (moves.kept, len(moves.gone), len(moves.new), len(moves.cut), len(moves.mended))
    return [*row, f"{len(moves.before):,}", *map(_count, counts)]


def _count(number: int) -> str:
    return f"{number:,}" if number else NONE
