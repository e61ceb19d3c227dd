"""The boundary of every command: carry it out, write the result, turn errors into exit codes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import typer

from azsearch_ops.cli.options import Output
from azsearch_ops.errors import AzsearchOpsError, Problem
from azsearch_ops.reporting.envelope import as_json, envelope, problems_of
from azsearch_ops.reporting.terminal import Style, render_error, render_problems

INTERRUPTED = 130


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command came to: data for JSON, text for people (None where it was shown on the way)."""

    data: Any
    text: str | None = None
    exit_code: int = 0
    problems: tuple[Problem, ...] = ()


def style_for(output: Output) -> Style:
    """How text is drawn: width and colour of the terminal it goes to; in JSON all of it goes to standard error."""
    return Style.of(sys.stderr if output is Output.json else sys.stdout, os.environ)


def carry_out(command: str, output: Output, work: Callable[[], Answer]) -> None:
    """Run a command and leave with its exit code; JSON is one document and alone on standard output."""
    try:
        answer = work()
        status = "ok" if answer.exit_code == 0 else "not done"
    except AzsearchOpsError as error:
        answer = Answer(_data_of(error), render_error(error, style_for(output)), error.exit_code, problems_of(error))
        status = error.code
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


def _data_of(error: AzsearchOpsError) -> dict[str, Any]:
    return {"error": {"code": error.code, "message": error.message, "hint": error.hint}}


def project_root(project: Path) -> Path:
    """The project's folder as an absolute path."""
    return project.expanduser().resolve()


def shown_problems(problems: tuple[Problem, ...], output: Output) -> str:
    """The problems as text."""
    return render_problems(problems, style_for(output))
