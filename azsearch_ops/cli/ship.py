"""`ship`: the main job."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Annotated

import typer

from azsearch_ops.cli.options import (
    HERE,
    AcceptBreakingOption,
    AcceptYardstickOption,
    BaseOption,
    EnvironmentOption,
    LiftHoldOption,
    Names,
    Output,
    OutputOption,
    PlanOption,
    ProjectOption,
    ReasonOption,
    YesOption,
)
from azsearch_ops.cli.running import Answer, carry_out, project_root
from azsearch_ops.cli.talking import talk_for

SEVERITY = (1, 5, 4, 3)  # Of several names the most severe code counts


def ship(
    names: Names = None,
    changed: Annotated[bool, typer.Option("--changed", help="Only definitions whose plan has changes.")] = False,
    plan: PlanOption = None,
    lift_hold: LiftHoldOption = False,
    accept_breaking: AcceptBreakingOption = False,
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
        from azsearch_ops.verbs.evaluating.yardstick import Ruling
        from azsearch_ops.verbs.session import open_session
        from azsearch_ops.verbs.shipping.saved_plans import load_plan
        from azsearch_ops.verbs.shipping.shipping_many import ship_all

        ruling, lifted = Ruling(base, accept_yardstick), (reason or "") if lift_hold else None
        saved = load_plan(plan) if plan is not None else None
        talk = talk_for(output, yes, project_root(project))
        with open_session(project_root(project), env, os.environ) as session:
            outcomes = ship_all(
                session,
                tuple(names or ()),
                talk,
                lift_hold=lifted,
                accept_breaking=(reason or "") if accept_breaking else None,
                ruling=ruling,
                saved=saved,
                only_changed=changed,
            )
        codes = {o.exit_code for o in outcomes}
        data = [ship_data(o) for o in outcomes]
        return Answer(
            data[0] if len(data) == 1 else {"indexes": {d["name"]: d for d in data}},
            None if outcomes else "nothing has changed",
            exit_code=next((code for code in SEVERITY if code in codes), 0),
        )

    carry_out("ship", output, work)


COMMANDS: tuple[Callable[..., None], ...] = (ship,)
