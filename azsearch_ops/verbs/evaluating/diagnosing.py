"""What a diagnosis is handed: how to ask a side again, and how its index was made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from azsearch_ops.bodies.ranking_parts import Names, called
from azsearch_ops.bodies.request import search_body
from azsearch_ops.chunking.text_split import TextSplit
from azsearch_ops.evaluation.diagnosis.absence import DEEPEST
from azsearch_ops.evaluation.diagnosis.instruments import Instruments, Making, Variation
from azsearch_ops.evaluation.types import Chunk, Query
from azsearch_ops.evaluation.wording import content_words
from azsearch_ops.service.client import Service
from azsearch_ops.verbs.evaluating.chunk_fields import ChunkFields
from azsearch_ops.verbs.evaluating.corpus import document_chunks
from azsearch_ops.verbs.evaluating.legs import EXPLAINED, subscores
from azsearch_ops.verbs.evaluating.retrieval import UNREAD, chunk_of

_WORDS = 60
_CANDIDATES = 50


def instruments(
    service: Service,
    index: str,
    settings: Mapping[str, Any],
    fields: ChunkFields,
    *,
    release: int | None = None,
    making: Making | None = None,
    names: Names = MappingProxyType({}),
) -> Instruments:
    """How `index` under `settings` is asked again; every call is a search, so the reader's role is enough."""

    def ask(query: Query, depth: int, variation: Variation) -> Sequence[Chunk]:
        body = varied(settings, query, depth, fields, variation, names)
        rows = service.search(index, body)["value"]
        by_score = "orderby" not in body
        return tuple(
            replace(chunk_of(row, fields, by_score), subscores=subscores(row, body, stand_in=service.stand_in_ranker))
            for row in rows[:depth]
        )

    def rows_as_chunks(body: Mapping[str, Any]) -> tuple[Chunk, ...]:
        return tuple(chunk_of(row, fields, False) for row in service.search(index, body)["value"])

    def chunks_with(words: str) -> Sequence[Chunk]:
        telling = content_words(words)
        asked = [word for word in words.replace("|", " ").split() if content_words(word) & telling][:_WORDS]
        plain = " ".join("".join(c if c.isalnum() else " " for c in word) for word in asked)
        return rows_as_chunks({"search": plain or "*", "select": fields.selected, "top": _CANDIDATES})

    queries = [q for q in settings.get("vectorQueries") or () if isinstance(q, Mapping)]
    return Instruments(
        index=index,
        ask=ask,
        chunks_at=document_chunks(service, index, fields),
        chunks_with=chunks_with,
        release=release,
        threshold=_threshold(queries),
        filter_of=lambda query: str(search_body(settings, "", query.filter, **query.request).get("filter") or ""),
        vectors=bool(queries),
        k=max((int(q["k"]) for q in queries if q.get("k")), default=None),
        making=making or Making(),
    )


def varied(
    settings: Mapping[str, Any],
    query: Query,
    depth: int,
    fields: ChunkFields,
    variation: Variation,
    names: Names = MappingProxyType({}),
) -> dict[str, Any]:
    """The request of one query under a variation."""
    overrides = {**called(query.request, names), **UNREAD, "top": depth, "select": fields.selected, "count": False}
    body = search_body(settings, query.text, query.filter, **overrides)
    if variation.explained:
        body["debug"] = EXPLAINED
    if variation.without_filter:
        body.pop("filter", None)
    if body.get("vectorQueries"):
        body["vectorQueries"] = [_vector_query(q, variation) for q in body["vectorQueries"]]
    return body


def split_of(skillset: Mapping[str, Any] | None) -> TextSplit | None:
    """How the one Text Split skill of a skillset cuts; None where there is none, or more than one."""
    skills = (skillset or {}).get("skills") or ()
    found = [skill for skill in skills if str(skill.get("@odata.type", "")).endswith(".SplitSkill")]
    return TextSplit.from_skill(found[0]) if len(found) == 1 else None


def model_of(skillset: Mapping[str, Any] | None) -> str:
    """The name of the model that the embedding skill of a skillset asks for; empty where it is not told."""
    for skill in (skillset or {}).get("skills") or ():
        if "EmbeddingSkill" in str(skill.get("@odata.type", "")) or skill.get("modelName"):
            return str(skill.get("modelName") or skill.get("deploymentId") or "")
    return ""


def deployment_of(skillset: Mapping[str, Any] | None) -> str | None:
    """The deployment that the embedding skill of a skillset asks for; None where it names none."""
    for skill in (skillset or {}).get("skills") or ():
        if skill.get("deploymentId"):
            return str(skill["deploymentId"])
    return None


def _vector_query(query: Mapping[str, Any], variation: Variation) -> dict[str, Any]:
    changed = dict(query)
    if variation.without_threshold or variation.deep:
        changed.pop("threshold", None)
    if variation.without_filter:
        changed.pop("filterOverride", None)
    if variation.deep:
        changed["k"] = DEEPEST
    return changed


def _threshold(queries: Sequence[Mapping[str, Any]]) -> float | None:
    set_ones = [q["threshold"] for q in queries if isinstance(q.get("threshold"), Mapping)]
    values = [float(t["value"]) for t in set_ones if t.get("kind") == "vectorSimilarity"]
    return max(values, default=None)
