"""`azsearch-ops queries …`: look after query sets."""

from __future__ import annotations

import os
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from azsearch_ops.cli import accepting, judging
from azsearch_ops.cli.options import HERE, EnvironmentOption, Name, Output, OutputOption, ProjectOption
from azsearch_ops.cli.running import Answer, carry_out, project_root, style_for

app = typer.Typer(no_args_is_help=True, help="Query sets: check, convert, draft, accept, judge, from logs.")
app.command()(judging.judge)
app.command()(accepting.accept)


class Form(StrEnum):
    """A form of query sets."""

    yaml = "yaml"
    jsonl = "jsonl"
    csv = "csv"
    tsv = "tsv"
    trec = "trec"
    foundry = "foundry"


QrelsOption = Annotated[
    Path | None, typer.Option("--qrels", metavar="FILE", help="Judgements, where FILE holds TREC topics.")
]


@app.command()
def check(
    target: Annotated[str, typer.Argument(metavar="NAME|FILE", help="An index definition, or a query set.")],
    qrels: QrelsOption = None,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    output: OutputOption = Output.text,
) -> None:
    """Hold a query set against itself and the documents: counts, anchoring, near-duplicates, wording, long excerpts."""

    def work() -> Answer:
        from azsearch_ops.reporting.query_sets import render_check
        from azsearch_ops.verbs.query_sets.checking import check_queries

        found = check_queries(project_root(project), target, env, os.environ, qrels)
        data = {key: value for key, value in asdict(found).items() if key != "problems"}
        return Answer(data, render_check(found, style_for(output)), found.exit_code, found.problems)

    carry_out("queries check", output, work)


@app.command()
def convert(
    source: Annotated[Path, typer.Argument(metavar="IN", help="A query set; its form is told by its name.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="The file to write; never one that is there.")],
    to: Annotated[Form | None, typer.Option("--to", help="Its form.", show_default="by the name of OUT")] = None,
    qrels: QrelsOption = None,
    qrels_out: Annotated[
        Path | None, typer.Option("--qrels-out", metavar="FILE", help="Judgements to write, beside TREC topics.")
    ] = None,
    project: ProjectOption = HERE,
    output: OutputOption = Output.text,
) -> None:
    """Write a query set in another form, and say what that form cannot hold."""

    def work() -> Answer:
        from azsearch_ops.reporting.query_sets import render_converted
        from azsearch_ops.verbs.query_sets.checking import convert_queries

        form = to.value if to is not None else ""
        done = convert_queries(source, target, form, project_root(project), qrels, qrels_out)
        return Answer(asdict(done), render_converted(done))

    carry_out("queries convert", output, work)


@app.command()
def draft(
    name: Name,
    limit: Annotated[int, typer.Option("--limit", min=1, help="At most so many drafts.")] = 20,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Where to.", show_default="the query set's file")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show them only.")] = False,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    output: OutputOption = Output.text,
) -> None:
    """Propose questions from headings, definitions and tables: drafts, which count nowhere until they are accepted."""

    def work() -> Answer:
        from azsearch_ops.reporting.query_sets import render_drafts
        from azsearch_ops.verbs.query_sets.drafting import draft_queries

        made = draft_queries(project_root(project), name, env, os.environ, limit=limit, out=out, dry_run=dry_run)
        return Answer(asdict(made), render_drafts(made, style_for(output), dry_run=dry_run))

    carry_out("queries draft", output, work)


@app.command("from-log")
def from_log(
    log: Annotated[Path, typer.Argument(metavar="FILE", help="JSON lines, CSV with a head, or a question a line.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The unlabelled query set.")] = Path("log.yaml"),
    field: Annotated[str | None, typer.Option("--field", metavar="NAME", help="Key or column of the question.")] = None,
    least: Annotated[int, typer.Option("--min-count", min=1, help="Leave out what was asked less often.")] = 1,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="The most frequent so many.")] = None,
    drop_masked: Annotated[
        bool, typer.Option("--drop-masked", help="Leave out questions that seem to hold personal data.")
    ] = False,
    project: ProjectOption = HERE,
    output: OutputOption = Output.text,
) -> None:
    """Make an unlabelled query set of a log: one spelling each, counted, personal data with a form masked."""

    def work() -> Answer:
        from azsearch_ops.reporting.query_sets import render_from_log
        from azsearch_ops.verbs.query_sets.logs import queries_from_log

        root = project_root(project)
        made = queries_from_log(root, log, out, field=field, least=least, limit=limit, drop_masked=drop_masked)
        return Answer(asdict(made), render_from_log(made, style_for(output)), 0, made.problems)

    carry_out("queries from-log", output, work)
