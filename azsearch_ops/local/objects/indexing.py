"""Data sources, skillsets and indexers: their stored form, and what Azure refuses in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from azsearch_ops.contract.indexing import REDACTED, UNCHANGED
from azsearch_ops.contract.limits import SCHEDULE_MAXIMUM_SECONDS, SCHEDULE_MINIMUM_SECONDS, SKILLS_PER_SKILLSET
from azsearch_ops.contract.names import check_name
from azsearch_ops.local.errors import ServiceFault, invalid_request, not_supported_here
from azsearch_ops.local.objects.durations import duration_seconds, moment
from azsearch_ops.local.objects.parts import check_parts
from azsearch_ops.local.objects.shape import checked, full_form

Lookup = Callable[[str, str], Mapping[str, Any] | None]
"""(kind, name) → the stored body, or None."""

BLOB_SOURCES: Final = ("azureblob", "adlsgen2")
_SECRET: Final = re.compile(r"(AccountKey|SharedAccessSignature)=[^;]*", re.IGNORECASE)
_ENTITY_CATEGORIES: Final = ("Person", "Quantity", "Organization", "URL", "Email", "Location", "DateTime")


def full_data_source(body: Mapping[str, Any], api_version: str, old: Mapping[str, Any] | None) -> dict[str, Any]:
    """The data source as it is stored, with its connection string but without the key in it.

    Raises:
        ServiceFault: 400 for what Azure refuses, or for a kind of source that the local service cannot read.
    """
    checked("dataSource", body, api_version)
    _check_name("dataSource", "data source", body["name"])
    if body["type"] not in BLOB_SOURCES:
        raise not_supported_here(f"data sources of type '{body['type']}' (only {' and '.join(BLOB_SOURCES)})", "type")
    check_parts("dataSource", body)
    full = full_form("dataSource", body)
    sent = body["credentials"].get("connectionString")
    if sent == UNCHANGED and old is not None:
        sent = old["credentials"]["connectionString"]
    elif sent is None or sent == UNCHANGED:
        raise _refused(f"The data source '{body['name']}' has no connection string.", "MissingConnectionString")
    kept = None if sent == REDACTED else _SECRET.sub(r"\1=", sent)  # no key is needed to read a folder
    full["credentials"] = {"connectionString": kept}
    return full


def without_secrets(body: Mapping[str, Any]) -> dict[str, Any]:
    """A stored data source as answers show it: the connection string is never given back."""
    return {**body, "credentials": {"connectionString": None}}


def full_skillset(body: Mapping[str, Any], api_version: str) -> dict[str, Any]:
    """The skillset as it is stored. Skills of any type are kept; a run with one that cannot be run here fails.

    Raises:
        ServiceFault: 400 for what Azure refuses.
    """
    skills = body.get("skills")
    if isinstance(skills, list):  # the page length of tokens has no documented range: check all but that
        checked_skills = [_in_characters(skill) for skill in skills]
        checked("skillset", {**body, "skills": checked_skills}, api_version)
    else:
        checked("skillset", body, api_version)
    _check_name("skillset", "skillset", body["name"])
    if not skills:
        raise _refused("A skillset must have at least one skill.", "NoSkills")
    if len(skills) > SKILLS_PER_SKILLSET:
        raise _refused(
            f"A skillset can have at most {SKILLS_PER_SKILLSET} skills; it has {len(skills)}.", "TooManySkills"
        )
    names = [skill.get("name") or f"#{number}" for number, skill in enumerate(skills, 1)]
    for skill, name in zip(skills, names, strict=True):
        if names.count(name) > 1:
            raise _refused(f"The skill name '{name}' is there twice.", "DuplicateName")
        _check_skill(skill, name)
    check_parts("skillset", body)
    return full_form("skillset", body)


def with_skill_defaults(body: Mapping[str, Any]) -> dict[str, Any]:
    """A stored skillset as GET shows it: the answer to a write has nulls where later reads have these values.

    Recorded: py2021-test_search_index_client_skillset-*.
    """
    skills: list[dict[str, Any]] = []
    for number, skill in enumerate(body["skills"], 1):
        filled = {**skill, "name": skill.get("name") or f"#{number}", "context": skill.get("context") or "/document"}
        if skill["@odata.type"] == "#Microsoft.Skills.Text.EntityRecognitionSkill":
            filled["categories"] = skill.get("categories") or list(_ENTITY_CATEGORIES)
            filled["defaultLanguageCode"] = skill.get("defaultLanguageCode") or "en"
        skills.append(filled)
    return {**body, "skills": skills}


def full_indexer(body: Mapping[str, Any], api_version: str, lookup: Lookup) -> dict[str, Any]:
    """The indexer as it is stored.

    Raises:
        ServiceFault: 400 for what Azure refuses, among it a data source, skillset or index that does not exist.
    """
    checked("indexer", body, api_version)
    _check_name("indexer", "indexer", body["name"])
    for kind, property_name, label in (
        ("dataSource", "dataSourceName", "a data source"),
        ("index", "targetIndexName", "an index"),
        ("skillset", "skillsetName", "a skillset"),
    ):
        name = body.get(property_name)
        if name is not None and lookup(kind, name) is None:
            raise _refused(f"This indexer refers to {label} '{name}' that doesn't exist.", "InvalidReference")
    index = lookup("index", body["targetIndexName"]) or {"fields": []}
    fields = {field["name"] for field in index["fields"]}
    for property_name, label in (("fieldMappings", "Field mapping"), ("outputFieldMappings", "Output field mapping")):
        for mapping in body.get(property_name) or []:
            target = str(mapping.get("targetFieldName") or mapping["sourceFieldName"]).partition("/")[0]
            if target not in fields:
                raise _refused(
                    f"{label} specifies target field '{target}' that is not present in the target index",
                    "InvalidFieldMapping",
                )
    if body.get("schedule"):
        if body["schedule"].get("startTime") and moment(body["schedule"]["startTime"]) is None:
            raise _refused(f"The startTime '{body['schedule']['startTime']}' is not a date.", "InvalidSchedule")
        interval = duration_seconds(body["schedule"]["interval"])
        if interval is None or not SCHEDULE_MINIMUM_SECONDS <= interval <= SCHEDULE_MAXIMUM_SECONDS:
            raise _refused(
                f"The interval '{body['schedule']['interval']}' of the schedule is not between 5 minutes and 1 day.",
                "InvalidSchedule",
            )
    return full_form("indexer", body)


def _in_characters(skill: Any) -> Any:
    if isinstance(skill, Mapping) and skill.get("unit") == "azureOpenAITokens":
        return {name: value for name, value in skill.items() if name != "maximumPageLength"}
    return skill


def _check_skill(skill: Mapping[str, Any], name: str) -> None:
    if not str(skill["@odata.type"]).startswith("#Microsoft.Skills."):
        raise _refused(
            f"The skill '{name}' has the type '{skill['@odata.type']}', which does not exist.", "UnknownSkill"
        )
    for part in ("inputs", "outputs"):
        if not skill.get(part):
            raise _refused(f"The skill '{name}' has no {part}.", "InvalidSkill")
    length, overlap = skill.get("maximumPageLength"), skill.get("pageOverlapLength") or 0
    if length is not None and overlap * 2 >= length and overlap:
        raise _refused(
            f"The pageOverlapLength {overlap} of the skill '{name}' must be below half of its "
            f"maximumPageLength {length}.",
            "InvalidSkill",
        )


def _check_name(kind: str, label: str, name: str) -> None:
    reason = check_name(kind, name)
    if reason:
        raise _refused(f"Invalid {label} name '{name}': it {reason}.", "InvalidName")


def _refused(message: str, detail: str) -> ServiceFault:
    return invalid_request(f"The request is invalid. Details: definition : {message}", detail)
