"""The one JSON document that every command can print."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, is_dataclass
from pathlib import PurePath
from typing import Any, Final

from azsearch_ops.errors import AzsearchOpsError, Problem

SCHEMA: Final = "azsearch-ops/result/1"


def envelope(
    command: str, status: str, exit_code: int, data: object = None, problems: Sequence[Problem] = ()
) -> dict[str, Any]:
    """The document: `schema`, `command`, `status`, `exit_code`, `data`, `problems`, always all six."""
    return {
        "schema": SCHEMA,
        "command": command,
        "status": status,
        "exit_code": exit_code,
        "data": data,
        "problems": [problem_data(problem) for problem in problems],
    }


def problem_data(problem: Problem) -> dict[str, Any]:
    """A problem as plain values; `location` is None or path, line, column and pointer."""
    return asdict(problem)


def problems_of(error: AzsearchOpsError) -> tuple[Problem, ...]:
    """The problems that an error carries, or the error itself as one, so that the list says what went wrong."""
    carried: Sequence[Problem] = getattr(error, "problems", ())
    return tuple(carried) or (Problem(error.code, error.message, hint=error.hint),)


def as_json(document: Mapping[str, Any]) -> str:
    """The document as indented JSON, in UTF-8 characters, without NaN; values and paths are written plainly."""
    return json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False, default=_plain)


def _plain(value: object) -> object:
    if is_dataclass(value) and not isinstance(value, type):
        return asdict(value)
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, PurePath):
        return value.as_posix()
    if isinstance(value, set | frozenset):
        return sorted(value)
    raise TypeError(f"{type(value).__name__} has no JSON form")
