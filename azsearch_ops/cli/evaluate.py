"""`evaluate`: candidate against live; or, without a project, any existing index or two of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from azsearch_ops.cli.options import (
    HERE,
    AcceptYardstickOption,
    BaseOption,
    EnvironmentOption,
    Output,
    OutputOption,
    ProjectOption,
)
from azsearch_ops.cli.running import Answer, carry_out, project_root
from azsearch_ops.cli.talking import talk_for
from azsearch_ops.errors import UsageError

_ANY = "Any existing index"
GATE_NOT_PASSED = 3


def evaluate(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Name of an index definition.")] = None,
    self_: Annotated[
        bool, typer.Option("--self", help="Live against itself: 0 changed, or this says what differs.")
    ] = False,
    base: BaseOption = None,
    accept_yardstick: AcceptYardstickOption = None,
    modes: Annotated[bool, typer.Option("--modes", help="Also as text, vector, hybrid, semantic.")] = False,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    output: OutputOption = Output.text,
    index: Annotated[
        list[str] | None,
        typer.Option("--index", metavar="INDEX", help="Twice: the second is the candidate.", rich_help_panel=_ANY),
    ] = None,
    queries: Annotated[
        Path | None, typer.Option("--queries", metavar="FILE", help="The query set.", rich_help_panel=_ANY)
    ] = None,
    qrels: Annotated[
        Path | None, typer.Option("--qrels", metavar="FILE", help="Judgements of TREC topics.", rich_help_panel=_ANY)
    ] = None,
    settings: Annotated[
        Path | None,
        typer.Option("--settings", metavar="FILE", help="A search request with {{query}}.", rich_help_panel=_ANY),
    ] = None,
    endpoint: Annotated[
        str | None, typer.Option(envvar="AZSEARCH_ENDPOINT", help="Key: AZSEARCH_KEY.", rich_help_panel=_ANY)
    ] = None,
    api_version: Annotated[str | None, typer.Option("--api-version", rich_help_panel=_ANY)] = None,
    mode: Annotated[
        str | None, typer.Option("--mode", help="text (if not said), vector or hybrid.", rich_help_panel=_ANY)
    ] = None,
    vector_field: Annotated[list[str] | None, typer.Option("--vector-field", rich_help_panel=_ANY)] = None,
    semantic: Annotated[
        str | None, typer.Option("--semantic", help="Semantic configuration for --modes.", rich_help_panel=_ANY)
    ] = None,
    key_field: Annotated[str | None, typer.Option("--key-field", rich_help_panel=_ANY)] = None,
    document_field: Annotated[str | None, typer.Option("--document-field", rich_help_panel=_ANY)] = None,
    text_field: Annotated[str | None, typer.Option("--text-field", rich_help_panel=_ANY)] = None,
    metric: Annotated[
        list[str] | None, typer.Option("--metric", help="Such as recall@2000t; repeat.", rich_help_panel=_ANY)
    ] = None,
    floor: Annotated[
        list[str] | None, typer.Option("--floor", metavar="METRIC=VALUE", help="Repeat.", rich_help_panel=_ANY)
    ] = None,
    embedding_window: Annotated[
        int | None, typer.Option("--embedding-window", help="Tokens that the model reads.", rich_help_panel=_ANY)
    ] = None,
) -> None:
    """Measure the built candidate against live, or any index; exit code 3 unless the gate passes."""
    talk = talk_for(output, yes=False, root=None if name is None else project_root(project))

    def of_project() -> Answer:
        from azsearch_ops.reporting.data import evaluation_data
        from azsearch_ops.reporting.modes import modes_data
        from azsearch_ops.verbs.modes_of_project import modes_one
        from azsearch_ops.verbs.session import open_session
        from azsearch_ops.verbs.steps import evaluate_live_twice, evaluate_one
        from azsearch_ops.verbs.yardstick import Ruling

        with open_session(project_root(project), env, os.environ) as session:
            if self_:
                outcome = evaluate_live_twice(session, str(name), talk)
            else:
                outcome = evaluate_one(session, str(name), talk, Ruling(base, accept_yardstick))
            table = modes_one(session, str(name), talk) if modes else None
        passed = outcome.verdict.outcome == "pass" and not outcome.tainted
        if self_:  # A gate lets small differences pass; here there should be none
            passed = passed and not (outcome.evaluation.better or outcome.evaluation.worse)
        data = evaluation_data(outcome)
        if table is not None:
            data["modes"] = modes_data(table)
        return Answer(data, exit_code=0 if passed else GATE_NOT_PASSED)

    def of_any_index() -> Answer:
        from azsearch_ops.reporting.any_index import any_index_data
        from azsearch_ops.verbs.any_index import METRICS, AnyIndex, floors_of
        from azsearch_ops.verbs.any_service import measure_any

        if queries is None:
            raise UsageError("--index needs --queries FILE", hint="YAML, JSON lines, CSV, or TREC topics with --qrels")
        wanted = AnyIndex(
            indexes=tuple(index or ()),
            queries=queries,
            qrels=qrels,
            settings=settings,
            mode=mode,
            vector_fields=tuple(vector_field or ()),
            semantic=semantic,
            key_field=key_field,
            document_field=document_field,
            text_field=text_field,
            metrics=tuple(metric or METRICS),
            floors=floors_of(floor or ()),
            window=embedding_window,
            modes=modes,
        )
        result = measure_any(endpoint, api_version, os.environ, wanted, talk)
        return Answer(any_index_data(result), exit_code=result.exit_code)

    def work() -> Answer:
        if (name is None) == (index is None):
            raise UsageError("evaluate what?", hint="evaluate NAME, or evaluate --index INDEX --queries FILE")
        return of_project() if name is not None else of_any_index()

    carry_out("evaluate", output, work)


COMMANDS: tuple[Callable[..., None], ...] = (evaluate,)
