"""A request carried out over the contents of an index: lists, fusion, order, page."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from azsearch_ops.local.search.analysis.analyzers import analyzer
from azsearch_ops.local.search.contents import Contents
from azsearch_ops.local.search.expansion import FieldExpansion
from azsearch_ops.local.search.full_query import parse_full
from azsearch_ops.local.search.fusion import RankedList, fused
from azsearch_ops.local.search.odata.filters import FilterEvaluator
from azsearch_ops.local.search.odata.syntax import Expression
from azsearch_ops.local.search.ordering import by_clauses, by_score
from azsearch_ops.local.search.query import MatchAll, MatchNone, Query, evaluate
from azsearch_ops.local.search.request import SearchRequest
from azsearch_ops.local.search.schema import Field, Schema
from azsearch_ops.local.search.semantic import RERANKED
from azsearch_ops.local.search.simple_query import parse_simple
from azsearch_ops.local.search.synonyms import Synonyms, synonyms
from azsearch_ops.local.search.vector_query import Threshold, VectorQuery, check_length
from azsearch_ops.local.search.vectors import scores_of

DEFAULT_TOP = 50
MAX_PAGE = 1000

Vectorize = Callable[[Mapping[str, Any], str], list[float]]
SynonymRules = Callable[[str], str]
QueryVectors = tuple[tuple[NDArray[np.float64], ...], ...]


@dataclass(frozen=True, slots=True)
class Found:
    """All rows that match, best first, with the scores to be shown, and the lists that they came from.

    `query` is what the text was read as; without text it matches nothing.
    `matching` says by row what counts and facets are about; in a hybrid search that may be more than the rows.
    """

    rows: NDArray[np.int32]
    scores: NDArray[np.float32]
    count: int
    matching: NDArray[np.bool_]
    text: RankedList | None
    vectors: tuple[RankedList, ...]
    query: Query

    @property
    def fused(self) -> bool:
        """Whether the scores are sums over several lists."""
        return len(self.vectors) + (self.text is not None) > 1

    def led_by(self, rows: Sequence[int]) -> Found:
        """The same with the first rows, as many as these, in this order."""
        at = {int(row): place for place, row in enumerate(self.rows[: len(rows)])}
        order = np.array([at[row] for row in rows] + list(range(len(rows), len(self.rows))), np.int64)
        return replace(self, rows=self.rows[order], scores=self.scores[order])


def query_vectors(request: SearchRequest, schema: Schema, vectorize: Vectorize) -> QueryVectors:
    """The vector of each query for each of its fields; texts go through the field's vectorizer, once for each."""
    made: dict[tuple[str, str], NDArray[np.float64]] = {}

    def vector(query: VectorQuery, field: Field) -> NDArray[np.float64]:
        if query.vector is not None:
            return np.array(query.vector, np.float64)
        vectorizer = schema.vectorizer(field)
        assert vectorizer is not None and query.text is not None
        at = (str(vectorizer["name"]), query.text)
        if at not in made:
            made[at] = np.array(vectorize(vectorizer, query.text), np.float64)
        check_length(len(made[at]), field)
        return made[at]

    return tuple(tuple(vector(query, field) for field in query.fields) for query in request.vectors)


def find(
    request: SearchRequest, vectors: QueryVectors, contents: Contents, rules: Mapping[str, Synonyms] | None = None
) -> Found:
    """Everything that matches, in order. `rules` are the synonyms of each field that has some."""
    allowed = allowed_rows(request.filter, contents)
    lists = tuple(
        _vector_list(query, field, vector, contents, allowed, request.post_filter)
        for query, made in zip(request.vectors, vectors, strict=True)
        for field, vector in zip(query.fields, made, strict=True)
    )
    matching = np.zeros(len(contents.alive), np.bool_)
    text: RankedList | None = None
    query: Query = MatchNone()
    if request.text is None:
        rows, scores = (lists[0].rows, lists[0].scores) if len(lists) == 1 else fused(lists, len(matching))
    else:
        query = _query(request, request.text, contents.schema, rules or {})
        rows, scores = _text_matches(request, query, contents, allowed)
        if lists:
            matching[rows] = request.count_all
            best = by_score(rows, scores, contents.age, request.recall)
            text = RankedList(rows[best], scores[best])
            rows, scores = fused((text, *lists), len(matching))
    matching[rows] = True
    if request.orderby:
        order = by_clauses(request.orderby, rows, scores, contents.age, contents.schema, contents.columns)
    else:
        # One more than the page tells whether there is another one
        first = request.skip + page_size(request) + 1
        order = by_score(rows, scores, contents.age, max(first, RERANKED) if request.semantic else first)
    return Found(rows[order], scores[order], int(np.count_nonzero(matching)), matching, text, lists, query)


def page_size(request: SearchRequest) -> int:
    """How many results one answer may hold."""
    return min(DEFAULT_TOP if request.top is None else request.top, MAX_PAGE)


def allowed_rows(expression: Expression | None, contents: Contents, parameter: str = "$filter") -> NDArray[np.bool_]:
    """The living rows that a filter lets pass."""
    if expression is None:
        return contents.alive
    return FilterEvaluator(contents.schema, contents.columns, parameter).mask(expression) & contents.alive


def field_synonyms(request: SearchRequest, schema: Schema, rules_of: SynonymRules) -> dict[str, Synonyms]:
    """The synonyms of each field that the text is searched in; `rules_of` gives the rules of a map by its name."""
    if request.text is None or request.text.strip() in ("", "*"):
        return {}
    named = schema.searchable if request.full else request.fields  # A full query may name any field
    return {f.path: synonyms(rules_of(f.synonym_maps[0]), f.search_analyzer) for f in named if f.synonym_maps}


def _query(request: SearchRequest, text: str, schema: Schema, rules: Mapping[str, Synonyms]) -> Query:
    if text.strip() in ("", "*"):
        return MatchAll()
    for field in request.fields:
        analyzer(field.index_analyzer)
    weights = request.profile.weights if request.profile else {}
    expand = FieldExpansion(request.fields, request.default, schema.searchable, weights, rules)
    parse = parse_full if request.full else parse_simple
    return parse(text, expand, request.default)


def _text_matches(
    request: SearchRequest, query: Query, contents: Contents, allowed: NDArray[np.bool_]
) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
    matches = evaluate(query, contents.text)
    rows = np.flatnonzero(matches.mask & allowed).astype(np.int32)
    scores = matches.scores[rows]
    if request.profile is not None and request.profile.functions:
        factors = request.profile.factors(contents.columns, time.time())
        scores = (scores * factors[rows]).astype(np.float32)
    return rows, scores


def _vector_list(
    query: VectorQuery,
    field: Field,
    vector: NDArray[np.float64],
    contents: Contents,
    allowed: NDArray[np.bool_],
    post_filter: bool,
) -> RankedList:
    if query.filter is not None:
        allowed = allowed_rows(query.filter, contents, "filterOverride")
    stored = contents.vectors[field.path]
    rows, similarities = stored.nearest(vector, contents.alive if post_filter else allowed, query.k)
    scores = scores_of(similarities, stored.metric)
    best = by_score(rows, scores, contents.age, query.k)
    if post_filter:
        best = best[allowed[rows[best]]]
    rows, similarities, scores = rows[best], similarities[best], scores[best]
    if query.threshold is not None:
        kept = _above(query.threshold, similarities, scores, stored.metric)
        rows, similarities, scores = rows[kept], similarities[kept], scores[kept]
    return RankedList(rows, scores, query.weight, field.path, similarities)


def _above(
    threshold: Threshold, similarities: NDArray[np.float64], scores: NDArray[np.float32], metric: str
) -> NDArray[np.bool_]:
    if threshold.kind == "searchScore":
        return np.asarray(scores >= np.float32(threshold.value))
    if metric == "euclidean":
        return np.asarray(similarities <= threshold.value)
    return np.asarray(similarities >= threshold.value)
