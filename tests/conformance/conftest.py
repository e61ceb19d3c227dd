"""The real local service in a process of its own, and ways to talk to it: the official SDK and plain HTTP."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from azure.core.credentials import AzureKeyCredential
from azure.search.documents import SearchClient
from azure.search.documents.indexes import SearchIndexClient, SearchIndexerClient

KEY = "conformance-key"
API_VERSION = "2026-04-01"


@dataclass
class LocalService:
    """A service on a folder of data; it can be ended, killed and started again on the same data."""

    data: Path
    arguments: tuple[str, ...] = ()
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)
    endpoint: str = ""

    def start(self) -> None:
        command = [sys.executable, "-m", "azsearch_ops.local", "--data", str(self.data), "--port", "0", "--key", KEY]
        (self.data / "service.json").unlink(missing_ok=True)
        self.process = subprocess.Popen([*command, *self.arguments])
        deadline = time.monotonic() + 20
        while not (self.data / "service.json").exists():
            assert self.process.poll() is None, f"the service ended with {self.process.returncode}"
            assert time.monotonic() < deadline, "the service did not start"
            time.sleep(0.02)
        self.endpoint = json.loads((self.data / "service.json").read_text("utf-8"))["endpoint"]

    def stop(self) -> int:
        """Ends it as `azsearch-ops local stop` does."""
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(20)

    def kill(self) -> None:
        assert self.process is not None
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait(20)

    def http(self, key: str | None = KEY) -> httpx.Client:
        headers = {"api-key": key} if key is not None else {}
        return httpx.Client(base_url=self.endpoint, headers=headers, params={"api-version": API_VERSION}, timeout=30)


@pytest.fixture
def new_service(tmp_path: Path) -> Iterator[Callable[..., LocalService]]:
    """Makes services that belong to one test, for what ends or kills them."""
    made: list[LocalService] = []

    def make(*arguments: str) -> LocalService:
        service = LocalService(tmp_path / f"data-{len(made)}", arguments)
        service.data.mkdir()
        service.start()
        made.append(service)
        return service

    yield make
    for service in made:
        if service.process is not None and service.process.poll() is None:
            service.stop()


@pytest.fixture(scope="session")
def _shared_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LocalService]:
    data = tmp_path_factory.mktemp("service")
    service = LocalService(data, ("--containers", str(data / "containers")))
    service.start()
    yield service
    service.stop()


@pytest.fixture
def service(_shared_service: LocalService) -> LocalService:
    """The service that all tests share, empty."""
    with _shared_service.http() as http:
        assert http.post("/__local/reset").status_code == 204
    return _shared_service


@pytest.fixture
def http(service: LocalService) -> Iterator[httpx.Client]:
    """Plain HTTP with key and api-version."""
    with service.http() as client:
        yield client


@pytest.fixture
def index_client(service: LocalService) -> Iterator[SearchIndexClient]:
    """The SDK's client of definitions."""
    with SearchIndexClient(service.endpoint, AzureKeyCredential(KEY)) as client:
        yield client


@pytest.fixture
def indexer_client(service: LocalService) -> Iterator[SearchIndexerClient]:
    """The SDK's client of indexers."""
    with SearchIndexerClient(service.endpoint, AzureKeyCredential(KEY)) as client:
        yield client


@pytest.fixture
def search_client(service: LocalService) -> Iterator[Callable[[str], SearchClient]]:
    """The SDK's client of the documents of an index or alias."""
    clients: list[SearchClient] = []

    def make(name: str) -> SearchClient:
        clients.append(SearchClient(service.endpoint, name, AzureKeyCredential(KEY)))
        return clients[-1]

    yield make
    for client in clients:
        client.close()


@pytest.fixture
def notes() -> dict[str, Any]:
    """A small index with text, a collection, numbers, a date, an object and a collection of objects."""
    return {
        "name": "notes",
        "fields": [
            {"name": "id", "type": "Edm.String", "key": True},
            {"name": "title", "type": "Edm.String"},
            {"name": "tags", "type": "Collection(Edm.String)"},
            {"name": "pages", "type": "Edm.Int32"},
            {"name": "bytes", "type": "Edm.Int64"},
            {"name": "weight", "type": "Edm.Double"},
            {"name": "public", "type": "Edm.Boolean"},
            {"name": "written", "type": "Edm.DateTimeOffset"},
            {"name": "place", "type": "Edm.GeographyPoint"},
            {
                "name": "author",
                "type": "Edm.ComplexType",
                "fields": [{"name": "name", "type": "Edm.String"}, {"name": "team", "type": "Edm.String"}],
            },
            {
                "name": "parts",
                "type": "Collection(Edm.ComplexType)",
                "fields": [
                    {"name": "heading", "type": "Edm.String"},
                    {"name": "tags", "type": "Collection(Edm.String)"},
                ],
            },
        ],
    }


def vector_index(name: str, dimensions: int = 3) -> dict[str, Any]:
    """A small index with text and a vector, whose queries the service can embed itself."""
    return {
        "name": name,
        "fields": [
            {"name": "id", "type": "Edm.String", "key": True, "filterable": True},
            {"name": "text", "type": "Edm.String", "searchable": True, "analyzer": "en.lucene"},
            {
                "name": "vector",
                "type": "Collection(Edm.Single)",
                "dimensions": dimensions,
                "vectorSearchProfile": "profile",
            },
        ],
        "vectorSearch": {
            "algorithms": [{"name": "exact", "kind": "exhaustiveKnn"}],
            "profiles": [{"name": "profile", "algorithm": "exact", "vectorizer": "embedding"}],
            "vectorizers": [
                {
                    "name": "embedding",
                    "kind": "azureOpenAI",
                    "azureOpenAIParameters": {
                        "resourceUri": "https://example.openai.azure.com",
                        "deploymentId": "embed",
                        "modelName": "text-embedding-3-small",
                    },
                }
            ],
        },
    }


@pytest.fixture
def make_vector_index() -> Callable[..., dict[str, Any]]:
    """`vector_index`, for tests that cannot import this file."""
    return vector_index
