"""The definitions of another Git revision, read without touching the working tree."""

from __future__ import annotations

import io
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from azsearch_ops.definitions.project import DEFINITION_FOLDERS, ENVIRONMENTS, Project, environment_path, load_project
from azsearch_ops.errors import UsageError


def definitions_at(root: Path, commit: str, folder: Path) -> tuple[str, ...]:
    """Unpack the definitions of a commit into `folder`; which of their folders it has, none where it has none."""
    present = [path for path in DEFINITION_FOLDERS if git(root, "cat-file", "-e", f"{commit}:./{path}") is not None]
    packed = subprocess.run(
        ["git", "archive", "--format=tar", commit, "--", *present], cwd=root, capture_output=True, check=False
    )
    if not present or packed.returncode != 0:
        return ()
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as tar:
        tar.extractall(folder, filter="data")
    return tuple(present)


def git(root: Path, *arguments: str) -> str | None:
    """What Git prints, or None where it refuses or is not there."""
    try:
        told = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return told.stdout.strip() if told.returncode == 0 else None


def named_revision(root: Path, revision: str, option: str) -> tuple[str, str]:
    """How people name the revision, and its commit; UsageError, which names the `option`, where it is not there."""
    if git(root, "rev-parse", "--show-toplevel") is None:
        raise UsageError(f"there is no revision '{revision}'", hint="the project is not in a Git repository")
    commit = git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    if commit is None:
        raise UsageError(f"there is no revision '{revision}'", hint=f"fetch it, or name another with {option}")
    return f"{revision} ({commit[:7]})", commit


@contextmanager
def project_at(root: Path, commit: str, environment: str, environ: Mapping[str, str]) -> Iterator[Project | None]:
    """The project as the files of `commit` describe it, while its files are there; None where it has no definitions.

    An environment that the commit does not have is taken from the working tree. DefinitionError with every problem.
    """
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        if not definitions_at(root, commit, here):
            yield None
            return
        ours = environment_path(root, environment)
        if ours is not None and environment_path(here, environment) is None:
            (here / ENVIRONMENTS).mkdir(parents=True, exist_ok=True)
            (here / ENVIRONMENTS / ours.name).write_bytes(ours.read_bytes())
        yield load_project(here, environment, environ)
