"""What may change on an index that exists: the table of the contract, and the rules of the page on rebuilding."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from azsearch_ops.contract.fields import changed_in_place, is_complex
from azsearch_ops.local.errors import ServiceFault, operation_not_allowed
from azsearch_ops.local.objects.analysis import ANALYSIS_PARTS


def check_update(old: Mapping[str, Any], new: Mapping[str, Any], *, downtime: bool) -> None:
    """Holds a new definition against the one it replaces; both in full form.

    Raises:
        ServiceFault: 400 OperationNotAllowed, for a change that needs another index, or downtime that was not allowed.
    """
    _check_fields(old["fields"], new["fields"], "")
    _check_stored(old["fields"], new["fields"])
    for part in ANALYSIS_PARTS:
        _check_analysis(part, old[part], new[part], downtime)
    _check_similarity(old["similarity"], new["similarity"], downtime)
    _check_suggesters(old, new)
    _check_vector_search(old, new)
    if old["encryptionKey"] and not new["encryptionKey"]:
        raise operation_not_allowed("The encryption key of an index cannot be removed.", "CannotRemoveEncryptionKey")


def _check_fields(old: list[dict[str, Any]], new: list[dict[str, Any]], parent: str) -> None:
    there = {field["name"]: field for field in new}
    for field in old:
        path = f"{parent}{field['name']}"
        now = there.get(field["name"])
        if now is None:
            raise operation_not_allowed(f"Existing field '{path}' cannot be deleted.", "CannotDeleteExistingField")
        if field["type"] != now["type"]:
            raise _changed(path)
        if is_complex(field):
            _check_fields(field["fields"], now["fields"], f"{path}/")
            continue
        for name, value in field.items():
            searchable = name == "searchAnalyzer" and not field["searchAnalyzer"]
            if value != now.get(name) and (searchable or not changed_in_place(name)):
                raise _changed(path)


def _check_stored(old: list[dict[str, Any]], new: list[dict[str, Any]]) -> None:
    known = {field["name"] for field in old}
    for field in new:
        if field["name"] not in known and field.get("stored") is False:
            raise operation_not_allowed(
                f"The new field '{field['name']}' cannot have stored=false: only the creation of an index can set it.",
                "CannotSetStoredOnNewField",
            )


def _check_analysis(part: str, old: list[dict[str, Any]], new: list[dict[str, Any]], downtime: bool) -> None:
    there = {item["name"]: item for item in new}
    for item in old:
        if there.get(item["name"]) != item:
            raise operation_not_allowed(
                f"The existing entry '{item['name']}' of '{part}' cannot be changed or deleted.",
                "CannotChangeExistingAnalysis",
            )
    if len(new) > len(old) and not downtime:
        raise operation_not_allowed(
            f"Adding to '{part}' of an existing index needs it to go offline: repeat the request with "
            "'allowIndexDowntime' set to 'true'.",
            "IndexDowntimeRequired",
        )


def _check_similarity(old: Mapping[str, Any], new: Mapping[str, Any], downtime: bool) -> None:
    if old["@odata.type"] != new["@odata.type"]:
        raise operation_not_allowed(
            "The kind of 'similarity' of an existing index cannot be changed.", "CannotChangeSimilarity"
        )
    if (old["k1"], old["b"]) != (new["k1"], new["b"]) and not downtime:
        raise operation_not_allowed(
            "Changing 'similarity' of an existing index needs it to go offline: repeat the request with "
            "'allowIndexDowntime' set to 'true'.",
            "IndexDowntimeRequired",
        )


def _check_suggesters(old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    existing = {path for path in _paths(old["fields"])}
    before = {item["name"]: item for item in old["suggesters"]}
    for suggester in new["suggesters"]:
        known = before.get(suggester["name"], {"sourceFields": []})["sourceFields"]
        for source in suggester["sourceFields"]:
            if source in existing and source not in known:
                raise operation_not_allowed(
                    f"The existing field '{source}' cannot be added to the suggester '{suggester['name']}'.",
                    "CannotAddExistingFieldToSuggester",
                )


def _check_vector_search(old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
    """What a vector field uses stays as it is; whether Azure allows more is not established."""
    before, after = old["vectorSearch"] or {}, new["vectorSearch"] or {}
    used = {field["vectorSearchProfile"] for field in old["fields"] if field.get("vectorSearchProfile")}
    profiles = {item["name"]: item for item in before.get("profiles", [])}
    algorithms = {profiles[name]["algorithm"] for name in used if name in profiles}
    compressions = {profiles[name]["compression"] for name in used if name in profiles}
    for part, names in (("algorithms", algorithms), ("compressions", compressions)):
        now = {item["name"]: item for item in after.get(part, [])}
        for item in before.get(part, []):
            if item["name"] in names and now.get(item["name"]) != item:
                raise operation_not_allowed(
                    f"The entry '{item['name']}' of 'vectorSearch/{part}' is used by a field and cannot be changed.",
                    "CannotChangeVectorSearch",
                )
    now = {item["name"]: item for item in after.get("profiles", [])}
    for name in used & set(profiles):
        for part in ("algorithm", "compression"):
            if name not in now or now[name][part] != profiles[name][part]:
                raise operation_not_allowed(
                    f"The vector search profile '{name}' is used by a field; its {part} cannot be changed.",
                    "CannotChangeVectorSearch",
                )


def _paths(fields: list[dict[str, Any]], parent: str = "") -> Iterator[str]:
    for field in fields:
        path = f"{parent}{field['name']}"
        yield path
        if is_complex(field):
            yield from _paths(field["fields"], f"{path}/")


def _changed(path: str) -> ServiceFault:
    return operation_not_allowed(f"Existing field '{path}' cannot be changed.", "CannotChangeExistingField")
