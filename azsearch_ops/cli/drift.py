"""`drift`: what is not as it was released."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated

import typer

from azsearch_ops.cli.options import (
    HERE,
    EnvironmentOption,
    Format,
    FormatOption,
    Names,
    Output,
    OutputOption,
    ProjectOption,
)
from azsearch_ops.cli.running import Answer, carry_out, project_root, style_for

DRIFT_PRESENT = 2


def drift(
    names: Names = None,
    detailed_exitcode: Annotated[
        bool, typer.Option("--detailed-exitcode", help="Exit code 2 when drift is present.")
    ] = False,
    form: FormatOption = Format.text,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    output: OutputOption = Output.text,
) -> None:
    """Show edits made behind our back, and live indexes whose indexer fails or has not run for too long."""

    def work() -> Answer:
        from azsearch_ops.reporting.drifts import drift_markdown, render_drift
        from azsearch_ops.verbs.session import chosen_indexes, open_session
        from azsearch_ops.verbs.shipping.drifting import drift_of

        with open_session(project_root(project), env, os.environ) as session:
            found = drift_of(session, chosen_indexes(session.project, tuple(names or ())))
        present = [d.name for d in found if d.drifted]
        text = render_drift(found, style_for(output)) if form is Format.text else drift_markdown(found).rstrip("\n")
        data = {"drifted": present, "indexes": {d.name: asdict(d) for d in found}}
        return Answer(data, text, DRIFT_PRESENT if present and detailed_exitcode else 0)

    carry_out("drift", output, work)


COMMANDS: tuple[Callable[..., None], ...] = (drift,)
