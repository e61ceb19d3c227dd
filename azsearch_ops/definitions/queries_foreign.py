"""What to write instead of the keys that other tools' judgements have: offsets, chunk ids, other names."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from azsearch_ops.errors import Problem

_OFFSETS: Final = (
    "offsets end with the first edit of the document: write the words that stand there as `excerpt` "
    "(`occurrence: 2` for their second place), which are found again when they move"
)
_CHUNKS: Final = (
    "chunks end with the chunking they came from: name the document they are of as `document`, and the words of it "
    "that answer as `excerpt`"
)
_DOCUMENT: Final = "it is called `document`: the path below the container"
_EXCERPT: Final = "it is called `excerpt`: the exact words of the document"
_HINTS: Final = {
    **dict.fromkeys(("start", "end", "offset", "length", "span", "start_index", "end_index", "start_char"), _OFFSETS),
    **dict.fromkeys(("end_char", "char_start", "char_end", "begin"), _OFFSETS),
    **dict.fromkeys(("chunk", "chunk_id", "chunks", "chunk_ids"), _CHUNKS),
    **dict.fromkeys(("doc", "doc_id", "document_id", "path", "file", "source"), _DOCUMENT),
    **dict.fromkeys(("quote", "passage", "text", "content", "reference", "snippet"), _EXCERPT),
    "label": "it is called `grade`: 0 (judged, not relevant) to 4",
    "relevance": "it is called `grade`: 0 (judged, not relevant) to 4",
}


def foreign_hint(name: str) -> str:
    """What to write instead of a key or column `name`; empty where nothing is known of it."""
    return _HINTS.get(name.strip().casefold(), "")


def with_foreign_hints(problems: Iterable[Problem]) -> list[Problem]:
    """`problems`, those about keys of other tools with what to write instead."""
    return [_told(problem) for problem in problems]


def _told(problem: Problem) -> Problem:
    # Only keys of a judgement have a pointer below `relevant`; elsewhere the same name may mean something else
    pointer = problem.location.pointer if problem.location else ""
    if problem.code != "AZS008" or "/relevant/" not in pointer:
        return problem
    hint = foreign_hint(pointer.rpartition("/")[2])
    return replace(problem, hint=hint) if hint else problem
