"""What `init` and `import` wrote, as text."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from azsearch_ops.verbs.importing.importing import ImportOutcome
    from azsearch_ops.verbs.initialising import InitOutcome


def render_init(made: InitOutcome, folder: Path) -> str:
    """The files, and the next command."""
    lines = [f"  {path}" for path in made.files] + [f"  {path} is there and stays" for path in made.kept]
    go = "" if folder == Path() else f"cd {folder} && "
    if not made.is_new:
        return "\n".join([f"workflows for the project in {made.folder}", *lines, f"next: {go}azsearch-ops validate"])
    return "\n".join([f"new project in {made.folder}", *lines, f"next: {go}azsearch-ops ship"])


def render_import(made: ImportOutcome) -> str:
    """The files, what to look at, and the next commands."""
    lines = [f"{made.index} is described by"]
    lines += [f"  {path}" for path in made.files]
    lines += [f"note: {note}" for note in made.notes]
    lines += [f"{problem}" for problem in made.problems]
    return "\n".join([*lines, f"next: azsearch-ops plan {made.name}; azsearch-ops ship {made.name}"])
