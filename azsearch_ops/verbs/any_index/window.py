"""How many tokens the embedding model of each index reads: told by the user, or by the index's own vectorizer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from azsearch_ops.errors import ServiceError, UnreachableError, UsageError
from azsearch_ops.evaluation.diagnosis.instruments import Window
from azsearch_ops.evaluation.diagnosis.truncation import window_of
from azsearch_ops.evaluation.types import CountTokens
from azsearch_ops.service.client import Service


@dataclass(frozen=True, slots=True)
class ToldWindows:
    """Tokens that the user says a model reads: of every index, or by index."""

    all: int | None = None
    by_index: Mapping[str, int] = field(default_factory=dict)

    def of(self, index: str) -> int | None:
        """What was said about `index`."""
        return self.by_index.get(index, self.all)


def told_windows(texts: Sequence[str], indexes: Sequence[str]) -> ToldWindows:
    """From `8191` and `INDEX=512`; UsageError for what is neither, or names an index that is not measured."""
    everywhere: int | None = None
    by_index: dict[str, int] = {}
    for text in texts:
        index, separator, number = text.rpartition("=")
        if not number.strip().isdigit() or int(number) == 0:
            raise UsageError(f"'{text}' is no number of tokens", hint="--embedding-window 8191, or INDEX=512")
        if separator and index not in indexes:
            raise UsageError(f"'{index}' is not measured", hint=f"one of: {', '.join(indexes)}")
        if separator:
            by_index[index] = int(number)
        else:
            everywhere = int(number)
    return ToldWindows(everywhere, by_index)


def windows_of(
    service: Service, indexes: Sequence[str], settings: Mapping[str, Any], told: ToldWindows, count: CountTokens
) -> tuple[dict[str, Window | None], dict[str, str]]:
    """The window and the model of each index, as far as they are known.

    An index's definition is asked for only where the request searches vectors and nothing was told. A reader may not
    read it: then no further one is asked for, and the window stays unknown.
    """
    fields = _searched_fields(settings)
    windows: dict[str, Window | None] = {}
    models: dict[str, str] = {}
    readable = True
    for index in indexes:
        known = told.of(index)
        if known is None and fields and readable:
            try:
                body = service.find("index", index)
            except UnreachableError:
                raise
            except ServiceError:
                readable, body = False, None
            models[index] = vectorizer_model(body or {}, fields)
        windows[index] = window_of(models.get(index) or f"the embedding model of {index}", count, known)
    return windows, {index: model for index, model in models.items() if model}


def vectorizer_model(body: Mapping[str, Any], fields: Sequence[str]) -> str:
    """The model that the vectorizer of the first of `fields` asks for; empty where the definition does not tell."""
    search = body.get("vectorSearch") or {}
    profiles = {str(p.get("name")): p for p in search.get("profiles") or ()}
    vectorizers = {str(v.get("name")): v for v in search.get("vectorizers") or ()}
    by_name = {str(f.get("name")): f for f in body.get("fields") or ()}
    for name in fields:
        profile = profiles.get(str((by_name.get(name) or {}).get("vectorSearchProfile")), {})
        vectorizer = vectorizers.get(str(profile.get("vectorizer")), {})
        for told in vectorizer.values():
            if isinstance(told, Mapping) and (model := told.get("modelName") or told.get("deploymentId")):
                return str(model)
    return ""


def _searched_fields(settings: Mapping[str, Any]) -> tuple[str, ...]:
    queries = [query for query in settings.get("vectorQueries") or () if isinstance(query, Mapping)]
    names = [name.strip() for query in queries for name in str(query.get("fields") or "").split(",")]
    return tuple(dict.fromkeys(name for name in names if name))
