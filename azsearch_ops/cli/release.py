"""Commands that build and move: build, promote, rollback."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from azsearch_ops.cli.options import (
    HERE,
    AcceptBreakingOption,
    AcceptYardstickOption,
    BaseOption,
    EnvironmentOption,
    LiftHoldOption,
    Name,
    Output,
    OutputOption,
    PlanOption,
    ProjectOption,
    ReasonOption,
    YesOption,
)
from azsearch_ops.cli.running import Answer, carry_out, project_root
from azsearch_ops.cli.talking import talk_for


def build(
    name: Name,
    no_wait: Annotated[
        bool, typer.Option("--no-wait", help="Only start it; `status NAME --wait` waits, `build NAME` goes on.")
    ] = False,
    claim: Annotated[
        str | None, typer.Option("--claim", metavar="TEXT", help="Keep it from `prune`: a branch, a pull request.")
    ] = None,
    claim_expires: Annotated[
        str, typer.Option("--claim-expires", metavar="SPAN", help="For how long: 7d, 12h.")
    ] = "7d",
    plan: PlanOption = None,
    lift_hold: LiftHoldOption = False,
    accept_breaking: AcceptBreakingOption = False,
    reason: ReasonOption = None,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    yes: YesOption = False,
    output: OutputOption = Output.text,
) -> None:
    """Build the candidate beside live, fill it, wait for it and check it."""

    def work() -> Answer:
        from azsearch_ops.verbs.session import open_session
        from azsearch_ops.verbs.shipping.claiming import parse_claim
        from azsearch_ops.verbs.shipping.saved_plans import load_plan
        from azsearch_ops.verbs.shipping.steps import begin_one, build_one

        wanted, lifted = parse_claim(claim, claim_expires), (reason or "") if lift_hold else None
        saved = load_plan(plan) if plan is not None else None
        broken = (reason or "") if accept_breaking else None
        with open_session(project_root(project), env, os.environ) as session:
            if no_wait:
                candidate, filled = begin_one(session, name, talk_for(output, yes), wanted, saved, lifted, broken)
                told = "is being filled" if filled else "serves, and is measured as it is: there is nothing to build"
                return Answer({"name": name, "candidate": candidate}, f"{candidate} {told}")
            built = build_one(session, name, talk_for(output, yes), wanted, saved, lifted, broken)
        return Answer(asdict(built))

    carry_out("build", output, work)


def promote(
    name: Name,
    accept_undecided: Annotated[
        bool, typer.Option("--accept-undecided", help="Promote what the gate could not decide; needs --reason.")
    ] = False,
    accept_breaking: AcceptBreakingOption = False,
    reason: ReasonOption = None,
    plan: PlanOption = None,
    evaluation: Annotated[
        Path | None,
        typer.Option("--evaluation", metavar="FILE", help="The record that was approved; any other is exit 4."),
    ] = None,
    base: BaseOption = None,
    accept_yardstick: AcceptYardstickOption = None,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    yes: YesOption = False,
    output: OutputOption = Output.text,
) -> None:
    """Move the alias, only with a passing evaluation of exactly this candidate against exactly this live."""

    def work() -> Answer:
        from azsearch_ops.verbs.evaluating.yardstick import Ruling
        from azsearch_ops.verbs.session import open_session
        from azsearch_ops.verbs.shipping.approved import read_evaluation
        from azsearch_ops.verbs.shipping.saved_plans import load_plan
        from azsearch_ops.verbs.shipping.steps import promote_one

        ruling = Ruling(base, accept_yardstick)
        accepted = (reason or "") if accept_undecided else None
        saved = load_plan(plan) if plan is not None else None
        approved = read_evaluation(evaluation.expanduser()) if evaluation is not None else None
        with open_session(project_root(project), env, os.environ) as session:
            moved = promote_one(
                session,
                name,
                talk_for(output, yes),
                accept_undecided=accepted,
                ruling=ruling,
                saved=saved,
                approved=approved,
                accept_breaking=(reason or "") if accept_breaking else None,
            )
        return Answer(asdict(moved))

    carry_out("promote", output, work)


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
        from azsearch_ops.verbs.shipping.steps import roll_back_one

        with open_session(project_root(project), env, os.environ) as session:
            outcome = roll_back_one(session, name, talk_for(output, yes), to=to, reason=reason)
        return Answer(asdict(outcome))

    carry_out("rollback", output, work)


COMMANDS: tuple[Callable[..., None], ...] = (build, promote, rollback)
