"""What may be pruned: only what is ours, out of use, unclaimed, and past its time."""

from datetime import UTC, datetime, timedelta

import pytest

from azsearch_ops.releasing.retention import Rules, Standing, decide
from azsearch_ops.releasing.standings import own_names

NOW = datetime(2026, 11, 29, 12, tzinfo=UTC)
RULES = Rules(keep=2, fresh_for=timedelta(days=7), failed=timedelta(days=1))
AGO = timedelta(days=30)
OLD = Standing(
    index="docs-00000001",
    aliases=(),
    referrers=(),
    claims={},
    rank=2,
    left=NOW - AGO,
    built=NOW - AGO,
    managed=True,
    adopted=False,
    scheduled=True,
    running=False,
)


def standing(**changed):
    from dataclasses import replace

    return replace(OLD, **changed)


def test_an_old_release_goes():
    assert decide(OLD, RULES, NOW).fate == "delete"


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"aliases": ("docs-live",)}, "alias docs-live points to it"),
        ({"referrers": ("knowledge source wiki",)}, "knowledge source wiki refers to it"),
        ({"claims": {"pull/7": NOW + timedelta(days=1)}}, "claimed by pull/7 until 2026-11-30"),
        ({"adopted": True}, "adopted"),
        ({"managed": False}, "not in the ledger"),
        ({"running": True}, "its indexer is running"),
        ({"left": NOW - timedelta(days=6)}, "fresh until 2026-11-30"),
        ({"rank": None, "left": None, "built": NOW - timedelta(hours=23)}, "kept until 2026-11-29T13:00Z"),
        ({"rank": None, "left": None, "built": None}, "its age is not known"),
        ({"rank": 0, "left": None}, "the newest release"),
    ],
)
def test_each_reason_keeps_it(changed, why):
    decision = decide(standing(**changed), RULES, NOW)
    assert decision.fate == "keep" and why in decision.why


def test_all_reasons_are_named():
    decision = decide(standing(aliases=("a", "b"), referrers=("indexer x",)), RULES, NOW)
    assert decision.why == "alias a points to it; alias b points to it; indexer x refers to it"


def test_an_expired_claim_and_a_failed_candidate_go():
    assert decide(standing(claims={"pull/7": NOW - timedelta(days=1)}), RULES, NOW).fate == "delete"
    failed = standing(rank=None, left=None, built=NOW - timedelta(days=2))
    assert decide(failed, RULES, NOW).fate == "delete"


def test_a_kept_release_is_refreshed_for_a_while_only():
    kept = standing(rank=1, left=NOW - timedelta(days=3))
    assert decide(kept, RULES, NOW).fate == "keep"
    assert decide(standing(rank=1), RULES, NOW).fate == "rest"
    assert decide(standing(rank=1, scheduled=False), RULES, NOW).fate == "keep"


def test_only_names_that_this_tool_gives_are_looked_at():
    names = ("docs", "docs-0123abcd", "docs-0123abcd-noise-a", "docs-0123abc", "docs-0123ABCD", "mydocs-0123abcd")
    assert own_names(names, "docs") == ("docs-0123abcd", "docs-0123abcd-noise-a")
