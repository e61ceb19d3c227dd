"""Chunks of documents as Markdown, and the folded section of a pull request's comment, which is never too long."""

from __future__ import annotations

from typing import TYPE_CHECKING

from azsearch_ops.reporting import figures
from azsearch_ops.reporting.chunks_wording import cut_words, moved_words, old_chunks, options_words, summary_rows
from azsearch_ops.reporting.markdown_text import cell, code, folded, table

if TYPE_CHECKING:
    from azsearch_ops.chunking.comparison import CutPassage
    from azsearch_ops.verbs.chunks_of import ChunkLine, ChunksOf, DocumentChunks

SECTION_LIMIT = 6_000
"""Characters of the section in a comment."""

_MOST_ROWS = 8
_MOST_QUERIES = 10
_NUMBERS = {1: "one document is", 2: "two documents are", 3: "three documents are"}


def chunks_markdown(found: ChunksOf, each: bool) -> str:
    """A table of documents, or with `each` the chunks of every document found."""
    lines = [f"### {cell(found.name)}: {cell(options_words(found.options))}"]
    if found.base:
        lines += ["", f"Before, at {cell(found.base)}: {cell(options_words(found.base_options))}."]
    if found.note:
        lines += ["", f"{cell(found.note)}."]
    if each:
        for document in found.documents:
            lines += ["", *_document(document, len(document.chunks))]
    else:
        head, sides, rows = summary_rows(found)
        lines += ["", *table(head, sides, [[code(row[0]), *row[1:]] for row in rows])]
        for document in found.documents:
            lines += [f"- {code(document.document)}: {told}" for told in _fates(document)]
    lines += [f"- {code(path)} cannot be read: {cell(why)}" for path, why in sorted(found.unreadable.items())]
    return "\n".join(lines)


def cut_section(found: ChunksOf | None, room: int = SECTION_LIMIT) -> list[str]:
    """The folded section about the documents in which most moves; fewer rows where there is little room, or nothing."""
    if found is None:
        return []
    limit = min(room, SECTION_LIMIT)
    title = f"How {_NUMBERS.get(len(found.documents), f'{len(found.documents)} documents are')} cut now"
    for rows in range(_MOST_ROWS, -1, -2):
        options = f"{cell(options_words(found.base_options))} → {cell(options_words(found.options))}."
        lines = [f"{options} The documents in which most judged excerpts or boundaries move:"]
        for document in found.documents:
            lines += ["", *_document(document, rows)]
        if found.note:
            lines += ["", f"{cell(found.note)}."]
        if found.left_out:
            lines += ["", f"{found.left_out:,} more documents were not looked at."]
        again = f"azsearch-ops chunk {found.name} --document PATH --diff {found.base.partition(' ')[0]}"
        lines += ["", f"All of one: {code(again)}"]
        section = ["", *folded(title, lines)]
        if sum(len(line) + 1 for line in section) <= limit:
            return section
    return []


def _document(document: DocumentChunks, most: int) -> list[str]:
    told = [moved_words(document), *_fates(document)]
    lines = [f"**{code(document.document)}** {'; '.join(part for part in told if part)}".rstrip()]
    shown = _telling(document, most)
    if not shown:
        return lines
    compared = document.moves is not None
    words = any(line.first for line in document.chunks)
    head = ["chunk", "characters", "UTF-16", "tokens", "overlap"]
    sides = "rrrrr"
    if compared:
        head, sides = [*head, ""], f"{sides}l"
    if words:
        head, sides = [*head, "begins", "ends"], f"{sides}ll"
    old = old_chunks(document)
    lines += ["", *table(head, sides, [_row(line, old if compared else None, words) for line in shown])]
    left = len(document.chunks) - len(shown)
    return [*lines, "", f"{left:,} more chunks."] if left else lines


def _row(line: ChunkLine, old: set[tuple[int, int]] | None, words: bool) -> list[str]:
    row = [f"{line.number}", f"{line.start:,}–{line.end:,}", f"{line.length:,}", f"{line.tokens:,}"]
    row.append(f"{line.overlap:,}" if line.overlap else figures.NONE)
    if old is not None:
        row.append("as before" if (line.start, line.end) in old else "new")
    return [*row, cell(line.first, 60), cell(line.last, 60)] if words else row


def _telling(document: DocumentChunks, most: int) -> list[ChunkLine]:
    """The chunks to show where not all can be: those around passages whose fate changed, then new ones, then others."""
    moves = document.moves
    old = old_chunks(document)
    passages: tuple[CutPassage, ...] = (*moves.cut, *moves.mended) if moves else document.cut

    def rank(line: ChunkLine) -> tuple[bool, bool, int]:
        near = any(line.start < p.place.end and p.place.start < line.end for p in passages)
        return not near, (line.start, line.end) in old, line.number

    return sorted(sorted(document.chunks, key=rank)[:most], key=lambda line: line.number)


def _fates(document: DocumentChunks) -> list[str]:
    moves = document.moves
    if moves is None:
        return [f"cut: {cell(cut_words(document.cut, _MOST_QUERIES), 400)}"] if document.cut else []
    told = (("cut now", moves.cut), ("whole now", moves.mended))
    return [f"{name}: {cell(cut_words(cuts, _MOST_QUERIES), 400)}" for name, cuts in told if cuts]
