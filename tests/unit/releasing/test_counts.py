"""Counts are taken once two reads in a row are equal and agree with what can be read, within a deadline."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import chain, repeat
from typing import cast

import pytest

from azsearch_ops.errors import UnreachableError
from azsearch_ops.releasing.clock import Clock
from azsearch_ops.releasing.counts import settled_rows
from azsearch_ops.service.client import Service


class Counting:
    """A service that counts as it is told, the last number for ever."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self.numbers: Iterator[int] = chain(numbers, repeat(numbers[-1]))

    def count(self, index: str) -> int:
        return next(self.numbers)


def settled(numbers: Sequence[int], rows: Callable[[], Sequence[int]], most: int = 100) -> tuple[Sequence[int], int]:
    now = [0.0]

    def sleep(seconds: float) -> None:
        now[0] += max(seconds, 0.001)

    clock = Clock(lambda: datetime.now(UTC), lambda: now[0], sleep)
    return settled_rows(cast(Service, Counting(numbers)), "i", rows, most, clock, deadline=60)


@pytest.mark.parametrize("numbers", [[4, 4], [2, 4, 4], [4, 3, 4, 4], [0, 1, 2, 3, 4, 4], [2] * 20 + [4]], ids=str)
def test_what_settles(numbers: list[int]) -> None:
    assert settled(numbers, lambda: range(4)) == (range(4), 4)


def test_rows_that_lag_are_read_again() -> None:
    reads = iter([range(2), range(3)])
    assert settled([4], lambda: next(reads, range(4))) == (range(4), 4)


def test_a_sample_only_asks_for_a_steady_count() -> None:
    assert settled([90, 240, 240], lambda: range(100)) == (range(100), 240)


@pytest.mark.parametrize(("numbers", "said"), [([236], "expected 240, saw 236 after 60 s"), ([1, 2] * 99, "saw [12] ")])
def test_what_does_not_settle_says_both_numbers(numbers: list[int], said: str) -> None:
    with pytest.raises(UnreachableError, match=said) as failure:
        settled(numbers, lambda: range(240), most=1000)
    assert failure.value.exit_code == 5
