"""The definitions of the revision that a pull request builds on, as a project that can be shipped beside this one."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

from azsearch_ops.definitions.project import DEFINITION_FOLDERS, INDEXES
from azsearch_ops.errors import UsageError
from azsearch_ops.verbs.revisions import definitions_at, git

FOLDER: Final = Path(".azsearch") / "base"


def base_project(root: Path, revision: str) -> Path | None:
    """The folder of a project with the definitions of `revision` and everything else of this one.

    Documents and the local service are this project's, by links: what is compared are definitions, on one corpus.
    None where that revision has no definitions. UsageError when it is not there.
    """
    commit = git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if commit is None:
        raise UsageError(
            f"there is no revision '{revision}'", hint="fetch it; a checkout in Actions needs fetch-depth: 0"
        )
    if git(root, "cat-file", "-e", f"{commit}:./{INDEXES}") is None:
        return None
    folder = root / FOLDER / commit[:12]
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if not definitions_at(root, commit, folder):
        raise UsageError(f"the definitions of '{revision}' cannot be read")
    _link(root, folder, Path())
    return folder


def _link(root: Path, folder: Path, below: Path) -> None:
    """Link what is no definition and not there, deeper where a folder of definitions lies beside other things.

    A folder of definitions that the revision lacks stays away: what is in it came later.
    """
    for entry in (root / below).iterdir():
        inner = below / entry.name
        if entry.name == ".git" or inner.as_posix() in DEFINITION_FOLDERS:
            continue
        if any(path.startswith(f"{inner.as_posix()}/") for path in DEFINITION_FOLDERS) and entry.is_dir():
            (folder / inner).mkdir(exist_ok=True)
            _link(root, folder, inner)
        elif not (folder / inner).exists():
            (folder / inner).symlink_to(entry.resolve(), target_is_directory=entry.is_dir())
