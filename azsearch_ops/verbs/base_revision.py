"""The definitions of the revision that a pull request builds on, as a project that can be shipped beside this one."""

from __future__ import annotations

import io
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Final

from azsearch_ops.errors import UsageError

FOLDER: Final = Path(".azsearch") / "base"
DEFINITIONS: Final = ("indexes", "skillsets", "infra/environments")


def base_project(root: Path, revision: str) -> Path | None:
    """The folder of a project with the definitions of `revision` and everything else of this one.

    Documents and the local service are this project's, by links: what is compared are definitions, on one corpus.
    None where that revision has no definitions. UsageError when it is not there.
    """
    commit = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if commit is None:
        raise UsageError(
            f"there is no revision '{revision}'", hint="fetch it; a checkout in Actions needs fetch-depth: 0"
        )
    name = commit.decode().strip()
    present = [p for p in DEFINITIONS if _git(root, "cat-file", "-e", f"{name}:./{p}") is not None]
    if "indexes" not in present:
        return None
    packed = _git(root, "archive", "--format=tar", name, "--", *present)
    if packed is None:
        raise UsageError(f"the definitions of '{revision}' cannot be read")
    folder = root / FOLDER / name[:12]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(packed)) as tar:
        tar.extractall(folder, filter="data")
    _link(root, folder)
    return folder


def _link(source: Path, target: Path) -> None:
    """Link what is not there from `source`, deeper where a folder of definitions lies beside other things."""
    for entry in source.iterdir():
        inner = entry.relative_to(source).name
        if inner == ".git" or inner in ("indexes", "skillsets", "environments"):
            continue
        if inner == "infra" and entry.is_dir():
            (target / inner).mkdir(exist_ok=True)
            _link(entry, target / inner)
        elif not (target / inner).exists():
            (target / inner).symlink_to(entry.resolve(), target_is_directory=entry.is_dir())


def _git(root: Path, *arguments: str) -> bytes | None:
    """What Git prints, or None where it refuses or is not there."""
    try:
        told = subprocess.run(["git", *arguments], cwd=root, capture_output=True, check=False)
    except FileNotFoundError:
        return None
    return told.stdout if told.returncode == 0 else None
