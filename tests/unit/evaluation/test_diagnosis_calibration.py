"""Thresholds read off similarities that are small enough to be worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from azsearch_ops.evaluation.diagnosis.calibration import Observed, choose, effect, histogram, observed

ROWS = [
    Observed("a", (0.9,), (0.5, 0.2), (0.9,), 1),
    Observed("b", (0.7,), (0.6, 0.3), (0.7,), 1),
    Observed("c", (0.5,), (0.4, 0.1), (0.5,), 1),
    Observed("d", (0.3,), (0.2, 0.1), (0.3,), 2),
]


def test_relevant_is_half_of_an_answer_and_less_than_half_is_neither() -> None:
    row = observed("q", [0.9, 0.8, 0.7, 0.6], [{0: 0.5}, {0: 0.4}, {}, {0: 1.0, 1: 0.9}], 3)
    assert row == Observed("q", (0.9, 0.6), (0.7,), (0.9, 0.6), 3)


@pytest.mark.parametrize(("wanted", "value"), [(1.0, 0.3), (0.76, 0.3), (0.75, 0.5), (0.5, 0.7), (0.25, 0.9)])
def test_the_highest_threshold_that_keeps_a_recall(wanted: float, value: float) -> None:
    chosen = choose(ROWS, "recall", wanted, seed=1)
    assert chosen is not None
    assert chosen.value == value
    assert chosen.recall >= wanted
    assert effect(ROWS, value + 0.0002)[0] < chosen.recall


@pytest.mark.parametrize(("wanted", "value"), [(1.0, 0.7), (0.66, 0.6), (0.6, 0.5), (0.5, 0.3), (0.34, 0.2)])
def test_the_lowest_threshold_that_reaches_a_precision(wanted: float, value: float) -> None:
    chosen = choose(ROWS, "precision", wanted, seed=1)
    assert chosen is not None
    assert chosen.value == value
    assert chosen.precision >= wanted


def test_what_a_threshold_keeps() -> None:
    recall, precision, kept, empty = effect(ROWS, 0.5)
    assert (recall, precision, kept, empty) == (0.75, 3 / 5, 5 / 4, 0.25)


def test_no_threshold_where_none_is_precise_enough_or_nothing_is_relevant() -> None:
    assert choose([Observed("a", (0.1,), (0.9, 0.8), (0.1,), 1)], "precision", 0.9, seed=1) is None
    assert choose([Observed("a", (), (0.9,), (), 1)], "recall", 0.9, seed=1) is None


def test_the_interval_holds_the_value_and_repeats() -> None:
    first, again = choose(ROWS * 10, "recall", 0.75, seed=3), choose(ROWS * 10, "recall", 0.75, seed=3)
    assert first == again
    assert first is not None
    assert first.low <= first.value <= first.high
    assert first.low < first.high


def test_the_histogram_counts_every_chunk_once() -> None:
    bins = histogram(ROWS, bins=3)
    assert [(b.relevant, b.irrelevant) for b in bins] == [(1, 5), (1, 3), (2, 0)]
    assert (bins[0].low, bins[-1].high) == pytest.approx((0.1, 0.9))
    assert histogram([]) == ()


SIMILARITY = st.floats(-1, 1).map(lambda x: round(x, 4))


@given(
    st.lists(st.tuples(st.lists(SIMILARITY, min_size=1, max_size=3), st.lists(SIMILARITY, max_size=5)), min_size=1),
    st.floats(0.05, 1.0),
)
def test_a_chosen_threshold_keeps_what_was_wanted(pairs: list[tuple[list[float], list[float]]], wanted: float) -> None:
    rows = [Observed(str(i), tuple(r), tuple(o), tuple(r), len(r)) for i, (r, o) in enumerate(pairs)]
    recall = choose(rows, "recall", wanted, seed=1)
    assert recall is not None
    assert recall.recall >= wanted - 1e-9
    precision = choose(rows, "precision", wanted, seed=1)
    if precision is not None:
        assert precision.precision >= wanted - 1e-9
