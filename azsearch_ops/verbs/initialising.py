"""`init`: write a new project."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from azsearch_ops.errors import UsageError
from azsearch_ops.verbs.github.files import github_files

HIDDEN: Final = {"gitignore": ".gitignore"}
"""Names that a package cannot carry as they are."""

OWN: Final = (".gitignore", ".github/CODEOWNERS")
"""Files in which a repository says more than this tool: its own stay as they are."""


@dataclass(frozen=True, slots=True)
class InitOutcome:
    """The folder, and the files that were written, by path below it; those in `kept` were there and stay.

    `is_new` is false where a project was there, which only got its workflows.
    """

    folder: str
    files: tuple[str, ...]
    kept: tuple[str, ...] = ()
    is_new: bool = True


def initialise(folder: Path, *, github: bool = False, force: bool = False) -> InitOutcome:
    """Write the starter project into a folder, made if need be; other files there stay.

    With `github` a project that is there gets its workflows, and no starter. UsageError, with nothing written, when a
    file of the same name is there and `force` does not allow to replace it.
    """
    is_new = not (github and any(folder.glob("indexes/*/index.yaml")))
    content: dict[str, str] = dict(starter_files()) if is_new else {}
    if github:
        content |= github_files()
    kept = tuple(path for path in OWN if path in content and (folder / path).exists())
    content = {path: text for path, text in content.items() if path not in kept}
    there = sorted(path for path in content if (folder / path).exists())
    if there and not force:
        raise UsageError(
            f"{', '.join(there[:5])}{' and more' if len(there) > 5 else ''} is in {folder} already",
            hint="choose another folder, or let --force replace it; nothing was written",
        )
    try:
        for path, text in sorted(content.items()):
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, "utf-8", newline="\n")
    except OSError as failure:
        raise UsageError(f"the project cannot be written to {folder}: {failure.strerror}") from failure
    return InitOutcome(str(folder), tuple(sorted(content)), kept, is_new)


def starter_files() -> Mapping[str, str]:
    """Path below the project → text, from the package."""
    return dict(_walk(files("azsearch_ops") / "starter", ""))


def _walk(folder: Traversable, below: str) -> Iterator[tuple[str, str]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        path = f"{below}{HIDDEN.get(entry.name, entry.name)}"
        if entry.is_dir():
            yield from _walk(entry, f"{path}/")
        elif entry.name != "__init__.py":
            yield path, entry.read_text("utf-8")
