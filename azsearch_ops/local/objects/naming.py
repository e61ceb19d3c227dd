"""Aliases and synonym maps: names that lead to something else."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from azsearch_ops.contract.names import check_name
from azsearch_ops.local.errors import ServiceFault, invalid_request
from azsearch_ops.local.objects.shape import checked, full_form


def full_alias(body: Mapping[str, Any], api_version: str, index_exists: Callable[[str], bool]) -> dict[str, Any]:
    """The alias as it is stored: a name and exactly one index that exists.

    Raises:
        ServiceFault: 400. Azure's own words for a missing index are not known (azure-behaviour, open points).
    """
    checked("alias", body, api_version)
    name, indexes = body["name"], body["indexes"]
    reason = check_name("alias", name)
    if reason:
        raise _refused(f"Invalid alias name '{name}': it {reason}.", "InvalidName")
    if len(indexes) != 1 or not isinstance(indexes[0], str):
        raise _refused(
            f"The alias '{name}' must map to exactly one index, and maps to {len(indexes)}.", "InvalidAliasIndexes"
        )
    if index_exists(name):
        raise _refused(f"The alias '{name}' cannot have the name of an index.", "NameInUseByIndex")
    if not index_exists(indexes[0]):
        message = f"The alias '{name}' cannot be mapped to the index '{indexes[0]}', because the index was not found."
        raise ServiceFault(400, "OperationNotAllowed", message, [("IndexNotFoundInService", message)])
    return {"name": name, "indexes": list(indexes)}


def full_synonym_map(body: Mapping[str, Any], api_version: str) -> dict[str, Any]:
    """The synonym map as it is stored.

    Raises:
        ServiceFault: 400 for what Azure refuses.
    """
    checked("synonymMap", body, api_version)
    reason = check_name("synonymMap", body["name"])
    if reason:
        raise _refused(f"Invalid synonym map name '{body['name']}': it {reason}.", "InvalidName")
    return {**full_form("synonymMap", body), "format": body.get("format") or "solr"}


def _refused(message: str, detail: str) -> ServiceFault:
    return invalid_request(f"The request is invalid. Details: definition : {message}", detail)
