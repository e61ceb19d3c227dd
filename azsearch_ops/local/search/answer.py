"""The body that a search is answered with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from azsearch_ops.local.search.contents import Contents
from azsearch_ops.local.search.facets import facet_counts
from azsearch_ops.local.search.fusion import RankedList
from azsearch_ops.local.search.request import SearchRequest
from azsearch_ops.local.search.searching import MAX_PAGE, Found, page_size
from azsearch_ops.local.search.semantic import Reranked, Reranking


def answer(
    request: SearchRequest, found: Found, contents: Contents, reranking: Reranking | None = None
) -> dict[str, Any]:
    """Count, coverage, one page of rows, and the request for the next page where the client did not say how many."""
    size = page_size(request)
    first, last = request.skip, request.skip + size
    body: dict[str, Any] = {}
    if request.count:
        body["@odata.count"] = found.count
    if request.coverage:
        body["@search.coverage"] = 100.0
    if request.facets:
        body["@search.facets"] = facet_counts(request.facets, found.matching, contents.columns)
    if request.semantic is not None and request.semantic.answers:
        body["@search.answers"] = list(reranking.answers or ()) if reranking is not None else []
    ranked = reranking.results if reranking is not None else {}
    body["value"] = [_row(request, found, contents, at, ranked) for at in range(first, min(last, len(found.rows)))]
    more = len(found.rows) > last
    if more and (request.top is None or request.top > MAX_PAGE):
        body["@search.nextPageParameters"] = {
            **request.body,
            "skip": last,
            **({} if request.top is None else {"top": request.top - size}),
        }
    return body


def _row(
    request: SearchRequest, found: Found, contents: Contents, at: int, reranked: Mapping[int, Reranked]
) -> dict[str, Any]:
    row = int(found.rows[at])
    result: dict[str, Any] = {"@search.score": shown(found.scores[at], exact=found.fused)}
    told: dict[str, Any] = {}
    if (semantic := reranked.get(row)) is not None:
        result["@search.rerankerScore"] = semantic.score
        if semantic.caption is not None:
            result["@search.captions"] = [semantic.caption]
        if semantic.debug:
            told["semantic"] = semantic.debug
    if request.debug and found.vectors:
        told["vectors"] = {"subscores": _subscores(request, found, row)}
    if told:
        result["@search.documentDebugInfo"] = told
    document = contents.document(row, request.selection.vectors)
    if request.highlights is not None and (marks := request.highlights.of(document, found.query)):
        result["@search.highlights"] = marks
    result.update(request.selection.of(document))
    return result


def shown(score: np.float32, *, exact: bool) -> float:
    """A single-precision score as JSON: fused ones with all digits of their value, others with the fewest that do."""
    return float(score) if exact else float(str(score))


def _subscores(request: SearchRequest, found: Found, row: int) -> dict[str, Any]:
    """The scores before fusion; a list that the document is not in has an empty entry."""
    at = _place(found.text, row)
    text = None
    if found.text is not None and at is not None:
        text = {"searchScore": shown(found.text.scores[at], exact=False)}
    return {
        "text": text,
        "vectors": [{ranked.field: _vector_scores(ranked, row)} for ranked in found.vectors],
        **({} if request.profile else {"documentBoost": 1.0}),
    }


def _vector_scores(ranked: RankedList, row: int) -> dict[str, float]:
    at = _place(ranked, row)
    if at is None or ranked.similarities is None:
        return {}
    return {
        "searchScore": shown(ranked.scores[at], exact=False),
        "vectorSimilarity": shown(np.float32(ranked.similarities[at]), exact=False),
    }


def _place(ranked: RankedList | None, row: int) -> int | None:
    if ranked is None:
        return None
    places = np.flatnonzero(ranked.rows == row)
    return int(places[0]) if len(places) else None
