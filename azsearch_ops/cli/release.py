"""Commands that build and move: build, promote, ship, rollback."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated

import typer

from azsearch_ops.cli.options import (
    HERE,
    AcceptYardstickOption,
    BaseOption,
    EnvironmentOption,
    Name,
    Names,
    Output,
    OutputOption,
    ProjectOption,
    ReasonOption,
    YesOption,
)
from azsearch_ops.cli.running import Answer, carry_out, project_root
from azsearch_ops.cli.talking import talk_for

SEVERITY = (1, 5, 4, 3)  # Of several names the most severe code counts


def build(
    name: Name,
    no_wait: Annotated[
        bool, typer.Option("--no-wait", help="Only start it; `status NAME --wait` waits, `build NAME` goes on.")
    ] = False,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    yes: YesOption = False,
    output: OutputOption = Output.text,
) -> None:
    """Build the candidate beside live, fill it, wait for it and check it."""

    def work() -> Answer:
        from azsearch_ops.verbs.session import open_session
        from azsearch_ops.verbs.steps import begin_one, build_one

        with open_session(project_root(project), env, os.environ) as session:
            if no_wait:
                candidate = begin_one(session, name, talk_for(output, yes))
                return Answer({"name": name, "candidate": candidate}, f"{candidate} is being filled")
            built = build_one(session, name, talk_for(output, yes))
        return Answer(asdict(built))

    carry_out("build", output, work)


def promote(
    name: Name,
    accept_undecided: Annotated[
        bool, typer.Option("--accept-undecided", help="Promote what the gate could not decide; needs --reason.")
    ] = False,
    reason: ReasonOption = None,
    base: BaseOption = None,
    accept_yardstick: AcceptYardstickOption = None,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    yes: YesOption = False,
    output: OutputOption = Output.text,
) -> None:
    """Move the alias, only with a passing evaluation of exactly this candidate against exactly this live."""

    def work() -> Answer:
        from azsearch_ops.verbs.session import open_session
        from azsearch_ops.verbs.steps import promote_one
        from azsearch_ops.verbs.yardstick import Ruling

        ruling = Ruling(base, accept_yardstick)
        accepted = (reason or "") if accept_undecided else None
        with open_session(project_root(project), env, os.environ) as session:
            moved = promote_one(session, name, talk_for(output, yes), accept_undecided=accepted, ruling=ruling)
        return Answer(asdict(moved))

    carry_out("promote", output, work)


def ship(
    names: Names = None,
    lift_hold: Annotated[
        bool, typer.Option("--lift-hold", help="Ship a release that was rolled back; needs --reason.")
    ] = False,
    reason: ReasonOption = None,
    base: BaseOption = None,
    accept_yardstick: AcceptYardstickOption = None,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    yes: YesOption = False,
    output: OutputOption = Output.text,
) -> None:
    """Plan, build beside live, evaluate both, and move the alias only when the gate passes."""

    def work() -> Answer:
        from azsearch_ops.reporting.data import ship_data
        from azsearch_ops.verbs.session import open_session
        from azsearch_ops.verbs.steps import ship_all
        from azsearch_ops.verbs.yardstick import Ruling

        ruling, lifted = Ruling(base, accept_yardstick), (reason or "") if lift_hold else None
        talk = talk_for(output, yes, project_root(project))
        with open_session(project_root(project), env, os.environ) as session:
            outcomes = ship_all(session, tuple(names or ()), talk, lift_hold=lifted, ruling=ruling)
        codes = {o.exit_code for o in outcomes}
        data = [ship_data(o) for o in outcomes]
        return Answer(
            data[0] if len(data) == 1 else {"indexes": {d["name"]: d for d in data}},
            exit_code=next((code for code in SEVERITY if code in codes), 0),
        )

    carry_out("ship", output, work)


def rollback(
    name: Name,
    to: Annotated[int | None, typer.Option("--to", metavar="RELEASE", help="Which release; the one before.")] = None,
    reason: ReasonOption = None,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    yes: YesOption = False,
    output: OutputOption = Output.text,
) -> None:
    """Put alias, settings and bodies back, and hold the release that is left."""

    def work() -> Answer:
        from azsearch_ops.verbs.session import open_session
        from azsearch_ops.verbs.steps import roll_back_one

        with open_session(project_root(project), env, os.environ) as session:
            outcome = roll_back_one(session, name, talk_for(output, yes), to=to, reason=reason)
        return Answer(asdict(outcome))

    carry_out("rollback", output, work)


COMMANDS: tuple[Callable[..., None], ...] = (build, promote, ship, rollback)
