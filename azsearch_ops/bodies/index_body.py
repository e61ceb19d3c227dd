"""The index's body: what the definition says, and the vectorizer that the skillset's embedding stands for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from azsearch_ops.bodies.origins import Origin
from azsearch_ops.contract.objects import ANNOTATIONS
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.short_forms import VECTORIZER, wants_embedding
from azsearch_ops.definitions.skillset import SkillsetDefinition

_SHARED: Final = ("resourceUri", "deploymentId", "apiKey", "authIdentity", "modelName")


def index_body(
    index: IndexDefinition, skillset: SkillsetDefinition | None, synonym_maps: Mapping[str, str], *, name: str
) -> tuple[dict[str, Any], tuple[Origin, ...]]:
    """The body under `name`, and where its parts come from. Synonym maps are called as `synonym_maps` says."""
    body = {key: value for key, value in index.index.items() if key not in ANNOTATIONS and value is not None}
    body["name"] = name
    if synonym_maps:
        body["fields"] = _naming(body.get("fields"), synonym_maps)
    origins = [Origin("index", "", "index", "/index")]
    vector_search = body.get("vectorSearch")
    if (
        isinstance(vector_search, Mapping)
        and skillset is not None
        and skillset.embedding
        and wants_embedding(vector_search)
    ):
        own = list(vector_search.get("vectorizers") or ())
        body["vectorSearch"] = {**vector_search, "vectorizers": [*own, _vectorizer(skillset.embedding)]}
        at = f"/vectorSearch/vectorizers/{len(own)}"
        origins.append(Origin("index", at, "skillset", "/embedding"))
        origins.append(Origin("index", f"{at}/azureOpenAIParameters", "skillset", "/embedding"))
    return body, tuple(origins)


def _vectorizer(embedding: Mapping[str, object]) -> dict[str, Any]:
    parameters = {key: embedding[key] for key in _SHARED if embedding.get(key) is not None}
    return {"name": VECTORIZER, "kind": "azureOpenAI", "azureOpenAIParameters": parameters}


def _naming(fields: object, names: Mapping[str, str]) -> object:
    """The fields with the final names of the synonym maps that are defined here."""
    if not isinstance(fields, list | tuple):
        return fields
    named: list[object] = []
    for field in fields:
        if isinstance(field, Mapping):
            field = dict(field)
            if isinstance(field.get("synonymMaps"), list | tuple):
                field["synonymMaps"] = [names.get(str(used), used) for used in field["synonymMaps"]]
            if field.get("fields"):
                field["fields"] = _naming(field["fields"], names)
        named.append(field)
    return named
