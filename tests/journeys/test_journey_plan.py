"""Plans before anything is built: room, budget, saved plans, the ledger's view, drift, and what may be pruned."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from answering_proxy import AnsweringProxy, answering_proxy
from projects import Project, project_at
from reader_proxy import reader_of

from azsearch_ops.errors import ConflictError
from azsearch_ops.releasing.candidate import ensure_object
from azsearch_ops.service.client import Service
from azsearch_ops.service.connect import connect
from azsearch_ops.verbs.local.service import LocalService, reset_local, start_local, stop_local

ENVIRONMENT = "infra/environments/local.yaml"
INDEX = "indexes/handbook/index.yaml"
SKILLSET = "skillsets/handbook.yaml"
Served = tuple[LocalService, AnsweringProxy]


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    data = tmp_path_factory.mktemp("planned") / "local"
    service = start_local(data)
    with answering_proxy(service.endpoint) as proxy:
        yield service, proxy
    assert stop_local(data) is not None


@pytest.fixture
def project(tmp_path: Path, running: Served) -> Project:
    service, proxy = running
    reset_local(Path(service.data))
    proxy.forget()
    return project_at(tmp_path, proxy.endpoint, service.key)


@pytest.fixture
def client(running: Served) -> Iterator[Service]:
    service, _ = running
    opened = connect(service.endpoint, key=service.key, api_version="2026-04-01")
    yield opened
    opened.close()


def _counters(**changed: tuple[int, int]) -> Any:
    def change(body: Any) -> Any:
        for name, (usage, quota) in changed.items():
            body["counters"][name] = {"usage": usage, "quota": quota}
        return body

    return change


def _shorten(project: Project, length: int = 1500) -> None:
    text = (project.root / SKILLSET).read_text("utf-8")
    now = text.partition("maximumPageLength: ")[2].split()[0]
    project.replace(SKILLSET, f"maximumPageLength: {now}", f"maximumPageLength: {length}")


def test_estimates_are_what_the_build_then_makes(project: Project) -> None:
    project.replace(
        ENVIRONMENT, "variables:", "prices: {embedding: 20000}\nrateLimits: {tokensPerMinute: 40}\nvariables:"
    )
    estimate = project.data("plan")["plans"]["handbook"]["estimate"]
    work = estimate["workload"]
    assert (work["basis"], work["documents"], work["chunks"]) == ("documents", 4, 4)
    assert 60 < work["tokens"] < 140
    assert estimate["cost"] == pytest.approx(work["tokens"] / 1e6 * 20000)
    assert estimate["minutes"] == pytest.approx(work["tokens"] / 40)
    shipped = project.data("ship")
    assert shipped["build"]["chunks"] == work["chunks"]
    _shorten(project)
    again = project.data("plan")["plans"]["handbook"]["estimate"]
    slots = {quota["name"]: (quota["usage"], quota["adds"]) for quota in again["quotas"]}
    assert (slots["indexes"], slots["aliases"], slots["data sources"]) == ((2, 1), (1, 0), (1, 0))
    text = project.run("plan").stdout
    assert "index slots 2 → 3 of 50" in text and "USD" in text and "not refreshed for about" in text
    shown = project.run("plan", "--format", "markdown").stdout
    assert "| `skillsets/handbook.yaml:4` |" in shown and "1500" in shown


@pytest.mark.parametrize(
    ("counters", "said"),
    [
        ({"aliasesCount": (0, 0)}, "no room for one more of aliases: 0 of 0 are used"),
        ({"indexesCount": (15, 15)}, "no room for 2 more of indexes: 15 of 15 are used"),
    ],
)
def test_a_full_service_is_said_with_numbers_and_nothing_is_created(
    project: Project, running: Served, client: Service, counters: dict[str, tuple[int, int]], said: str
) -> None:
    """azure-sdk-for-python#30847."""
    running[1].changes["GET /servicestats"] = _counters(**counters)
    planned = project.run("plan")
    assert planned.returncode == 1
    assert said in planned.stdout
    for command in (("ship",), ("build", "handbook")):
        refused = project.run(*command)
        assert refused.returncode == 1
        assert said in refused.stderr
    assert client.names("index") == client.names("alias") == ()


def test_a_full_service_says_what_to_prune(project: Project, running: Served) -> None:
    project.replace(INDEX, "retention: {keep: 2, fresh_for: 7d, failed: 1d}", "retention: {keep: 1, fresh_for: 0s}")
    first = project.data("ship")["candidate"]
    _shorten(project)
    project.data("ship")
    _shorten(project, 1400)
    running[1].changes["GET /servicestats"] = _counters(indexesCount=(50, 50))
    refused = project.run("plan")
    assert refused.returncode == 1
    assert f"azsearch-ops prune --yes deletes {first}" in refused.stdout


def test_a_budget_that_is_too_small_ends_in_exit_code_1_with_the_number(project: Project, client: Service) -> None:
    project.replace(ENVIRONMENT, "variables:", "budget: {chunks: 3}\nvariables:")
    document = json.loads(project.run("plan", "--output", "json").stdout)
    assert document["exit_code"] == 1
    assert [p["message"] for p in document["problems"]] == ["chunks 4 is over the budget of 3"]
    assert project.run("ship").returncode == 1
    assert client.names("index") == ()


def test_many_definitions_take_one_list_request_a_kind(project: Project, running: Served) -> None:
    for name in ("second", "third"):
        shutil.copytree(project.root / "indexes/handbook", project.root / "indexes" / name)
        project.replace(
            f"indexes/{name}/index.yaml", "name: handbook\nalias: handbook-live", f"name: {name}\nalias: {name}-live"
        )
    running[1].calls.clear()
    assert len(project.data("plan")["plans"]) == 3
    definitions = [c for c in running[1].calls if "/docs" not in c and "servicestats" not in c]
    assert sorted(definitions) == sorted(set(definitions)), "no kind is asked for twice"
    assert {c.partition(" /")[2] for c in definitions} <= {
        "indexes", "aliases", "datasources", "skillsets", "indexers", "synonymmaps"
    }  # fmt: skip


def test_a_saved_plan_is_carried_out_or_exit_4(project: Project, client: Service, tmp_path: Path) -> None:
    project.replace(ENVIRONMENT, "connections:", "protected: true\nconnections:")
    plan = str(tmp_path / "plan.json")
    project.data("plan", "--out", plan)
    shipped = project.data("ship", "--plan", plan)
    assert (shipped["promoted"], shipped["release"]) == (True, 1), "a plan is a permission in a protected environment"
    assert project.data("ship", "--plan", plan)["unchanged"] is True, "cut off and run again it ends in the same state"
    _shorten(project)
    project.data("plan", "--out", plan)
    _shorten(project, 1400)
    stale = project.run("ship", "--plan", plan)
    assert stale.returncode == 4 and "the definitions" in stale.stderr
    project.data("plan", "--out", plan)
    live = client.get("index", shipped["candidate"])
    client.put("index", {**live, "description": "edited by hand"})
    stale = project.run("ship", "--plan", plan)
    assert stale.returncode == 4 and "was changed on the service" in stale.stderr
    project.data("plan", "--out", plan)
    project.data("ship", "--yes")
    stale = project.run("ship", "--plan", plan)
    assert stale.returncode == 4 and "release 1 then, 2 now" in stale.stderr
    other = project.run("ship", "handbook", "--plan", plan)
    assert other.returncode == 1


def test_only_what_changed_is_shipped(project: Project) -> None:
    shutil.copytree(project.root / "indexes/handbook", project.root / "indexes/second")
    project.replace(
        "indexes/second/index.yaml", "name: handbook\nalias: handbook-live", "name: second\nalias: second-live"
    )
    assert set(project.data("ship")["indexes"]) == {"handbook", "second"}
    assert project.data("ship", "--changed") == {"indexes": {}}
    project.replace("indexes/second/index.yaml", "k: 50", "k: 40")
    assert project.data("ship", "--changed")["name"] == "second"


def test_the_ledger_alone_tells_a_reader_what_would_change(project: Project, running: Served) -> None:
    project.data("ship")
    with reader_of(running[0].endpoint) as (endpoint, refused):
        project.replace(ENVIRONMENT, running[1].endpoint, endpoint)
        planned = project.data("plan", "--from-ledger", "--detailed-exitcode")
        assert (planned["changed"], planned["plans"]["handbook"]["source"]) == ([], "ledger")
        assert refused == []
        _shorten(project)
        changed = project.data("plan", "--from-ledger", "--detailed-exitcode", code=2)
        assert changed["plans"]["handbook"]["action"] == "rebuild"
        assert "drift" in project.run("plan", "--from-ledger").stdout
        forbidden = project.run("plan")
        assert forbidden.returncode == 1 and "Search Service Contributor" in forbidden.stderr


def test_drift_names_every_edit_behind_our_back(project: Project, client: Service) -> None:
    assert project.data("drift", "--detailed-exitcode")["drifted"] == []
    (project.root / "synonymmaps").mkdir()
    (project.root / "synonymmaps/leave.yaml").write_text('name: leave\nsynonyms: "holiday, vacation"\n', "utf-8")
    project.replace(INDEX, "analyzer: en.lucene}", "analyzer: en.lucene, synonymMaps: [leave]}")
    live = project.data("ship")["candidate"]
    assert project.data("drift", "--detailed-exitcode")["drifted"] == []
    index = client.get("index", live)
    by_hand = {"corsOptions": {"allowedOrigins": ["*"]}, "scoringProfiles": [{"name": "by-hand"}]}
    client.put("index", {**index, **by_hand})
    skillset = client.get("skillset", live)
    skills = [{**s, "maximumPageLength": 3000} if "textSplitMode" in s else s for s in skillset["skills"]]
    client.put("skillset", {**skillset, "skills": skills})
    client.put("indexer", {**client.get("indexer", live), "schedule": None})
    (words,) = client.names("synonymMap")
    client.put("synonymMap", {**client.get("synonymMap", words), "synonyms": "holiday, sickness"})
    found = project.data("drift", "--detailed-exitcode", code=2)["indexes"]["handbook"]["drifted"]
    pointers = {(f["kind"], f["pointer"].rpartition("/")[2]): (f["released"], f["found"]) for f in found}
    assert pointers[("skillset", "maximumPageLength")] == (2000, 3000)
    assert pointers[("synonymMap", "synonyms")] == (None, "holiday, sickness")
    assert {("index", "corsOptions"), ("index", "by-hand"), ("indexer", "schedule")} <= set(pointers)
    client.put("index", {**{k: v for k, v in index.items() if k != "@odata.etag"}, "name": "elsewhere"})
    client.put("alias", {"name": "handbook-live", "indexes": ["elsewhere"]})
    moved = project.run("drift", "--format", "markdown", "--detailed-exitcode")
    assert moved.returncode == 2
    assert "was moved by hand" in moved.stdout and "elsewhere" in moved.stdout


def test_drift_sees_an_indexer_that_fails(project: Project, client: Service) -> None:
    live = project.data("ship")["candidate"]
    shutil.rmtree(project.root / "infra/local/containers/handbook")
    client.run_indexer(live)
    deadline = 200
    while client.indexer_status(live)["lastResult"]["status"] in ("success", "inProgress") and deadline:
        deadline -= 1
    (project.root / "infra/local/containers/handbook").mkdir()
    found = project.data("drift", "--detailed-exitcode", code=2)["indexes"]["handbook"]["drifted"]
    assert [f["kind"] for f in found] == ["refresh"]
    assert "fails" in found[0]["told"]


def test_prune_deletes_only_what_nothing_holds(project: Project, running: Served, client: Service) -> None:
    """azure-search-openai-demo#2882: alias and knowledge source that refer to an index are listed."""
    project.replace(
        INDEX, "retention: {keep: 2, fresh_for: 7d, failed: 1d}", "retention: {keep: 1, fresh_for: 0s, failed: 0s}"
    )
    first = project.data("ship")["candidate"]
    _shorten(project)
    second = project.data("ship")["candidate"]
    client.put("synonymMap", {"name": "leave-0a0b0c0d", "format": "solr", "synonyms": "theirs, yours"})
    synonyms = project.root / "synonymmaps/leave.yaml"
    synonyms.parent.mkdir()
    synonyms.write_text('name: leave\nsynonyms: "holiday, vacation"\n', "utf-8")
    project.replace(INDEX, "analyzer: en.lucene}", "analyzer: en.lucene, synonymMaps: [leave]}")
    _shorten(project, 1400)
    claimed = project.data("build", "handbook", "--claim", "pull/17", "--claim-expires", "2d")["candidate"]
    (map_of_claimed,) = set(client.names("synonymMap")) - {"leave-0a0b0c0d"}
    synonyms.write_text('name: leave\nsynonyms: "holiday, vacation, time off"\n', "utf-8")
    _shorten(project, 1300)
    failed = project.data("build", "handbook")["candidate"]
    (map_of_failed,) = set(client.names("synonymMap")) - {"leave-0a0b0c0d", map_of_claimed}
    foreign = {**client.get("index", first), "name": "handbook-0a0b0c0d"}
    client.put("index", {k: v for k, v in foreign.items() if k != "@odata.etag"})
    source = {"name": "wiki", "kind": "searchIndex", "searchIndexParameters": {"searchIndexName": first}}
    running[1].changes["GET /knowledgesources"] = lambda _: {"value": [source]}
    client.put("alias", {"name": "old-clients", "indexes": [first]})

    def pruned(*arguments: str) -> dict[str, tuple[str, str]]:
        entries = project.data("prune", *arguments)["indexes"]["handbook"]["pruned"]
        return {entry["name"]: (entry["done"], entry["why"]) for entry in entries}

    shown = pruned()
    assert shown[first] == ("kept", "alias old-clients points to it; knowledge source wiki refers to it")
    assert shown[second][0] == "kept" and "alias handbook-live" in shown[second][1]
    assert shown[claimed][0] == "kept" and "claimed by pull/17" in shown[claimed][1]
    assert shown[failed][0] == "would delete"
    assert shown["handbook-0a0b0c0d"] == ("kept", "not in the ledger, so not ours to delete")
    assert failed in client.names("index"), "a preview deletes nothing"
    assert pruned("--yes")[failed][0] == "deleted"
    assert all(failed not in client.names(kind) for kind in ("index", "skillset", "indexer"))
    running[1].changes.clear()
    client.delete("alias", "old-clients")
    assert client.names("synonymMap") == tuple(sorted(("leave-0a0b0c0d", map_of_claimed))), "what an index names stays"
    after = pruned("--yes", "--drop-claim", "pull/17")
    assert (after[first][0], after[claimed][0]) == ("deleted", "deleted")
    assert after[map_of_claimed] == ("deleted", "no index and no kept release names it")
    assert client.names("synonymMap") == ("leave-0a0b0c0d",), f"not ours; {map_of_failed} went with its candidate"
    project.replace(INDEX, "analyzer: en.lucene, synonymMaps: [leave]}", "analyzer: en.lucene}")
    assert set(client.names("index")) == {second, "handbook-0a0b0c0d", "azsearch-ops-ledger"}
    assert client.names("dataSource") != ()
    assert project.data("ship")["promoted"] is True


def test_a_write_that_meets_another_edit_says_what_it_was(client: Service, project: Project) -> None:
    """azure-sdk-for-net#39104: another etag with the same body is written again, another body is a conflict."""
    live = project.data("ship")["candidate"]
    body = {k: v for k, v in client.get("index", live).items() if k != "@odata.etag"}

    class Meddled(Service):
        """The service, with somebody else writing just before each of our writes."""

        def put(self, kind: Any, body: Any, *, absent: bool = False) -> dict[str, Any]:
            if edits:
                client.put("index", edits.pop())
            return super().put(kind, body, absent=absent)

    meddled = Meddled(client.endpoint, client._credential, api_version="2026-04-01")
    wanted = {**body, "description": "ours"}
    try:
        edits: list[dict[str, Any]] = [body, body]
        assert ensure_object(meddled, "index", wanted).created is True
        edits = [{**body, "description": "theirs"}]
        with pytest.raises(ConflictError, match=r'description: "ours" → "theirs"') as conflict:
            ensure_object(meddled, "index", {**body, "description": "new"})
    finally:
        meddled.close()
    assert conflict.value.exit_code == 4
    assert client.get("index", live)["description"] == "theirs"


def test_an_api_version_without_aliases_is_refused_before_any_call(project: Project, running: Served) -> None:
    """azure-sdk-for-net#46003."""
    project.replace(ENVIRONMENT, 'apiVersion: "2026-04-01"', 'apiVersion: "2025-09-01"')
    running[1].calls.clear()
    for command in ("plan", "ship"):
        refused = project.run(command)
        assert refused.returncode == 1
        assert "aliases need" in refused.stderr and "2026-04-01 or later" in refused.stderr
    assert running[1].calls == []
