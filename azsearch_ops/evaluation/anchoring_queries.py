"""Judgements brought to the documents of one environment: moved quotes re-anchored, missing documents left out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from azsearch_ops.evaluation.anchoring import anchored
from azsearch_ops.evaluation.anchoring_quotes import DocumentText, Quote, find_quote
from azsearch_ops.evaluation.paths import DocumentPaths
from azsearch_ops.evaluation.types import Judgement, Query

_CHUNK_KEY = re.compile(r"(_pages_|_chunks?_|[-_#:]chunk[-_]?)[0-9]+$|^[0-9a-f]{12}_.+_[0-9]+$", re.IGNORECASE)
"""How keys of chunks look: an indexer's projection ends them with the name of the path and an ordinal."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A quote that the document has in other words now, and how alike the two are."""

    query: str
    document: str
    excerpt: str
    found: Quote


@dataclass(frozen=True, slots=True)
class Coverage:
    """What of a query set an environment can measure.

    `scored` of `total` questions that have relevant judgements keep one. `missing` holds (query id, document) of the
    judgements whose document is not there, `chunk_keys` how many of those look like keys of chunks.
    """

    queries: tuple[Query, ...]
    total: int
    scored: int
    judgements: int
    moved: tuple[Moved, ...]
    missing: tuple[tuple[str, str], ...]
    chunk_keys: int

    @property
    def enough(self) -> bool:
        """Whether at least half of the questions can be scored."""
        return 2 * self.scored >= self.total

    @property
    def reason(self) -> str:
        """Why there is no verdict; empty where there are enough questions."""
        if self.enough:
            return ""
        lost = len(self.missing)
        share = f"{100 * lost / self.judgements:.0f} % of the judgements ({lost} of {self.judgements}) are unresolved"
        if self.chunk_keys * 2 > lost:
            advice = (
                "they name chunks, whose keys end with the chunking they came from: name the document, and the words "
                "of it as excerpt"
            )
        else:
            advice = "they name documents that this environment does not have"
        return f"only {self.scored} of {self.total} queries can be scored: {share}, since {advice}"


def bring_to(queries: Sequence[Query], texts: Mapping[str, str], known: Sequence[str] | None = None) -> Coverage:
    """`queries` with their judgements as the documents in `texts` (by path) have them now.

    A quote that was edited is replaced by what the document says; one that is not there stays as it is. Judgements on
    documents that are neither in `texts` nor among the `known` addresses are left out, and so are queries of which
    nothing relevant remains; but where that leaves none at all, all stay, so that the measurement shows it.
    """
    there = DocumentPaths([*texts])
    addresses = {address for address in known or () if address}
    read: dict[str, DocumentText] = {}
    moved: list[Moved] = []
    missing: list[tuple[str, str]] = []
    brought: list[Query] = []
    total = scored = count = 0

    def present(judged: Judgement) -> bool:
        if there.resolve(judged.document) is not None:
            return True
        return judged.document in resolved_by_address

    judged_paths = DocumentPaths(j.document for q in queries for j in q.judgements)
    resolved_by_address = {path for path in map(judged_paths.resolve, sorted(addresses)) if path is not None}
    for query in queries:
        kept: list[Judgement] = []
        for judged in query.judgements:
            count += 1
            if not present(judged):
                missing.append((query.id, judged.document))
                continue
            path = there.resolve(judged.document)
            if path is not None and texts[path].strip() and judged.excerpt is not None:
                document = read.setdefault(path, DocumentText(texts[path]))
                found = find_quote(judged.excerpt, document, judged.occurrence)
                if found is not None and found.how == "fuzzy":
                    moved.append(Moved(query.id, judged.document, judged.excerpt, found))
                    judged = replace(judged, excerpt=found.text, occurrence=None)
                judged = anchored(judged, document.text)
            kept.append(judged)
        relevant = any(judged.grade > 0 for judged in query.judgements)
        remains = any(judged.grade > 0 for judged in kept)
        total += relevant
        scored += remains
        if remains or not relevant:
            brought.append(replace(query, judgements=tuple(kept)))
    return Coverage(
        queries=tuple(brought) if scored else tuple(queries),
        total=total,
        scored=scored,
        judgements=count,
        moved=tuple(moved),
        missing=tuple(missing),
        chunk_keys=sum(_CHUNK_KEY.search(document) is not None for _, document in missing),
    )
