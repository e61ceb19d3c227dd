"""A service in memory around indexer runs, and the bodies that most tests begin with."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from azsearch_ops.local.indexing.io import RunResult
from azsearch_ops.local.indexing.run import run_indexer

NATIVE = {"@odata.type": "#Microsoft.Azure.Search.NativeBlobSoftDeleteDeletionDetectionPolicy"}


class Service:
    """Indexes as dictionaries. `vectors` remembers each embed call; documents matching `refused` are refused."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.indexes: dict[str, dict[str, Any]] = {"chunks": index("chunks", "chunk_id")}
        self.documents: dict[str, dict[str, dict[str, Any]]] = {}
        self.embedded: list[tuple[str, str, str, int | None, list[str]]] = []
        self.reported: list[int] = []
        self.window = 1_000_000
        self.refused: re.Pattern[str] | None = None
        self.log: list[str] = []

    def write(self, index_name: str, actions: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        documents = self.documents.setdefault(index_name, {})
        key_field = next(field["name"] for field in self.indexes[index_name]["fields"] if field.get("key"))
        results = []
        for action in actions:
            body = dict(action)
            kind, key = body.pop("@search.action"), body[key_field]
            self.log.append(f"{kind} {index_name}")
            good = kind == "delete" or self.refused is None or not self.refused.search(repr(body))
            if kind == "delete":
                documents.pop(key, None)
            elif good:
                documents[key] = {**(documents.get(key, {}) if kind == "mergeOrUpload" else {}), **body}
            results.append(
                {
                    "key": key,
                    "status": good,
                    "errorMessage": None if good else "The vector field has the wrong length.",
                    "statusCode": 200 if good else 400,
                }
            )
        return results

    def index_definition(self, name: str) -> Mapping[str, Any] | None:
        return self.indexes.get(name)

    def embed(
        self, resource_uri: str, deployment: str, model: str, dimensions: int | None, texts: Sequence[str]
    ) -> list[list[float]]:
        self.embedded.append((resource_uri, deployment, model, dimensions, list(texts)))
        return [[float(len(text)), 1.0] for text in texts]

    def unread(self, deployment: str, model: str, texts: Sequence[str]) -> tuple[str, list[int]]:
        return "narrow", [max(0, len(text) - self.window) for text in texts]

    def container(self, connection_string: str, container_name: str) -> Path:
        return self.root / container_name

    def existing_children(
        self, index_name: str, parent_key_field: str, parent_keys: Sequence[str]
    ) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for key, document in self.documents.get(index_name, {}).items():
            if document.get(parent_key_field) in parent_keys:
                found.setdefault(document[parent_key_field], []).append(key)
        return found

    def progress(self, items_processed: int) -> None:
        self.reported.append(items_processed)


def index(name: str, key: str) -> dict[str, Any]:
    fields = [{"name": key, "type": "Edm.String", "key": True}]
    fields += [{"name": field, "type": "Edm.String"} for field in ("parent_id", "chunk", "title", "path", "content")]
    return {"name": name, "fields": fields}


SKILLSET: dict[str, Any] = {
    "name": "handbook",
    # The embedding skill stands first: dependencies decide the order, not the array.
    "skills": [
        {
            "@odata.type": "#Microsoft.Skills.Text.AzureOpenAIEmbeddingSkill",
            "context": "/document/pages/*",
            "resourceUri": "https://example.openai.azure.com",
            "deploymentId": "small",
            "modelName": "text-embedding-3-small",
            "dimensions": 2,
            "inputs": [{"name": "text", "source": "/document/pages/*", "sourceContext": None, "inputs": []}],
            "outputs": [{"name": "embedding", "targetName": "vector"}],
        },
        {
            "@odata.type": "#Microsoft.Skills.Text.SplitSkill",
            "name": "cut",
            "context": "/document",
            "textSplitMode": "pages",
            "maximumPageLength": 300,
            "pageOverlapLength": 0,
            "inputs": [{"name": "text", "source": "/document/content"}],
            "outputs": [{"name": "textItems", "targetName": "pages"}],
        },
    ],
    "indexProjections": {
        "selectors": [
            {
                "targetIndexName": "chunks",
                "parentKeyFieldName": "parent_id",
                "sourceContext": "/document/pages/*",
                "mappings": [
                    {"name": "chunk", "source": "/document/pages/*", "sourceContext": None, "inputs": []},
                    {"name": "vector", "source": "/document/pages/*/vector"},
                    {"name": "title", "source": "/document/metadata_storage_name"},
                    {"name": "path", "source": "/document/metadata_storage_path"},
                ],
            }
        ],
        "parameters": {"projectionMode": "skipIndexingParentDocuments"},
    },
}


class Handbook:
    """A container, a skillset and an indexer over it; `run` goes on from the state of the run before."""

    def __init__(self, root: Path) -> None:
        self.service = Service(root)
        self.folder = root / "handbook"
        self.folder.mkdir()
        self.skillset: dict[str, Any] | None = copy.deepcopy(SKILLSET)
        self.source: dict[str, Any] = {
            "name": "docs",
            "type": "azureblob",
            "credentials": {"connectionString": f"LocalFolder={root}"},
            "container": {"name": "handbook", "query": None},
            "dataDeletionDetectionPolicy": NATIVE,
        }
        self.indexer: dict[str, Any] = {"name": "handbook", "dataSourceName": "docs", "targetIndexName": "chunks"}
        self.state: Mapping[str, Any] | None = None
        self.clock = self._clock()

    @staticmethod
    def _clock() -> Iterator[datetime]:
        at = datetime(2026, 5, 1, 8, 0, tzinfo=UTC)
        while True:
            yield at
            at += timedelta(seconds=1)

    def put(self, path: str, text: str | bytes) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())

    def configure(self, **configuration: Any) -> None:
        self.indexer.setdefault("parameters", {}).setdefault("configuration", {}).update(configuration)

    def run(self) -> RunResult:
        target = self.service.indexes[self.indexer["targetIndexName"]]
        result = run_indexer(
            self.indexer, self.source, self.skillset, target, self.state, self.service, lambda: next(self.clock)
        )
        self.state = result.state
        return result

    @property
    def chunks(self) -> dict[str, dict[str, Any]]:
        return self.service.documents.get("chunks", {})

    def texts(self, title: str) -> list[str]:
        found = [(key, chunk) for key, chunk in self.chunks.items() if chunk.get("title") == title]
        return [chunk["chunk"] for key, chunk in sorted(found, key=lambda item: int(item[0].rpartition("_")[2]))]


@pytest.fixture
def handbook(tmp_path: Path) -> Handbook:
    return Handbook(tmp_path)


@pytest.fixture
def make_index() -> Callable[[str, str], dict[str, Any]]:
    return index
