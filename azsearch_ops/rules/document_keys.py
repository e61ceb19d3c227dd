"""AZS53x: document paths that make keys which Azure refuses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final
from urllib.parse import quote

from azsearch_ops.contract import sources
from azsearch_ops.contract.indexing import BLOB_TYPES
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.near import nearest
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation

LONGEST_KEY: Final = 1024
# What a path is put into at the least: an account's name has 3 letters or more, a chunk's key has a hash in front and
# its page's name behind the encoded address of its document.
SHORTEST_ADDRESS: Final = len("https://abc.blob.core.windows.net//")
AROUND_THE_PARENT: Final = len("0123456789ab__pages_0")

EXPLANATIONS: Final = (
    Explanation(
        "AZS531",
        "A document path that makes too long a key",
        "A chunk's key holds the address of its document in base64, which is a third longer than the address, and a "
        "key takes 1,024 characters. The indexer would fail such a document.",
        "Shorten the path, or accept the document by name with a reason under source.accept.",
        sources.NAMING,
    ),
    Explanation(
        "AZS532",
        "A document is accepted that is not there",
        "source.accept lets a document fail by name and with a reason. One that is not in the container was renamed or "
        "deleted, or is misspelled, and then the document that was meant is not accepted.",
        "Mend the path, or take the entry out.",
    ),
)


def check_document_keys(index: IndexDefinition, documents: Iterable[str]) -> Iterator[Problem]:
    """One problem for each document whose chunks would have too long a key, unless it is accepted by name."""
    if index.source.type not in BLOB_TYPES:
        return
    accepted = {entry.document for entry in index.source.accept}
    for path in sorted(set(documents) - accepted):
        address = SHORTEST_ADDRESS + len(index.source.container) + len(quote(path, errors="surrogateescape"))
        length = AROUND_THE_PARENT + -(-address * 4 // 3) + 1
        if length > LONGEST_KEY:
            message = f"the path of a document gives keys of {length:,} characters, and a key takes {LONGEST_KEY:,}"
            hint = f"shorten it, or accept it: source.accept: [{{document: {path[:60]}…, reason: too long a path}}]"
            yield Problem("AZS531", message, index.locate("/source/container"), hint=hint)


def check_accepted(index: IndexDefinition, documents: Iterable[str]) -> Iterator[Problem]:
    """Accepted documents that the container does not have."""
    there = set(documents)
    for number, entry in enumerate(index.source.accept):
        if entry.document not in there:
            message = f"source.accept names a document that is not there: {entry.document!r}"
            near = nearest(entry.document, there)
            place = index.locate(f"/source/accept/{number}/document")
            hint = f"did you mean {near!r}?" if near else ""
            yield Problem("AZS532", message, place, severity="warning", hint=hint)
