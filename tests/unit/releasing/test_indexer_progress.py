"""Several runs of one indexer, each of which counts from 0, are one piece of work to who waits for it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from azsearch_ops.releasing.indexer_runs import over_all_runs
from azsearch_ops.releasing.outcomes import Progress


@pytest.mark.parametrize(
    ("counted", "total", "shown"),
    [
        ((0, 20, 45, 0), 45, [0, 20, 45, 45]),  # The run that confirms finds nothing new
        ((0, 20, 0), 45, [0, 20, 20]),  # … and the end of the one before was not seen
        ((30, 0, 15), 45, [30, 30, 45]),  # A capped run is followed by another
        ((45, 1), 45, [45, 45]),  # One that failed is tried again
        ((3, 0, 4), None, [3, 3, 7]),
        ((0, 0), 45, [0, 0]),
    ],
)
def test_documents_add_up_and_never_fall(counted: Sequence[int], total: int | None, shown: list[int]) -> None:
    told: list[Progress] = []
    report = over_all_runs(told.append)
    for done in counted:
        report(Progress("build", "documents", done, total))
    assert [progress.done for progress in told] == shown
    assert {(progress.stage, progress.total) for progress in told} == {("build", total)}


def test_words_pass_as_they_are() -> None:
    told: list[Progress] = []
    over_all_runs(told.append)(Progress("build", "waiting"))
    assert told == [Progress("build", "waiting")]
