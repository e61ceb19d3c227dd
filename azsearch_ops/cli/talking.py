"""How a long command is followed on a terminal, in CI, and beside a JSON document."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from azsearch_ops.cli.options import Output
from azsearch_ops.cli.running import style_for
from azsearch_ops.errors import UsageError

if TYPE_CHECKING:
    from azsearch_ops.verbs.shipping.shipping import Talk


def talk_for(output: Output, yes: bool, root: Path | None = None) -> Talk:
    """Progress and results go to standard output as text, or to standard error beside a JSON document.

    With the project's `root`, the reports of an evaluation are written beside its record before it is shown.
    """
    from azsearch_ops.reporting.progress import ProgressWriter
    from azsearch_ops.reporting.report_files import write_reports_of
    from azsearch_ops.reporting.terminal import render_result
    from azsearch_ops.verbs.shipping.shipping import Talk

    stream = sys.stderr if output is Output.json else sys.stdout
    style = style_for(output, root)
    progress = ProgressWriter(stream, style)

    def show(result: object) -> None:
        progress.clear()
        if root is not None:
            write_reports_of(result, root)
        text = render_result(result, style)
        if text:
            print(text, file=stream, flush=True)

    def confirm(question: str) -> bool:
        if yes:
            return True
        if not sys.stdin.isatty():
            raise UsageError(
                "refusing to ask without a terminal; pass --yes or a plan file", hint="nothing was changed"
            )
        progress.clear()
        return typer.confirm(f"{question} Go on?", default=False, err=output is Output.json)

    return Talk(report=progress, show=show, confirm=confirm)
