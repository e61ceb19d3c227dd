"""Markdown by its headers: a section each, or one document that holds them nested.

https://learn.microsoft.com/azure/search/search-how-to-index-azure-blob-markdown: only headers of the # kind split, down
to a depth; lists, tables and code are text. As in the examples there, lines end with a carriage return and a line feed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from azsearch_ops.documents.plain import decode
from azsearch_ops.documents.records import Record

DEEPEST: Final = 6
_HEADER: Final = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*")
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_END: Final = "\r\n"


@dataclass(frozen=True, slots=True)
class Section:
    """What stands under a header, up to the next: `level` 1 to 6, 0 for what stands above all headers.

    `position` counts sections from 1; `content` has no blank lines at its ends.
    """

    level: int
    name: str
    content: str
    position: int


def markdown_sections(data: bytes, depth: int = DEEPEST) -> Iterator[Record]:
    """A record for each section with content, in order: `content`, `sections` (the headers above it), position.

    The record's number is that of the document among those of the blob. Raises CrackError for bytes that are no text.
    """
    above = [""] * depth
    number = 0
    for section in _sections(decode(data)[0], depth):
        if section.level:
            above[section.level - 1 :] = [section.name, *[""] * (depth - section.level)]
        if not section.content:
            continue
        number += 1
        headers = {f"h{level}": name for level, name in enumerate(above, 1)}
        content = section.content + _END
        yield Record(number, {"content": content, "sections": headers, "ordinal_position": section.position})


def markdown_document(data: bytes, depth: int = DEEPEST) -> Record:
    """The blob as one record: its text, and the sections under their headers, nested as those are.

    A section whose level is skipped lies in the nearest header above it. Raises CrackError for bytes that are no text.
    """
    text = decode(data)[0]
    top: list[dict[str, Any]] = []
    path: list[tuple[int, list[dict[str, Any]]]] = [(0, top)]
    for section in _sections(text, depth):
        if section.level == 0:
            continue  # There is no header to file it under; it is part of document_content
        while path[-1][0] >= section.level:
            path.pop()
        below: list[dict[str, Any]] = []
        path[-1][1].append(
            {
                "header_level": f"h{section.level}",
                "header_name": section.name,
                "content": section.content,
                "ordinal_position": section.position,
                "sections": below,
            }
        )
        path.append((section.level, below))
    return Record(
        1, {"document_content": _END.join(text.splitlines()) + (_END if text.strip() else ""), "sections": top}
    )


def _sections(text: str, depth: int) -> Iterator[Section]:
    level, name, lines, position, fence = 0, "", [], 0, ""
    for line in (*text.splitlines(), None):
        header = None if line is None or fence else _HEADER.fullmatch(line)
        if line is not None and (header is None or len(header[1]) > depth):
            lines.append(line)
            fence = _fenced(fence, line)
            continue
        content = _END.join(lines).strip("\r\n") if any(part.strip() for part in lines) else ""
        if level or content:
            position += 1
            yield Section(level, name, content, position)
        if header is not None:
            level, name, lines = len(header[1]), header[2] or "", []


def _fenced(fence: str, line: str) -> str:
    """The mark of the block of code that the line after this one stands in, empty outside of any."""
    found = _FENCE.match(line)
    if found is None:
        return fence
    if not fence:
        return found[1]
    closes = found[1].startswith(fence) and not line.strip(f" {fence[0]}")
    return "" if closes else fence
