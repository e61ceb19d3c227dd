"""`report`: a run, or two, as text, Markdown, HTML, JUnit, JSON or TREC files."""

from __future__ import annotations

import os
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from azsearch_ops.cli.options import HERE, EnvironmentOption, Output, OutputOption, ProjectOption
from azsearch_ops.cli.running import Answer, carry_out, project_root, style_for


class Format(StrEnum):
    """What a report is written as."""

    text = "text"
    markdown = "markdown"
    html = "html"
    junit = "junit"
    json = "json"
    trec = "trec"


def report(
    runs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[RUN]...", help="Folder or its beginning, evaluation.json, candidate, or release."),
    ] = None,
    form: Annotated[Format, typer.Option("--format", help="html and trec go beside the run without --out.")] = (
        Format.text
    ),
    out: Annotated[Path | None, typer.Option("--out", metavar="PATH", help="File to write; for trec a folder.")] = None,
    rankings: Annotated[bool, typer.Option("--rankings", help="In json: every chunk that was read, too.")] = False,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    output: OutputOption = Output.text,
) -> None:
    """Render an evaluation, or two side by side; the newest run unless one is named."""

    def work() -> Answer:
        from azsearch_ops.reporting.data import evaluation_data
        from azsearch_ops.reporting.report_files import default_path, render_report, report_note, write_report
        from azsearch_ops.reporting.report_text import runs_text
        from azsearch_ops.reporting.style import seen_from
        from azsearch_ops.verbs.evaluating.reporting_runs import runs_named

        root = project_root(project)
        found = runs_named(root, tuple(runs or ()), env, os.environ)
        content = (
            runs_text(found, style_for(output), Path.cwd())
            if form is Format.text
            else render_report(found, form.value, rankings=rankings)
        )
        target = out or (default_path(found, form.value, root) if form in (Format.html, Format.trec) else None)
        written = write_report(content, target) if target else ()
        data = {
            "runs": [{**evaluation_data(run.outcome), "run": run.name} for run in found],
            "format": form.value,
            "written": [str(path) for path in written],
        }
        note = report_note(found, form.value)
        shown = [*(f"report    {seen_from(Path.cwd(), path)}" for path in written), *([note] if note else [])]
        text = "\n".join(shown) if written else str(content).rstrip("\n")
        return Answer(data, text)

    carry_out("report", output, work)


COMMANDS: tuple[Callable[..., None], ...] = (report,)
