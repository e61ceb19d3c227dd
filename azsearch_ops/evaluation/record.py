"""An evaluation as JSON: all of it for a file, its summary for the ledger, and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

from pydantic import TypeAdapter, ValidationError

from azsearch_ops.errors import EvaluationError
from azsearch_ops.evaluation.outcome import Evaluation

SCHEMA = "azsearch-ops/evaluation/1"


def record(evaluation: Evaluation) -> dict[str, object]:
    """The whole record, per query, as plain JSON values; `from_summary` reads it back."""
    return {"schema": SCHEMA, **_body(evaluation)}


def summary(evaluation: Evaluation) -> dict[str, object]:
    """The record without anything per query: what the ledger keeps."""
    overlap = evaluation.overlap and replace(evaluation.overlap, most_changed=())
    body = _body(replace(evaluation, queries=(), changed=(), overlap=overlap))
    return {"schema": SCHEMA, **{key: value for key, value in body.items() if key not in ("queries", "changed")}}


def from_summary(data: Mapping[str, object]) -> Evaluation:
    """The evaluation behind a `summary` (or a whole record), as far as it holds it.

    Raises:
        EvaluationError: the data are of another schema or do not fit it.
    """
    if data.get("schema") != SCHEMA:
        raise EvaluationError(f"not an evaluation record of schema {SCHEMA}", code="evaluation-record")
    try:
        return _adapter().validate_python({key: value for key, value in data.items() if key != "schema"})
    except ValidationError as error:
        first = error.errors()[0]
        where = "/".join(map(str, first["loc"]))
        raise EvaluationError(f"not an evaluation record: {where}: {first['msg']}", code="evaluation-record") from error


def _body(evaluation: Evaluation) -> dict[str, object]:
    body: dict[str, object] = _adapter().dump_python(evaluation, mode="json")
    return body


@cache
def _adapter() -> TypeAdapter[Evaluation]:
    return TypeAdapter(Evaluation)
