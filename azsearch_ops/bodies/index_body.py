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
    index: IndexDefinition, skillset: SkillsetDefinition, *, name: str
) -> tuple[dict[str, Any], tuple[Origin, ...]]:
    """The body under `name`, and where its parts come from."""
    body = {key: value for key, value in index.index.items() if key not in ANNOTATIONS and value is not None}
    body["name"] = name
    origins = [Origin("index", "", "index", "/index")]
    vector_search = body.get("vectorSearch")
    if isinstance(vector_search, Mapping) and skillset.embedding and wants_embedding(vector_search):
        own = list(vector_search.get("vectorizers") or ())
        body["vectorSearch"] = {**vector_search, "vectorizers": [*own, _vectorizer(skillset.embedding)]}
        at = f"/vectorSearch/vectorizers/{len(own)}"
        origins.append(Origin("index", at, "skillset", "/embedding"))
        origins.append(Origin("index", f"{at}/azureOpenAIParameters", "skillset", "/embedding"))
    return body, tuple(origins)


def _vectorizer(embedding: Mapping[str, object]) -> dict[str, Any]:
    parameters = {key: embedding[key] for key in _SHARED if embedding.get(key) is not None}
    return {"name": VECTORIZER, "kind": "azureOpenAI", "azureOpenAIParameters": parameters}
