"""`azsearch-ops local …`: the local service as a process."""

from __future__ import annotations

from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from azsearch_ops.cli import local_model
from azsearch_ops.cli.options import HERE, Output, OutputOption, ProjectOption
from azsearch_ops.cli.running import Answer, carry_out, project_root

if TYPE_CHECKING:
    from azsearch_ops.verbs.local.finding import LocalService

app = typer.Typer(no_args_is_help=True, help="The local service: Azure AI Search on this machine, without Azure.")
app.add_typer(local_model.app, name="model")

DataOption = Annotated[
    Path | None, typer.Option("--data", metavar="DIR", help="Its state.", show_default=".azsearch/local")
]


class SemanticRanker(StrEnum):
    """What may stand in for Azure's semantic ranker."""

    stand_in = "stand-in"


def _data(data: Path | None, project: Path) -> Path:
    from azsearch_ops.verbs.local.service import DATA

    return data.expanduser().resolve() if data is not None else project_root(project) / DATA


def _ranked(running: LocalService) -> str:
    return f"  {running.semantic_ranker} semantic ranker" if running.semantic_ranker else ""


@app.command()
def start(
    data: DataOption = None,
    port: Annotated[int, typer.Option("--port", metavar="N", min=0, max=65535, help="0: any free port.")] = 0,
    key: Annotated[str | None, typer.Option("--key", metavar="KEY", help="Its key; made up without one.")] = None,
    containers: Annotated[
        Path | None, typer.Option("--containers", metavar="DIR", help="Folders that answer as blob containers.")
    ] = None,
    semantic_ranker: Annotated[
        SemanticRanker | None, typer.Option("--semantic-ranker", help="What answers semantic queries, else refused.")
    ] = None,
    role_key: Annotated[
        list[str] | None,
        typer.Option(
            "--role-key", metavar="KEY=ROLE,…", help="A key with these roles only (ROLE@INDEX: there); repeat."
        ),
    ] = None,
    project: ProjectOption = HERE,
    output: OutputOption = Output.text,
) -> None:
    """Start it in the background; one that runs on the same data is found, not started twice."""
    from azsearch_ops.verbs.local.roles import grant_local, parse_role_keys
    from azsearch_ops.verbs.local.service import start_local

    def work() -> Answer:
        grants = parse_role_keys(role_key or ())
        folder = containers.expanduser().resolve() if containers is not None else None
        ranker = semantic_ranker.value if semantic_ranker else None
        running = start_local(_data(data, project), port=port, key=key, containers=folder, semantic_ranker=ranker)
        if grants:
            grant_local(running, grants)
        verb = "started" if running.started else "runs already"
        return Answer(
            asdict(running),
            f"local service {verb}: {running.endpoint}  key {running.key}  pid {running.pid}{_ranked(running)}",
        )

    carry_out("local start", output, work)


@app.command()
def stop(data: DataOption = None, project: ProjectOption = HERE, output: OutputOption = Output.text) -> None:
    """End it; its state stays."""
    from azsearch_ops.verbs.local.service import stop_local

    def work() -> Answer:
        stopped = stop_local(_data(data, project))
        text = f"local service stopped: {stopped.endpoint}" if stopped else "no local service runs on this data"
        return Answer({"stopped": asdict(stopped) if stopped else None}, text)

    carry_out("local stop", output, work)


@app.command()
def status(data: DataOption = None, project: ProjectOption = HERE, output: OutputOption = Output.text) -> None:
    """Tell whether it runs, and where."""
    from azsearch_ops.verbs.local.finding import find_local

    def work() -> Answer:
        running = find_local(_data(data, project))
        text = "no local service runs"
        if running:
            text = f"local service runs: {running.endpoint}  pid {running.pid}{_ranked(running)}"
        return Answer({"running": asdict(running) if running else None}, text)

    carry_out("local status", output, work)


@app.command()
def reset(data: DataOption = None, project: ProjectOption = HERE, output: OutputOption = Output.text) -> None:
    """Delete everything that it holds."""
    from azsearch_ops.verbs.local.service import reset_local

    def work() -> Answer:
        running = reset_local(_data(data, project))
        text = f"local service emptied: {running.endpoint}" if running else "no local service runs; its data is deleted"
        return Answer({"reset": asdict(running) if running else None}, text)

    carry_out("local reset", output, work)
