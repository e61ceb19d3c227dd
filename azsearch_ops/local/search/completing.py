"""Completions of the word that is being typed, from the words of the source fields.

As many as are wanted are taken in the order in which the documents that have them were inserted, those that begin as
typed before those that do so nearly; then they are sorted. Recorded answers fit this; the rule itself is documented
nowhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from azsearch_ops.local.search.analysis.terms import lowercase
from azsearch_ops.local.search.analysis.tokenizers import STANDARD
from azsearch_ops.local.search.contents import Contents, texts_of
from azsearch_ops.local.search.near_words import beginning_nearly, is_nearly
from azsearch_ops.local.search.searching import allowed_rows
from azsearch_ops.local.search.suggest_request import Asked, CompletionRequest

_LOOKED_AT = 5000  # documents whose text is read for what stands beside a word


def completions(request: CompletionRequest, contents: Contents) -> dict[str, Any]:
    """The answer to a request for completions."""
    asked = request.asked
    allowed = allowed_rows(asked.filter, contents)
    found: list[str] = []
    for terms in _terms(asked, contents):
        fresh = dict.fromkeys(_in_order(request, terms, allowed, contents))
        found += sorted(islice((text for text in fresh if text not in found), asked.top - len(found)))
    typed = asked.before
    if request.mode == "oneTermWithContext" and len(asked.words) > 1:
        typed = asked.before[: STANDARD.spans(asked.before)[-1][0]]
    rows = [{"text": text, "queryPlusText": f"{typed}{asked.pre}{text}{asked.post}"} for text in found]
    return {**({"@search.coverage": 100.0} if asked.coverage else {}), "value": rows}


def _terms(asked: Asked, contents: Contents) -> Iterator[frozenset[str]]:
    """The words that begin as typed, then those that begin nearly so."""
    fields = [contents.words[path] for path in asked.fields]
    yield frozenset(term for words in fields for term in words.starting_with(asked.beginning))
    if asked.fuzzy:
        yield frozenset(term for words in fields for term in beginning_nearly(words.vocabulary, asked.beginning))


def _in_order(
    request: CompletionRequest, terms: frozenset[str], allowed: NDArray[np.bool_], contents: Contents
) -> Iterator[str]:
    """The completions with these words, from the oldest document on; some of them more than once."""
    asked = request.asked
    first: dict[str, int] = {}
    holding = np.zeros(len(contents.alive), np.bool_)
    for path in asked.fields:
        for term in sorted(terms):
            rows = contents.words[path].postings(term).rows
            rows = rows[allowed[rows]]
            if len(rows):
                holding[rows] = True
                age = int(contents.age[rows].min())
                first[term] = min(first.get(term, age), age)
    alone = request.mode == "oneTerm" or (request.mode == "oneTermWithContext" and len(asked.words) == 1)
    if alone:
        yield from sorted(first, key=lambda term: (first[term], term))
        return
    held = np.flatnonzero(holding)
    texts: dict[str, None] = {}
    for row in held[np.argsort(contents.age[held], kind="stable")][:_LOOKED_AT]:
        document = contents.document(int(row))
        for path in asked.fields:
            for value in texts_of(path, document):
                texts.update(dict.fromkeys(_in_value(request, terms, value)))
        if len(texts) >= asked.top:
            break
    followed = {text.split(" ")[0] for text in texts if " " in text}
    yield from (text for text in texts if request.mode != "twoTerms" or " " in text or text not in followed)


def _in_value(request: CompletionRequest, terms: frozenset[str], value: str) -> Iterator[str]:
    """The words with the one that follows, or with the one before, which must be the one that was typed before."""
    tokens = [lowercase(surface) for surface in STANDARD.surfaces(value)]
    for at, token in enumerate(tokens):
        if token not in terms:
            continue
        if request.mode == "twoTerms":
            yield f"{token} {tokens[at + 1]}" if at + 1 < len(tokens) else token
        elif at and _is_context(tokens[at - 1], request.asked):
            yield f"{tokens[at - 1]} {token}"


def _is_context(word: str, asked: Asked) -> bool:
    wanted = asked.words[-2]
    return is_nearly(word, wanted) if asked.fuzzy else word == wanted
