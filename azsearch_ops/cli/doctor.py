"""`azsearch-ops doctor`: what an environment lacks."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict

from azsearch_ops.cli.options import HERE, EnvironmentOption, Names, Output, OutputOption, ProjectOption
from azsearch_ops.cli.running import Answer, carry_out, project_root, style_for


def doctor(
    names: Names = None,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    output: OutputOption = Output.text,
) -> None:
    """Say what an environment lacks: network, version, roles, quotas, models; what to grant, and to whom."""

    def work() -> Answer:
        from azsearch_ops.reporting.doctor import render_diagnosis
        from azsearch_ops.verbs.doctoring.doctoring import diagnose
        from azsearch_ops.verbs.session import chosen_indexes, open_session

        with open_session(project_root(project), env, os.environ) as session:
            found = diagnose(session, chosen_indexes(session.project, tuple(names or ())))
        return Answer(asdict(found), render_diagnosis(found, style_for(output)), found.exit_code)

    carry_out("doctor", output, work)


COMMANDS: tuple[Callable[..., None], ...] = (doctor,)
