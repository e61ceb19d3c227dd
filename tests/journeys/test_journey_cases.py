"""Trouble that teams reported in public, put to the command itself: what it says, what it writes, how it ends."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from answering_proxy import AnsweringProxy, answering_proxy
from azure.core.credentials import AzureKeyCredential
from azure.search.documents import SearchClient
from projects import Project, small_project
from test_journey_any_index import service_of
from test_journey_faults import tell
from test_journey_ready_chunks import as_ready_chunks

from azsearch_ops.service.connect import connect
from azsearch_ops.verbs.local.service import start_local, stop_local

INDEX = "indexes/handbook/index.yaml"
ENVIRONMENT = "infra/environments/local.yaml"


def container(project: Project) -> Path:
    return project.root / "infra/local/containers/handbook"


def documents_of(project: Project, index: str) -> SearchClient:
    endpoint, key = service_of(project)
    return SearchClient(endpoint, index, AzureKeyCredential(key), use_env_settings=False)


def test_what_the_portal_shows_is_a_definition_and_no_change(small: Project) -> None:
    """azure-sdk-for-python#44962: annotations, empty lists and nulls as the service gives them."""
    live = small.data("ship", "handbook")["candidate"]
    endpoint, key = service_of(small)
    service = connect(endpoint, key=key, api_version="2026-04-01")
    shown = service.get("index", live)
    service.close()
    assert "@odata.etag" in shown and shown["semantic"] is None and shown["suggesters"] == []
    text = (small.root / INDEX).read_text("utf-8")
    head, _, rest = text.partition("index:\n  fields:")
    pasted = json.dumps(shown, indent=2).replace("\n", "\n  ")
    (small.root / INDEX).write_text(f"{head}index: {pasted}\n{rest[rest.index('retrieval:') :]}", "utf-8")
    assert small.data("plan", "handbook", "--detailed-exitcode")["changed"] == []


def test_a_plain_key_stops_every_command_and_is_never_echoed(small: Project) -> None:
    """GPT-RAG#83."""
    key = "9f3c0d7e9f3c0d7e9f3c0d7e9f3c0d7e"
    small.data("ship", "handbook")
    small.replace("skillsets/handbook.yaml", "embedding:", f"embedding:\n  authIdentity: null\n  apiKey: {key}\n #")
    for command in (("validate",), ("validate", "--format", "sarif"), ("render", "handbook"), ("plan",), ("ship",)):
        done = small.run(*command)
        assert done.returncode == 1, command
        assert "AZS801" in done.stdout + done.stderr
        assert key not in done.stdout + done.stderr


def test_a_protected_environment_shows_the_plan_first_and_never_waits(small: Project) -> None:
    """sqlmesh#3062, #4315."""
    small.replace(ENVIRONMENT, "connections:", "protected: true\nconnections:")
    refused = small.run("ship")
    assert refused.returncode == 1
    assert "refusing to ask without a terminal; pass --yes or a plan file" in refused.stderr
    told = small.run("ship", "--yes")
    assert told.returncode == 0
    assert told.stdout.index("CREATE") < told.stdout.index("build ") < told.stdout.index("handbook: shipped")


def test_a_candidate_that_was_built_with_old_settings_is_not_complete(small: Project) -> None:
    """Q&A 1443586: a chunk that is longer than a page may be was not cut by these settings."""
    live = small.data("ship", "handbook")["candidate"]
    with documents_of(small, live) as client:
        (chunk,) = client.search("*", top=1)
        client.merge_documents([{"chunk_id": chunk["chunk_id"], "chunk": "x" * 2001}])
    stopped = small.run("build", "handbook")
    assert stopped.returncode == 1
    assert f"1 chunk is longer than 2000 ({chunk['chunk_id']} first)" in stopped.stderr
    assert "the candidate was built with old settings" in stopped.stderr

    # As short as pages may be now, and as many as before
    long = "Every trip is booked by the office, and the office keeps the receipts.\n\n" * 60
    (container(small) / "trips.txt").write_text(long, "utf-8")
    pages = (("maximumPageLength: 2000", "maximumPageLength: 800"), ("Length: 500", "Length: 100"))
    for old_text, new_text in pages:
        small.replace("skillsets/handbook.yaml", old_text, new_text)
    first = small.data("ship", "handbook")["candidate"]
    small.replace("skillsets/handbook.yaml", "maximumPageLength: 800", "maximumPageLength: 2400")
    counted = small.data("build", "handbook")
    told = {check["name"]: check["detail"] for check in counted["checks"]}
    assert told["chunk count"] == "1 of 1 documents have another number of chunks than before"
    with documents_of(small, first) as old, documents_of(small, counted["candidate"]) as new:
        new.delete_documents([{"chunk_id": row["chunk_id"]} for row in new.search("*", top=99, select=["chunk_id"])])
        new.upload_documents([{k: v for k, v in row.items() if k[0] != "@"} for row in old.search("*", top=99)])
    stopped = small.run("build", "handbook")
    assert stopped.returncode == 1
    assert "trips.txt has 7 chunks as before, where these settings make 2" in stopped.stderr


def test_names_of_all_kinds_get_keys_and_blank_documents_no_chunk(small: Project) -> None:
    """azure-search-openai-demo#334, #400, #1153."""
    names = ("Ärger_über.txt", "_draft.txt", "説明.txt", "a/b.md")
    (container(small) / "a").mkdir()
    for name in names:
        (container(small) / name).write_text(f"What {name} says.", "utf-8")
    (container(small) / "blank.txt").write_text(" \n\t\n", "utf-8")
    (container(small) / "empty.md").write_bytes(b"")
    shipped = small.data("ship", "handbook")
    assert (shipped["build"]["expected"], shipped["build"]["documents"]) == (10, 8)
    told = {check["name"]: check["detail"] for check in shipped["build"]["checks"]}
    assert told["blank"] == "no chunk, for they hold no text: blank.txt, empty.md"
    with documents_of(small, shipped["candidate"]) as client:
        found = {row["title"]: row["chunk_id"] for row in client.search("*", top=50)}
    assert {name.rpartition("/")[2] for name in names} <= set(found)
    assert all(re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_=-]{0,1023}", key) for key in found.values())


def test_a_key_that_is_too_long_is_known_before_the_build(small: Project) -> None:
    """azure-search-openai-demo#400: Azure's encoding makes four characters of three, and takes 1,024."""
    folder = container(small).joinpath(*(letter * 180 for letter in "abcdef"))
    folder.mkdir(parents=True)
    (folder / "long.md").write_text("# Long\n", "utf-8")
    for command in (("validate",), ("ship", "handbook")):
        stopped = small.run(*command)
        assert stopped.returncode == 1
        assert "AZS531" in stopped.stdout + stopped.stderr
    assert small.data("status")["indexes"]["handbook"]["live"] is None


def test_projected_keys_change_and_no_judgement_does(small: Project) -> None:
    """azure-search-openai-demo#1380."""
    live = small.data("ship", "handbook")["candidate"]

    def keys() -> dict[str, str]:
        with documents_of(small, live) as client:
            return {row["title"]: row["chunk_id"] for row in client.search("*", top=50)}

    before = keys()
    leave = container(small) / "leave.md"
    leave.write_text(leave.read_text("utf-8") + "\nAsk your manager.\n", "utf-8")
    small.data("build", "handbook")
    after = keys()
    assert [title for title in before if before[title] != after[title]] == ["leave.md"]
    again = small.data("evaluate", "handbook", "--self")
    assert again["changed"] == []
    assert {name: again["metrics"][name]["candidate"] for name in ("recall@2000t", "recall@5")} == {
        "recall@2000t": 1.0,
        "recall@5": 1.0,
    }


def test_a_vector_of_the_wrong_length_is_named_and_nothing_is_released(small: Project) -> None:
    """azure-search-dotnet-utilities#24: what failed of a batch is said by its document."""
    as_ready_chunks(small)
    for path in container(small).glob("*.jsonl"):
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
        length = 255 if path.name.startswith("parts") else 256
        path.write_text("".join(json.dumps({**row, "vec": [0.1] * length}) + "\n" for row in rows), "utf-8")
    small.replace(INDEX, "/document/text_vector", "/document/vec")
    failed = small.run("ship", "handbook", "--output", "json")
    assert failed.returncode == 1
    told = [p for p in json.loads(failed.stdout)["problems"] if p["code"] == "document-failed"]
    assert len(told) == 1 and "parts.txt.jsonl" in told[0]["message"] and "255" in told[0]["message"]
    assert small.data("status")["indexes"]["handbook"]["live"] is None
    assert small.run("promote", "handbook").returncode == 3


def test_what_a_gate_that_fails_says_in_json(small: Project) -> None:
    """titiler#1464, mlops-aisearch-pull#89: every metric with both sides, interval, p, limit and verdict."""
    small.data("ship", "handbook")
    small.replace(INDEX, "mrr@10: {}", "mrr@10: {floor: 1.0}")
    queries = small.root / "indexes/handbook/queries.yaml"
    misled = "  - id: q5\n    query: orange badge\n    relevant: [{document: leave.md}]\n"
    queries.write_text(queries.read_text("utf-8") + misled, "utf-8")
    small.replace("skillsets/handbook.yaml", "maximumPageLength: 2000", "maximumPageLength: 1500")
    blocked = small.data("ship", "handbook", code=3)
    assert blocked["verdict"] == "fail"
    for name, metric in blocked["metrics"].items():
        assert {"live", "candidate", "difference", "low", "high", "p", "limit", "verdict"} <= set(metric), name
    assert blocked["metrics"]["mrr@10"]["verdict"] == "fail"


@pytest.fixture
def counted(tmp_path: Path) -> Iterator[tuple[Project, AnsweringProxy, Any]]:
    service = start_local(tmp_path / "counted")
    with answering_proxy(service.endpoint) as proxy:
        project = small_project(tmp_path, endpoint=proxy.endpoint, key_variable="JOURNEY_SEARCH_KEY")
        yield project, proxy, service
    assert stop_local(tmp_path / "counted") is not None


def test_a_refusal_is_asked_once(counted: tuple[Project, AnsweringProxy, Any]) -> None:
    """azure-search-vector-samples#242: what is forbidden is not asked again."""
    project, proxy, service = counted
    reader = [{"role": "Reader"}, {"role": "Search Index Data Reader"}]
    tell(service, "roles", {"identities": {"pipeline": {"grants": reader}}})
    project.environ["JOURNEY_SEARCH_KEY"] = "pipeline"
    refused = project.run("ship", "handbook")
    assert refused.returncode == 1 and "answered 403" in refused.stderr
    assert len([call for call in proxy.calls if call.startswith("PUT ")]) == 1


def test_a_language_that_text_split_does_not_know_is_told_by_validate_and_by_the_build(small: Project) -> None:
    small.replace(
        "skillsets/handbook.yaml",
        "textSplitMode: pages",
        "inputs: [{name: text, source: /document/content}, {name: languageCode, source: /document/language}]\n"
        "  textSplitMode: pages",
    )
    detection = (
        'skills:\n  - "@odata.type": "#Microsoft.Skills.Text.LanguageDetectionSkill"\n'
        "    inputs: [{name: text, source: /document/content}]\n"
        "    outputs: [{name: languageCode, targetName: language}]\n"
    )
    skillset = small.root / "skillsets/handbook.yaml"
    skillset.write_text(skillset.read_text("utf-8").partition("skills: []")[0] + detection, "utf-8")
    greek = "Η βόρεια πύλη ανοίγει στις επτά το πρωί και κλείνει στις εννέα το βράδυ. " * 30
    (small.root / "infra/local/containers/handbook/pyli.md").write_text(greek, "utf-8")
    for _ in range(2):  # The second run knows the languages from the first
        problems = json.loads(small.run("validate", "--format", "json").stdout)["problems"]
        told = [p for p in problems if p["code"] == "AZS114" and "stays unsplit" in p["message"]]
        assert len(told) == 1 and "el (1)" in told[0]["message"] and "pyli.md" in told[0]["hint"]
    assert (small.root / ".azsearch/cache/facts.sqlite").exists()
    stopped = small.run("build", "handbook")
    assert stopped.returncode == 1 and "1 chunk is longer than 2000" in stopped.stderr
    assert "left 1 of the documents whole, in languages that it does not know" in stopped.stderr
    assert "language codes 'el'" in stopped.stderr and "old settings" not in stopped.stderr
