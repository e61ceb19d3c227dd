"""A scoring profile changed on the index that answers: put beside the old, measured there, published, taken back."""

from __future__ import annotations

from typing import Any

import pytest
from projects import Project

from azsearch_ops.service.connect import connect
from azsearch_ops.verbs.local.service import find_local

INDEX = "indexes/handbook/index.yaml"
LOCAL = "infra/environments/local.yaml"
CONSUMER = "consumers: {intranet: {apiVersion: 2026-04-01, fields: [path]}}\nvariables:"
PATH = "path, type: Edm.String, searchable: false, filterable: {}"
PROFILES = """  scoringProfiles:
    - {name: titles, text: {weights: {title: 2, chunk: 1}}}
  defaultScoringProfile: titles
  vectorSearch:
"""


@pytest.fixture
def weighed(small: Project) -> Project:
    """The small project, its request ranked by the default scoring profile; nothing is kept for long."""
    small.replace(INDEX, "  vectorSearch:\n", PROFILES)
    small.replace(INDEX, "fresh_for: 7d, failed: 1d", "fresh_for: 0s, failed: 0s")
    return small


def live_index(project: Project) -> dict[str, Any]:
    """The live index as the service holds it."""
    local = find_local(project.root / ".azsearch" / "local")
    assert local is not None
    client = connect(local.endpoint, key=local.key, api_version="2026-04-01")
    try:
        return client.get("index", client.get("alias", "handbook-live")["indexes"][0])
    finally:
        client.close()


def profiles(project: Project) -> list[str]:
    return [profile["name"] for profile in live_index(project)["scoringProfiles"]]


def released(project: Project) -> str:
    return str(project.data("settings", "handbook")["search"]["scoringProfile"])


def test_a_weight_is_measured_beside_the_old_one_taken_back_and_pruned(weighed: Project) -> None:
    first = weighed.data("ship", "handbook")
    old = released(weighed)
    assert profiles(weighed) == [old] and old.startswith("titles-")
    weighed.replace(INDEX, "title: 2", "title: 3")
    unbuilt = weighed.run("evaluate", "handbook")
    assert unbuilt.returncode == 1 and "azsearch-ops build handbook" in unbuilt.stderr
    weighed.data("build", "handbook")
    index = live_index(weighed)
    assert len(index["scoringProfiles"]) == 2
    assert (index["defaultScoringProfile"], released(weighed)) == (old, old), "nothing ranks by the new one yet"
    assert weighed.data("evaluate", "handbook")["settings_only"] is True
    promoted = weighed.data("promote", "handbook")
    assert (promoted["after"], promoted["moved"]) == (first["candidate"], False)
    new = released(weighed)
    assert new != old and live_index(weighed)["defaultScoringProfile"] == new
    assert weighed.data("plan", "handbook")["changed"] == []
    weighed.data("drift", "handbook", "--detailed-exitcode")
    weighed.data("rollback", "handbook", "--reason", "answers got worse")
    assert (released(weighed), live_index(weighed)["defaultScoringProfile"]) == (old, old)
    assert weighed.run("ship", "handbook").returncode == 3, "the release that was left is held"
    weighed.replace(INDEX, "title: 3", "title: 4")
    shipped = weighed.data("ship", "handbook")
    assert (shipped["action"], shipped["promoted"], shipped["build"]) == ("settings", True, None)
    third = released(weighed)
    assert sorted(profiles(weighed)) == sorted([old, new, third])
    pruned = weighed.data("prune", "handbook", "--yes")["indexes"]["handbook"]["pruned"]
    gone = [(entry["kind"], entry["name"]) for entry in pruned if entry["done"] == "deleted"]
    assert gone == [("scoringProfile", f"{first['candidate']}/{new}")], "two releases are kept, and neither names it"
    assert sorted(profiles(weighed)) == sorted([old, third])
    weighed.data("rollback", "handbook", "--to", "2")
    assert released(weighed) == new and new in profiles(weighed), "a release holds what it needs to come back"


def test_with_new_chunks_the_candidate_answers_the_old_request_too(weighed: Project) -> None:
    weighed.data("ship", "handbook")
    old = released(weighed)
    weighed.replace(INDEX, "title: 2", "title: 3")
    weighed.replace("skillsets/handbook.yaml", "maximumPageLength: 2000", "maximumPageLength: 1500")
    weighed.replace(INDEX, PATH.format("true"), PATH.format("false"))
    weighed.replace(LOCAL, "variables:", CONSUMER)
    before = live_index(weighed)
    for command in ("ship", "build"):
        refused = weighed.run(command, "handbook")
        assert refused.returncode == 3 and "--accept-breaking --reason TEXT" in refused.stderr
        assert "fields.path.filterable: the consumer intranet reads path" in refused.stderr
    assert weighed.run("ship", "handbook", "--accept-breaking").returncode == 1, "it needs a reason"
    assert live_index(weighed) == before and weighed.data("status", "handbook")["indexes"]["handbook"]["release"] == 1
    second = weighed.data("ship", "handbook", "--accept-breaking", "--reason", "the intranet filters by title now")
    accepted = {"reason": "the intranet filters by title now", "changes": ["/fields/path/filterable"]}
    assert second["accepted_breaking"] == accepted
    (newest, oldest) = weighed.data("history", "handbook")["releases"]
    assert (newest["reason"], newest["accepted_breaking"]) == (accepted["reason"], accepted)
    assert oldest["accepted_breaking"] is None
    assert (second["action"], second["promoted"]) == ("rebuild", True)
    assert sorted(profiles(weighed)) == sorted([old, released(weighed)])
    assert live_index(weighed)["defaultScoringProfile"] == released(weighed)
    weighed.data("rollback", "handbook")
    assert len(profiles(weighed)) == 2, "and the one that is gone back to answers the request of the one that was left"
