"""Suggestions: documents with a value that holds every word typed, the last one as the beginning of a word.

Words are those of the text, in lower case: no stop words, no stems. Which documents come first without an order is not
documented; here it is the order of insertion.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from azsearch_ops.local.search.analysis.terms import lowercase
from azsearch_ops.local.search.analysis.tokenizers import STANDARD
from azsearch_ops.local.search.contents import Contents, texts_of
from azsearch_ops.local.search.marking import marked
from azsearch_ops.local.search.near_words import begins_nearly, is_nearly
from azsearch_ops.local.search.ordering import by_clauses
from azsearch_ops.local.search.searching import allowed_rows
from azsearch_ops.local.search.suggest_request import Asked, SuggestRequest


def suggestions(request: SuggestRequest, contents: Contents) -> dict[str, Any]:
    """The answer to a request for suggestions."""
    asked = request.asked
    rows = np.flatnonzero(_holding(asked, contents) & allowed_rows(asked.filter, contents)).astype(np.int32)
    scores = np.ones(len(rows), np.float32)
    order = by_clauses(request.orderby, rows, scores, contents.age, contents.schema, contents.columns)
    found: list[dict[str, Any]] = []
    for row in rows[order]:
        document = contents.document(int(row), request.selection.vectors)
        text = _matching_value(asked, document)
        if text is not None:
            found.append({"@search.text": text, **request.selection.of(document)})
        if len(found) == asked.top:
            break
    return {**({"@search.coverage": 100.0} if asked.coverage else {}), "value": found}


def _holding(asked: Asked, contents: Contents) -> NDArray[np.bool_]:
    """Rows with every word in one of the fields, each perhaps in another value of it."""
    found = np.zeros(len(contents.alive), np.bool_)
    for path in asked.fields:
        words = contents.words[path]
        here = np.ones(len(found), np.bool_)
        for number, word in enumerate(asked.words):
            last = number == len(asked.words) - 1
            if asked.fuzzy:
                near = begins_nearly if last else is_nearly
                terms = [term for term in words.vocabulary if near(term, word)]
            else:
                terms = words.starting_with(word) if last else [word]
            has = np.zeros(len(found), np.bool_)
            for term in terms:
                has[words.postings(term).rows] = True
            here &= has
        found |= here
    return found


def _matching_value(asked: Asked, document: Mapping[str, Any]) -> str | None:
    """The first value of the first field that holds all words, with the tags around what matches."""
    for path in asked.fields:
        for value in texts_of(path, document):
            spans = _matches(asked, value)
            if spans is not None:
                return marked(value, spans, asked.pre, asked.post)
    return None


def _matches(asked: Asked, value: str) -> list[tuple[int, int]] | None:
    """Where words of the input stand in a value; None where one is missing. One edit is allowed in all of them."""
    spans: dict[tuple[int, int], None] = {}
    edits = 0
    tokens = [(span, lowercase(value[span[0] : span[1]])) for span in STANDARD.spans(value)]
    for number, word in enumerate(asked.words):
        last = number == len(asked.words) - 1
        same = [span for span, token in tokens if (token.startswith(word) if last else token == word)]
        near = begins_nearly if last else is_nearly
        alike = [span for span, token in tokens if near(token, word)] if asked.fuzzy else same
        if not same:
            edits += 1
        if not alike or edits > 1:
            return None
        spans.update(dict.fromkeys(alike))
    return sorted(spans)
