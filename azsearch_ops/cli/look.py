"""Commands that read a service and change nothing there: plan, status, history, settings."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from azsearch_ops.cli.options import (
    HERE,
    EnvironmentOption,
    Format,
    FormatOption,
    Name,
    Names,
    Output,
    OutputOption,
    ProjectOption,
)
from azsearch_ops.cli.running import Answer, carry_out, project_root, style_for
from azsearch_ops.cli.talking import talk_for
from azsearch_ops.errors import UsageError

CHANGES_PRESENT = 2


def plan(
    names: Names = None,
    detailed_exitcode: Annotated[
        bool, typer.Option("--detailed-exitcode", help="Exit code 2 when changes are present.")
    ] = False,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Save the plan; `ship --plan FILE` does just that.")
    ] = None,
    from_ledger: Annotated[
        bool, typer.Option("--from-ledger", help="Read the ledger only, where definitions may not be read.")
    ] = False,
    form: FormatOption = Format.text,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    output: OutputOption = Output.text,
) -> None:
    """Show what would change, its class and why, and what it takes; nothing is written to the service."""

    def work() -> Answer:
        from azsearch_ops.reporting.data import planned_data
        from azsearch_ops.reporting.plans import render_planned
        from azsearch_ops.reporting.plans_markdown import plans_markdown
        from azsearch_ops.verbs.checking import require_sound
        from azsearch_ops.verbs.session import chosen_indexes, open_session
        from azsearch_ops.verbs.shipping.planning import plan_indexes
        from azsearch_ops.verbs.shipping.saved_plans import save_plan

        if out is not None and from_ledger:
            raise UsageError("a plan from the ledger cannot be saved: nobody looked at what is live")
        with open_session(project_root(project), env, os.environ) as session:
            chosen = chosen_indexes(session.project, tuple(names or ()))
            require_sound(session.project)
            plans = plan_indexes(session, chosen, from_ledger=from_ledger)
            fits = all(p.fits for p in plans)
            if out is not None and fits:
                save_plan(session, plans, out.expanduser())
        changed = [p.plan.name for p in plans if p.changed]
        if form is Format.markdown:
            text = plans_markdown(plans).rstrip("\n")
        else:
            text = "\n\n".join(render_planned(p, style_for(output)) for p in plans)
        data = {"changed": changed, "plans": {p.plan.name: planned_data(p) for p in plans}}
        problems = tuple(problem for p in plans for problem in p.problems)
        code = 1 if not fits else CHANGES_PRESENT if changed and detailed_exitcode else 0
        return Answer(data, text, code, problems)

    carry_out("plan", output, work)


def status(
    names: Names = None,
    wait: Annotated[
        bool, typer.Option("--wait", help="First wait until no candidate that is meant is being filled.")
    ] = False,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    output: OutputOption = Output.text,
) -> None:
    """Show what is live, since when, and how its candidate stands."""

    def work() -> Answer:
        from azsearch_ops.reporting.data import status_data
        from azsearch_ops.reporting.terminal import render_status
        from azsearch_ops.verbs.session import chosen_indexes, open_session
        from azsearch_ops.verbs.shipping.building import wait_for_build
        from azsearch_ops.verbs.shipping.looking import status_one

        with open_session(project_root(project), env, os.environ) as session:
            chosen = chosen_indexes(session.project, tuple(names or ()))
            for index in chosen if wait else ():
                wait_for_build(session, index, talk_for(output, False).report)
            found = tuple(status_one(session, i) for i in chosen)
            data = status_data(found, session.service.endpoint, env)
        return Answer(data, render_status(found, style_for(output)))

    carry_out("status", output, work)


def history(
    name: Name, project: ProjectOption = HERE, env: EnvironmentOption = "local", output: OutputOption = Output.text
) -> None:
    """List the releases, newest first."""

    def work() -> Answer:
        from azsearch_ops.reporting.terminal import render_history
        from azsearch_ops.verbs.session import chosen_indexes, open_session
        from azsearch_ops.verbs.shipping.looking import history_of

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
        from azsearch_ops.verbs.session import chosen_indexes, open_session
        from azsearch_ops.verbs.shipping.looking import settings_of

        with open_session(project_root(project), env, os.environ) as session:
            data: dict[str, Any] = settings_of(session, chosen_indexes(session.project, (name,))[0])
        return Answer(data, json.dumps(data, indent=2, ensure_ascii=False))

    carry_out("settings", output, work)


COMMANDS: tuple[Callable[..., None], ...] = (plan, status, history, settings)
