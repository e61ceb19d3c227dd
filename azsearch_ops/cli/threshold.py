"""`threshold`: the similarity below which vector results are dropped, calibrated on the query set."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated

import typer

from azsearch_ops.cli.options import HERE, EnvironmentOption, Name, Output, OutputOption, ProjectOption
from azsearch_ops.cli.running import Answer, carry_out, project_root, style_for
from azsearch_ops.cli.talking import talk_for
from azsearch_ops.errors import UsageError

_USUAL_RECALL = 0.95


def threshold(
    name: Name,
    recall: Annotated[
        float | None, typer.Option("--recall", min=0, max=1, help="Share of answers to keep; 0.95.")
    ] = None,
    precision: Annotated[
        float | None, typer.Option("--precision", min=0, max=1, help="Share of relevant chunks to reach.")
    ] = None,
    candidate: Annotated[bool, typer.Option("--candidate", help="The built candidate instead of live.")] = False,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    output: OutputOption = Output.text,
) -> None:
    """Read a similarity threshold off relevant and irrelevant chunks, for a wanted recall or precision."""

    def work() -> Answer:
        from azsearch_ops.reporting.asking import render_calibration
        from azsearch_ops.verbs.evaluating.thresholds import calibrate
        from azsearch_ops.verbs.session import open_session

        if recall is not None and precision is not None:
            raise UsageError("one goal at a time", hint="--recall 0.95, or --precision 0.8")
        with open_session(project_root(project), env, os.environ) as session:
            report = talk_for(output, yes=False).report
            if precision is not None:
                result = calibrate(session, name, "precision", precision, report, candidate=candidate)
            else:
                wanted = _USUAL_RECALL if recall is None else recall
                result = calibrate(session, name, "recall", wanted, report, candidate=candidate)
        return Answer(asdict(result), render_calibration(result, style_for(output)))

    carry_out("threshold", output, work)


COMMANDS: tuple[Callable[..., None], ...] = (threshold,)
