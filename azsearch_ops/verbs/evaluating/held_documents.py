"""The chunks that an index holds of judged documents, read with a reader's rights and as few calls as that takes.

An answer brings at most 1,000 chunks. So a small index is read whole; of a larger one the judged documents are asked
for by their addresses, which are made as one seen address is; what is left is looked for by the words of its excerpts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from azsearch_ops.errors import ServiceError, UnreachableError
from azsearch_ops.evaluation.anchoring_chunks import HeldDocuments
from azsearch_ops.evaluation.counted import counted
from azsearch_ops.evaluation.paths import DocumentPaths
from azsearch_ops.evaluation.types import Chunk, Query
from azsearch_ops.releasing.chunks import PAGE, read_chunks
from azsearch_ops.service.client import Service
from azsearch_ops.verbs.evaluating.chunk_fields import ChunkFields
from azsearch_ops.verbs.evaluating.retrieval import chunk_of

READ_WHOLE: Final = 5 * PAGE
"""Chunks up to which an index is read whole: five calls, and nothing is left open."""

_BATCH: Final = 50  # Addresses in one filter
_FOUND_BY_WORDS: Final = 50
_WORDS: Final = 40
_TRIED: Final = 3
_SEPARATOR: Final = "|"


@dataclass(frozen=True, slots=True)
class Looked:
    """What was found, how it was looked for in words, and how many chunks the index has."""

    held: HeldDocuments
    how: str
    chunks: int


def look_for(service: Service, index: str, fields: ChunkFields, queries: Sequence[Query]) -> Looked:
    """The chunks of the documents that `queries` judge; every call is a search.

    Raises:
        ServiceError: the index cannot be searched at all.
    """
    return _Looking(service, index, fields, queries).looked()


class _Looking:
    def __init__(self, service: Service, index: str, fields: ChunkFields, queries: Sequence[Query]) -> None:
        self._service, self._index, self._fields = service, index, fields
        self._words: dict[str, list[str]] = {}
        for query in queries:
            for judged in query.judgements:
                self._words.setdefault(judged.document, []).append(judged.excerpt or judged.document)
        self._paths = DocumentPaths(self._words)
        self._found: dict[str, dict[str, Chunk]] = {}
        self._addresses: dict[str, None] = {}
        self._asked: set[str] = set()
        self._cut_off: set[str] = set()
        self._calls = 0

    def looked(self) -> Looked:
        first = self._search({"search": "*", "top": PAGE, "count": True})
        total = int(first.get("@odata.count") or len(first["value"]))
        if total <= len(first["value"]) or (total <= READ_WHOLE and self._read_whole()):
            read = (
                f"all {total:,} chunks of {self._index} were" if total != 1 else f"the one chunk of {self._index} was"
            )
            return self._looked(total, set(self._words), f"{read} read")
        if not self._addresses:
            self._look_by_words(sorted(self._words)[:_TRIED])  # To see how addresses are made here
        by_address = self._ask_for(self._guesses())
        sought = sorted(set(self._words) - set(self._found)) if by_address else sorted(self._words)
        by_words = self._look_by_words(sought)
        told = f"of {counted(total, 'chunk', 'chunks')} of {self._index}"
        if not by_address:
            how = (
                f"{told}, {counted(len(sought), 'judged document was', 'judged documents were')} looked for by the "
                f"words of the excerpts, since '{self._fields.document}' cannot be filtered: what was not seen "
                "may be there"
            )
            return self._looked(total, (), how)
        self._ask_for(self._addresses)
        read = counted(len(self._found), "judged document", "judged documents")
        told += f", those of {read} were read by their addresses"
        if sought:
            told += f", {counted(len(sought), 'document', 'documents')} looked for by the words of the excerpts"
        return self._looked(total, self._words if by_words else self._found, told)

    def _looked(self, total: int, certain: Iterable[str], how: str) -> Looked:
        chunks = {document: tuple(found.values()) for document, found in self._found.items()}
        calls = f"{self._calls} {'call' if self._calls == 1 else 'calls'}"
        return Looked(HeldDocuments(self._index, chunks, frozenset(certain) - self._cut_off), f"{how} ({calls})", total)

    def _read_whole(self) -> bool:
        self._calls += 1
        try:
            rows = list(read_chunks(self._service, self._index, self._fields.key, self._fields.selected.split(",")))
        except UnreachableError:
            raise
        except ServiceError:  # The key cannot be sorted by
            return False
        self._calls += len(rows) // PAGE
        self._take(rows)
        return True

    def _guesses(self) -> list[str]:
        """Addresses of all judged documents, made in each way in which a seen one is."""
        ways: dict[tuple[str, bool], None] = {}
        for address in self._addresses:
            path = self._paths.resolve(address) or ""
            for encoded in (False, True):
                end = quote(path) if encoded else path
                if address.endswith(end):
                    ways[(address[: len(address) - len(end)], encoded)] = None
        return [
            f"{prefix}{quote(document) if encoded else document}"
            for document in sorted(self._words)
            for prefix, encoded in (ways or {("", False): None})
        ]

    def _ask_for(self, addresses: Iterable[str]) -> bool:
        """Take all chunks at these addresses; False where the field cannot be filtered."""
        wanted = [address for address in dict.fromkeys(addresses) if address not in self._asked]
        batches = [wanted[at : at + _BATCH] for at in range(0, len(wanted), _BATCH)]
        while batches:
            batch = batches.pop()
            try:
                rows = self._search({"search": "*", "filter": self._is_one_of(batch), "top": PAGE})["value"]
            except UnreachableError:
                raise
            except ServiceError:
                return False
            if len(rows) == PAGE and len(batch) > 1:
                batches += [batch[: len(batch) // 2], batch[len(batch) // 2 :]]
                continue
            self._asked.update(batch)
            if len(rows) == PAGE:  # One document with more chunks than an answer brings
                self._cut_off |= {path for address in batch if (path := self._paths.resolve(address)) is not None}
        return True

    def _is_one_of(self, addresses: Sequence[str]) -> str:
        field = self._fields.document
        quoted = [address.replace("'", "''") for address in addresses]
        if any(_SEPARATOR in address for address in quoted):
            return " or ".join(f"{field} eq '{address}'" for address in quoted)
        return f"search.in({field}, '{_SEPARATOR.join(quoted)}', '{_SEPARATOR}')"

    def _look_by_words(self, documents: Sequence[str]) -> bool:
        """Search for the words of these documents' excerpts; False where words cannot be searched."""
        for document in documents:
            for words in self._words[document]:
                plain = " ".join("".join(c if c.isalnum() else " " for c in words).split()[:_WORDS])
                try:
                    self._search({"search": plain or "*", "top": _FOUND_BY_WORDS})
                except UnreachableError:
                    raise
                except ServiceError:
                    return False
        return True

    def _search(self, request: Mapping[str, Any]) -> dict[str, Any]:
        self._calls += 1
        answer = self._service.search(self._index, {**request, "select": self._fields.selected})
        self._take(answer["value"])
        return answer

    def _take(self, rows: Sequence[Mapping[str, Any]]) -> None:
        for row in rows:
            chunk = chunk_of(row, self._fields, ordered_by_score=False)
            document = self._paths.resolve(chunk.document)
            if document is not None:
                self._found.setdefault(document, {})[chunk.key] = chunk
                self._addresses[chunk.document] = None
