"""Several requests at once, and all of them slower as soon as the service asks for it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from azsearch_ops.errors import UnreachableError

T = TypeVar("T")

THROTTLED = (429, 502, 503, 504)
"""The service answers 429 to a client and 503 to everybody that asks for more than it can give; so do its gateways."""

MOST_PAUSES = 10
LONGEST_PAUSE = 30.0


class Pace:
    """Lets at most `workers` calls run at once.

    A call that is throttled makes everybody wait for as long as the service said (`Retry-After`), or twice as long
    as the last time, and halves how many may run at once from then on. Without `pause`, which waits for seconds, a
    throttled call fails.
    """

    def __init__(self, workers: int, pause: Callable[[float], None] | None) -> None:
        self._pause = pause
        self._allowed = max(1, workers)
        self._running = 0
        self._pauses = 0
        self._changed = threading.Condition()
        self._gate = threading.Lock()

    @property
    def pauses(self) -> int:
        """How often everybody waited."""
        return self._pauses

    def call(self, work: Callable[[], T]) -> T:
        """What `work` returns, asked again after each pause; UnreachableError when the service never has time."""
        for attempt in range(MOST_PAUSES + 1):
            with self._turn():
                known = self._pauses
                try:
                    return work()
                except UnreachableError as refused:
                    if refused.status not in THROTTLED or self._pause is None or attempt == MOST_PAUSES:
                        raise
                    wanted = refused.retry_after
            self._slow_down(known, min(LONGEST_PAUSE, wanted if wanted is not None else 2.0**attempt), self._pause)
        raise AssertionError("the last attempt returns or raises")

    @contextmanager
    def _turn(self) -> Iterator[None]:
        with self._changed:
            self._changed.wait_for(lambda: self._running < self._allowed)
            self._running += 1
        try:
            with self._gate:  # Whoever pauses holds it
                pass
            yield
        finally:
            with self._changed:
                self._running -= 1
                self._changed.notify_all()

    def _slow_down(self, known: int, seconds: float, pause: Callable[[float], None]) -> None:
        with self._gate:
            if self._pauses != known:  # Somebody waited for all of us since this call began
                return
            self._pauses += 1
            with self._changed:
                self._allowed = max(1, self._allowed // 2)
            pause(seconds)
