"""Pipelines that meet, and commands cut off where nothing is built: one release, one end state."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from killing_proxy import KillingProxy, killing_proxy
from projects import Project, project_at

from azsearch_ops.errors import ConflictError
from azsearch_ops.releasing.clock import Clock
from azsearch_ops.releasing.lease import LEASE_SECONDS, Hold, Owner, leased
from azsearch_ops.releasing.ledger import Ledger
from azsearch_ops.service.client import Service
from azsearch_ops.service.connect import connect
from azsearch_ops.verbs.local.service import LocalService, reset_local, start_local, stop_local
from azsearch_ops.verbs.session import SYSTEM_CLOCK

ALIAS = "handbook-live"
Served = tuple[LocalService, KillingProxy]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    data = tmp_path_factory.mktemp("racing") / "local"
    service = start_local(data)
    with killing_proxy(service.endpoint) as proxy:
        yield service, proxy
    assert stop_local(data) is not None


@pytest.fixture
def project(tmp_path: Path, served: Served) -> Project:
    service, proxy = served
    reset_local(Path(service.data))
    proxy.arm(None, None)
    return project_at(tmp_path, proxy.endpoint, service.key)


@pytest.fixture
def client(served: Served) -> Iterator[Service]:
    opened = connect(served[0].endpoint, key=served[0].key, api_version="2026-04-01")
    yield opened
    opened.close()


def _state(client: Service) -> dict[str, Any]:
    ledger = Ledger(client, SYSTEM_CLOCK)
    current = ledger.current(ALIAS)
    live = client.get("alias", ALIAS)["indexes"][0]
    kept = ("release", "index", "kind", "identity", "bodies", "search")
    releases = [ledger.release(ALIAS, number) for number in range(1, 5)]
    return {
        "live": live,
        "current": current,
        "releases": [{k: r[k] for k in kept} for r in releases if r],
        "description": client.get("index", live).get("description"),
        "schedule": client.get("indexer", live).get("schedule"),
        "pending": ledger.pending(ALIAS),
        "leases": client.get("index", ledger.name)["description"],
    }


@pytest.mark.parametrize("released_before", [False, True])
def test_two_ships_of_one_change_make_one_release(project: Project, client: Service, released_before: bool) -> None:
    if released_before:
        project.data("ship")
        project.replace("skillsets/handbook.yaml", "maximumPageLength: 2000", "maximumPageLength: 1500")
    racers = [project.start("ship", "handbook") for _ in range(2)]
    ended = [(*racer.communicate(timeout=300), racer.returncode) for racer in racers]
    codes = sorted(code for _, _, code in ended)
    assert codes in ([0, 0], [0, 4]), ended
    state = _state(client)
    assert [r["release"] for r in state["releases"]] == ([1, 2] if released_before else [1])
    assert state["schedule"] is not None, "the one that came second took no schedule away"
    assert (state["pending"], state["leases"]) == (None, '{"leases": {}}')
    assert project.data("ship")["unchanged"] is True
    assert project.data("drift", "--detailed-exitcode")["drifted"] == []


def test_a_change_in_place_cut_off_anywhere_ends_as_one_release(
    project: Project, client: Service, served: Served
) -> None:
    index = "indexes/handbook/index.yaml"
    project.data("ship")
    project.replace(index, "index:\n", "index:\n  description: words of the handbook\n")
    _, proxy = served
    before = _state(client)
    proxy.arm(None, None)
    done = project.data("ship")
    calls = len(proxy.calls)
    wanted = _state(client)
    assert (done["action"], done["release"], wanted["description"]) == ("in_place", 2, "words of the handbook")
    assert before["releases"] == wanted["releases"][:1]
    # Only where something was written does it matter: the calls between two writes are all alike
    searches = "POST /indexes('handbook"
    writes = [n for n, call in enumerate(proxy.calls, 1) if call[:3] != "GET" and not call.startswith(searches)]
    for number, kill_at in enumerate(n for n in writes if n <= calls):
        text = f"words of the handbook, edition {number}"
        old = (project.root / index).read_text("utf-8").partition("description: ")[2].partition("\n")[0]
        project.replace(index, f"description: {old}", f"description: {text}")
        process = project.start("ship", "handbook")
        proxy.arm(process.pid, kill_at)
        process.communicate(timeout=120)
        proxy.arm(None, None)
        project.data("ship")
        state = _state(client)
        assert (state["description"], state["pending"], state["leases"]) == (text, None, '{"leases": {}}')
        current = state["current"]
        record = Ledger(client, SYSTEM_CLOCK).release(ALIAS, current["release"])
        assert record is not None and record["bodies"]["index"]["description"] == text, f"call {kill_at} of {calls}"
        assert project.data("drift", "--detailed-exitcode")["drifted"] == []
    assert _state(client)["current"]["release"] == 2 + len(writes)
    project.data("rollback", "handbook", "--to", "2", "--reason", "the first wording was better")
    assert _state(client)["description"] == "words of the handbook"
    assert project.data("drift", "--detailed-exitcode")["drifted"] == []


class Hours:
    """A clock that a test sets forward."""

    def __init__(self) -> None:
        self.passed = 0.0

    def clock(self) -> Clock:
        """The clock: sleeping only sets it forward."""
        return Clock(
            now=lambda: datetime(2026, 11, 29, tzinfo=UTC) + timedelta(seconds=self.passed),
            monotonic=lambda: self.passed,
            sleep=self.sleep,
        )

    def sleep(self, seconds: float) -> None:
        """Time passes."""
        self.passed += seconds


def test_a_lease_is_renewed_while_its_holder_works_and_lost_when_it_slept(project: Project, client: Service) -> None:
    hours = Hours()
    ledger = Ledger(client, hours.clock())
    first, second = (Owner("here", pid, str(pid)) for pid in (1, 2))

    def held(owner: Owner, patience: float = 0.0) -> AbstractContextManager[Hold]:
        return leased(ledger, ALIAS, owner, hours.clock(), gone=lambda host, pid: False, patience=patience)

    with held(first) as hold:
        for _ in range(10):  # Ten times longer than it lasts, and nobody gets in
            hours.sleep(LEASE_SECONDS / 2)
            hold.keep()
            with pytest.raises(ConflictError, match="process 1 on here"), held(second):
                pass
        hours.sleep(LEASE_SECONDS + 1)
        with held(second), pytest.raises(ConflictError, match="another process took it"):
            hold.keep()
    assert client.get("index", ledger.name)["description"] == '{"leases": {}}'


def test_a_lease_that_nobody_renews_is_waited_out(project: Project, client: Service) -> None:
    """A machine that was lost in the middle: the command that is run again goes on by itself."""
    hours = Hours()
    ledger = Ledger(client, hours.clock())

    def held(pid: int) -> AbstractContextManager[Hold]:
        return leased(ledger, ALIAS, Owner("elsewhere", pid, str(pid)), hours.clock(), gone=lambda host, pid: False)

    lost = held(1)
    lost.__enter__()  # And never left
    with held(2):
        assert LEASE_SECONDS <= hours.passed < LEASE_SECONDS + 10
