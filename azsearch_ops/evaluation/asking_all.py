"""Asking every query of every side: some alone and timed, the rest several at a time, always both sides together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from azsearch_ops.evaluation.asking import Asked, Side
from azsearch_ops.evaluation.types import Query

PROBED = 5
"""Queries that are asked twice, to see whether the service answers the same."""

TIMED = 40
"""Queries whose calls are made one at a time: a latency under our own load would say little about the service."""

_WAVE = 64
"""Queries after which the depth is looked at again; fixed, so that the number of workers changes no answer."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What came back. `asked` is by query, then by side; `timed` are the queries whose calls ran alone.

    `otherwise` counts for each side the queries that gave something else when asked again, of the first `probed`.
    """

    asked: tuple[tuple[Asked, ...], ...]
    timed: tuple[int, ...]
    probed: int
    otherwise: tuple[int, ...]

    def seconds(self, side: int) -> list[float]:
        """The latencies of `side`, of the calls that ran alone."""
        return [self.asked[number][side].seconds for number in self.timed]

    def calls(self, side: int) -> int:
        """How many searches `side` was asked for."""
        return self.probed + sum(pair[side].calls for pair in self.asked)


def ask_all(
    sides: Sequence[Side], queries: Sequence[Query], workers: int, progress: Callable[[int, int], None] | None = None
) -> Answers:
    """Every query asked of every side, the sides taking turns in going first."""
    asked: dict[int, tuple[Asked, ...]] = {}
    otherwise = [0] * len(sides)
    timed = tuple(dict.fromkeys(place * len(queries) // TIMED for place in range(TIMED)))

    def pair(number: int, turn: int) -> tuple[Asked, ...]:
        order = range(len(sides)) if turn % 2 == 0 else reversed(range(len(sides)))
        answers = {index: sides[index].ask(queries[number]) for index in order}
        return tuple(answers[index] for index in range(len(sides)))

    def keep(number: int, answers: tuple[Asked, ...]) -> None:
        asked[number] = answers
        if progress:
            progress(len(asked), len(queries))

    for turn, number in enumerate(timed):
        answers = pair(number, turn)
        for index, side in enumerate(sides):
            side.learn(answers[index])
            if turn < PROBED:
                otherwise[index] += not side.repeats(queries[number], answers[index])
        keep(number, answers)
    rest = [number for number in range(len(queries)) if number not in asked]
    with ThreadPoolExecutor(max_workers=max(1, workers), thread_name_prefix="asking") as pool:
        for wave in _waves(rest):
            for number, answers in zip(wave, pool.map(pair, wave, wave), strict=True):
                keep(number, answers)
            for number in wave:
                for index, side in enumerate(sides):
                    side.learn(asked[number][index])
    return Answers(
        tuple(asked[number] for number in range(len(queries))), timed, min(PROBED, len(timed)), tuple(otherwise)
    )


def _waves(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    for start in range(0, len(numbers), _WAVE):
        yield numbers[start : start + _WAVE]
