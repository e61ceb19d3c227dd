"""A query set whose documents cannot be read from here is held against what is live, or is said to be unchecked."""

from __future__ import annotations

import shutil
from pathlib import Path

import httpx
import pytest

from azsearch_ops.verbs.query_sets.checking import check_queries

REPOSITORY = Path(__file__).resolve().parents[2]
ENVIRONMENT = """\
endpoint: {endpoint}
apiVersion: "2026-04-01"
key: "{{{{ secret('SEARCH_KEY') }}}}"
{more}connections:
  docs: {{connectionString: "{{{{ secret('DOCS') }}}}"}}
variables:
  docs: {{container: handbook}}
  embedding: {{resourceUri: "https://m.openai.azure.com", deployment: d, model: m, dimensions: 256}}
"""
QUERIES = """\
queries:
  - {id: q1, query: How many days?, relevant: [{document: leave.md, excerpt: Employees have 26 days of annual leave.}]}
  - {id: q2, query: Until when?, relevant: [{document: leave.md, excerpt: Unused days expire at the end of March.}]}
  - {id: q3, query: What is for lunch?, relevant: [{document: leave.md, excerpt: The cafeteria serves soup at noon.}]}
  - {id: q4, query: What is gone?, relevant: [{document: gone.md}]}
"""
LEAVE = "Employees have 26 days of annual leave. Unused days lapse at the end of March."


@pytest.fixture
def project(tmp_path: Path) -> Path:
    for part in ("indexes", "skillsets", "infra/environments"):
        shutil.copytree(REPOSITORY / part, tmp_path / part)
    (tmp_path / "indexes/handbook/queries.yaml").write_text(QUERIES, "utf-8")
    return tmp_path


def environment(project: Path, endpoint: str, more: str = "") -> None:
    told = ENVIRONMENT.format(endpoint=endpoint, more=more)
    (project / "infra/environments/cloud.yaml").write_text(told, "utf-8")


def make_live(http: httpx.Client) -> None:
    fields = [
        {"name": "chunk_id", "type": "Edm.String", "key": True, "sortable": True, "analyzer": "keyword"},
        {"name": "path", "type": "Edm.String", "filterable": True},
        {"name": "chunk", "type": "Edm.String", "searchable": True},
    ]
    assert http.post("/indexes", json={"name": "handbook-1", "fields": fields}).status_code == 201
    assert http.post("/aliases", json={"name": "handbook-live", "indexes": ["handbook-1"]}).status_code == 201
    rows = [{"chunk_id": "a", "path": "leave.md", "chunk": LEAVE}]
    assert http.post("/indexes/handbook-1/docs/index", json={"value": rows}).status_code == 200


def test_what_is_live_says_how_each_judgement_stands(project: Path, http: httpx.Client) -> None:
    make_live(http)
    environment(project, str(http.base_url))
    found = check_queries(project, "handbook", "cloud", {"SEARCH_KEY": http.headers["api-key"]})
    assert found.against.endswith("the one chunk of handbook-live was read (1 call)")
    assert found.anchoring == {"exact": 1, "fuzzy": 1, "lost": 1, "document missing": 1}
    (moved,) = found.moved
    assert (moved.query, moved.reads) == ("q2", "Unused days lapse at the end of March")
    told = {(p.code, p.severity, p.location.line if p.location else 0) for p in found.problems}
    assert told == {("AZS715", "note", 3), ("AZS712", "error", 4), ("AZS711", "error", 5)}
    assert found.exit_code == 1 and (found.scored, found.labelled) == (3, 4)
    environment(project, str(http.base_url), "reports: {text: ids}\nmissing_documents: skip\n")
    ids = check_queries(project, "handbook", "cloud", {"SEARCH_KEY": http.headers["api-key"]})
    assert "March" not in str(ids.moved) + str(ids.problems)
    assert {p.severity for p in ids.problems if p.code == "AZS711"} == {"note"}


def test_what_cannot_be_checked_does_not_pass_for_checked(project: Path, http: httpx.Client) -> None:
    environment(project, str(http.base_url))
    nothing_live = check_queries(project, "handbook", "cloud", {"SEARCH_KEY": http.headers["api-key"]})
    assert nothing_live.against.startswith("not checkable here") and "handbook-live" in nothing_live.against
    assert nothing_live.anchoring == {"not checked": 4}
    no_key = check_queries(project, "handbook", "cloud", {})
    assert "the secret 'SEARCH_KEY' is not set" in no_key.against and no_key.anchoring == {"not checked": 4}
