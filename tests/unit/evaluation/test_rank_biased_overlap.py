"""Rank-biased overlap by its definition, by a worked example, and by what it promises."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from azsearch_ops.evaluation.overlap_rbo import rank_biased_overlap

rankings = st.lists(st.integers(0, 12), max_size=12, unique=True)


def by_definition(first, second, p):
    """Equation 32, each overlap counted anew."""
    short, long = sorted((first, second), key=len)
    s, size = len(short), len(long)

    def shared(depth):
        return len(set(short[:depth]) & set(long[:depth]))

    total = sum(shared(d) / d * p**d for d in range(1, size + 1))
    total += sum(shared(s) * (d - s) / (s * d) * p**d for d in range(s + 1, size + 1))
    return (1 - p) / p * total + ((shared(size) - shared(s)) / size + shared(s) / s) * p**size


@given(rankings.filter(bool), rankings.filter(bool), st.sampled_from([0.5, 0.9, 0.98]))
def test_it_is_what_the_paper_defines(first, second, p):
    value = rank_biased_overlap(first, second, p)
    assert value == pytest.approx(by_definition(first, second, p))
    assert -1e-9 <= value <= 1 + 1e-9 and value == rank_biased_overlap(second, first, p)


@given(rankings)
def test_equal_rankings_overlap_wholly(ranking):
    assert rank_biased_overlap(ranking, ranking) == pytest.approx(1.0)


def test_worked_by_hand():
    # Agreement 0, 1, 1 at depths 1 to 3, then 1 forever: (1-p)/p (0 + p^2 + p^3) + p^3 = p for p 0.5: 0.375 + 0.125
    assert rank_biased_overlap("ab" + "c", "ba" + "c", 0.5) == pytest.approx(0.5)
    assert rank_biased_overlap("abc", "xyz") == 0.0
    assert rank_biased_overlap("", "abc") == 0.0 and rank_biased_overlap("", "") == 1.0


def test_the_top_counts_most():
    assert rank_biased_overlap("xbcde", "abcde") < rank_biased_overlap("abcdx", "abcde")


@pytest.mark.parametrize(("first", "second", "p"), [("aa", "b", 0.9), ("a", "b", 0.0), ("a", "b", 1.0)])
def test_what_is_refused(first, second, p):
    with pytest.raises(ValueError):
        rank_biased_overlap(first, second, p)
