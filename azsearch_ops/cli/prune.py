"""`prune`: delete what retention allows."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict
from typing import Annotated

import typer

from azsearch_ops.cli.options import HERE, EnvironmentOption, Names, Output, OutputOption, ProjectOption
from azsearch_ops.cli.running import Answer, carry_out, project_root, style_for
from azsearch_ops.errors import UsageError


def prune(
    names: Names = None,
    drop_claim: Annotated[
        str | None, typer.Option("--drop-claim", metavar="TEXT", help="Give up this claim first: its branch is gone.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Only say what would be deleted; so without --yes.")
    ] = False,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    yes: Annotated[bool, typer.Option("--yes", help="Delete; without it nothing is changed.")] = False,
    output: OutputOption = Output.text,
) -> None:
    """Delete candidates and old indexes that have no alias, no claim and no referrer, and are past their retention."""

    def work() -> Answer:
        from azsearch_ops.reporting.prunes import render_prune
        from azsearch_ops.verbs.session import chosen_indexes, open_session
        from azsearch_ops.verbs.shipping.pruning import prune_one

        if yes and dry_run:
            raise UsageError("--yes and --dry-run exclude each other")
        with open_session(project_root(project), env, os.environ) as session:
            chosen = chosen_indexes(session.project, tuple(names or ()))
            outcomes = [prune_one(session, index, delete=yes, drop=drop_claim) for index in chosen]
        data = {"deleted": yes, "indexes": {o.name: asdict(o) for o in outcomes}}
        text = render_prune(outcomes, style_for(output))
        return Answer(data, text, max((o.exit_code for o in outcomes), default=0))

    carry_out("prune", output, work)


COMMANDS: tuple[Callable[..., None], ...] = (prune,)
