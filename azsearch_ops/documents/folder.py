"""A folder as a blob container: its files are the blobs."""

from __future__ import annotations

import base64
import hashlib
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from azsearch_ops.errors import AzsearchOpsError


class MissingContainerError(AzsearchOpsError):
    """The container's folder is not there."""

    code = "missing-container"


@dataclass(frozen=True, slots=True)
class Blob:
    """One blob: path below the container with `/`, bytes, time of last change (UTC, whole seconds), base64 MD5."""

    path: str
    size: int
    last_modified: datetime
    md5: str

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition("/")[2]

    @property
    def extension(self) -> str:
        """The file extension with its dot, as the name spells it; empty without one."""
        stem, dot, extension = self.name.rpartition(".")
        return dot + extension if stem else ""


def list_blobs(container: Path) -> tuple[Blob, ...]:
    """The blobs of the container in the order of their paths. Raises MissingContainerError.

    Files and folders whose name begins with a dot belong to Git or to an editor and are no blobs.
    """
    try:
        there = container.is_dir()
    except OSError:  # A name that no file system could hold
        there = False
    if not there:
        raise MissingContainerError(
            f"the container folder '{container}' does not exist", hint="Create it, or mend the connection's folder."
        )
    blobs: list[Blob] = []
    for folder, folders, names in os.walk(container):
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            if name.startswith("."):
                continue
            blob = _blob(container, Path(folder) / name)
            if blob is not None:
                blobs.append(blob)
    return tuple(sorted(blobs, key=lambda blob: blob.path))


def read_blob(container: Path, path: str) -> bytes:
    """The bytes of the blob at `path`. Raises OSError when it is gone or cannot be read."""
    return (container / path).read_bytes()


def _blob(container: Path, file: Path) -> Blob | None:
    """None for what is no regular file, or is gone since the folder was listed."""
    try:
        if not file.is_file():
            return None
        with file.open("rb") as stream:
            state = os.fstat(stream.fileno())
            digest = hashlib.file_digest(stream, lambda: hashlib.md5(usedforsecurity=False)).digest()
    except FileNotFoundError:
        return None
    return Blob(
        path=file.relative_to(container).as_posix(),
        size=state.st_size,
        last_modified=datetime.fromtimestamp(int(state.st_mtime), UTC),
        md5=base64.b64encode(digest).decode("ascii"),
    )
