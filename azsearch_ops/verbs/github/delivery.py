"""Bring a report to where people look: a file for the artifact, the job summary, the step's outputs, the comment."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from azsearch_ops.errors import AzsearchOpsError, UsageError
from azsearch_ops.verbs.github.api import GitHub
from azsearch_ops.verbs.github.comments import Posted, post_comment
from azsearch_ops.verbs.github.runner import Runner, write_outputs, write_summary


@dataclass(frozen=True, slots=True)
class Delivered:
    """Where a report went. `comment` is None where there is no pull request or no token."""

    report: str
    comment: Posted | None = None


def deliver(
    runner: Runner,
    path: Path,
    text: str,
    outputs: Callable[[str], Mapping[str, str]],
    *,
    marker: str = "",
    body_for: Callable[[str], str] | None = None,
) -> Delivered:
    """Write the report to `path`, the job summary and the outputs (made from that path), and post the comment.

    Whatever becomes of the comment, nothing is raised for it: the verdict is the job's outcome, not the comment.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    comment: Posted | None = None
    number = runner.pull_request
    if body_for is not None and number is not None and runner.token and runner.repository:
        try:
            comment = post_comment(GitHub(runner), number, marker, body_for)
        except AzsearchOpsError as error:
            comment = Posted("refused", why=error.message)
    write_summary(runner, text)
    write_outputs(runner, outputs(str(path)))
    return Delivered(str(path), comment)


def read_result(source: Path | str) -> dict[str, Any]:
    """The JSON document of a command, from a file or as text; UsageError where it is none: the command was cut off."""
    try:
        text = source if isinstance(source, str) else source.read_text("utf-8")
        document = json.loads(text)
        if not isinstance(document, dict) or not str(document["schema"]).startswith("azsearch-ops/result/"):
            raise UsageError("this is not what a command of azsearch-ops prints with --output json")
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(
            f"there is no result to report: {type(error).__name__}", hint="did the command before it end?"
        ) from error
    return document
