"""Runs as one page that needs no network: drawn here, with the queries as data for the page's own script."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from azsearch_ops.reporting.html_view import run_view

if TYPE_CHECKING:
    from azsearch_ops.verbs.evaluating.run_files import Run

_TEMPLATES = Path(__file__).parent / "templates"


def runs_html(runs: Sequence[Run]) -> str:
    """The page of one run, or of two behind tabs. Everything foreign is escaped, and nothing is ever fetched."""
    # Autoescape by file name would leave templates that end in .j2 alone.
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    views = [run_view(run, number) for number, run in enumerate(runs)]
    return environment.get_template("page.html.j2").render(runs=views, first=views[0])
