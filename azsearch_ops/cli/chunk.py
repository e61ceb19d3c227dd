"""`chunk`: how documents are cut, and what a change of the definitions moves."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Annotated

import typer

from azsearch_ops.cli.options import (
    HERE,
    EnvironmentOption,
    Format,
    FormatOption,
    Name,
    Output,
    OutputOption,
    ProjectOption,
)
from azsearch_ops.cli.running import Answer, carry_out, project_root, style_for


def chunk(
    name: Name,
    document: Annotated[
        str | None, typer.Option("--document", metavar="PATH", help="Each chunk of this one, by its path.")
    ] = None,
    diff: Annotated[
        str | None, typer.Option("--diff", metavar="REF", help="What moves since the definitions of a Git revision.")
    ] = None,
    form: FormatOption = Format.text,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    output: OutputOption = Output.text,
) -> None:
    """Show how the definitions cut the documents, and which judged excerpts are cut; nothing is built."""

    def work() -> Answer:
        from azsearch_ops.reporting.chunks import chunks_data, chunks_markdown, render_chunks
        from azsearch_ops.verbs.chunks_of import chunks_of

        found = chunks_of(project_root(project), env, os.environ, name, document, diff)
        each = document is not None
        text = (
            chunks_markdown(found, each) if form is Format.markdown else render_chunks(found, each, style_for(output))
        )
        return Answer(chunks_data(found, each), text)

    carry_out("chunk", output, work)


COMMANDS: tuple[Callable[..., None], ...] = (chunk,)
