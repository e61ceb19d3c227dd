"""`report`: the runs that are meant, by folder, by file, by candidate or by release."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from azsearch_ops.errors import UsageError
from azsearch_ops.verbs.evaluating.run_files import EVALUATION, Run, read_run, run_from

RUNS = Path(".azsearch") / "runs"
MOST = 2
"""Runs in one report: the one that decides, and the same candidate measured elsewhere or before."""

_RELEASE = re.compile(r"(?:(?P<name>[^/]+)/)?(?P<number>[0-9]{1,6})")
"""A release: 15, or handbook/15 where a project has several index definitions. Run folders begin with a date."""


def runs_named(root: Path, names: tuple[str, ...], environment: str, environ: Mapping[str, str]) -> tuple[Run, ...]:
    """The runs that `names` mean, in that order; the newest one where nothing is named.

    A name is a path to an `evaluation.json` or its folder, the beginning of a folder's name under .azsearch/runs, an
    index definition or a candidate (its newest run), or the number of a release. Only a release asks the service.

    Raises:
        UsageError: no such run, more than two, or a beginning that fits several.
    """
    if len(names) > MOST:
        raise UsageError(f"a report shows one run or two, not {len(names)}")
    return tuple(_run(root, name, environment, environ) for name in names) if names else (read_run(_newest(root)),)


def _run(root: Path, name: str, environment: str, environ: Mapping[str, str]) -> Run:
    given = Path(name).expanduser()
    for path in (given, root / given, root / RUNS / given):
        if path.is_file():
            return read_run(path)
        if (path / EVALUATION).is_file():
            return read_run(path / EVALUATION)
    release = _RELEASE.fullmatch(name)
    if release:
        return _released(root, release["name"], int(release["number"]), environment, environ)
    folders = _folders(root)
    if begun := [folder for folder in folders if folder.name.startswith(name)]:
        if len(begun) > 1:
            shown = ", ".join(folder.name for folder in begun[-5:])
            raise UsageError(f"'{name}' fits {len(begun)} runs", hint=f"write more of one of: {shown}")
        return read_run(begun[0] / EVALUATION)
    if about := [folder for folder in folders if f"-{name}-" in folder.name]:
        return read_run(about[-1] / EVALUATION)
    raise UsageError(f"there is no run '{name}'", hint=_hint(root))


def _newest(root: Path) -> Path:
    folders = _folders(root)
    if not folders:
        raise UsageError("there is no run yet", hint="azsearch-ops evaluate NAME, or ship")
    return folders[-1] / EVALUATION


def _folders(root: Path) -> list[Path]:
    """The folders of runs, oldest first: their names begin with the time."""
    return sorted(path.parent for path in (root / RUNS).glob(f"*/{EVALUATION}"))


def _hint(root: Path) -> str:
    folders = _folders(root)
    return f"the newest is {folders[-1].name}" if folders else "azsearch-ops evaluate NAME, or ship"


def _released(root: Path, name: str | None, number: int, environment: str, environ: Mapping[str, str]) -> Run:
    """The evaluation that a release was promoted on: its files where they are here, else what the ledger kept."""
    from azsearch_ops.verbs.session import chosen_indexes, open_session  # Brings the service's client along

    with open_session(root, environment, environ) as session:
        indexes = chosen_indexes(session.project, (name,) if name else ())
        if len(indexes) > 1:
            known = ", ".join(f"{index.name}/{number}" for index in indexes)
            raise UsageError(f"of which index definition is {number} a release?", hint=f"one of: {known}")
        (index,) = indexes
        release = session.ledger.release(index.alias, number)
        if release is None:
            raise UsageError(f"{index.name} has no release {number}", hint=f"azsearch-ops history {index.name}")
        key = release.get("evaluation")
        entry = session.ledger.evaluation(str(key)) if key else None
    if entry is None:
        raise UsageError(f"release {number} of {index.name} was made without an evaluation ({release['kind']})")
    path = root / str(entry["file"])
    return read_run(path) if path.is_file() else run_from(entry, f"release {number}")
