"""Problems as workflow commands of GitHub Actions, which show them beside the lines of a pull request.

Source: https://docs.github.com/actions/reference/workflow-commands-for-github-actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from azsearch_ops.errors import Problem

_COMMANDS: Final = {"error": "error", "warning": "warning", "note": "notice"}


def github_annotations(problems: Sequence[Problem]) -> str:
    """One command a problem and a line."""
    return "\n".join(_annotation(problem) for problem in problems)


def _annotation(problem: Problem) -> str:
    properties: list[tuple[str, str]] = []
    if problem.location is not None:
        place = problem.location
        properties += [("file", place.path), ("line", str(place.line)), ("col", str(place.column))]
    properties.append(("title", problem.code))
    told = ",".join(f"{name}={_property(value)}" for name, value in properties)
    message = f"{problem.message} ({problem.hint})" if problem.hint else problem.message
    return f"::{_COMMANDS[problem.severity]} {told}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
