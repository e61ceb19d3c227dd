"""Wait until the number of documents that a service counts is steady and is what can be read: both lag after writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from azsearch_ops.errors import UnreachableError
from azsearch_ops.releasing.clock import Clock
from azsearch_ops.service.client import Service

_Row = TypeVar("_Row", bound=Any)

FIRST_POLL: Final = 0.2
SLOWEST_POLL: Final = 3.0


def settled_rows(
    service: Service, index: str, read: Callable[[], Sequence[_Row]], most: int, clock: Clock, *, deadline: float
) -> tuple[Sequence[_Row], int]:
    """What `read` returns and the count of the index, once two counts in a row are equal and agree with it.

    `read` returns `most` rows at most; beyond that the count only has to be steady. UnreachableError (exit 5) when
    they do not agree within `deadline` seconds.
    """
    started = clock.monotonic()
    rows, poll = read(), FIRST_POLL
    first = service.count(index)
    is_last = False
    while True:
        second = service.count(index)
        agrees = second == len(rows) or second > most == len(rows)
        if agrees and first == second:
            return rows, second
        left = deadline - (clock.monotonic() - started)
        if is_last or (left <= 0 and not agrees):
            raise UnreachableError(
                f"'{index}': expected {max(len(rows), second)}, saw {min(len(rows), second)} after {deadline:.0f} s",
                hint="counts and searches of the service still lag behind what was written; run the command again",
            )
        is_last = left <= 0  # it agrees now: one more read to see that it holds
        clock.sleep(max(0.0, min(poll, left)))
        poll = min(poll * 2, SLOWEST_POLL)
        first = second
        if second >= len(rows):  # the rows may lag as well
            rows = read()
