"""Any form of a report, by its name, and the reports that lie beside every run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from azsearch_ops.errors import UsageError

if TYPE_CHECKING:
    from azsearch_ops.verbs.evaluating.run_files import Run

HTML: Final = "report.html"
MARKDOWN: Final = "report.md"


def render_report(runs: Sequence[Run], form: str, *, rankings: bool = False) -> str | Mapping[str, str]:
    """The report's text, or file name → text where the form is several files.

    `form` is markdown, html, junit, json or trec; ValueError for any other. `rankings` puts every chunk that was read
    into the JSON.

    Raises:
        UsageError: TREC files are asked for, which hold one run, and there are more.
    """
    # Each form brings its own library along, and only one is wanted.
    match form:
        case "markdown":
            from azsearch_ops.reporting.markdown import runs_markdown

            return runs_markdown(runs)
        case "html":
            from azsearch_ops.reporting.html import runs_html

            return runs_html(runs)
        case "junit":
            from azsearch_ops.reporting.junit import runs_junit

            return runs_junit(runs)
        case "json":
            from azsearch_ops.reporting.report_json import runs_json

            return runs_json(runs, rankings=rankings)
        case "trec":
            from azsearch_ops.reporting.trec import run_trec

            if len(runs) > 1:
                raise UsageError("TREC files hold one run", hint="write them for each run by itself")
            return run_trec(runs[0])
    raise ValueError(f"no report is written as {form}")


def write_report(content: str | Mapping[str, str], out: Path) -> tuple[Path, ...]:
    """Write a report to `out`, which is a file, or the folder of several; the paths that were written.

    Raises:
        UsageError: it cannot be written there.
    """
    files = {out: content} if isinstance(content, str) else {out / name: text for name, text in content.items()}
    for path, text in files.items():
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        except OSError as error:
            raise UsageError(f"cannot write {path}: {error.strerror}") from error
    return tuple(files)


def report_note(runs: Sequence[Run], form: str) -> str:
    """What a reader of the written files should know; empty for most forms."""
    if form != "trec":
        return ""
    from azsearch_ops.reporting.trec import trec_note

    return trec_note(runs[0])


def default_path(runs: Sequence[Run], form: str, root: Path) -> Path:
    """Where the page or the files of `runs` go when nobody says: into the folder of the first; without one, `root`.

    The page of two is another one than that of the first, which stays.
    """
    page = HTML if len(runs) == 1 else f"report-beside-{runs[1].name}.html"
    return (runs[0].folder or root) / (page if form == "html" else form)


def write_reports_of(result: object, root: Path) -> None:
    """Where `result` is an evaluation, write page and comment beside its record; anything else is left alone."""
    from azsearch_ops.gate.outcome import EvaluationOutcome
    from azsearch_ops.verbs.any_index.outcome import AnyOutcome
    from azsearch_ops.verbs.evaluating.run_files import read_run

    outcome = result.outcome if isinstance(result, AnyOutcome) else result
    if not isinstance(outcome, EvaluationOutcome) or not outcome.path:
        return
    record = root / outcome.path
    run = read_run(record)
    write_report(render_report([run], "html"), record.with_name(HTML))
    write_report(render_report([run], "markdown"), record.with_name(MARKDOWN))
