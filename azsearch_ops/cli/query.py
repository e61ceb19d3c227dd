"""`query`: one question explained."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated

import typer

from azsearch_ops.cli.options import HERE, EnvironmentOption, Name, Output, OutputOption, ProjectOption
from azsearch_ops.cli.running import Answer, carry_out, project_root, style_for


def query(
    name: Name,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="A question, or the id of one of the query set.")],
    candidate: Annotated[bool, typer.Option("--candidate", help="Ask the built candidate too.")] = False,
    top: Annotated[int | None, typer.Option("--top", min=1, max=1000, help="Results; as released.")] = None,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    output: OutputOption = Output.text,
) -> None:
    """Show what a question brings, with the scores of each leg, document, position and release."""

    def work() -> Answer:
        from azsearch_ops.reporting.asking import render_explained
        from azsearch_ops.verbs.asking_one import explain_query
        from azsearch_ops.verbs.session import open_session

        with open_session(project_root(project), env, os.environ) as session:
            result = explain_query(session, name, text, candidate=candidate, top=top)
        return Answer(asdict(result), render_explained(result, style_for(output)))

    carry_out("query", output, work)


COMMANDS: tuple[Callable[..., None], ...] = (query,)
