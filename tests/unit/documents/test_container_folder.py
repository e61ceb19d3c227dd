"""A folder as a container."""

from __future__ import annotations

import base64
import hashlib
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from azsearch_ops.documents.folder import Blob, MissingContainerError, list_blobs, read_blob


def test_blobs_are_listed_in_the_order_of_their_paths(tmp_path: Path) -> None:
    for name in ("b.md", "a/z.txt", "a.txt", "a/b/c.pdf", "Ärger über.html"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    os.utime(tmp_path / "b.md", (1_700_000_000.75, 1_700_000_000.75))
    blobs = list_blobs(tmp_path)
    assert [blob.path for blob in blobs] == sorted(["b.md", "a/z.txt", "a.txt", "a/b/c.pdf", "Ärger über.html"])
    blob = next(blob for blob in blobs if blob.path == "b.md")
    assert blob == Blob(
        path="b.md",
        size=4,
        last_modified=datetime(2023, 11, 14, 22, 13, 20, tzinfo=UTC),
        md5=base64.b64encode(hashlib.md5(b"b.md").digest()).decode(),
    )
    assert read_blob(tmp_path, "a/b/c.pdf") == b"a/b/c.pdf"


def test_names_and_extensions() -> None:
    def blob(path: str) -> Blob:
        return Blob(path, 0, datetime(2026, 1, 1, tzinfo=UTC), "")

    assert [(blob(path).name, blob(path).extension) for path in ("x/a.b.PDF", "x.y/none", "c.md")] == [
        ("a.b.PDF", ".PDF"),
        ("none", ""),
        ("c.md", ".md"),
    ]


def test_hidden_files_folders_and_dead_links_are_no_blobs(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "config").write_text("x")
    (tmp_path / ".gitkeep").touch()
    (tmp_path / "dead").symlink_to(tmp_path / "nowhere")
    (tmp_path / "kept.txt").touch()
    assert [blob.path for blob in list_blobs(tmp_path)] == ["kept.txt"]


def test_an_empty_container_has_no_blobs_and_a_missing_one_is_an_error(tmp_path: Path) -> None:
    assert list_blobs(tmp_path) == ()
    with pytest.raises(MissingContainerError, match="handbook"):
        list_blobs(tmp_path / "handbook")
    (tmp_path / "file").touch()
    with pytest.raises(MissingContainerError):
        list_blobs(tmp_path / "file")
