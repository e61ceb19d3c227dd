"""Scoring profiles of an index: what each function needs, and of which field.

Rules: https://learn.microsoft.com/azure/search/index-add-scoring-profiles. Names are not checked: the naming rules
allow no dash, but the service took `product-score` (recording py2026-index-scoring-profile-product).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from azsearch_ops.contract.limits import SCORING_FUNCTIONS, SCORING_PROFILES
from azsearch_ops.local.errors import ServiceFault, invalid_request
from azsearch_ops.local.objects.durations import duration_seconds


@dataclass(frozen=True, slots=True)
class _Needs:
    """The members of a function's settings by type, and the types of field that it takes."""

    members: Mapping[str, tuple[type, ...]]
    fields: tuple[str, ...]


_NUMBER: Final = (int, float)
_FUNCTIONS: Final[Mapping[str, _Needs]] = {
    "distance": _Needs({"referencePointParameter": (str,), "boostingDistance": _NUMBER}, ("Edm.GeographyPoint",)),
    "freshness": _Needs({"boostingDuration": (str,)}, ("Edm.DateTimeOffset",)),
    "magnitude": _Needs(
        {"boostingRangeStart": _NUMBER, "boostingRangeEnd": _NUMBER}, ("Edm.Int32", "Edm.Int64", "Edm.Double")
    ),
    "tag": _Needs({"tagsParameter": (str,)}, ("Edm.String", "Collection(Edm.String)")),
}


def check_scoring_profiles(index: Mapping[str, Any], paths: Mapping[str, Mapping[str, Any]]) -> None:
    """Holds the profiles against the fields (by path) and against each other.

    Raises:
        ServiceFault: 400 for the first thing that Azure refuses.
    """
    profiles = index["scoringProfiles"]
    names = [profile["name"] for profile in profiles]
    if len(names) > SCORING_PROFILES:
        raise _refused(f"The index has {len(names)} scoring profiles; the maximum is {SCORING_PROFILES}.")
    for profile in profiles:
        name = profile["name"]
        if names.count(name) > 1:
            raise _refused(f"The scoring profile '{name}' is there twice.")
        _check_weights(name, profile, paths)
        if len(profile["functions"]) > SCORING_FUNCTIONS:
            raise _refused(f"The scoring profile '{name}' has more than {SCORING_FUNCTIONS} functions.")
        for function in profile["functions"]:
            _check_function(name, function, paths.get(function["fieldName"]))
    default = index["defaultScoringProfile"]
    if default and default not in names:
        raise _refused(f"The default scoring profile '{default}' does not exist in the index.")


def _check_weights(name: str, profile: Mapping[str, Any], paths: Mapping[str, Mapping[str, Any]]) -> None:
    weights = (profile["text"] or {}).get("weights") or {}
    if not isinstance(weights, Mapping):
        raise _refused(f"The weights of the scoring profile '{name}' must be a JSON object.")
    for path, weight in weights.items():
        if not paths.get(path, {}).get("searchable"):
            raise _refused(f"The scoring profile '{name}' weighs '{path}', which is not a searchable field.")
        if isinstance(weight, bool) or not isinstance(weight, int | float) or weight <= 0:
            raise _refused(f"The weight of '{path}' in the scoring profile '{name}' must be a positive number.")


def _check_function(name: str, function: Mapping[str, Any], field: Mapping[str, Any] | None) -> None:
    kind = function["type"]
    needs = _FUNCTIONS.get(kind)
    if needs is None:
        raise _refused(f"A function of the scoring profile '{name}' has no type.")
    path = function["fieldName"]
    if field is None or field["type"] not in needs.fields or not field["filterable"]:
        raise _refused(
            f"The function '{kind}' of the scoring profile '{name}' needs a filterable field of type "
            f"{' or '.join(needs.fields)}, which '{path}' is not."
        )
    if function["boost"] <= 0 or function["boost"] == 1:
        raise _refused(f"The boost of a function in the scoring profile '{name}' must be positive and not 1.0.")
    settings = function[kind]
    for member, types in needs.members.items():
        value = settings.get(member) if isinstance(settings, Mapping) else None
        if not isinstance(value, types) or isinstance(value, bool):
            raise _refused(f"The function '{kind}' of the scoring profile '{name}' needs '{kind}/{member}'.")
    if kind == "freshness" and duration_seconds(settings["boostingDuration"].removeprefix("-")) is None:
        raise _refused(f"'{settings['boostingDuration']}' is not a duration.")


def _refused(message: str) -> ServiceFault:
    return invalid_request(f"The request is invalid. Details: definition : {message}", "InvalidScoringProfile")
