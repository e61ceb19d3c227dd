"""The sample project of this repository, loaded and cracked once."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from azsearch_ops.definitions.project import Project, load_project
from azsearch_ops.definitions.queries import QuerySet, load_queries
from azsearch_ops.documents.crack import crack
from azsearch_ops.documents.cracked import Cracked
from azsearch_ops.documents.folder import list_blobs, read_blob

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="session")
def sample() -> Project:
    return load_project(ROOT, "local", {})


@pytest.fixture(scope="session")
def questions(sample: Project) -> QuerySet:
    return load_queries(sample.indexes["handbook"].evaluation.queries, ROOT)


@pytest.fixture(scope="session")
def handbook(sample: Project) -> Mapping[str, Cracked]:
    """Path below the container → cracked document."""
    folder = sample.environment.connections["docs"].folder
    assert folder is not None
    container = ROOT / folder / "handbook"
    return {blob.path: crack(blob.path, read_blob(container, blob.path)) for blob in list_blobs(container)}
