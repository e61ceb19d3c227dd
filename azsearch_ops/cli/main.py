"""The `azsearch-ops` command: its sub-commands, and the exit code for wrong usage."""

from __future__ import annotations

import sys
from typing import Annotated, Final

import typer

from azsearch_ops.cli import (
    adopt,
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


def main() -> None:
    """Entry point of the console script; wrong usage is exit code 1, since 2 means that changes are present."""
    try:
        code = app(standalone_mode=False)
    except UsageFault as wrong:
        code = int(type(wrong).__name__ != "NoArgsIsHelpError")
        wrong.show() if code else print(wrong)  # type: ignore[attr-defined]
    except typer.Abort:
        print("interrupted: what is done is kept; run the command again to go on", file=sys.stderr)
        code = 130
    sys.exit(code or 0)


if __name__ == "__main__":
    main()
