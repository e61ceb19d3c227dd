"""`azsearch-ops noise`: what an environment changes by itself."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict

from azsearch_ops.cli.options import HERE, EnvironmentOption, Name, Output, OutputOption, ProjectOption, YesOption
from azsearch_ops.cli.running import Answer, carry_out, project_root
from azsearch_ops.cli.talking import talk_for


def noise(
    name: Name,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    yes: YesOption = False,
    output: OutputOption = Output.text,
) -> None:
    """Build the same definition twice beside live, compare, and keep the difference for the gate."""

    def work() -> Answer:
        from azsearch_ops.verbs.evaluating.noise import measure_noise
        from azsearch_ops.verbs.session import open_session

        with open_session(project_root(project), env, os.environ) as session:
            measured = measure_noise(session, name, talk_for(output, yes))
        return Answer(asdict(measured))

    carry_out("noise", output, work)


COMMANDS: tuple[Callable[..., None], ...] = (noise,)
