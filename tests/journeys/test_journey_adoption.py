"""An index that serves already, made with the plain SDK: imported, adopted as it is, and left alone ever after."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from azure.core.credentials import AzureKeyCredential
from azure.search.documents.indexes import SearchIndexClient, SearchIndexerClient
from azure.search.documents.indexes.models import (
    SearchIndex,
    SearchIndexer,
    SearchIndexerDataSourceConnection,
    SearchIndexerSkillset,
)
from projects import Project, environ_for, small_project

# As the portal's wizard makes them: keys that cannot be filtered, nameless skills, a title mapped by the indexer
INDEX = {
    "name": "wiki",
    "fields": [
        {"name": "chunk_id", "type": "Edm.String", "key": True, "searchable": True, "sortable": True,
         "filterable": False, "facetable": False,
         "analyzer": "keyword"},
        {"name": "parent_id", "type": "Edm.String", "searchable": False, "filterable": True, "sortable": False,
         "facetable": False},
        {"name": "chunk", "type": "Edm.String", "filterable": False, "sortable": False, "facetable": False},
        {"name": "title", "type": "Edm.String", "filterable": False, "sortable": False, "facetable": False},
        {"name": "text_vector", "type": "Collection(Edm.Single)", "searchable": True, "dimensions": 256,
         "vectorSearchProfile": "wiki-profile"},
    ],
    "vectorSearch": {
        "algorithms": [{"name": "wiki-algorithm", "kind": "hnsw", "hnswParameters": {"m": 4, "metric": "cosine"}}],
        "profiles": [{"name": "wiki-profile", "algorithm": "wiki-algorithm", "vectorizer": "wiki-vectorizer"}],
        "vectorizers": [
            {"name": "wiki-vectorizer", "kind": "azureOpenAI", "azureOpenAIParameters": {
                "resourceUri": "https://models.example", "deploymentId": "embed",
                "modelName": "text-embedding-3-small"}}
        ],
    },
    "scoringProfiles": [{"name": "wiki-boost", "text": {"weights": {"title": 2}}}],
    "defaultScoringProfile": "wiki-boost",
    "semantic": {"configurations": [{"name": "wiki-semantic", "prioritizedFields": {
        "titleField": {"fieldName": "title"}, "prioritizedContentFields": [{"fieldName": "chunk"}]}}]},
}  # fmt: skip
SKILLSET = {
    "name": "wiki-skillset",
    "description": "Skillset to chunk documents and generate embeddings",
    "skills": [
        {"@odata.type": "#Microsoft.Skills.Text.SplitSkill", "context": "/document", "textSplitMode": "pages",
         "maximumPageLength": 2000, "pageOverlapLength": 500, "defaultLanguageCode": "en",
         "inputs": [{"name": "text", "source": "/document/content"}],
         "outputs": [{"name": "textItems", "targetName": "pages"}]},
        {"@odata.type": "#Microsoft.Skills.Text.AzureOpenAIEmbeddingSkill", "context": "/document/pages/*",
         "resourceUri": "https://models.example", "deploymentId": "embed", "modelName": "text-embedding-3-small",
         "dimensions": 256, "inputs": [{"name": "text", "source": "/document/pages/*"}],
         "outputs": [{"name": "embedding", "targetName": "text_vector"}]},
    ],
    "indexProjections": {
        "selectors": [{"targetIndexName": "wiki", "parentKeyFieldName": "parent_id",
                       "sourceContext": "/document/pages/*",
                       "mappings": [{"name": "text_vector", "source": "/document/pages/*/text_vector"},
                                    {"name": "chunk", "source": "/document/pages/*"},
                                    {"name": "title", "source": "/document/title"}]}],
        "parameters": {"projectionMode": "skipIndexingParentDocuments"},
    },
}  # fmt: skip
INDEXER = {
    "name": "wiki-indexer",
    "dataSourceName": "wiki-documents",
    "skillsetName": "wiki-skillset",
    "targetIndexName": "wiki",
    "schedule": {"interval": "PT2H"},
    "parameters": {"configuration": {"dataToExtract": "contentAndMetadata", "parsingMode": "default"}},
    "fieldMappings": [{"sourceFieldName": "metadata_storage_name", "targetFieldName": "title"}],
}
KINDS = ("indexes", "skillsets", "datasources", "indexers")


@dataclass
class Served:
    """A project whose local service has what somebody else made."""

    project: Project
    indexes: SearchIndexClient
    indexers: SearchIndexerClient

    def everything(self) -> dict[str, Any]:
        """Every definition with its etag: any write changes one."""
        return {
            "index": self.indexes.get_index("wiki").as_dict(),
            "skillset": self.indexers.get_skillset("wiki-skillset").as_dict(),
            "data source": self.indexers.get_data_source_connection("wiki-documents").as_dict(),
            "indexer": self.indexers.get_indexer("wiki-indexer").as_dict(),
        }

    def documents(self) -> int:
        """How many chunks the index has."""
        return int(self.indexes.get_index_statistics("wiki").document_count)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    project = small_project(tmp_path)
    for part in ("indexes/handbook/index.yaml", "indexes/handbook/queries.yaml", "skillsets/handbook.yaml"):
        (project.root / part).unlink()
    running = project.data("local", "start")
    credential = AzureKeyCredential(running["key"])
    indexes = SearchIndexClient(running["endpoint"], credential, use_env_settings=False)
    indexers = SearchIndexerClient(running["endpoint"], credential, use_env_settings=False)
    containers = project.root / "infra/local/containers"
    source = {
        "name": "wiki-documents",
        "type": "azureblob",
        "credentials": {"connectionString": f"LocalFolder={containers}"},
        "container": {"name": "handbook"},
    }
    indexers.create_data_source_connection(SearchIndexerDataSourceConnection(source))
    indexes.create_index(SearchIndex(INDEX))
    indexers.create_skillset(SearchIndexerSkillset(SKILLSET))
    indexers.create_indexer(SearchIndexer(INDEXER))
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        last = indexers.get_indexer_status("wiki-indexer").last_result
        if last is not None and last.status == "success":
            break
        time.sleep(0.05)
    yield Served(project, indexes, indexers)
    indexes.close()
    indexers.close()
    assert project.run("local", "stop").returncode == 0


def test_what_serves_is_imported_adopted_untouched_and_only_the_next_change_builds(served: Served) -> None:
    project = served.project
    before, chunks = served.everything(), served.documents()
    made = project.data("import", "wiki", "--alias", "wiki-live", "--document-field", "title")
    assert {"skillsets/wiki.yaml", "indexes/wiki/index.yaml", "indexes/wiki/queries.yaml"} <= set(made["files"])
    assert made["index"] == "wiki"
    assert project.data("validate")["indexes"] == 1
    planned = project.data("plan", "--detailed-exitcode")
    assert (planned["changed"], planned["plans"]["wiki"]["action"]) == ([], "none")
    assert planned["plans"]["wiki"]["adopts"] == "wiki"
    shipped = project.data("ship", "wiki")
    assert (shipped["promoted"], shipped["release"], shipped["build"]) == (True, 1, None)
    assert served.indexes.get_alias("wiki-live").as_dict()["indexes"] == ["wiki"]
    assert (served.everything(), served.documents()) == (before, chunks)
    assert project.data("ship", "wiki")["unchanged"] is True
    assert project.data("drift", "--detailed-exitcode")["drifted"] == []
    assert project.data("history", "wiki")["releases"][0]["kind"] == "adoption"

    project.replace("skillsets/wiki.yaml", "maximumPageLength: 2000", "maximumPageLength: 1500")
    unfit = project.run("ship", "wiki")
    assert unfit.returncode == 1 and "must be filterable" in unfit.stderr
    definition = project.root / "indexes/wiki/index.yaml"
    definition.write_text(definition.read_text("utf-8").replace("filterable: false", "filterable: true", 1), "utf-8")
    changed = project.data("plan", "wiki", "--detailed-exitcode", code=2)
    assert changed["plans"]["wiki"]["action"] == "rebuild"
    work = changed["plans"]["wiki"]["estimate"]["workload"]
    assert (work["basis"], work["documents"], work["chunks"]) == ("live index", None, 6)  # 4 × 1500 / 1000
    second = project.data("ship", "wiki")
    assert (second["release"], second["live"]) == (2, "wiki")
    assert second["candidate"].startswith("wiki-")
    assert (served.everything(), served.documents()) == (before, chunks)
    pruned = project.data("prune", "--yes")["indexes"]["wiki"]["pruned"]
    assert [entry["name"] for entry in pruned] == [second["candidate"]]
    back = project.data("rollback", "wiki", "--reason", "to see that it can")
    assert back["after"] == "wiki"
    assert served.everything() == before


def test_what_ranks_is_adopted_under_its_own_name_and_changed_beside_it(served: Served) -> None:
    project = served.project
    project.data("import", "wiki", "--alias", "wiki-live", "--document-field", "title")
    assert project.data("build", "wiki")["candidate"] == "wiki", "what serves needs no candidate"
    project.replace("indexes/wiki/index.yaml", "title: 2", "title: 3")
    early = project.run("build", "wiki")
    assert early.returncode == 1 and "'wiki' is to be adopted first" in early.stderr
    assert [index.name for index in served.indexes.list_indexes()] == ["wiki"]
    shipped = project.data("ship", "wiki")
    assert (shipped["action"], shipped["release"], shipped["build"]) == ("settings", 2, None)
    asked = [release["search"]["scoringProfile"] for release in project.data("history", "wiki")["releases"]]
    assert asked[1] == "wiki-boost" and asked[0].startswith("wiki-boost-")
    index = served.indexes.get_index("wiki")
    assert [p.name for p in index.scoring_profiles or ()] == [asked[0], "wiki-boost"]
    assert index.default_scoring_profile == asked[0]
    project.replace("indexes/wiki/index.yaml", "title: 3", "title: 4")
    built = project.data("build", "wiki")
    assert (built["candidate"], built["documents"], built["chunks"]) == ("wiki", None, served.documents())
    assert len(served.indexes.get_index("wiki").scoring_profiles or ()) == 3, "put there to be measured"
    assert {index.name for index in served.indexes.list_indexes()} == {"wiki", "azsearch-ops-ledger"}
    project.data("rollback", "wiki")
    assert project.data("settings", "wiki")["search"]["scoringProfile"] == "wiki-boost"
    assert served.indexes.get_index("wiki").default_scoring_profile == "wiki-boost"


@pytest.mark.parametrize("changed", [False, True], ids=["as it is", "changed at once"])
def test_the_jobs_of_the_ship_workflow_adopt_when_they_promote(served: Served, tmp_path: Path, changed: bool) -> None:
    project, plan = served.project, str(tmp_path / "plan.json")
    project.data("import", "wiki", "--alias", "wiki-live", "--document-field", "title")
    definition = project.root / "indexes/wiki/index.yaml"
    if changed:
        project.replace("skillsets/wiki.yaml", "maximumPageLength: 2000", "maximumPageLength: 1500")
        definition.write_text(
            definition.read_text("utf-8").replace("filterable: false", "filterable: true", 1), "utf-8"
        )
    before = served.everything()
    assert project.data("plan", "--out", plan)["plans"]["wiki"]["adopts"] == "wiki"
    candidate = project.data("build", "wiki", "--plan", plan)["candidate"]
    early = project.run("promote", "wiki", "--plan", plan)
    assert early.returncode == (3 if changed else 0), "without a passing evaluation only what serves stays live"
    record = project.data("evaluate", "wiki", *(("--plan", plan) if changed else ()))["path"]
    if changed:
        assert project.data("history", "wiki")["releases"] == [], "nothing was adopted before it passed"
        assert (
            project.data("promote", "wiki", "--plan", plan, "--evaluation", str(project.root / record))["release"] == 2
        )
    again = project.data("promote", "wiki", "--plan", plan)
    assert (again["recorded"], again["after"]) == (False, candidate), "a job that is run again finds its own release"
    kinds = [release["kind"] for release in project.data("history", "wiki")["releases"]]
    assert kinds == ["promotion", "adoption"][-1 - changed :]
    assert served.everything() == before


def test_a_bare_index_is_never_dropped_for_an_alias_of_its_name(served: Served) -> None:
    """event-manager#265: the index keeps serving, and another name is proposed."""
    refused = served.project.run("import", "wiki", "--alias", "wiki")
    assert refused.returncode == 1
    assert "'wiki' is an index that serves" in refused.stderr
    assert "--alias wiki-live" in refused.stderr
    assert not (served.project.root / "indexes/wiki").exists()
    project = served.project
    project.data("import", "wiki", "--alias", "wiki-live")
    project.replace("indexes/wiki/index.yaml", "alias: wiki-live", "alias: wiki")
    for command in ("plan", "ship"):
        refused = project.run(command)
        assert refused.returncode == 1 and "'wiki' is an index" in refused.stderr
    assert served.indexes.get_index("wiki").name == "wiki"


def test_files_that_are_there_stay(served: Served) -> None:
    project = served.project
    path = project.root / "skillsets/wiki.yaml"
    path.write_text("name: wiki\nchunking: {textSplitMode: sentences}\n", "utf-8")
    refused = project.run("import", "wiki", "--alias", "wiki-live")
    assert refused.returncode == 1
    assert "skillsets/wiki.yaml is there already" in refused.stderr
    assert "sentences" in path.read_text("utf-8")
    environment = (project.root / "infra/environments/local.yaml").read_text("utf-8")
    assert "wiki-documents" not in environment
    assert project.run("import", "wiki", "--alias", "wiki-live", "--force").returncode == 0
    assert "sentences" not in path.read_text("utf-8")
    assert "# each sub-folder" in (project.root / "infra/environments/local.yaml").read_text("utf-8")


def test_a_new_project_ships_at_once(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    project = Project(tmp_path / "demo", environ_for(tmp_path / "home"))
    import subprocess

    from projects import COMMAND

    made = subprocess.run(
        [str(COMMAND), "init", "demo", "--output", "json"], cwd=tmp_path, env=project.environ, capture_output=True,
        text=True, check=True,
    )  # fmt: skip
    assert "indexes/handbook/index.yaml" in json.loads(made.stdout)["data"]["files"]
    try:
        shipped = project.data("ship")
        assert (shipped["verdict"], shipped["promoted"]) == ("pass", True)
    finally:
        assert project.run("local", "stop").returncode == 0
    again = subprocess.run([str(COMMAND), "init", "demo"], cwd=tmp_path, env=project.environ, capture_output=True)
    assert again.returncode == 1


def test_what_applications_push_is_adopted_and_never_rebuilt_into_something_empty(served: Served) -> None:
    project = served.project
    fields = [
        {"name": "id", "type": "Edm.String", "key": True, "filterable": True, "sortable": True},
        {"name": "page", "type": "Edm.String", "filterable": True},
        {"name": "words", "type": "Edm.String"},
    ]
    served.indexes.create_index(SearchIndex({"name": "pages", "fields": fields}))
    with served.indexes.get_search_client("pages") as pages:
        pages.upload_documents(
            [
                {"id": "1", "page": "leave.md", "words": "Unused days of leave are kept until the end of March."},
                {"id": "2", "page": "travel.md", "words": "Trains are booked in second class for all of us."},
            ]
        )
        say = ("--document-field", "page", "--text-field", "words")
        made = project.data("import", "pages", "--alias", "pages-live", *say)
        assert "indexes/pages/queries.yaml" in made["files"] and not (project.root / "skillsets/pages.yaml").exists()
        assert "source:" not in (project.root / "indexes/pages/index.yaml").read_text("utf-8")
        assert project.data("plan", "pages", "--detailed-exitcode")["changed"] == []
        shipped = project.data("ship", "pages")
        assert (shipped["release"], shipped["live"], shipped["build"]) == (1, "pages", None)
        definition = "indexes/pages/index.yaml"
        project.replace(definition, "top: 5", "top: 4")
        settings = project.data("ship", "pages")
        assert (settings["release"], settings["verdict"], settings["build"]) == (2, "pass", None)
        before = served.indexes.get_index("pages").as_dict()
        project.replace(definition, "name: words", "name: words, analyzer: en.lucene")
        refused = project.run("ship", "pages")
        assert refused.returncode == 1 and "AZS526" in refused.stderr and "nothing can fill it" in refused.stderr
        assert f"{definition}:" in refused.stderr
        assert served.indexes.get_index("pages").as_dict() == before
        assert pages.get_document_count() == 2

    second = {**INDEXER, "name": "wiki-second"}
    served.indexers.create_indexer(SearchIndexer(second))
    several = project.run("import", "wiki", "--alias", "wiki-live", "--document-field", "title")
    assert several.returncode == 1 and "wiki-indexer, wiki-second" in several.stderr
    assert not (project.root / "indexes/wiki").exists()
    project.data("import", "wiki", "--alias", "wiki-live", "--document-field", "title", "--text-field", "chunk",
                 "--no-source")  # fmt: skip
    assert project.data("ship", "wiki")["release"] == 1
    assert served.indexers.get_indexer("wiki-second").target_index_name == "wiki"
    assert project.data("drift", "wiki", "--detailed-exitcode")["drifted"] == []
