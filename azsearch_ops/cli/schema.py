"""`schema`: JSON Schemas by which editors complete and check definitions."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Annotated

import typer

from azsearch_ops.cli.options import HERE, EnvironmentOption, Output, OutputOption, ProjectOption
from azsearch_ops.cli.running import Answer, carry_out


def schema(
    kind: Annotated[
        str | None,
        typer.Argument(metavar="KIND", help="index, skillset, environment, queries or synonymmap; all without one."),
    ] = None,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    output: OutputOption = Output.text,
) -> None:
    """Print the JSON Schema of a kind of definition file, for `# yaml-language-server: $schema=…`."""

    def work() -> Answer:
        from azsearch_ops.verbs.schemas import schemas

        data = schemas(kind)
        return Answer(data, json.dumps(data, indent=2, ensure_ascii=False))

    carry_out("schema", output, work)


COMMANDS: tuple[Callable[..., None], ...] = (schema,)
