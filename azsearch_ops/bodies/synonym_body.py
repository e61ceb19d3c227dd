"""The bodies of the synonym maps that an index names, each called by its name and a digest of itself."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from azsearch_ops.bodies.canonical import digest
from azsearch_ops.bodies.normal import normal_without
from azsearch_ops.definitions.synonym_map import SynonymMapDefinition


def synonym_bodies(
    fields: object, defined: Mapping[str, SynonymMapDefinition], prefix: str, digits: int
) -> dict[str, dict[str, Any]]:
    """By name of the definition: the bodies of those that the fields name, in order of name."""
    used = sorted(set(_named(fields)) & set(defined))
    bodies: dict[str, dict[str, Any]] = {}
    for name in used:
        synonym_map = defined[name]
        body: dict[str, Any] = {"format": synonym_map.format, "synonyms": synonym_map.synonyms}
        if synonym_map.encryption_key is not None:
            body["encryptionKey"] = dict(synonym_map.encryption_key)
        bodies[name] = {"name": f"{prefix}{name}-{_digest(body)[:digits]}", **body}
    return bodies


def says_what_it_is_called(body: Mapping[str, Any]) -> bool:
    """Whether a synonym map of ours, as the service has it, still has the rules that its name is made of."""
    called = re.search(r"-([0-9a-f]+)\Z", str(body["name"]))
    return called is not None and _digest({**body, "name": None}).startswith(called[1])


def synonym_maps_of(fields: object) -> tuple[str, ...]:
    """The names that fields have in `synonymMaps`, each once, in order."""
    return tuple(sorted(set(_named(fields))))


def _digest(body: Mapping[str, Any]) -> str:
    return digest(normal_without("synonymMap", body, lambda row: row.environment))


def _named(fields: object) -> Iterator[str]:
    for field in fields if isinstance(fields, list | tuple) else ():
        if isinstance(field, Mapping):
            yield from (str(name) for name in field.get("synonymMaps") or ())
            yield from _named(field.get("fields"))
