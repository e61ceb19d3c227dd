"""A verdict, and what it was measured with, as JSON values and back, for the ledger and the envelope."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from pydantic import TypeAdapter, ValidationError

from azsearch_ops.errors import EvaluationError
from azsearch_ops.gate.outcome import YardstickOutcome
from azsearch_ops.gate.verdict import Verdict


def verdict_to_json(verdict: Verdict) -> dict[str, object]:
    """`verdict` as plain JSON values."""
    data: dict[str, object] = _adapter().dump_python(verdict, mode="json")
    return data


def verdict_from_json(data: Mapping[str, object]) -> Verdict:
    """The verdict that `verdict_to_json` wrote.

    Raises:
        EvaluationError: the data are not a verdict.
    """
    try:
        return _adapter().validate_python(dict(data))
    except ValidationError as error:
        raise EvaluationError(f"not a verdict: {error.errors()[0]['msg']}", code="evaluation-record") from error


def yardstick_to_json(yardstick: YardstickOutcome | None) -> dict[str, object] | None:
    """`yardstick` as plain JSON values."""
    if yardstick is None:
        return None
    data: dict[str, object] = _yardsticks().dump_python(yardstick, mode="json")
    return data


def yardstick_from_json(data: Mapping[str, object] | None) -> YardstickOutcome | None:
    """What `yardstick_to_json` wrote.

    Raises:
        EvaluationError: the data are not that.
    """
    try:
        return None if data is None else _yardsticks().validate_python(dict(data))
    except ValidationError as error:
        raise EvaluationError(f"not a yardstick: {error.errors()[0]['msg']}", code="evaluation-record") from error


@cache
def _yardsticks() -> TypeAdapter[YardstickOutcome]:
    return TypeAdapter(YardstickOutcome)


@cache
def _adapter() -> TypeAdapter[Verdict]:
    return TypeAdapter(Verdict)
