"""Problems and errors as text: where, what, and what to do about it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from azsearch_ops.errors import AzsearchOpsError, Problem
from azsearch_ops.reporting.style import Role, Style

if TYPE_CHECKING:
    from azsearch_ops.rules.explanation import Explanation

_ROLES: dict[str, Role] = {"error": "bad", "warning": "doubt", "note": "quiet"}


def render_problems(problems: Sequence[Problem], style: Style) -> str:
    """One line a problem, `file:line:column: severity: message [code]`, a hint below it; by file and line."""
    return "\n".join(line for problem in in_file_order(problems) for line in render_one(problem, style))


def render_one(problem: Problem, style: Style) -> list[str]:
    """The line of one problem, and its hint where it has one."""
    where = f"{problem.location}: " if problem.location else ""
    severity = style.paint(problem.severity, _ROLES[problem.severity])
    lines = [f"{where}{severity}: {problem.message} {style.paint(f'[{problem.code}]', 'quiet')}"]
    if problem.hint:
        lines.append(f"  {style.paint('hint:', 'quiet')} {problem.hint}")
    return lines


def in_file_order(problems: Sequence[Problem]) -> list[Problem]:
    """The problems by file, line, column and code."""
    return sorted(problems, key=_order)


def render_error(error: AzsearchOpsError, style: Style) -> str:
    """The problems that the error carries, then the error itself with its hint."""
    carried: Sequence[Problem] = getattr(error, "problems", ())
    lines = [render_problems(carried, style)] if carried else []
    lines.append(f"{style.paint('error', 'bad')}: {error.message} {style.paint(f'[{error.code}]', 'quiet')}")
    for name in ("call", "status", "service_code", "request_id"):
        if shown := getattr(error, name, None):
            lines.append(f"  {style.paint(name.replace('_', ' ') + ':', 'quiet')} {shown}")
    if error.hint:
        lines.append(f"  {style.paint('hint:', 'quiet')} {error.hint}")
    return "\n".join(lines)


def render_validation(problems: Sequence[Problem], indexes: int, style: Style, shown: str | None = None) -> str:
    """Every problem (as `shown` tells them, where given), then how many there are."""
    errors = sum(problem.severity == "error" for problem in problems)
    warnings = sum(problem.severity == "warning" for problem in problems)
    counted = [_counted(errors, "error"), _counted(warnings, "warning")]
    told = ", ".join(part for part in counted if part)
    last = (
        told or f"{style.paint('✓', 'good')} {_counted(indexes, 'index definition') or 'nothing'} checked, no problem"
    )
    return "\n".join([*([shown or render_problems(problems, style)] if problems else []), last])


_FAMILIES = {
    "0": "files",
    "1": "Text Split",
    "2": "the index and its parts",
    "3": "skills and projections",
    "4": "the search request",
    "5": "names, environments, sources, who depends on them",
    "6": "evaluation and gate",
    "7": "query sets",
    "8": "secrets",
    "9": "silencing",
}


def render_codes(titles: Mapping[str, str]) -> str:
    """Every code and its title, a line each, by family."""
    lines: list[str] = []
    for number, family in _FAMILIES.items():
        codes = [code for code in titles if code.startswith(f"AZS{number}")]
        lines += ["", f"AZS{number}  {family}", *(f"  {code}  {titles[code]}" for code in codes)] if codes else []
    return "\n".join(lines[1:])


def render_explanation(explanation: Explanation, style: Style) -> str:
    """A rule: what it is about, why it is there, how to satisfy it, where it comes from."""
    lines = [style.paint(f"{explanation.code}  {explanation.title}", "strong"), "", explanation.why, ""]
    lines.append(f"fix     {explanation.fix}")
    if explanation.source:
        lines.append(f"source  {explanation.source}")
    return "\n".join(lines)


def _order(problem: Problem) -> tuple[str, int, int, str]:
    place = problem.location
    return (place.path, place.line, place.column, problem.code) if place else ("", 0, 0, problem.code)


def _counted(number: int, noun: str) -> str:
    return "" if number == 0 else f"{number} {noun}" if number == 1 else f"{number} {noun}s"
