"""`vectorSearch` of an index: names that must be unique, and references that must lead somewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from azsearch_ops.contract.fields import COMPRESSIBLE_VECTORS, is_vector
from azsearch_ops.local.errors import ServiceFault, invalid_request

_SECTIONS: Final = ("profiles", "algorithms", "vectorizers", "compressions")
_REFERENCES: Final = (("algorithm", "algorithms"), ("vectorizer", "vectorizers"), ("compression", "compressions"))


def check_vector_search(index: Mapping[str, Any]) -> None:
    """Holds the vector fields and the section against each other.

    Raises:
        ServiceFault: 400 for a name used twice, a reference to nothing, or a type that its metric cannot compare.
    """
    section = index.get("vectorSearch") or {name: [] for name in _SECTIONS}
    names: dict[str, dict[str, Mapping[str, Any]]] = {}
    for part in _SECTIONS:
        names[part] = {item["name"]: item for item in section[part]}
        if len(names[part]) != len(section[part]):
            raise _refused(f"Two entries of 'vectorSearch/{part}' have the same name.")
    for profile in section["profiles"]:
        for property_name, part in _REFERENCES:
            target = profile[property_name]
            if target is not None and target not in names[part]:
                raise _refused(
                    f"The vector search profile '{profile['name']}' names the {property_name} '{target}', which is not "
                    f"in 'vectorSearch/{part}'."
                )
    for field in index["fields"]:
        if is_vector(field):
            _check_field(field, names)


def _check_field(field: Mapping[str, Any], names: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> None:
    profile = names["profiles"].get(field["vectorSearchProfile"])
    if profile is None:
        raise _refused(
            f"The vector field '{field['name']}' names the vector search profile '{field['vectorSearchProfile']}', "
            "which is not in 'vectorSearch/profiles'."
        )
    algorithm = names["algorithms"][profile["algorithm"]]
    parameters = algorithm.get("hnswParameters") or algorithm.get("exhaustiveKnnParameters") or {}
    packed = field["type"] == "Collection(Edm.Byte)"
    if packed != (parameters.get("metric") == "hamming"):
        raise _refused(
            f"The metric 'hamming' and the type Collection(Edm.Byte) of the vector field '{field['name']}' "
            "go together only with each other."
        )
    compression = names["compressions"].get(profile["compression"])
    if compression is None:
        return
    if field["type"] not in COMPRESSIBLE_VECTORS:
        raise _refused(
            f"The vector field '{field['name']}' of type {field['type']} cannot be compressed; only "
            f"{' and '.join(COMPRESSIBLE_VECTORS)} can."
        )
    truncated = compression["truncationDimension"]
    if truncated is not None and truncated >= field["dimensions"]:
        raise _refused(
            f"The truncationDimension {truncated} of '{compression['name']}' must be below the {field['dimensions']} "
            f"dimensions of the vector field '{field['name']}'."
        )


def _refused(message: str) -> ServiceFault:
    return invalid_request(f"The request is invalid. Details: definition : {message}", "InvalidVectorSearch")
