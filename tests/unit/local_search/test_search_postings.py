"""However writes and reads are mixed, a term stands where it was written."""

from __future__ import annotations

from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from azsearch_ops.local.search import postings
from azsearch_ops.local.search.analysis.analyzers import analyzer

WORDS = ("alpha", "beta", "gamma", "delta")
TEXT = st.lists(st.sampled_from(WORDS), max_size=12)


def _check(field: postings.FieldPostings, documents: list[list[str]]) -> None:
    expected: dict[str, dict[int, list[int]]] = defaultdict(dict)
    for row, words in enumerate(documents):
        for place, word in enumerate(words):
            expected[word].setdefault(row, []).append(place)
    for word in WORDS:
        found = field.postings(word)
        assert found.rows.tolist() == list(expected[word])
        assert found.frequencies.tolist() == [len(places) for places in expected[word].values()]
        assert found.positions.tolist() == [place for places in expected[word].values() for place in places]


@given(documents=st.lists(TEXT, max_size=40), every=st.integers(1, 7))
def test_blocks_merge_into_what_one_block_would_be(documents: list[list[str]], every: int) -> None:
    field = postings.FieldPostings(analyzer("whitespace"))
    for row, words in enumerate(documents):
        field.add(row, [" ".join(words)])
        if row % every == 0:
            field.refresh()
    _check(field, documents)


@pytest.mark.parametrize(("large", "pairs"), [(8, 1), (64, 3), (1 << 20, 5)])
def test_neither_the_limit_of_blocks_nor_the_size_of_steps_shows(
    monkeypatch: pytest.MonkeyPatch, large: int, pairs: int
) -> None:
    monkeypatch.setattr(postings, "_LARGE", large)
    monkeypatch.setattr(postings, "_PAIRS", pairs)
    documents = [[WORDS[(row * place + row) % 4] for place in range(row % 9)] for row in range(60)]
    field = postings.FieldPostings(analyzer("whitespace"))
    for row, words in enumerate(documents):
        field.add(row, [" ".join(words)])
        if row % 3 == 0:
            field.refresh()
    _check(field, documents)
