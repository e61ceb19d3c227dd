"""Saved plans: what is read is what was written, and anything that moved is named."""

import json
from dataclasses import replace

import pytest

from azsearch_ops.errors import PlanStaleError, UsageError
from azsearch_ops.planning.saved import SavedIndex, SavedPlan, live_digest, read_saved, require_unmoved

INDEX = SavedIndex(
    name="docs",
    alias="docs-live",
    action="rebuild",
    candidate="docs-11111111",
    definitions="d" * 64,
    live="l" * 64,
    live_index="docs-00000000",
    release=3,
    held="h",
    plan={"action": "rebuild"},
    estimate=None,
)
PLAN = SavedPlan("prod", "https://s.search.windows.net", "2026-11-29T00:00:00.000Z", "0.1.0", (INDEX,))


def test_a_plan_survives_its_file():
    assert read_saved(PLAN.text(), "p.json") == PLAN
    assert json.loads(PLAN.text())["schema"] == "azsearch-ops/plan/1"


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"definitions": "x"}, "the definitions"),
        ({"live": "x"}, "docs-00000000 was changed on the service"),
        ({"live_index": "docs-22222222"}, "docs-00000000 then, docs-22222222 now"),
        ({"live_index": None, "live": None}, "docs-00000000 then, nothing now"),
        ({"release": 4}, "release 3 then, 4 now"),
        ({"held": "x"}, "held releases"),
    ],
)
def test_whatever_moved_is_named(change, named):
    with pytest.raises(PlanStaleError, match=named) as stale:
        require_unmoved(INDEX, replace(INDEX, **change))
    assert stale.value.exit_code == 4


def test_what_the_plan_itself_wrote_to_live_has_not_moved():
    saved = replace(INDEX, written="w")
    require_unmoved(saved, replace(INDEX, live="w"))
    with pytest.raises(PlanStaleError, match="was changed on the service"):
        require_unmoved(saved, replace(INDEX, live="x"))


def test_nothing_moved_is_no_error():
    require_unmoved(INDEX, replace(INDEX, plan={"action": "rebuild", "explanation": "other words"}))


CHANGE = {"kind": "indexer", "pointer": "/schedule/interval", "before": "PT1H", "after": "PT2H", "rule": "words"}
WRITE = {"kind": "indexer", "body": {"name": "docs", "schedule": {"interval": "PT2H"}}}


@pytest.mark.parametrize(
    "edit",
    [
        {"action": "none"},
        {"candidate": "docs-22222222"},
        {"changes": []},
        {"changes": [{**CHANGE, "after": "PT9H"}]},
        {"writes": [{**WRITE, "body": {"name": "docs", "schedule": {"interval": "PT9H"}}}]},
    ],
)
def test_a_file_that_was_edited_is_not_carried_out(edit):
    plan = {"action": "in_place", "candidate": "docs-11111111", "changes": [CHANGE], "writes": [WRITE]}
    now = replace(INDEX, plan=plan)
    require_unmoved(replace(INDEX, plan={**plan, "changes": [{**CHANGE, "rule": "other words"}]}), now)
    with pytest.raises(PlanStaleError, match="the file was changed") as stale:
        require_unmoved(replace(INDEX, plan={**plan, **edit}), now)
    assert stale.value.exit_code == 4


def test_a_part_that_ranks_may_come_from_elsewhere_meanwhile():
    part = {"name": "p-00000000", "text": {"weights": {"a": 2}}}
    change = {"kind": "index", "pointer": "/scoringProfiles/p", "before": None, "after": part}
    write = {"kind": "index", "body": {"name": "docs", "fields": [], "scoringProfiles": [part]}}
    saved = {"action": "settings", "changes": [change], "writes": [write]}
    require_unmoved(replace(INDEX, plan=saved), replace(INDEX, plan={**saved, "changes": [], "writes": []}))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("not JSON", "is not a saved plan"),
        ("[]", "has no schema"),
        ('{"schema": "azsearch-ops/plan/9"}', "azsearch-ops/plan/9"),
        ('{"schema": "azsearch-ops/plan/1", "indexes": [{}]}', "is damaged"),
    ],
)
def test_a_file_that_is_none_says_so(text, said):
    with pytest.raises(UsageError, match=said):
        read_saved(text, "p.json")


def test_the_digest_of_live_ignores_what_the_service_adds(workspace):
    from azsearch_ops.planning.live import LiveState

    bodies = workspace.render()
    parts = (bodies.skillset, bodies.data_source, bodies.indexer, bodies.search)
    live = LiveState(bodies.candidate, bodies.index, *parts, bodies.rebuild_digest)
    noisy = replace(live, index={**bodies.index, "@odata.etag": '"1"', "suggesters": [], "description": None})
    assert live_digest(live) == live_digest(noisy)
    assert live_digest(live) != live_digest(replace(live, search={**bodies.search, "top": 9}))
