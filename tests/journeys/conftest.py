"""Fixtures of the journeys: a project, and the local service that it started is ended with the test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from projects import Project, sample_project, small_project


def _served(project: Project) -> Iterator[Project]:
    yield project
    stopped = project.run("local", "stop")
    assert stopped.returncode == 0, stopped.stderr


@pytest.fixture
def sample(tmp_path: Path) -> Iterator[Project]:
    """The repository's sample in a folder of its own."""
    yield from _served(sample_project(tmp_path))


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Project]:
    """Four documents and four queries."""
    yield from _served(small_project(tmp_path))
