"""`ship` killed after each of its service calls in turn, then run again: the same end every time."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from killing_proxy import KillingProxy, killing_proxy
from projects import Project, project_at

from azsearch_ops.releasing.ledger import Ledger
from azsearch_ops.service.connect import connect
from azsearch_ops.service.kinds import KINDS
from azsearch_ops.verbs.local.service import LocalService, reset_local, start_local, stop_local
from azsearch_ops.verbs.session import SYSTEM_CLOCK

ALIAS = "handbook-live"
INDEX = "indexes/handbook/index.yaml"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[LocalService, KillingProxy]]:
    """A local service behind a proxy that kills."""
    data = tmp_path_factory.mktemp("killed") / "local"
    service = start_local(data)
    with killing_proxy(service.endpoint) as proxy:
        yield service, proxy
    assert stop_local(data) is not None


def _project(folder: Path, service: LocalService, proxy: KillingProxy) -> Project:
    return project_at(folder, proxy.endpoint, service.key)


def _end_state(service: LocalService) -> dict[str, Any]:
    """What a run left behind, without what differs between any two runs (times, etags, keys with a changing hash)."""
    client = connect(service.endpoint, key=service.key, api_version="2026-04-01")
    try:
        ledger = Ledger(client, SYSTEM_CLOCK)
        kept = ("release", "index", "previous", "kind", "rebuild_digest", "verdict", "bodies", "search")
        releases = [ledger.release(ALIAS, number) for number in (1, 2)]
        live = client.get("alias", ALIAS)["indexes"][0]
        return {
            "objects": {kind: client.names(kind) for kind in KINDS},
            "live": live,
            "documents": client.count(live),
            "schedule": client.get("indexer", live).get("schedule"),
            "releases": [{k: r[k] for k in kept} for r in releases if r],
            "current": ledger.current(ALIAS),
            "pending": ledger.pending(ALIAS),
            "leases": client.get("index", ledger.name)["description"],
        }
    finally:
        client.close()


def _fatal(calls: list[str]) -> list[int]:
    """After which calls (1-based) the command is killed.

    After each write, and after every twelfth read: a read leaves the service as the write before it did. With
    AZSEARCH_KILL_EACH set it is killed after each call in turn, which takes some minutes.
    """
    numbers = range(1, len(calls) + 1)
    if os.environ.get("AZSEARCH_KILL_EACH"):
        return list(numbers)
    reads = ("GET ", "POST /indexes('handbook")  # Searches are POSTs too
    return [n for n in numbers if not calls[n - 1].startswith(reads) or n % 12 == 0]


@pytest.mark.parametrize("part", range(2))
def test_ship_killed_after_each_call_ends_in_the_same_state(
    part: int, tmp_path: Path, served: tuple[LocalService, KillingProxy]
) -> None:
    service, proxy = served
    project = _project(tmp_path, service, proxy)
    reset_local(Path(service.data))
    proxy.arm(None, None)
    project.data("ship", "handbook")
    calls = list(proxy.calls)
    wanted = _end_state(service)
    assert [r["release"] for r in wanted["releases"]] == [1]
    assert (wanted["documents"], wanted["pending"], wanted["leases"]) == (4, None, '{"leases": {}}')
    for kill_at in _fatal(calls)[part::2]:
        reset_local(Path(service.data))
        process = project.start("ship", "handbook")
        proxy.arm(process.pid, kill_at)
        said = process.communicate(timeout=120)
        where = f"after call {kill_at} of {len(calls)}, {calls[kill_at - 1]}"
        # Polls make the number of calls vary by a few, so that the last ones may not be reached
        assert process.returncode == -9 or kill_at > len(calls) - 8, f"{where}: not killed {said}"
        proxy.arm(None, None)
        again = project.data("ship", "handbook")
        assert again["verdict"] == "pass", where
        assert _end_state(service) == wanted, where


def test_a_candidate_that_fails_is_never_live_wherever_the_command_is_killed(
    tmp_path: Path, served: tuple[LocalService, KillingProxy]
) -> None:
    service, proxy = served
    project = _project(tmp_path, service, proxy)
    reset_local(Path(service.data))
    proxy.arm(None, None)
    live = project.data("ship", "handbook")["candidate"]
    project.replace("indexes/handbook/index.yaml", "mrr@10: {}", "mrr@10: {floor: 1.0}")
    misled = "  - id: q5\n    query: orange badge\n    relevant: [{document: leave.md}]\n"
    queries = project.root / "indexes/handbook/queries.yaml"
    queries.write_text(queries.read_text("utf-8") + misled, "utf-8")
    project.replace("skillsets/handbook.yaml", "maximumPageLength: 2000", "maximumPageLength: 300")
    project.replace("skillsets/handbook.yaml", "pageOverlapLength: 500", "pageOverlapLength: 0")
    outcome = project.data("ship", "handbook", code=3)
    calls = len(proxy.calls)
    assert outcome["promoted"] is False
    for kill_at in range(1, calls + 1, 1 if os.environ.get("AZSEARCH_KILL_EACH") else 19):
        process = project.start("ship", "handbook")
        proxy.arm(process.pid, kill_at)
        process.communicate(timeout=120)
        proxy.arm(None, None)
        status = project.data("status")["indexes"]["handbook"]
        assert status["live"] == live, json.dumps(status)


def test_a_scoring_profile_is_shipped_the_same_wherever_the_command_is_killed(
    tmp_path: Path, served: tuple[LocalService, KillingProxy]
) -> None:
    service, proxy = served
    project = _project(tmp_path, service, proxy)
    reset_local(Path(service.data))
    proxy.arm(None, None)
    profile = "  scoringProfiles: [{name: titles, text: {weights: {title: 2}}}]\n  defaultScoringProfile: titles\n"
    project.replace(INDEX, "  vectorSearch:\n", f"{profile}  vectorSearch:\n")
    project.data("ship", "handbook")
    project.replace(INDEX, "title: 2}", "title: 3}")
    proxy.arm(None, None)
    project.data("ship", "handbook")
    calls = list(proxy.calls)
    wanted = _ranking_state(service, 3)
    assert (wanted["pending"], wanted["leases"]) == (None, '{"leases": {}}')
    writes = [n for n in _fatal(calls) if not calls[n - 1].startswith(("GET ", "POST /indexes('handbook"))]
    if not os.environ.get("AZSEARCH_KILL_EACH"):  # What is written elsewhere too was killed above
        own = [place for place, n in enumerate(writes) if calls[n - 1].startswith("PUT /indexes('handbook")]
        writes = [n for place, n in enumerate(writes) if any(abs(place - other) <= 1 for other in own)]
    assert len(writes) >= 6, "the profile is added, and the default follows with the promotion"
    for weight, kill_at in enumerate(writes, start=4):
        project.replace(INDEX, f"title: {weight - 1}}}", f"title: {weight}}}")
        process = project.start("ship", "handbook")
        proxy.arm(process.pid, kill_at)
        process.communicate(timeout=120)
        proxy.arm(None, None)
        project.data("ship", "handbook")
        assert _ranking_state(service, weight) == wanted, f"after call {kill_at}, {calls[kill_at - 1]}"


def _ranking_state(service: LocalService, weight: int) -> dict[str, Any]:
    """What ranks after a ship, whatever the weight: the one that was asked for, and every part that ever was."""
    client = connect(service.endpoint, key=service.key, api_version="2026-04-01")
    try:
        ledger = Ledger(client, SYSTEM_CLOCK)
        current = ledger.current(ALIAS)
        assert current is not None
        index = client.get("index", current["index"])
        weights = {p["name"]: p["text"]["weights"]["title"] for p in index["scoringProfiles"]}
        return {
            "released": weights[current["search"]["scoringProfile"]] == weight,
            "default": weights[index["defaultScoringProfile"]] == weight,
            "profiles": sorted(weights.values()) == list(range(2, weight + 1)),
            "releases": int(current["release"]) == weight - 1,
            "pending": ledger.pending(ALIAS),
            "leases": client.get("index", ledger.name)["description"],
        }
    finally:
        client.close()
