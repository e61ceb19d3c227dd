"""`evaluate`: candidate against live; or, without a project, any existing index or two of them."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from azsearch_ops.cli import any_options
from azsearch_ops.cli.options import (
    HERE,
    AcceptYardstickOption,
    BaseOption,
    EnvironmentOption,
    Output,
    OutputOption,
    PlanOption,
    ProjectOption,
)
from azsearch_ops.cli.running import Answer, carry_out, project_root, style_for
from azsearch_ops.cli.talking import talk_for
from azsearch_ops.errors import UsageError

GATE_NOT_PASSED = 3


def evaluate(
    name: Annotated[str | None, typer.Argument(metavar="[NAME]", help="Name of an index definition.")] = None,
    self_: Annotated[
        bool, typer.Option("--self", help="Live against itself: 0 changed, or this says what differs.")
    ] = False,
    plan: PlanOption = None,
    base: BaseOption = None,
    accept_yardstick: AcceptYardstickOption = None,
    modes: Annotated[bool, typer.Option("--modes", help="Also as text, vector, hybrid, semantic.")] = False,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    output: OutputOption = Output.text,
    index: any_options.IndexOption = None,
    queries: any_options.QueriesOption = None,
    qrels: any_options.QrelsOption = None,
    settings: any_options.SettingsOption = None,
    endpoint: any_options.EndpointOption = None,
    api_version: any_options.ApiVersionOption = None,
    mode: any_options.ModeOption = None,
    vector_field: any_options.VectorFieldOption = None,
    semantic: any_options.SemanticOption = None,
    key_field: any_options.KeyFieldOption = None,
    document_field: any_options.DocumentFieldOption = None,
    text_field: any_options.TextFieldOption = None,
    metric: any_options.MetricOption = None,
    floor: any_options.FloorOption = None,
    embedding_window: any_options.EmbeddingWindowOption = None,
    missing_documents: any_options.MissingDocumentsOption = any_options.Missing.skip,
    out: any_options.OutOption = None,
) -> None:
    """Measure the built candidate against live, or any index; exit code 3 unless the gate passes."""
    talk = talk_for(output, yes=False, root=Path.cwd() if name is None else project_root(project))

    def of_project() -> Answer:
        from azsearch_ops.reporting.data import evaluation_data
        from azsearch_ops.reporting.evaluations import next_lines
        from azsearch_ops.reporting.modes import modes_data
        from azsearch_ops.verbs.evaluating.modes_of_project import modes_one
        from azsearch_ops.verbs.evaluating.yardstick import Ruling
        from azsearch_ops.verbs.session import open_session
        from azsearch_ops.verbs.shipping.saved_plans import load_plan
        from azsearch_ops.verbs.shipping.steps import evaluate_live_twice, evaluate_one

        saved = load_plan(plan) if plan is not None else None
        with open_session(project_root(project), env, os.environ) as session:
            if self_:
                outcome = evaluate_live_twice(session, str(name), talk)
            else:
                outcome = evaluate_one(session, str(name), talk, Ruling(base, accept_yardstick), saved)
            table = modes_one(session, str(name), talk) if modes else None
        passed = outcome.verdict.outcome == "pass" and not outcome.tainted
        if self_:  # A gate lets small differences pass; here there should be none
            passed = passed and not (outcome.evaluation.better or outcome.evaluation.worse)
        data = evaluation_data(outcome)
        if table is not None:
            data["modes"] = modes_data(table)
        told = "\n".join(next_lines(str(name), outcome, style_for(output, project_root(project)))) if not self_ else ""
        return Answer(data, told or None, 0 if passed else GATE_NOT_PASSED)

    def of_any_index() -> Answer:
        from azsearch_ops.reporting.any_index import any_index_data
        from azsearch_ops.verbs.any_index.policy import METRICS, floors_of
        from azsearch_ops.verbs.any_index.service import measure_any
        from azsearch_ops.verbs.any_index.wanted import AnyIndex
        from azsearch_ops.verbs.any_index.window import told_windows

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
            windows=told_windows(embedding_window or (), index or ()),
            modes=modes,
            missing=missing_documents.value,
            root=Path.cwd(),
            out=out,
        )
        result = measure_any(endpoint, api_version, os.environ, wanted, talk)
        return Answer(any_index_data(result), None, result.exit_code, result.problems)

    def work() -> Answer:
        if plan is not None and (name is None or self_):
            raise UsageError("--plan goes with the NAME of an index definition")
        if (name is None) == (index is None):
            raise UsageError("evaluate what?", hint="evaluate NAME, or evaluate --index INDEX --queries FILE")
        return of_project() if name is not None else of_any_index()

    carry_out("evaluate", output, work)


COMMANDS: tuple[Callable[..., None], ...] = (evaluate,)
