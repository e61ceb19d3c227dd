"""The outer form of a definition, read from the contract: what is refused, what is filled in, what an answer shows.

Azure answers a write with every property of the object: null for what was not set, an empty list for a list. Only the
few of `_ECHOED` and the similarity come back as something else (recordings py2026-index-scoring-profile-product,
net2025-split-skill-echo, and the hnswParameters of the 2024-07-01 examples).
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from azsearch_ops.contract.fields import is_complex
from azsearch_ops.contract.objects import ANNOTATIONS, OBJECTS, is_open, properties_of
from azsearch_ops.contract.property import Property
from azsearch_ops.contract.versions import is_preview, supports
from azsearch_ops.local.errors import ServiceFault, invalid_request

_ECHOED: Final = frozenset(
    {
        ("scoringFunction", "interpolation"),
        ("suggester", "searchMode"),
        ("hnswAlgorithm", "hnswParameters"),
        ("exhaustiveAlgorithm", "exhaustiveKnnParameters"),
        ("hnswParameters", "m"),
        ("hnswParameters", "efConstruction"),
        ("hnswParameters", "efSearch"),
        ("hnswParameters", "metric"),
        ("exhaustiveParameters", "metric"),
        ("scalarParameters", "quantizedDataType"),
        ("index", "purviewEnabled"),
    }
)
"""What comes back as the contract's default where it was not set."""
_SIMILARITY: Final = {"@odata.type": "#Microsoft.Azure.Search.BM25Similarity"}
"""What an index's similarity comes back as: the default without its numbers."""
_AS_SENT: Final = ("indexerConfiguration",)
"""A bag of settings rather than an object: comes back with what was sent."""
_EARLY: Final = {("splitSkill", "unit"), ("splitSkill", "azureOpenAITokenizerParameters")}
"""Previews by the documentation, but used in the 2026-04-01 examples of the REST specification: accepted."""
_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "boolean": (bool,),
    "integer": (int,),
    "number": (int, float),
    "object": (Mapping,),
    "list": (list,),
    "any": (object,),
}


def checked(kind: str, body: Mapping[str, Any], api_version: str) -> None:
    """Holds a body against the contract.

    Raises:
        ServiceFault: 400 that names the first property that is unknown, missing, or has a wrong value.
    """
    for problem in _problems(kind, body, api_version, ""):
        raise problem


def full_form(kind: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """The body with every property of the contract, in its order; `@odata.type` and open properties are kept."""
    found: dict[str, Any] = {}
    for row, owner in _rows(kind, body):
        value = body.get(row.name)
        if value is None:
            value = _unset(owner, row)
        found[row.name] = _full_value(row, value)
    for name, value in body.items():
        if name not in found and name not in ANNOTATIONS:
            found[name] = copy.deepcopy(value)
    return found


def _unset(owner: str, row: Property) -> Any:
    """What comes back for a property that was not set."""
    if (owner, row.name) == ("index", "similarity"):
        return dict(_SIMILARITY)
    return copy.deepcopy(row.default) if (owner, row.name) in _ECHOED else None


def shown(kind: str, body: Mapping[str, Any], api_version: str) -> dict[str, Any]:
    """A full form as `api_version` shows it: unset properties that came later are left out, at every level."""
    rows = {row.name: row for row, _ in _rows(kind, body)}
    found: dict[str, Any] = {}
    for name, value in body.items():
        row = rows.get(name)
        if row is not None:
            unset = value is None or value == [] or value is False or (name, value) == ("stored", True)
            if unset and not _knows(api_version, row):
                continue
            if row.of is not None:
                value = _shown_value(row.of, value, api_version)
        found[name] = value
    return found


def _shown_value(kind: str, value: Any, api_version: str) -> Any:
    if isinstance(value, Mapping):
        return shown(kind, value, api_version)
    if isinstance(value, list):
        return [_shown_value(kind, item, api_version) for item in value]
    return value


def _full_value(row: Property, value: Any) -> Any:
    if row.kind == "list":
        items = value if isinstance(value, Sequence) and not isinstance(value, str) else []
        return [full_form(row.of, item) if row.of and isinstance(item, Mapping) else item for item in items]
    if row.write_only and row.name == "apiKey" and value is not None:
        return "<redacted>"  # what answers show; nothing here needs the key itself
    if row.of and row.of not in _AS_SENT and isinstance(value, Mapping):
        return full_form(row.of, value)
    return copy.deepcopy(value)


def _rows(kind: str, body: Mapping[str, Any]) -> Iterator[tuple[Property, str]]:
    """The properties of the body's type, each with the name of the object type that has it."""
    object_type = OBJECTS[kind]
    variant = object_type.variants.get(str(body.get(object_type.discriminator))) if object_type.discriminator else None
    inherited = object_type.properties
    for name, row in properties_of(kind, body).items():
        if kind == "field" and name == "fields" and not is_complex(body):
            continue
        yield row, kind if name in inherited or variant is None else variant


def _problems(kind: str, body: Mapping[str, Any], api_version: str, at: str) -> Iterator[ServiceFault]:
    rows = {row.name: (row, owner) for row, owner in _rows(kind, body)}
    closed = not is_open(kind, body)
    for name, value in body.items():
        if name in ANNOTATIONS or name == "@odata.type":
            continue
        if name not in rows:
            if closed and value is not None:
                yield _refused(
                    f"The property '{name}' does not exist on type '{kind}'{_in(at)}. Make sure to only use "
                    "property names that are defined by the type.",
                    "UnknownProperty",
                )
            continue
        row, owner = rows[name]
        if value is None or (value == [] and row.kind == "list"):
            continue
        if not _knows(api_version, row) and (owner, name) not in _EARLY:
            when = "a preview" if is_preview(row.since) else "the version"
            yield _refused(
                f"The property '{name}' of '{kind}'{_in(at)} is not known to api-version {api_version}; it "
                f"came with {when} {row.since}.",
                "UnknownProperty",
            )
        yield from _value_problems(row, value, api_version, f"{at}/{name}")
    for row, _ in rows.values():
        if row.required and body.get(row.name) is None:
            yield _refused(f"The property '{row.name}' of '{kind}'{_in(at)} is required.", "MissingProperty")


def _knows(api_version: str, row: Property) -> bool:
    """Whether the version has the property. Which preview was first to have what is stable now, is not in the table."""
    if is_preview(api_version) and not is_preview(row.since):
        return True
    return supports(api_version, row.since)


def _value_problems(row: Property, value: Any, api_version: str, at: str) -> Iterator[ServiceFault]:
    wrong = not isinstance(value, _KINDS[row.kind]) or (isinstance(value, bool) and row.kind in ("integer", "number"))
    if wrong:
        yield _refused(f"The value of '{at}' must be of type {row.kind}.", "InvalidPropertyType")
        return
    stated = value if row.kind == "list" else (value,)
    for one in stated if row.values else ():
        if one in row.values:
            continue
        yield _refused(
            f"The value '{one}' of '{at}' is not allowed. Allowed values: {', '.join(row.values)}.",
            "InvalidPropertyValue",
        )
    if (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and ((row.minimum is not None and value < row.minimum) or (row.maximum is not None and value > row.maximum))
    ):
        yield _refused(f"The value {value} of '{at}' is out of range: {_range(row)}.", "InvalidPropertyValue")
    if row.of is None:
        if row.kind == "list" and not all(isinstance(item, str) for item in value):
            yield _refused(f"The items of '{at}' must be strings.", "InvalidPropertyType")
        return
    items = enumerate(value) if row.kind == "list" else ((None, value),)
    for number, item in items:
        here = at if number is None else f"{at}/{number}"
        if isinstance(item, Mapping):
            yield from _problems(row.of, item, api_version, here)
        else:
            yield _refused(f"The value of '{here}' must be a JSON object.", "InvalidPropertyType")


def _refused(message: str, detail: str) -> ServiceFault:
    return invalid_request(f"The request is invalid. Details: definition : {message}", detail)


def _in(at: str) -> str:
    return f" at '{at}'" if at else ""


def _range(row: Property) -> str:
    low, high = row.minimum, row.maximum
    if low is None:
        return f"at most {high:g}"
    return f"at least {low:g}" if high is None else f"{low:g} to {high:g}"
