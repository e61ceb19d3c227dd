"""Commands that read files only: validate, explain, render."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated

import typer

from azsearch_ops.cli.options import HERE, EnvironmentOption, Name, Output, OutputOption, ProjectOption
from azsearch_ops.cli.running import Answer, carry_out, project_root, style_for


def validate(
    project: ProjectOption = HERE, env: EnvironmentOption = "local", output: OutputOption = Output.text
) -> None:
    """Check all definitions offline; every problem with file, line and column."""

    def work() -> Answer:
        from azsearch_ops.reporting.terminal import render_validation
        from azsearch_ops.verbs.checking import validate as check

        found = check(project_root(project), env, os.environ)
        text = render_validation(found.problems, found.indexes, style_for(output))
        return Answer({"indexes": found.indexes}, text, found.exit_code, found.problems)

    carry_out("validate", output, work)


def explain(
    code: Annotated[str, typer.Argument(metavar="CODE", help="Code of a rule, such as AZS101.")],
    output: OutputOption = Output.text,
) -> None:
    """Say why a rule is there, how to satisfy it and where it comes from."""

    def work() -> Answer:
        from azsearch_ops.reporting.terminal import render_explanation
        from azsearch_ops.verbs.checking import explain_rule

        found = explain_rule(code)
        return Answer(asdict(found), render_explanation(found, style_for(output)))

    carry_out("explain", output, work)


def render(
    name: Name, project: ProjectOption = HERE, env: EnvironmentOption = "local", output: OutputOption = Output.text
) -> None:
    """Print the REST bodies and the search request of an index definition; secrets stay references."""

    def work() -> Answer:
        from azsearch_ops.verbs.rendering import rendered

        data = rendered(project_root(project), env, os.environ, name)
        return Answer(data, json.dumps(data, indent=2, ensure_ascii=False))

    carry_out("render", output, work)


COMMANDS: tuple[Callable[..., None], ...] = (validate, explain, render)
