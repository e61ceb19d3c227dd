"""How an index without a project is searched: a settings file with {{query}} in it, or a plain request in a mode."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from azsearch_ops.bodies.ranking_parts import PART_KINDS, Names, PartKind, called, plain_names
from azsearch_ops.bodies.request import QUERY, search_body
from azsearch_ops.contract.limits import KNN_DEFAULT
from azsearch_ops.definitions.files import read_tree
from azsearch_ops.errors import DefinitionError, Problem, ServiceError, UnreachableError, UsageError
from azsearch_ops.evaluation.types import Query
from azsearch_ops.service.client import Service

_PLACEHOLDER: Final = re.compile(r"\{\{\s*query\s*\}\}")
_OURS: Final = frozenset({"top", "skip", "select", "count"})


def request_of(path: Path | None, mode: str | None, vector_fields: Sequence[str]) -> dict[str, Any]:
    """The request with {{query}} in it: that of the settings file at `path`, else a plain one in the wanted mode."""
    if path is not None:
        if mode is not None:
            raise UsageError("--settings says how to search, so --mode has no place", hint="leave one of them out")
        return _settings(path)
    mode = mode or "text"
    if mode not in ("text", "vector", "hybrid"):
        raise UsageError(
            f"there is no mode '{mode}'", hint="text, vector or hybrid; a settings file says anything else"
        )
    body: dict[str, Any] = {"search": QUERY} if mode != "vector" else {}
    if mode != "text":
        if not vector_fields:
            raise UsageError(
                "which vector field is to be searched cannot be seen in an answer", hint="name it with --vector-field"
            )
        fields = ",".join(vector_fields)
        body["vectorQueries"] = [{"kind": "text", "text": QUERY, "fields": fields, "k": KNN_DEFAULT}]
    return body


@dataclass(frozen=True, slots=True)
class AnyRequest:
    """The request as one index takes it. `names` are what it calls the parts that single queries name."""

    settings: Mapping[str, Any]
    names: Names = field(default_factory=dict)

    def called(self, kind: PartKind, name: str | None) -> str | None:
        """What the index calls a part."""
        return self.names.get((kind, name), name) if name is not None else None


def requests_on(
    service: Service,
    indexes: Sequence[str],
    settings: Mapping[str, Any],
    queries: Sequence[Query],
    semantic: str | None = None,
) -> dict[str, AnyRequest]:
    """The request by index: a scoring profile or semantic configuration may go by its plain name, without the digest.

    A definition is read only where anything is named. Where one may not be read, no further one is asked for, and the
    names stay as they are.
    """
    asked = [settings, *(query.request for query in queries)]
    if semantic is None and not any(request.get(kind) for request in asked for kind in PART_KINDS):
        return {index: AnyRequest(settings) for index in indexes}
    names: dict[str, Names] = {}
    readable = True
    for index in indexes:
        body = _definition(service, index) if readable else None
        readable = body is not None
        names[index] = plain_names(body or {})
    return {index: AnyRequest(called(settings, names[index]), names[index]) for index in indexes}


def _definition(service: Service, name: str) -> Mapping[str, Any] | None:
    """The body of an index, or of what an alias points to, empty where neither is; None where it may not be read."""
    try:
        body = service.find("index", name)
        alias = service.find("alias", name) if body is None else None
        return body or (service.find("index", str(alias["indexes"][0])) if alias else None) or {}
    except UnreachableError:
        raise
    except ServiceError:
        return None


def _settings(path: Path) -> dict[str, Any]:
    problems: list[Problem] = []
    tree = read_tree(path, Path.cwd(), problems)
    if tree is None or any(p.severity == "error" for p in problems):
        raise DefinitionError(tuple(problems))
    if not isinstance(tree.value, Mapping):
        raise UsageError(
            f"{path}: a search request is an object", hint='{"search": "{{query}}", "queryType": "simple"}'
        )
    body = _spelled({name: value for name, value in tree.value.items() if name not in _OURS})
    if body == search_body(body, "\x00"):
        raise UsageError(
            f"{path}: nothing in it stands for the question",
            hint='write {{query}} in "search" or in the "text" of a vector query',
        )
    return {str(name): value for name, value in body.items()}


def _spelled(value: Any) -> Any:
    if isinstance(value, str):
        return _PLACEHOLDER.sub(QUERY, value)
    if isinstance(value, Mapping):
        return {name: _spelled(item) for name, item in value.items()}
    return [_spelled(item) for item in value] if isinstance(value, list | tuple) else value
