"""The sub-commands of `azsearch-ops`, and the exit code for wrong usage."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Annotated, Final

import typer

from azsearch_ops.cli import (
    adopt,
    chunk,
    doctor,
    drift,
    env,
    evaluate,
    github,
    local,
    look,
    measure,
    offline,
    prune,
    queries,
    query,
    release,
    report,
    schema,
    ship,
    threshold,
)
from azsearch_ops.errors import Problem
from azsearch_ops.reporting.envelope import as_json, envelope

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Search configuration as code for Azure AI Search: plan, candidate index, retrieval gate, alias swap.",
    epilog="Exit codes: 0 done or nothing to do; 1 error; 2 changes present (--detailed-exitcode); 3 gate not passed "
    "or held; 4 conflict or stale plan; 5 service unreachable; 130 interrupted.",
)
app.add_typer(local.app, name="local")
app.add_typer(github.app, name="github")
app.add_typer(env.app, name="env")
app.add_typer(queries.app, name="queries")
for group in (
    adopt,
    offline,
    chunk,
    look,
    ship,
    release,
    drift,
    prune,
    evaluate,
    measure,
    query,
    threshold,
    report,
    schema,
    doctor,
):
    for command in group.COMMANDS:
        app.command()(command)


# Typer brings a click of its own along, or uses the one that is installed, by its version; this is the one in use.
UsageFault: Final[type[Exception]] = typer.BadParameter.__mro__[2]


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version  # Slow to import

        print(version("azsearch-ops"))
        raise typer.Exit


@app.callback()
def root(
    show_version: Annotated[
        bool,
        typer.Option("--version", is_eager=True, callback=_show_version, help="Print the version and leave."),
    ] = False,
) -> None:
    """Options that stand before a command."""


def run(arguments: Sequence[str]) -> int:
    """Carry out a command line and return its exit code; wrong usage is 1, since 2 means that changes are present."""
    try:
        return int(app(args=list(arguments), standalone_mode=False) or 0)
    except UsageFault as wrong:
        code = int(type(wrong).__name__ != "NoArgsIsHelpError")
        if code and _wants_json(arguments):
            problem = Problem("usage", wrong.format_message())  # type: ignore[attr-defined]  # of UsageFault
            data = {"error": {"code": problem.code, "message": problem.message, "hint": ""}}
            print(as_json(envelope(_command_of(wrong), "usage", code, data, (problem,))))
        else:
            wrong.show() if code else print(wrong)  # type: ignore[attr-defined]  # of UsageFault
        return code
    except typer.Abort:
        raise KeyboardInterrupt from None


def _wants_json(arguments: Sequence[str]) -> bool:
    """Whether the last `--output` of a command line that could not be read asks for JSON."""
    wanted = ""
    for option, value in pairwise((*arguments, "")):
        if option == "--output" or option.startswith("--output="):
            wanted = option.partition("=")[2] or value
    return wanted == "json"


def _command_of(wrong: Exception) -> str:
    """The command as far as it was understood, such as `local start`."""
    context = getattr(wrong, "ctx", None)
    return "" if context is None else str(context.command_path).partition(" ")[2]
