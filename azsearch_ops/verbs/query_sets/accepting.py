"""`queries accept`: drafts that somebody has read count from then on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from azsearch_ops.definitions.files import shown_path
from azsearch_ops.definitions.project import read_project
from azsearch_ops.definitions.queries import load_queries
from azsearch_ops.definitions.queries_edit import accept_queries
from azsearch_ops.definitions.queries_entries import QueryEntry
from azsearch_ops.errors import UsageError

_SHOWN = 8


@dataclass(frozen=True, slots=True)
class Accepted:
    """What counts now and did not before, what is a draft still, and how many questions count in all."""

    path: str
    accepted: tuple[QueryEntry, ...]
    drafts: int
    queries: int


def accept_drafts(
    root: Path, target: str, names: Sequence[str], environment: str, environ: Mapping[str, str], *, every: bool = False
) -> Accepted:
    """Take the mark `draft` from the named questions, or from `every` one, in the file of `target`.

    `target` is an index definition or a query set.

    Raises:
        UsageError: nothing is named, or what is named is no draft.
        DefinitionError: the file has errors; EvaluationError where it could not be edited, and is as it was.
    """
    path = _file(root, target, environment, environ)
    found = load_queries(path, root)
    drafts = [entry.id for entry in found.entries if entry.draft]
    wanted = drafts if every else list(dict.fromkeys(names))
    there = f"drafts: {', '.join(drafts[:_SHOWN])}{', …' if len(drafts) > _SHOWN else ''}" if drafts else "it has none"
    if every and names:
        raise UsageError("--all accepts every draft, so no ids go with it")
    if not wanted and not every:
        raise UsageError("which drafts?", hint=f"name them by id, or --all; {there}")
    if strangers := [name for name in wanted if name not in drafts]:
        raise UsageError(f"no draft of {path.name}: {', '.join(strangers)}", hint=there)
    if wanted:
        accept_queries(path, root, wanted)
    now = load_queries(path, root)
    return Accepted(
        shown_path(path, root),
        tuple(entry for entry in now.entries if entry.id in wanted),
        len(now.entries) - len(now.accepted),
        len(now.accepted),
    )


def _file(root: Path, target: str, environment: str, environ: Mapping[str, str]) -> Path:
    if (root / "indexes").is_dir():
        project, _ = read_project(root, environment, environ)
        if project is not None and target in project.indexes:
            return project.indexes[target].evaluation.queries
    for path in (Path(target).expanduser(), root / target):
        if path.is_file():
            return path
    raise UsageError(f"there is no index definition and no file '{target}'")
