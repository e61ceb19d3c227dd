"""An evaluation as JSON: all of it for a file, its summary for the ledger, and back."""

from __future__ import annotations

import hashlib
import json
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


def to_json(evaluation: Evaluation) -> str:
    """`record` as text: sorted keys, one line end, no NaN; equal evaluations give equal text."""
    return json.dumps(record(evaluation), sort_keys=True, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def from_json(text: str | bytes) -> Evaluation:
    """The evaluation that `to_json` wrote.

    Raises:
        EvaluationError: the text is not such a record.
    """
    try:
        return from_summary(json.loads(text))
    except ValueError as error:
        raise EvaluationError(f"not an evaluation record: {error}", code="evaluation-record") from error


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


def digest(evaluation: Evaluation) -> str:
    """The SHA-256 of the record, in hexadecimal; latencies left out, since they never repeat."""
    live = evaluation.live_cost and replace(evaluation.live_cost, p50=None, p95=None)
    candidate = replace(evaluation.candidate_cost, p50=None, p95=None)
    return hashlib.sha256(to_json(replace(evaluation, live_cost=live, candidate_cost=candidate)).encode()).hexdigest()


def _body(evaluation: Evaluation) -> dict[str, object]:
    body: dict[str, object] = _adapter().dump_python(evaluation, mode="json")
    return body


@cache
def _adapter() -> TypeAdapter[Evaluation]:
    return TypeAdapter(Evaluation)
