"""Did another Text Split reach the candidate? Told from how many chunks its documents have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from azsearch_ops.errors import Problem
from azsearch_ops.releasing.outcomes import Check

NAME: Final = "chunk count"
TELLING: Final = 1.2
"""By how much the number of chunks must be about to change before one that did not change tells anything."""
MANY: Final = 2
"""Chunks a document, on average, above which most documents are cut at all."""


@dataclass(frozen=True, slots=True)
class Recut:
    """What another Text Split than live's is to change about the number of chunks.

    `by_document` has, for documents that were read, how many chunks live's settings give and how many these do;
    empty where none can be read from here. `live` are the chunks of live, `expected` what they become in proportion to
    length and overlap, None where that cannot be told.
    """

    by_document: Mapping[str, tuple[int, int]]
    live: int
    expected: int | None


def check_recut(
    recut: Recut | None, chunked: Iterable[str], documents: int, chunks: int
) -> tuple[tuple[Check, ...], list[Problem]]:
    """The check, and the problem of a candidate that was cut as live was; nothing where the cut is to be the same.

    `chunked` is the document of each chunk (a path, or an address that ends with it), `documents` and `chunks` count
    those of the candidate.
    """
    if recut is None:
        return (), []
    telling = {document: pair for document, pair in recut.by_document.items() if pair[0] != pair[1]}
    if telling:
        found = _counted(chunked, telling)
        old = [document for document in telling if found[document] == telling[document][0]]
        if len(old) == len(telling):
            first = min(old)
            before, after = telling[first]
            what = (
                f"{first} has {before} chunk{'s' if before != 1 else ''} as before, where these settings make {after}"
            )
            return (), [Problem("chunk-count", f"{what}: the candidate was built with old settings")]
        detail = f"{len(telling) - len(old)} of {len(telling)} documents have another number of chunks than before"
        return (Check(NAME, "checked", detail),), []
    if recut.by_document:
        return (Check(NAME, "checked", "these settings make as many chunks of each document as live's"),), []
    if recut.expected is None or not _is_told(recut, documents):
        return (Check(NAME, "not checkable here", "the documents cannot be read from here"),), []
    if chunks == recut.live:
        what = f"{chunks} chunks as live has, where these settings make about {recut.expected}"
        return (), [Problem("chunk-count", f"{what}: the candidate was built with old settings")]
    return (Check(NAME, "checked", f"{chunks} chunks, {recut.live} in live"),), []


def _is_told(recut: Recut, documents: int) -> bool:
    """Whether an equal number of chunks would be no chance: most documents are cut, and it is to change a lot."""
    low, high = sorted((recut.live, recut.expected or 0))
    return low > 0 and high / low >= TELLING and recut.live >= MANY * documents


def _counted(chunked: Iterable[str], documents: Mapping[str, object]) -> Counter[str]:
    """How many chunks each of the documents has."""
    found: Counter[str] = Counter()
    for name, chunks in Counter(chunked).items():
        at = 0
        while name[at:] not in documents and at >= 0:
            at = name.find("/", at) + 1 or -1
        if at >= 0:
            found[name[at:]] += chunks
    return found
