"""The boundary of every command: carry it out, write the result, turn errors into exit codes."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import typer

from azsearch_ops.cli.options import Output
from azsearch_ops.errors import AzsearchOpsError, FileError, Problem
from azsearch_ops.reporting.envelope import as_json, envelope, problems_of
from azsearch_ops.reporting.style import seen_from
from azsearch_ops.reporting.terminal import Style, render_error

INTERRUPTED = 130
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
BARRED = (errno.EACCES, errno.EPERM, errno.EROFS)


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command came to: data for JSON, text for people (None where it was shown on the way)."""

    data: Any
    text: str | None = None
    exit_code: int = 0
    problems: tuple[Problem, ...] = ()


def style_for(output: Output, root: Path | None = None) -> Style:
    """How text is drawn: width and colour of the terminal it goes to; in JSON all of it goes to standard error.

    Files of the project at `root` are named as they are seen from here.
    """
    style = Style.of(sys.stderr if output is Output.json else sys.stdout, os.environ)
    return style if root is None else replace(style, root=seen_from(Path.cwd(), root))


def carry_out(command: str, output: Output, work: Callable[[], Answer]) -> None:
    """Run a command and leave with its exit code; JSON is one document and alone on standard output."""
    try:
        answer = work()
        status = "ok" if answer.exit_code == 0 else "not done"
    except AzsearchOpsError as error:
        answer, status = _failed(error, output), error.code
    except OSError as failure:
        if failure.filename is None and failure.errno not in FULL:
            raise  # Not about a file
        answer, status = _failed(file_error(failure), output), FileError.code
    except KeyboardInterrupt:
        text = "interrupted: what is done is kept; run the command again to go on"
        answer = Answer(None, text, INTERRUPTED)
        status = "interrupted"
    if output is Output.json:
        print(as_json(envelope(command, status, answer.exit_code, answer.data, answer.problems)))
    elif answer.text is not None:
        failed = status not in ("ok", "not done")
        print(answer.text, file=sys.stderr if failed else sys.stdout)
    raise typer.Exit(answer.exit_code)


def _failed(error: AzsearchOpsError, output: Output) -> Answer:
    return Answer(_data_of(error), render_error(error, style_for(output)), error.exit_code, problems_of(error))


def file_error(failure: OSError) -> FileError:
    """What the system said of a file, as an error with what to do."""
    reason = failure.strerror or str(failure)
    message = f"{failure.filename}: {reason}" if failure.filename is not None else f"a file cannot be written: {reason}"
    hint = ""
    if failure.errno in FULL:
        hint = "free some space; what is done is kept: run the command again to go on"
    elif failure.errno in BARRED:
        hint = "give the right to it; plans, runs and the local service's data are kept below .azsearch of the project"
    return FileError(message, hint=hint)


def _data_of(error: AzsearchOpsError) -> dict[str, Any]:
    return {"error": {"code": error.code, "message": error.message, "hint": error.hint}}


def project_root(project: Path) -> Path:
    """The project's folder as an absolute path."""
    return project.expanduser().resolve()
