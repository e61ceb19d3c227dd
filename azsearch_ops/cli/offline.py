"""Commands that read files only: validate, explain, render."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import asdict
from enum import StrEnum
from typing import Annotated

import typer

from azsearch_ops.cli.options import HERE, EnvironmentOption, Name, Names, Output, OutputOption, ProjectOption
from azsearch_ops.cli.running import Answer, carry_out, project_root, style_for


class Format(StrEnum):
    """How `validate` writes problems."""

    text = "text"
    json = "json"
    sarif = "sarif"
    github = "github"


def validate(
    names: Names = None,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    form: Annotated[
        Format | None, typer.Option("--format", help="Text with source lines, JSON, SARIF 2.1.0, GitHub annotations.")
    ] = None,
    languages: Annotated[
        bool,
        typer.Option("--languages", help="Tell the language of every document, about a second the first time."),
    ] = False,
    output: OutputOption = Output.text,
) -> None:
    """Check all definitions offline; every problem with file, line and column."""
    as_json = Output.json if form is Format.json else output

    def work() -> Answer:
        from azsearch_ops.reporting.github_annotations import github_annotations
        from azsearch_ops.reporting.sarif import sarif_log
        from azsearch_ops.reporting.source_lines import render_with_lines
        from azsearch_ops.reporting.terminal import render_validation
        from azsearch_ops.verbs.checking import explanations, tool_version
        from azsearch_ops.verbs.checking import validate as check

        root = project_root(project)
        found = check(root, env, os.environ, tuple(names or ()), languages=languages)
        if form is Format.sarif:
            log = sarif_log(found.problems, explanations(), tool_version())
            text = json.dumps(log, indent=2, ensure_ascii=False)
        elif form is Format.github:
            text = github_annotations(found.problems)
        else:
            style = style_for(as_json)
            lines = render_with_lines(found.problems, root, style) if found.quotable else None
            text = render_validation(found.problems, found.indexes, style, lines)
        return Answer({"indexes": found.indexes}, text or None, found.exit_code, found.problems)

    carry_out("validate", as_json, work)


def explain(
    code: Annotated[str, typer.Argument(metavar="CODE", help="Code of a rule, such as AZS101; none: all.")] = "",
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    output: OutputOption = Output.text,
) -> None:
    """Say why a rule is there, how to satisfy it and where it comes from; the same in every project."""

    def work() -> Answer:
        from azsearch_ops.reporting.terminal import render_codes, render_explanation
        from azsearch_ops.verbs.checking import code_titles, explain_rule

        if not code:
            return Answer({"codes": code_titles()}, render_codes(code_titles()))
        found = explain_rule(code)
        return Answer(asdict(found), render_explanation(found, style_for(output)))

    carry_out("explain", output, work)


def render(
    name: Name, project: ProjectOption = HERE, env: EnvironmentOption = "local", output: OutputOption = Output.text
) -> None:
    """Print the REST bodies and the search request of an index definition; secrets stay references."""

    def work() -> Answer:
        from azsearch_ops.verbs.rendering import rendered

        data = rendered(project_root(project), env, os.environ, name)
        return Answer(data, json.dumps(data, indent=2, ensure_ascii=False))

    carry_out("render", output, work)


COMMANDS: tuple[Callable[..., None], ...] = (validate, explain, render)
