"""`azsearch-ops env …`: environment files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from azsearch_ops.cli.options import HERE, Output, OutputOption, ProjectOption
from azsearch_ops.cli.running import Answer, carry_out, project_root

app = typer.Typer(no_args_is_help=True, help="Environment files.")


@app.command("from-outputs")
def from_outputs(
    outputs: Annotated[
        Path, typer.Argument(metavar="FILE", help="What `az deployment group create` or `show` printed as JSON.")
    ],
    name: Annotated[
        str | None, typer.Option("--name", metavar="NAME", help="Of the environment; else the deployment's output.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is there and differs.")] = False,
    project: ProjectOption = HERE,
    output: OutputOption = Output.text,
) -> None:
    """Write infra/environments/NAME.yaml from the outputs of infra/azure."""

    def work() -> Answer:
        from azsearch_ops.verbs.doctoring.env_outputs import write_environment

        written = write_environment(project_root(project), outputs, name, force=force)
        verb = "written" if written.changed else "is as it should be"
        data = {"name": written.name, "path": str(written.path), "changed": written.changed}
        return Answer(data, f"{written.path} {verb}")

    carry_out("env from-outputs", output, work)
