"""Existing indexes measured with a reader's rights, from a folder that holds no project."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from projects import COMMAND, Project
from reader_proxy import reader_of

METRICS = {"recall@2000t", "mrr@10", "recall@5", "ndcg@10"}

SEMANTIC = """\
  semantic:
    configurations:
      - name: reading
        prioritizedFields: {prioritizedContentFields: [{fieldName: chunk}]}"""


class Reader:
    """The command as somebody runs it who may only search, in an empty folder."""

    def __init__(self, project: Project, endpoint: str, key: str, folder: Path) -> None:
        folder.mkdir()
        environ = {**project.environ, "AZSEARCH_ENDPOINT": endpoint, "AZSEARCH_KEY": key}
        self.folder, self.project = folder, replace(project, root=folder, environ=environ)
        self.queries = str(project.root / "indexes/handbook/queries.yaml")

    def run(self, *arguments: str) -> tuple[int, str]:
        done = subprocess.run(
            [str(COMMAND), "evaluate", *arguments],
            cwd=self.folder,
            env=self.project.environ,
            capture_output=True,
            text=True,
            timeout=120,
        )
        return done.returncode, done.stdout or done.stderr

    def data(self, *arguments: str, code: int = 0) -> Any:
        found, text = self.run(*arguments, "--queries", self.queries, "--output", "json")
        assert found == code, text
        return json.loads(text)["data"]


def service_of(project: Project) -> tuple[str, str]:
    (state,) = project.root.rglob("service.json")
    told = json.loads(state.read_text("utf-8"))
    return told["endpoint"], told["key"]


def semantic_configuration(endpoint: str, key: str, index: str) -> str:
    """The name of the one semantic configuration of an index, which a release derives from what is in it."""
    asked = Request(f"{endpoint}/indexes('{index}')?api-version=2026-04-01", headers={"api-key": key})
    with urlopen(asked, timeout=30) as answer:
        (configuration,) = json.load(answer)["semantic"]["configurations"]
    return str(configuration["name"])


@pytest.fixture
def two(small: Project) -> tuple[Project, str, str]:
    """Two indexes: the second lacks a document and was cut otherwise. A stand-in answers semantic queries."""
    small.replace("infra/environments/local.yaml", "endpoint: local ", "endpoint: local\nsemanticRanker: stand-in\n#")
    small.replace("indexes/handbook/index.yaml", "retrieval: {", f"{SEMANTIC}\nretrieval: {{")
    first = small.data("ship", "handbook")["candidate"]
    (small.root / "infra/local/containers/handbook/leave.md").rename(small.root / "leave.md")
    small.replace("skillsets/handbook.yaml", "maximumPageLength: 2000", "maximumPageLength: 1900")
    (small.root / "indexes/handbook/queries.yaml").rename(small.root / "all.yaml")
    kept = [part for part in (small.root / "all.yaml").read_text("utf-8").split("  - id: ") if "leave.md" not in part]
    (small.root / "indexes/handbook/queries.yaml").write_text("  - id: ".join(kept), "utf-8")
    second = small.data("build", "handbook")["candidate"]
    (small.root / "all.yaml").rename(small.root / "indexes/handbook/queries.yaml")
    return small, first, second


def test_any_index_is_measured_with_searches_and_look_ups_alone(two: tuple[Project, str, str], tmp_path: Path) -> None:
    project, first, second = two
    endpoint, key = service_of(project)
    configuration = semantic_configuration(endpoint, key, first)
    with reader_of(endpoint) as (door, refused):
        reader = Reader(project, door, key, tmp_path / "elsewhere")
        alone = reader.data("--index", first)
        assert set(alone["metrics"]) == METRICS
        assert (alone["live"], alone["candidate"], alone["verdict"]) == (None, first, "pass")
        assert alone["reasons"] == ["one index: values only, --floor METRIC=VALUE would gate one"]
        assert alone["gated"] is False
        assert alone["fields"] == {first: {"key": "chunk_id", "document": "path", "text": "chunk"}}
        assert alone["import"] == f"azsearch-ops import {first} --alias {first}-live"
        assert alone["request"] == {"search": "{{query}}"}

        low = ("--metric", "precision@5", "--floor", "precision@5=0.9")
        floored = reader.data("--index", second, *low, code=3)
        assert floored["verdict"] == "fail"
        assert "below the floor" in floored["reasons"][0]
        assert "1 of 4 queries left out: their documents are not there" in floored["found"]
        strict = reader.run("--index", second, "--queries", reader.queries, "--missing-documents", "fail")
        assert strict[0] == 1 and f"queries.yaml:5:46: error: query q1: no chunk in {second} is of a" in strict[1]

        (tmp_path / "elsewhere/settings.json").write_text(
            '{"search": "{{query}}", "top": 5, "vectorQueries": '
            '[{"kind": "text", "text": "{{ query }}", "fields": "text_vector", "k": 50}]}'
        )
        both = reader.data("--index", first, "--index", second, "--settings", "settings.json", "--modes",
                           "--semantic", configuration, code=3)  # fmt: skip
        assert (both["live"], both["candidate"]) == (first, second)
        (lost,) = both["changed"]
        assert (lost["id"], lost["cause"]) == ("q1", "corpus differs")
        assert lost["detail"] == "corpus differs: only live has leave.md"
        assert lost["data"]["live"]["index"] == first
        assert both["diagnosed"]["refused"] == []
        assert set(both["unjudged"]) == {"live", "candidate"}
        assert both["modes"]["modes"]["vector"]["live"] is not None
        semantic = both["modes"]["modes"]["semantic"]
        assert semantic["live"]["mrr@10"] == 1.0 and semantic["candidate"] is not None and not semantic["refused"]
        assert both["modes"]["semantic_ranker"] == "stand-in"

        code, text = reader.run("--index", first, "--index", second, "--queries", reader.queries)
        assert code == 3
        for words in ("read-only", "unjudged in top 5", "q1", "corpus differs: only live has leave.md", "gate"):
            assert words in text
        assert text.rstrip().endswith(f"azsearch-ops import {first} --alias {first}-live")
        assert f"this key may not read aliases: where '{first}' is an alias" in text
        # What a reader may not read is asked for once each: the names of its parts, the model that it embeds with,
        # and after each run the aliases
        calls = [call.partition("?")[0] for call in refused]
        assert sorted(calls) == ["GET /aliases"] * 4 + [f"GET /indexes('{first}')"] * 2
        assert sorted(path.name for path in (tmp_path / "elsewhere").iterdir()) == [".azsearch", "settings.json"]
        folder = tmp_path / "elsewhere"
        page = (folder / both["report"]).read_text("utf-8")
        assert f"{second} is not shown to be as good as" in page and "leave.md" in page
        rendered = replace(reader.project, root=folder)
        for form, words in (
            ("markdown", f"Again: `azsearch-ops evaluate --index {first} --index {second}"),
            ("junit", "corpus differs: only live has leave.md"),
            ("json", '"corpus differs"'),
            ("text", "corpus differs: only live has leave.md"),
        ):
            done = rendered.run("report", second, "--format", form)
            assert done.returncode == 0 and words in done.stdout, done.stdout + done.stderr
        assert rendered.run("report", second, "--format", "trec", "--out", str(folder / "trec")).returncode == 0
        assert {path.name for path in (folder / "trec").iterdir()} == {"qrels.txt", "candidate.run", "live.run"}

    # What a stand-in ranked is shown, and gates nothing: neither any index nor a candidate
    with reader_of(endpoint) as (door, _):
        reader = Reader(project, door, key, tmp_path / "semantic")
        request = {"search": "{{query}}", "queryType": "semantic", "semanticConfiguration": configuration}
        (reader.folder / "settings.json").write_text(json.dumps(request), "utf-8")
        ranked = reader.data("--index", first, "--settings", "settings.json", "--floor", "mrr@10=0.1", code=3)
        assert ranked["verdict"] == "undecided" and ranked["metrics"]["mrr@10"]["candidate"] == 1.0
        assert ranked["reasons"][0].startswith("the stand-in semantic ranker of the local service")
    asked = "request: {queryType: semantic, semanticConfiguration: reading, select"
    project.replace("indexes/handbook/index.yaml", "request: {select", asked)
    gated = project.data("evaluate", "handbook", code=3)
    assert gated["verdict"] == "undecided" and "stand-in semantic ranker" in gated["reasons"][0]


def test_what_cannot_be_known_is_asked_for(small: Project, tmp_path: Path) -> None:
    index = small.data("ship", "handbook")["candidate"]
    endpoint, key = service_of(small)
    reader = Reader(small, endpoint, key, tmp_path / "elsewhere")

    def refused(*arguments: str) -> str:
        code, text = reader.run(*arguments)
        assert code == 1, text
        return text

    queries = ("--queries", reader.queries)
    assert "--index needs --queries" in refused("--index", index)
    assert "evaluate what?" in refused()
    assert "name it with --vector-field" in refused("--index", index, "--mode", "vector", *queries)
    assert "no result has a field 'body'" in refused("--index", index, "--text-field", "body", *queries)
    assert "--floor recall@2000t=0.8" in refused("--index", index, "--floor", "recall", *queries)
    (tmp_path / "elsewhere/no.json").write_text('{"search": "leave"}')
    assert "nothing in it stands for the question" in refused("--index", index, "--settings", "no.json", *queries)
    assert "404" in refused("--index", "nowhere", *queries)
    vector = reader.data("--index", index, "--mode", "vector", "--vector-field", "text_vector")
    assert vector["request"]["vectorQueries"][0]["fields"] == "text_vector"
