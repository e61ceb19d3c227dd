"""Options that every command takes, spelled once."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class Output(StrEnum):
    """How a result is written to standard output."""

    text = "text"
    json = "json"


class Format(StrEnum):
    """How text is drawn: for a terminal, or for a comment."""

    text = "text"
    markdown = "markdown"


ProjectOption = Annotated[
    Path, typer.Option("--project", metavar="DIR", help="The project's folder.", show_default="this folder")
]
EnvironmentOption = Annotated[
    str, typer.Option("--env", metavar="NAME", envvar="AZSEARCH_ENV", help="infra/environments/NAME.yaml.")
]
OutputOption = Annotated[Output, typer.Option("--output", help="Text for people, or one JSON document.")]
YesOption = Annotated[bool, typer.Option("--yes", help="Do not ask, also in a protected environment.")]
Names = Annotated[list[str] | None, typer.Argument(metavar="[NAME]...", help="Index definitions; all without one.")]
Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of an index definition.")]
ReasonOption = Annotated[str | None, typer.Option("--reason", metavar="TEXT", help="Why; kept in the ledger.")]
PlanOption = Annotated[
    Path | None,
    typer.Option("--plan", metavar="FILE", help="Do exactly what `plan --out FILE` saved, or exit 4."),
]
BaseOption = Annotated[
    str | None,
    typer.Option(
        "--base",
        metavar="REF",
        help="Revision whose query set and gate count too.",
        show_default="where this branch left main, or the released commit",
    ),
]
AcceptYardstickOption = Annotated[
    str | None,
    typer.Option("--accept-yardstick", metavar="REASON", help="Let the changed query set or gate count alone."),
]
LiftHoldOption = Annotated[
    bool, typer.Option("--lift-hold", help="Ship a release that was rolled back; needs --reason.")
]
AcceptBreakingOption = Annotated[
    bool, typer.Option("--accept-breaking", help="Ship what breaks those who use the alias; needs --reason.")
]
FormatOption = Annotated[Format, typer.Option("--format", help="Text for a terminal, or Markdown for a comment.")]
HERE = Path()
