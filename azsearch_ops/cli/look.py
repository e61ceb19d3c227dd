"""Commands that read a service and change nothing there: plan, status, history, settings."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated, Any

import typer

from azsearch_ops.cli.options import HERE, EnvironmentOption, Name, Names, Output, OutputOption, ProjectOption
from azsearch_ops.cli.running import Answer, carry_out, project_root, style_for

CHANGES_PRESENT = 2


def plan(
    names: Names = None,
    detailed_exitcode: Annotated[
        bool, typer.Option("--detailed-exitcode", help="Exit code 2 when changes are present.")
    ] = False,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    output: OutputOption = Output.text,
) -> None:
    """Show what would change, its class and why."""

    def work() -> Answer:
        from azsearch_ops.reporting.data import plan_data
        from azsearch_ops.reporting.terminal import render_plan
        from azsearch_ops.verbs.planning import plan_one
        from azsearch_ops.verbs.session import chosen_indexes, open_session

        with open_session(project_root(project), env, os.environ) as session:
            plans = [plan_one(session, index) for index in chosen_indexes(session.project, tuple(names or ()))]
        changed = [p.name for p in plans if p.action != "none"]
        text = "\n\n".join(render_plan(p, style_for(output)) for p in plans)
        data = {"changed": changed, "plans": {p.name: plan_data(p) for p in plans}}
        return Answer(data, text, CHANGES_PRESENT if changed and detailed_exitcode else 0)

    carry_out("plan", output, work)


def status(
    names: Names = None,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    output: OutputOption = Output.text,
) -> None:
    """Show what is live, since when, and how its candidate stands."""

    def work() -> Answer:
        from azsearch_ops.reporting.data import status_data
        from azsearch_ops.reporting.terminal import render_status
        from azsearch_ops.verbs.looking import status_one
        from azsearch_ops.verbs.session import chosen_indexes, open_session

        with open_session(project_root(project), env, os.environ) as session:
            found = tuple(status_one(session, i) for i in chosen_indexes(session.project, tuple(names or ())))
            data = status_data(found, session.service.endpoint, env)
        return Answer(data, render_status(found, style_for(output)))

    carry_out("status", output, work)


def history(
    name: Name, project: ProjectOption = HERE, env: EnvironmentOption = "local", output: OutputOption = Output.text
) -> None:
    """List the releases, newest first."""

    def work() -> Answer:
        from azsearch_ops.reporting.terminal import render_history
        from azsearch_ops.verbs.looking import history_of
        from azsearch_ops.verbs.session import chosen_indexes, open_session

        with open_session(project_root(project), env, os.environ) as session:
            found = history_of(session, chosen_indexes(session.project, (name,))[0])
        data = {"name": name, "releases": [asdict(r) for r in found]}
        return Answer(data, render_history(name, found, style_for(output)))

    carry_out("history", output, work)


def settings(
    name: Name, project: ProjectOption = HERE, env: EnvironmentOption = "local", output: OutputOption = Output.text
) -> None:
    """Print the released search request, as applications are to send it."""

    def work() -> Answer:
        from azsearch_ops.verbs.looking import settings_of
        from azsearch_ops.verbs.session import chosen_indexes, open_session

        with open_session(project_root(project), env, os.environ) as session:
            data: dict[str, Any] = settings_of(session, chosen_indexes(session.project, (name,))[0])
        return Answer(data, json.dumps(data, indent=2, ensure_ascii=False))

    carry_out("settings", output, work)


COMMANDS: tuple[Callable[..., None], ...] = (plan, status, history, settings)
