"""Chunks of documents as text and as JSON: a line a document, or a line a chunk, and what moves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from azsearch_ops.chunking.comparison import CutPassage
from azsearch_ops.chunking.text_split import TextSplit
from azsearch_ops.reporting import figures
from azsearch_ops.reporting.chunks_markdown import chunks_markdown
from azsearch_ops.reporting.chunks_wording import cut_words, moved_words, old_chunks, options_words, summary_rows
from azsearch_ops.reporting.columns import aligned
from azsearch_ops.reporting.style import Style, fit
from azsearch_ops.verbs.chunks_of import ChunksOf, DocumentChunks

__all__ = ["chunks_data", "chunks_markdown", "render_chunks"]

_MOST_GONE = 20


def render_chunks(found: ChunksOf, each: bool, style: Style) -> str:
    """A table of documents, or with `each` the chunks of every document found."""
    count = sum(len(document.chunks) for document in found.documents)
    documents = "document" if len(found.documents) == 1 else "documents"
    chunks = "chunk" if count == 1 else "chunks"
    lines = [
        f"{found.name}   {found.environment}   {len(found.documents)} {documents}   {count:,} {chunks}",
        f"cut       {options_words(found.options)}",
    ]
    if found.base:
        lines.append(f"before    {options_words(found.base_options)}   {found.base}")
    if found.note:
        lines.append(style.paint(f"note      {found.note}", "doubt"))
    if each:
        for document in found.documents:
            lines += ["", *_document(document, style)]
    else:
        head, sides, rows = summary_rows(found)
        drawn = aligned([head, *rows], sides)
        lines += ["", style.paint(drawn[0], "quiet"), *drawn[1:]]
        for document in found.documents:
            lines += _fates(document, f"{document.document}: ", style)
    for path, why in sorted(found.unreadable.items()):
        lines.append(style.paint(f"  {path} cannot be read: {why}", "doubt"))
    return "\n".join(lines)


def chunks_data(found: ChunksOf, each: bool) -> dict[str, Any]:
    """The same for machines; each chunk only with `each`."""
    return {
        "name": found.name,
        "environment": found.environment,
        "cutting": _options(found.options),
        "base": {"revision": found.base, "cutting": _options(found.base_options)} if found.base else None,
        "documents": [_document_data(document, each) for document in found.documents],
        "note": found.note,
        "unreadable": dict(sorted(found.unreadable.items())),
    }


def _document(document: DocumentChunks, style: Style) -> list[str]:
    lines = [document.document]
    moves = document.moves
    old = old_chunks(document)
    head = ["", "chunk", "characters", "UTF-16", "tokens", "overlap"]
    rows = [head]
    for line in document.chunks:
        known = "" if moves is None else "=" if (line.start, line.end) in old else "+"
        place = f"{line.start:,}–{line.end:,}"
        rows.append(
            [known, f"{line.number}", place, f"{line.length:,}", f"{line.tokens:,}", figures.count(line.overlap)]
        )
    drawn = aligned(rows, "lrrrrr")
    lines.append(style.paint(drawn[0], "quiet"))
    for line, text in zip(document.chunks, drawn[1:], strict=True):
        words = f"{line.first} … {line.last}" if line.first else ""
        room = style.width - len(text) - 3
        shown = fit(words, room) if room > 10 else ""
        lines.append(f"{text}   {style.paint(shown, 'quiet')}".rstrip())
    if document.cut:
        lines.append(f"  {len(document.cut)} of {document.judged} judged excerpts cut: {cut_words(document.cut, 20)}")
    elif document.judged:
        lines.append(f"  {document.judged} judged excerpts, none cut")
    if moves is not None:
        lines.append(f"  {moved_words(document)}")
        if moves.gone:
            lines.append(f"  gone: {_places(moves.gone)}")
        if moves.new:
            lines.append(f"  new:  {_places(moves.new)}")
    return [*lines, *_fates(document, "", style)]


def _fates(document: DocumentChunks, title: str, style: Style) -> list[str]:
    moves = document.moves
    if moves is None:
        return []
    lines = []
    if moves.cut:
        lines.append(style.paint(f"  {title}cut now, whole before: {cut_words(moves.cut, 20)}", "bad"))
    if moves.mended:
        lines.append(style.paint(f"  {title}whole now, cut before: {cut_words(moves.mended, 20)}", "good"))
    return lines


def _places(found: Sequence[Any]) -> str:
    told = ", ".join(f"{b.end:,}" + (f" (overlap {b.overlap:,})" if b.overlap else "") for b in found[:_MOST_GONE])
    return told + (f" and {len(found) - _MOST_GONE} more" if len(found) > _MOST_GONE else "")


def _options(options: TextSplit | None) -> dict[str, Any] | None:
    """Under the names that REST gives them."""
    if options is None:
        return None
    return {
        "textSplitMode": options.mode,
        "maximumPageLength": options.maximum_page_length,
        "pageOverlapLength": options.page_overlap_length,
        "maximumPagesToTake": options.maximum_pages_to_take,
        "unit": options.unit,
        "encoderModelName": options.encoder,
        "defaultLanguageCode": options.language,
    }


def _document_data(document: DocumentChunks, each: bool) -> dict[str, Any]:
    data: dict[str, Any] = {
        "document": document.document,
        "count": len(document.chunks),
        "longest": document.longest,
        "tokens": document.tokens,
        "judged": document.judged,
        "cut": [_passage(cut) for cut in document.cut],
    }
    if each:
        data["chunks"] = [asdict(line) for line in document.chunks]
    moves = document.moves
    if moves is not None:
        data["moves"] = {
            "count_before": len(moves.before),
            "same_chunks": moves.same,
            "boundaries": {
                "kept": moves.kept,
                "gone": [{"end": b.end, "start": b.start} for b in moves.gone],
                "new": [{"end": b.end, "start": b.start} for b in moves.new],
            },
            "cut_now": [_passage(cut) for cut in moves.cut],
            "whole_now": [_passage(cut) for cut in moves.mended],
        }
    return data


def _passage(cut: CutPassage) -> dict[str, Any]:
    return {"query": cut.query, "start": cut.place.start, "end": cut.place.end, "at": cut.at}
