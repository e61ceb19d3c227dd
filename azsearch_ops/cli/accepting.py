"""`azsearch-ops queries accept`: let drafts count."""

from __future__ import annotations

import os
from dataclasses import asdict
from typing import Annotated

import typer

from azsearch_ops.cli.options import HERE, EnvironmentOption, Output, OutputOption, ProjectOption
from azsearch_ops.cli.running import Answer, carry_out, project_root, style_for


def accept(
    target: Annotated[str, typer.Argument(metavar="NAME|FILE", help="An index definition, or a query set.")],
    ids: Annotated[list[str] | None, typer.Argument(metavar="[ID]...", help="Drafts, by id.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Every draft of the file.")] = False,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    output: OutputOption = Output.text,
) -> None:
    """Let drafts count: takes their mark out of the file and leaves everything else in it as it stands."""

    def work() -> Answer:
        from azsearch_ops.reporting.query_sets import render_accepted
        from azsearch_ops.verbs.query_sets.accepting import accept_drafts

        done = accept_drafts(project_root(project), target, tuple(ids or ()), env, os.environ, every=every)
        return Answer(asdict(done), render_accepted(done, style_for(output)))

    carry_out("queries accept", output, work)
