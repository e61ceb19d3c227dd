"""A stand-in for the semantic ranker: it answers in the same form, and is no forecast of what Azure's would say.

Of the first 50 results every content field is cut into passages of some sentences. A passage is worth

    0.7 · cosine(question, passage) + 0.3 · share of the question's words in it, in title or keywords (by idf)

and a document 4 times its best passage. Stop words do not count. The rest follows in the order that it had.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from azsearch_ops.local.search.analysis.analyzers import analyzer
from azsearch_ops.local.search.analysis.terms import lowercase, stop_words
from azsearch_ops.local.search.analysis.tokenizers import STANDARD
from azsearch_ops.local.search.contents import Contents, texts_of
from azsearch_ops.local.search.marking import marked
from azsearch_ops.local.search.passages import Cut, Passages
from azsearch_ops.local.search.schema import Field
from azsearch_ops.local.search.semantic_request import SemanticRequest

RERANKED = 50
"""How many of the first results are ranked anew, here and in Azure."""

_CLOSENESS = 0.7
_MAX_SCORE = 4
_QUESTION = re.compile(
    r"(?i)\s*(?:who|what|whats|what's|when|where|which|why|how|whose|whom|can|could|do|does|did|is|are|was|were|will|"
    r"would|should|may|must|has|have)\b|.*\?\s*$"
)


@dataclass(frozen=True, slots=True)
class Reranked:
    """One result: its score from 0 to 4, its best passage as a caption, and what was read of it."""

    score: float
    caption: Mapping[str, str] | None
    debug: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Reranking:
    """The first results in their new order, by row, and the answers found in them (None where none were wanted)."""

    results: Mapping[int, Reranked]
    answers: tuple[Mapping[str, Any], ...] | None


@dataclass(frozen=True, slots=True)
class _Best:
    relevance: float
    field: Field | None
    text: str


class _Question:
    """The words of a question as every analyzer indexes them, and how much each says."""

    def __init__(self, text: str, contents: Contents, fields: Sequence[Field]) -> None:
        words = list(dict.fromkeys(lowercase(surface) for surface in STANDARD.surfaces(text)))
        self._words = [word for word in words if word not in stop_words("english")] or words
        self._terms = {name: self._analyzed(name) for name in {field.search_analyzer for field in fields}}
        self.weights = np.array([self._weight(at, contents, fields) for at in range(len(self._words))])

    def covered(self, field: Field, terms: frozenset[str]) -> list[bool]:
        """Which words are among terms of a field."""
        return [term in terms for term in self._terms[field.search_analyzer]]

    def spans(self, field: Field, text: str) -> list[tuple[int, int]]:
        """Where the words stand in a text."""
        wanted = {term for term in self._terms[field.search_analyzer] if term is not None}
        return [(t.start, t.end) for t in analyzer(field.search_analyzer).tokens(text) if t.term in wanted]

    def _analyzed(self, name: str) -> list[str | None]:
        found = analyzer(name)
        return [next((token.term for token in found.tokens(word)), None) for word in self._words]

    def _weight(self, at: int, contents: Contents, fields: Sequence[Field]) -> float:
        return max(
            float(contents.text.statistics(f.path).idf(len(contents.text.postings(f.path, term or "").rows)))
            for f in fields
            for term in (self._terms[f.search_analyzer][at],)
        )


def rerank(request: SemanticRequest, rows: Sequence[int], contents: Contents, passages: Passages) -> Reranking:
    """The first 50 of `rows`, which are in their order so far, ranked anew."""
    title = () if request.title is None else (request.title,)
    fields = (*title, *request.contents, *request.keywords)
    question = _Question(request.text, contents, fields)
    vector = passages.embed(request.text)
    found: dict[int, tuple[_Best, dict[str, Any]]] = {}
    documents = {row: contents.document(row) for row in rows[:RERANKED]}
    values = {row: [(f, text) for f in fields for text in _values(f, document)] for row, document in documents.items()}
    cuts = iter(passages.of([value for listed in values.values() for value in listed]))
    for row, listed in values.items():
        read = [(field, next(cuts)) for field, _ in listed]
        found[row] = (_best(request, question, vector, read), _read_of(request, read) if request.debug else {})
    order = sorted(found, key=lambda row: -found[row][0].relevance)  # stable: equal ones stay in their order
    results = {row: _result(request, question, *found[row]) for row in order}
    answers = None
    if request.answers:
        answers = tuple(islice(_answers(request, question, order, found, documents, contents), request.answers))
    return Reranking(results, answers)


def _best(request: SemanticRequest, question: _Question, vector: Any, read: Sequence[tuple[Field, Cut]]) -> _Best:
    """The passage that is worth most; of a document without content, its title or keywords."""
    about = [(field, cut) for field, cut in read if field == request.title or field in request.keywords]
    around = np.zeros(len(question.weights), np.bool_)
    for field, cut in about:
        for terms in cut.terms:
            around |= np.array(question.covered(field, terms), np.bool_)
    total = float(question.weights.sum()) or 1.0
    best = _Best(0.0, None, "")
    for field, cut in [part for part in read if part not in about] or about:
        close = np.clip(cut.vectors @ vector, 0, 1)
        for text, terms, cosine in zip(cut.texts, cut.terms, close, strict=True):
            here = np.array(question.covered(field, terms), np.bool_) | around
            share = float(question.weights[here].sum()) / total
            worth = _CLOSENESS * float(cosine) + (1 - _CLOSENESS) * share
            if worth > best.relevance:
                best = _Best(worth, field, text)
    return best


def _result(request: SemanticRequest, question: _Question, best: _Best, debug: Mapping[str, Any]) -> Reranked:
    caption = {"text": best.text, "highlights": _emphasised(request, question, best)} if request.captions else None
    return Reranked(float(np.float32(_MAX_SCORE * best.relevance)), caption, debug)


def _emphasised(request: SemanticRequest, question: _Question, best: _Best) -> str:
    """The text with its words of the question marked; empty where there are none, or none are wanted."""
    spans = question.spans(best.field, best.text) if best.field is not None and request.emphasis else []
    return marked(best.text, spans, request.pre, request.post) if spans else ""


def _answers(
    request: SemanticRequest,
    question: _Question,
    order: Sequence[int],
    found: Mapping[int, tuple[_Best, Any]],
    documents: Mapping[int, Mapping[str, Any]],
    contents: Contents,
) -> Iterator[dict[str, Any]]:
    """The best passages, where the text is a question and they are near enough to it."""
    if not _QUESTION.match(request.text):
        return
    for row in order:
        best = found[row][0]
        if best.relevance < request.threshold:
            return
        if best.field in request.contents:
            yield {
                "key": str(documents[row][contents.schema.key]),
                "text": best.text,
                "highlights": _emphasised(request, question, best),
                "score": float(np.float32(best.relevance)),
            }


def _values(field: Field, document: Mapping[str, Any]) -> Iterator[str]:
    return (text for text in texts_of(field.path, document) if text.strip())


def _read_of(request: SemanticRequest, read: Sequence[tuple[Field, Cut]]) -> dict[str, Any]:
    """Which fields were used, and the text that was ranked."""

    def told(field: Field) -> dict[str, str]:
        cuts = [cut for other, cut in read if other == field]
        state = "unused" if not cuts else "used" if all(cut.whole for cut in cuts) else "partial"
        return {"name": field.path, "state": state}

    def text(fields: Sequence[Field]) -> str:
        return "\n".join(piece for field, cut in read if field in fields for piece in cut.texts)

    title = () if request.title is None else (request.title,)
    return {
        "titleField": told(title[0]) if title else None,
        "contentFields": [told(field) for field in request.contents],
        "keywordFields": [told(field) for field in request.keywords],
        "rerankerInput": {"title": text(title), "content": text(request.contents), "keywords": text(request.keywords)},
    }
