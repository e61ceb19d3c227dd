"""Judgements brought to the documents of one environment: moved quotes re-anchored, missing documents left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from azsearch_ops.evaluation.anchoring import anchored
from azsearch_ops.evaluation.anchoring_quotes import DocumentText, Quote, find_quote
from azsearch_ops.evaluation.chunk_keys import ordinal_in
from azsearch_ops.evaluation.counted import queries_of
from azsearch_ops.evaluation.paths import DocumentPaths
from azsearch_ops.evaluation.types import Judgement, Query


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
    judgements whose document is not there, `chunk_keys` how many of those look like keys of chunks. `texts` are those
    of the judged documents, by path, where they can be read.
    """

    queries: tuple[Query, ...]
    total: int
    scored: int
    judgements: int
    moved: tuple[Moved, ...]
    missing: tuple[tuple[str, str], ...]
    chunk_keys: int
    texts: Mapping[str, str] = field(default_factory=dict)

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
        return f"only {self.scored} of {queries_of(self.total)} can be scored: {share}, since {advice}"


def bring_to(queries: Sequence[Query], texts: Mapping[str, str] | None, *, leave_out: bool = True) -> Coverage:
    """`queries` with their judgements as the documents in `texts` (by path) have them now; None: nobody can read them.

    A quote that was edited is replaced by what the document says; one that is not there stays as it is. A document
    whose text is empty could not be read. Judgements on documents that are not in `texts` are left out where
    `leave_out` says so, and so are queries of which nothing relevant remains; but where that leaves none at all, all
    stay, so that the measurement shows it.
    """
    documents = _Documents(texts)
    missing: list[tuple[str, str]] = []
    brought: list[Query] = []
    total = scored = 0
    for query in queries:
        kept: list[Judgement] = []
        for judged in query.judgements:
            if documents.has(judged.document):
                kept.append(documents.anchored(query, judged))
                continue
            missing.append((query.id, judged.document))
            if not leave_out:
                kept.append(judged)
        relevant = any(judged.grade > 0 for judged in query.judgements)
        remains = any(judged.grade > 0 for judged in kept)
        total += relevant
        scored += remains
        if remains or not relevant:
            brought.append(replace(query, judgements=tuple(kept)))
    return Coverage(
        queries=tuple(brought) if scored or not total else tuple(queries),
        total=total,
        scored=scored,
        judgements=sum(len(query.judgements) for query in queries),
        moved=tuple(documents.moved),
        missing=tuple(missing),
        chunk_keys=sum(ordinal_in(document) is not None for _, document in missing),
        texts=documents.judged_texts(queries),
    )


class _Documents:
    """The documents of an environment, each read once."""

    def __init__(self, texts: Mapping[str, str] | None) -> None:
        self._texts = texts or {}
        self._paths = DocumentPaths(self._texts) if texts is not None else None
        self._read: dict[str, DocumentText] = {}
        self.moved: list[Moved] = []

    def has(self, document: str) -> bool:
        """Whether the document is there; True where nobody can tell."""
        return self._paths is None or self._paths.resolve(document) is not None

    def judged_texts(self, queries: Sequence[Query]) -> dict[str, str]:
        """The texts of the documents that are judged, as far as there are any."""
        paths = [self._paths.resolve(j.document) for q in queries for j in q.judgements] if self._paths else []
        return {path: self._texts[path] for path in paths if path is not None and self._texts[path].strip()}

    def anchored(self, query: Query, judged: Judgement) -> Judgement:
        """The judgement with the words that its document has, and with those around them where they repeat."""
        path = self._paths.resolve(judged.document) if self._paths is not None else None
        if path is None or judged.excerpt is None or not self._texts[path].strip():
            return judged
        document = self._read.setdefault(path, DocumentText(self._texts[path]))
        found = find_quote(judged.excerpt, document, judged.occurrence)
        if found is not None and found.how == "fuzzy":
            self.moved.append(Moved(query.id, judged.document, judged.excerpt, found))
            judged = replace(judged, excerpt=found.text, occurrence=None)
        return anchored(judged, document.text)
