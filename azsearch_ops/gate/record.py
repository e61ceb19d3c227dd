"""A verdict as JSON values and back, for the ledger and the envelope."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from pydantic import TypeAdapter, ValidationError

from azsearch_ops.errors import EvaluationError
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


@cache
def _adapter() -> TypeAdapter[Verdict]:
    return TypeAdapter(Verdict)
