"""Ways into a project: `init` writes a new one, `import` describes what is on a service already."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from azsearch_ops.cli.options import HERE, EnvironmentOption, Output, OutputOption, ProjectOption
from azsearch_ops.cli.running import Answer, carry_out, project_root


def init(
    folder: Annotated[Path, typer.Argument(metavar="[DIR]", help="Where; made if need be.")] = HERE,
    github: Annotated[bool, typer.Option("--github", help="Workflows for GitHub Actions as well.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace files that are there.")] = False,
    output: OutputOption = Output.text,
) -> None:
    """Write a new project, small enough to read, that ships at once on the local service."""

    def work() -> Answer:
        from azsearch_ops.reporting.projects import render_init
        from azsearch_ops.verbs.initialising import initialise

        made = initialise(project_root(folder), github=github, force=force)
        return Answer(asdict(made), render_init(made, folder))

    carry_out("init", output, work)


def import_(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Name of the new index definition.")],
    alias: Annotated[str, typer.Option("--alias", metavar="ALIAS", help="What applications are to query.")],
    index: Annotated[
        str | None, typer.Option("--index", metavar="INDEX", help="The index that serves; the alias' target, or NAME.")
    ] = None,
    document_field: Annotated[
        str | None, typer.Option("--document-field", metavar="FIELD", help="Holds a chunk's document.")
    ] = None,
    text_field: Annotated[
        str | None, typer.Option("--text-field", metavar="FIELD", help="Holds a chunk's text.")
    ] = None,
    no_source: Annotated[
        bool, typer.Option("--no-source", help="Leave out what fills it: it stays as it is, and nothing can be built.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace files that are there.")] = False,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    output: OutputOption = Output.text,
) -> None:
    """Describe an index and what fills it in definitions; `ship` then adopts it as it is. The service is only read."""

    def work() -> Answer:
        from azsearch_ops.reporting.projects import render_import
        from azsearch_ops.verbs.importing.definitions import Fields
        from azsearch_ops.verbs.importing.importing import import_index
        from azsearch_ops.verbs.session import open_session

        with open_session(project_root(project), env, os.environ, may_be_empty=True) as session:
            fields = Fields(document_field, text_field)
            made = import_index(session, name, alias, index, fields, force=force, sourceless=no_source)
        return Answer(asdict(made), render_import(made), problems=made.problems)

    carry_out("import", output, work)


import_.__name__ = "import"
COMMANDS: tuple[Callable[..., None], ...] = (init, import_)
