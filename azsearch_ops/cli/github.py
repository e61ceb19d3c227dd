"""`azsearch-ops github …`: what a workflow calls; the same commands run on a terminal, where they post nothing."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from azsearch_ops.cli import options
from azsearch_ops.cli.options import HERE, EnvironmentOption, Names, Output, OutputOption, ProjectOption
from azsearch_ops.cli.running import Answer, carry_out, project_root
from azsearch_ops.cli.talking import talk_for
from azsearch_ops.errors import UsageError

if TYPE_CHECKING:
    from azsearch_ops.verbs.github.comments import Posted

app = typer.Typer(no_args_is_help=True, help="Reviews, summaries and outputs for GitHub Actions.")

ResultFile = Annotated[
    Path, typer.Argument(metavar="RESULT", help="What a command printed with --output json; - reads standard input.")
]


@app.command("pull-request")
def pull_request(
    names: Names = None,
    base: Annotated[
        str | None, typer.Option("--base", metavar="REV", help="What the change builds on.", show_default="the event's")
    ] = None,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    output: OutputOption = Output.text,
) -> None:
    """Plan, build and evaluate what changes, and say it in one comment; the exit code is the verdict's."""

    def work() -> Answer:
        from azsearch_ops.reporting.data import evaluation_data
        from azsearch_ops.reporting.github import MARKER, comment_with, review_markdown, review_outputs
        from azsearch_ops.verbs.github.delivery import deliver
        from azsearch_ops.verbs.github.pull_request import review
        from azsearch_ops.verbs.github.runner import runner_from

        root, runner = project_root(project), runner_from(os.environ)
        talk = talk_for(output, yes=True, root=root)
        found = review(
            root, env, os.environ, tuple(names or ()), base or runner.base_commit, talk, number=runner.pull_request
        )
        text = review_markdown(found, root)
        delivered = deliver(
            runner,
            root / ".azsearch" / "github" / f"{env}.md",
            text,
            lambda path: review_outputs(found, path),
            marker=MARKER,
            body_for=lambda old: comment_with(old, env, runner.head_commit, text, is_local=found.is_local),
        )
        data = {
            "verdict": found.verdict,
            "indexes": {
                r.name: {"verdict": r.verdict, **(evaluation_data(r.evaluation) if r.evaluation else {})}
                for r in found.indexes
            },
            "comment": _said(delivered.comment),
            "report": delivered.report,
        }
        return Answer(data, _told(delivered.comment, found.verdict), found.exit_code, found.problems)

    carry_out("github pull-request", output, work)


@app.command()
def report(
    result: ResultFile,
    accept_undecided: Annotated[
        bool, typer.Option("--accept-undecided", help="Leave with 0 for an undecided verdict; needs --reason.")
    ] = False,
    reason: options.ReasonOption = None,
    project: ProjectOption = HERE,
    output: OutputOption = Output.text,
) -> None:
    """Say a command's result in the job summary and the step's outputs; leaves with that command's exit code."""

    def work() -> Answer:
        from azsearch_ops.reporting.github import result_outputs, result_report
        from azsearch_ops.verbs.github.delivery import deliver, read_result
        from azsearch_ops.verbs.github.runner import runner_from

        if accept_undecided and not (reason or "").strip():
            raise UsageError("--accept-undecided needs a reason", hint="add --reason TEXT")
        root = project_root(project)
        document = read_result(sys.stdin.read() if str(result) == "-" else result)
        text, code = result_report(document, root, reason if accept_undecided else None)
        path = root / ".azsearch" / "github" / f"{document['command'].replace(' ', '-')}.md"
        delivered = deliver(runner_from(os.environ), path, text, lambda _: result_outputs(document))
        return Answer({"report": delivered.report}, text, code)

    carry_out("github report", output, work)


@app.command()
def drift(
    names: Names = None,
    project: ProjectOption = HERE,
    env: EnvironmentOption = "local",
    output: OutputOption = Output.text,
) -> None:
    """Look for drift, and open, update or close the one issue about it in this environment."""

    def work() -> Answer:
        from azsearch_ops.reporting.drifts import drift_markdown
        from azsearch_ops.reporting.github import DRIFT_MARKER, drift_issue
        from azsearch_ops.verbs.github.api import GitHub
        from azsearch_ops.verbs.github.comments import keep_issue
        from azsearch_ops.verbs.github.runner import runner_from, write_summary
        from azsearch_ops.verbs.session import chosen_indexes, open_session
        from azsearch_ops.verbs.shipping.drifting import drift_of

        runner = runner_from(os.environ)
        with open_session(project_root(project), env, os.environ) as session:
            found = drift_of(session, chosen_indexes(session.project, tuple(names or ())))
        text = drift_markdown(found)
        write_summary(runner, text)
        marker, body = DRIFT_MARKER.format(environment=env), drift_issue(text, env, runner.run_url)
        drifted = [d.name for d in found if d.drifted]
        title = f"Search configuration of {env} has drifted"
        posted = keep_issue(GitHub(runner), marker, title, body, wanted=bool(drifted))
        data = {"drifted": drifted, "issue": _said(posted)}
        told = (
            f"drift     {', '.join(drifted) or 'none'}\nissue     {posted.action} {posted.url or posted.why}".rstrip()
        )
        return Answer(data, told, 1 if posted.action == "refused" else 0)

    carry_out("github drift", output, work)


def _said(posted: Posted | None) -> dict[str, str] | None:
    return None if posted is None else {"action": posted.action, "url": posted.url, "why": posted.why}


def _told(posted: Posted | None, verdict: str) -> str:
    if posted is None:
        return f"verdict   {verdict}"
    where = posted.url or f"{posted.why}; the report is in the job summary and among the run's artifacts"
    return f"verdict   {verdict}\ncomment   {posted.action}: {where}"
