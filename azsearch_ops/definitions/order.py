"""Problems in the order in which a reader meets them."""

from __future__ import annotations

from collections.abc import Iterable

from azsearch_ops.errors import Problem


def in_order(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """The problems by file, line and column, each once; those without a place first."""

    def place(problem: Problem) -> tuple[str, int, int, str, str]:
        where = problem.location
        path, line, column = (where.path, where.line, where.column) if where else ("", 0, 0)
        return (path, line, column, problem.code, problem.message)

    return tuple(sorted(dict.fromkeys(problems), key=place))
