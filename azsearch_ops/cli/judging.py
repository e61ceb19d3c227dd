"""`azsearch-ops queries judge`: grade results on a terminal, or through a file."""

from __future__ import annotations

import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from azsearch_ops.cli.options import HERE, EnvironmentOption, Output, OutputOption, ProjectOption
from azsearch_ops.cli.running import Answer, carry_out, project_root
from azsearch_ops.errors import UsageError

if TYPE_CHECKING:
    from azsearch_ops.verbs.query_sets.judging import Answer as Given
    from azsearch_ops.verbs.query_sets.judging import Item


def judge(
    run: Annotated[str, typer.Argument(metavar="RUN", help="A run, as `report` takes it.")],
    top: Annotated[int, typer.Option("--top", min=1, help="Results of each side that are looked at.")] = 5,
    seed: Annotated[int, typer.Option("--seed", help="Of the order in which results are shown.")] = 0,
    export: Annotated[Path | None, typer.Option("--export", metavar="FILE", help="Write what is to be judged.")] = None,
    grades: Annotated[
        Path | None, typer.Option("--import", metavar="FILE", help="Take grades filled in there.")
    ] = None,
    queries: Annotated[
        Path | None,
        typer.Option("--queries", metavar="FILE", help="Where to.", show_default="the index definition's query set"),
    ] = None,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    output: OutputOption = Output.text,
) -> None:
    """Grade what live and candidate bring that the other does not, without being told which side brought it."""

    def work() -> Answer:
        from azsearch_ops.reporting.query_sets import render_judging
        from azsearch_ops.verbs.evaluating.reporting_runs import runs_named
        from azsearch_ops.verbs.query_sets.judging import export_items, import_grades, items_of, judge_items, target_of
        from azsearch_ops.verbs.query_sets.run_texts import texts_of

        if export is not None and grades is not None:
            raise UsageError("--export and --import are two steps; give one of them")
        if export is None and grades is None and not sys.stdin.isatty():
            raise UsageError("judging needs a terminal", hint="--export FILE, fill in the grades, --import FILE")
        root = project_root(project)
        (found,) = runs_named(root, (run,), env, os.environ)
        target = target_of(root, found, env, os.environ, queries)
        if grades is not None:
            done = import_grades(target, grades)
        else:
            items = items_of(found, target, texts_of(root, found, env, os.environ, top=top), top=top, seed=seed)
            done = export_items(items, export, root) if export is not None else judge_items(target, items, _ask)
        return Answer(asdict(done), render_judging(done))

    carry_out("queries judge", output, work)


def _ask(item: Item, number: int, total: int) -> Given:
    """Shows the item on standard error, so that a JSON document stays alone on standard output."""
    from azsearch_ops.verbs.query_sets.judging import Grade, chosen_lines, lines_of

    sentences = lines_of(item)
    typer.echo(f"\n{number}/{total}  {item.query_id}  {item.query}\n{item.document}\n", err=True)
    for place, sentence in enumerate(sentences, start=1):
        typer.echo(f"  {place:>3}  {' '.join(sentence.split())}", err=True)
    while True:
        try:
            said = typer.prompt("grade 0-4, s skip, q quit", err=True).strip().lower()
            if said in ("q", "quit"):
                return "quit"
            if said in ("s", "skip"):
                return "skip"
            if said not in ("0", "1", "2", "3", "4"):
                continue
            if said == "0" or len(sentences) < 2:
                return Grade(int(said))
            words = typer.prompt("which lines answer (3, or 2-4; empty: all)", default="", show_default=False, err=True)
        except typer.Abort:  # End of input, or Ctrl-C: what was graded is written
            return "quit"
        excerpt = chosen_lines(item, words)
        if excerpt is not None:
            return Grade(int(said), excerpt)
