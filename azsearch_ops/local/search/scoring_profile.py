"""Scoring profiles: weights of fields, and functions that multiply the score of a document.

    score = text score × Π (1 + (boost − 1) · f),   f from 0 to 1

One function is recorded to seven digits for distance, and fits published scores for freshness (linear and quadratic);
the product of several fits published scores of magnitudes. How the service joins several functions otherwise, what
`logarithmic` is and what tags count for is not known: those are refused.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from azsearch_ops.local.errors import ServiceFault, invalid_request, not_supported_here
from azsearch_ops.local.search.columns import ColumnStore
from azsearch_ops.local.search.odata.points import Point, distances
from azsearch_ops.local.search.schema import Schema
from azsearch_ops.local.search.values import TICKS_PER_SECOND

_DURATION = re.compile(r"(-?)P(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?")
_COMMA = re.compile(r"\s*(?:'((?:[^']|'')*)'|([^,]*))\s*(?:,|$)")

Factors = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Function:
    """One scoring function with its numbers worked out: `low` and `high` are where f is 0 and 1."""

    kind: str
    field: str
    boost: float
    interpolation: str
    low: float = 0.0
    high: float = 0.0
    beyond: bool = False
    point: Point = (0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Profile:
    """What a profile does to the text score."""

    weights: Mapping[str, float]
    functions: tuple[Function, ...]

    def factors(self, columns: ColumnStore, now: float) -> Factors:
        """What each document's score is multiplied by; `now` in seconds since 1970."""
        found = np.ones(columns.documents.size)
        for function in self.functions:
            found *= 1 + (function.boost - 1) * _strength(function, columns, now)
        return found


def read_profile(name: str | None, parameters: Sequence[str], schema: Schema) -> Profile | None:
    """The named profile, or the index's default one; ServiceFault 400 for what is missing or not supported."""
    wanted = name or schema.definition.get("defaultScoringProfile")
    if not wanted:
        if parameters:
            raise _fault("Scoring parameters need a scoring profile.", "scoringParameters")
        return None
    profiles = schema.definition.get("scoringProfiles") or ()
    body = next((profile for profile in profiles if profile["name"] == wanted), None)
    if body is None:
        raise _fault(f"The scoring profile '{wanted}' does not exist in this index definition.", "scoringProfile")
    functions = body.get("functions") or ()
    aggregation = body.get("functionAggregation") or "sum"
    if len(functions) > 1 and aggregation != "product":
        raise not_supported_here(f"several scoring functions joined by '{aggregation}'", "scoringProfile")
    given = {key: values for key, _, values in (parameter.partition("-") for parameter in parameters)}
    weights = (body.get("text") or {}).get("weights") or {}
    return Profile({path: float(weight) for path, weight in weights.items()}, tuple(_read(f, given) for f in functions))


def _read(body: Mapping[str, Any], given: Mapping[str, str]) -> Function:
    kind, interpolation = str(body["type"]), str(body.get("interpolation") or "linear")
    if kind not in ("distance", "freshness", "magnitude"):
        raise not_supported_here(f"scoring functions of type '{kind}'", "scoringProfile")
    if interpolation == "logarithmic":
        raise not_supported_here("the interpolation 'logarithmic' of scoring functions", "scoringProfile")
    settings = body.get(kind) or {}
    field, boost = str(body["fieldName"]), float(body["boost"])
    if kind == "magnitude":
        return Function(
            kind, field, boost, interpolation,
            low=float(settings["boostingRangeStart"]),
            high=float(settings["boostingRangeEnd"]),
            beyond=bool(settings.get("constantBoostBeyondRange")),
        )  # fmt: skip
    if kind == "freshness":
        return Function(kind, field, boost, interpolation, low=_seconds(str(settings["boostingDuration"])))
    name = str(settings["referencePointParameter"])
    if name not in given:
        raise _fault(f"The scoring parameter '{name}' of the scoring profile is missing.", "scoringParameters")
    return Function(
        kind, field, boost, interpolation, low=float(settings["boostingDistance"]), point=_point(given[name])
    )  # fmt: skip


def _strength(function: Function, columns: ColumnStore, now: float) -> Factors:
    """f of every document: 0 where the field is null or outside the range."""
    column = columns.documents.columns.get(function.field)
    if column is None:
        raise _fault(f"'{function.field}' in the scoring profile is not a filterable field.", "scoringProfile")
    if function.kind == "distance":
        linear = 1 - distances(column.values, column.latitudes, function.point) / function.low
    elif function.kind == "freshness":
        linear = 1 - (now - column.values / TICKS_PER_SECOND) / function.low
        linear = np.where(linear > 1, -1.0, linear)
    else:
        span = function.high - function.low
        linear = (column.values - function.low) / span if span else np.zeros(len(column.values))
        linear = np.where(linear > 1, 1.0 if function.beyond else -1.0, linear)
    inside = column.present & (linear >= 0)
    if function.interpolation == "constant":
        return inside.astype(np.float64)
    shaped = linear**2 if function.interpolation == "quadratic" else linear
    return np.where(inside, shaped, 0.0)


def _seconds(text: str) -> float:
    match = _DURATION.fullmatch(text)
    if match is None or text.strip("-") in ("P", "PT"):
        raise _fault(f"'{text}' is not a duration.", "scoringProfile")
    days, hours, minutes, seconds = (float(part or 0) for part in match.groups()[1:])
    total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    return -total if match.group(1) else total


def _point(values: str) -> Point:
    parts = [quoted.replace("''", "'") or plain for quoted, plain in _COMMA.findall(values)][:2]
    try:
        longitude, latitude = (float(part) for part in parts)
    except ValueError:
        raise _fault(f"'{values}' is not a point: longitude,latitude.", "scoringParameters") from None
    return longitude, latitude


def _fault(message: str, parameter: str) -> ServiceFault:
    return invalid_request(message, "InvalidScoringProfile", parameter)
