"""The skillset's body: Text Split, embedding skill, further skills, and the projection into the index."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from azsearch_ops.bodies.origins import Origin
from azsearch_ops.contract.skills import EMBEDDING_ODATA_TYPE, SKIP_PARENTS
from azsearch_ops.contract.text_split import ODATA_TYPE
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.short_forms import (
    PAGES,
    PARENT_KEY,
    TEXT_VECTOR,
    chunk_context,
    pages_path,
    parent_key_field,
)
from azsearch_ops.definitions.skillset import SkillsetDefinition
from azsearch_ops.definitions.tree import step


def skillset_body(
    index: IndexDefinition, skillset: SkillsetDefinition, *, name: str, target: str
) -> tuple[dict[str, Any], tuple[Origin, ...]]:
    """The body under `name`, projecting into the index `target`, and where its parts come from."""
    skills: list[dict[str, Any]] = []
    origins: list[Origin] = [Origin("skillset", "", "skillset", "")]
    if skillset.chunking:
        origins.append(Origin("skillset", f"/skills/{len(skills)}", "skillset", "/chunking"))
        skills.append(_split(skillset.chunking))
    if skillset.embedding:
        origins.append(Origin("skillset", f"/skills/{len(skills)}", "skillset", "/embedding"))
        skills.append(_embed(skillset))
    for place, skill in enumerate(skillset.skills):
        origins.append(Origin("skillset", f"/skills/{len(skills)}", "skillset", f"/skills/{place}"))
        skills.append(dict(skill))
    body: dict[str, Any] = {"name": name, "skills": skills}
    if index.projection:
        selector, selector_origins = _selector(index, skillset, target)
        body["indexProjections"] = {"selectors": [selector], "parameters": _parameters(skillset)}
        origins += selector_origins
        origins.append(Origin("skillset", "/indexProjections/parameters", "skillset", "/indexProjections/parameters"))
    if skillset.description is not None:
        body["description"] = skillset.description
    if skillset.cognitive_services is not None:
        body["cognitiveServices"] = dict(skillset.cognitive_services)
        origins.append(Origin("skillset", "/cognitiveServices", "skillset", "/cognitiveServices"))
    if skillset.knowledge_store is not None:
        body["knowledgeStore"] = dict(skillset.knowledge_store)
        origins.append(Origin("skillset", "/knowledgeStore", "skillset", "/knowledgeStore"))
    if skillset.encryption_key is not None:
        body["encryptionKey"] = dict(skillset.encryption_key)
    return body, tuple(origins)


def _parameters(skillset: SkillsetDefinition) -> dict[str, Any]:
    """Parents are not indexed beside their chunks, unless the skillset states parameters or is in REST's shape."""
    stated = skillset.index_projections or {}
    parameters = stated.get("parameters")
    own = {} if stated.get("selectors") else {"projectionMode": SKIP_PARENTS}
    return {**own, **(parameters if isinstance(parameters, Mapping) else {})}


def _selector(index: IndexDefinition, skillset: SkillsetDefinition, target: str) -> tuple[dict[str, Any], list[Origin]]:
    """The projection into the index `target`, and where its parts come from."""
    mappings: list[dict[str, Any]] = [
        {"name": field, "source": source} if isinstance(source, str) else {"name": field, **source}
        for field, source in index.projection.items()
        if source != PARENT_KEY
    ]
    at = "/indexProjections/selectors/0"
    origins = [
        Origin("skillset", "/indexProjections", "index", "/projection"),
        Origin("skillset", f"{at}/parentKeyFieldName", "index", step("/projection", _parent_step(index))),
    ]
    for place, mapping in enumerate(mappings):
        pointer = step("/projection", str(mapping["name"]))
        origins.append(Origin("skillset", f"{at}/mappings/{place}", "index", pointer))
    selector = {
        "targetIndexName": target,
        "parentKeyFieldName": parent_key_field(index) or "",
        "sourceContext": chunk_context(index, skillset),
        "mappings": mappings,
    }
    return selector, origins


def _parent_step(index: IndexDefinition) -> str:
    return parent_key_field(index) or next(iter(index.projection))


def _split(chunking: Mapping[str, object]) -> dict[str, Any]:
    return {
        "@odata.type": ODATA_TYPE,
        "name": "chunking",
        "context": "/document",
        "inputs": [{"name": "text", "source": "/document/content"}],
        **chunking,
        "outputs": [{"name": "textItems", "targetName": PAGES}],
    }


def _embed(skillset: SkillsetDefinition) -> dict[str, Any]:
    pages = pages_path(skillset) if skillset.chunking else "/document/content"
    return {
        "@odata.type": EMBEDDING_ODATA_TYPE,
        "name": "embedding",
        "context": pages if skillset.chunking else "/document",
        "inputs": [{"name": "text", "source": pages}],
        **skillset.embedding,
        "outputs": [{"name": "embedding", "targetName": TEXT_VECTOR}],
    }
