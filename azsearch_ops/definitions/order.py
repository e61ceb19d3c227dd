"""Problems in the order in which a reader meets them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from azsearch_ops.errors import Problem


def in_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """The problems by file, line and column, each once and on one line; those without a place first."""

    def place(problem: Problem) -> tuple[str, int, int, str, str]:
        where = problem.location
        path, line, column = (where.path, where.line, where.column) if where else ("", 0, 0)
        return (path, line, column, problem.code, problem.message)

    return tuple(sorted(dict.fromkeys(_on_one_line(problem) for problem in problems), key=place))


def _on_one_line(problem: Problem) -> Problem:
    """Names that a file gives may hold line breaks, which no message does."""
    if problem.message.isprintable():
        return problem
    shown = "".join(c if c.isprintable() else repr(c)[1:-1] for c in problem.message)
    return replace(problem, message=shown)
