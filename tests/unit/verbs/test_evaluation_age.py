from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest

from azsearch_ops.definitions.gate import GateRules
from azsearch_ops.errors import GateNotPassedError, UsageError
from azsearch_ops.verbs.evaluating.yardstick import Ruling
from azsearch_ops.verbs.shipping.promoting import _refuse_expired, duration_words

NOW = datetime(2026, 4, 10, 12, 0, tzinfo=UTC)


def promote(age: timedelta, *, protected: bool = False, max_age: timedelta | None = None) -> None:
    session = SimpleNamespace(
        project=SimpleNamespace(environment=SimpleNamespace(protected=protected)),
        clock=SimpleNamespace(now=lambda: NOW),
    )
    contest = SimpleNamespace(index=SimpleNamespace(name="handbook", gate_rules=GateRules(max_age=max_age)))
    at = (NOW - age).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    _refuse_expired(session, contest, {"at": at})


@pytest.mark.parametrize(
    ("protected", "max_age", "counts", "words"),
    [
        (False, None, timedelta(days=7), "it counts for 7 days and is"),
        (True, None, timedelta(hours=24), "it counts for 24 hours in a protected environment and is"),
        (True, timedelta(days=3), timedelta(days=3), "it counts for 3 days and is"),
        (False, timedelta(hours=6), timedelta(hours=6), "it counts for 6 hours and is"),
    ],
)
def test_an_evaluation_counts_for_a_while(
    protected: bool, max_age: timedelta | None, counts: timedelta, words: str
) -> None:
    promote(counts - timedelta(minutes=1), protected=protected, max_age=max_age)
    with pytest.raises(GateNotPassedError) as refused:
        promote(counts + timedelta(minutes=1), protected=protected, max_age=max_age)
    assert words in refused.value.message
    assert "azsearch-ops evaluate handbook" in refused.value.hint


def test_durations_for_people() -> None:
    assert [duration_words(timedelta(seconds=s)) for s in (5, 119, 600, 7_200, 90_000, 604_800)] == [
        "5 seconds",
        "119 seconds",
        "10 minutes",
        "2 hours",
        "25 hours",
        "7 days",
    ]


def test_a_new_yardstick_is_accepted_for_a_reason_only() -> None:
    assert Ruling("main", "the old floor was a typo").checked().accept == "the old floor was a typo"
    assert Ruling().checked() == Ruling()
    with pytest.raises(UsageError, match="needs a reason"):
        Ruling(accept="  ").checked()
