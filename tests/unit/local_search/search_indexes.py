"""Small indexes for the tests of the search engine."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from azsearch_ops.local.search.engine import SearchEngine

STABLE = "2026-04-01"
PREVIEW = "2026-05-01-preview"


def text_field(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "type": "Edm.String", "searchable": True, **more}


def vector_field(name: str, dimensions: int, profile: str = "p") -> dict[str, Any]:
    return {
        "name": name, "type": "Collection(Edm.Single)", "searchable": True, "retrievable": True,
        "dimensions": dimensions, "vectorSearchProfile": profile,
    }  # fmt: skip


def vector_search(metric: str = "cosine", vectorizer: str | None = None) -> dict[str, Any]:
    return {
        "profiles": [{"name": "p", "algorithm": "a", "vectorizer": vectorizer}],
        "algorithms": [{"name": "a", "kind": "hnsw", "hnswParameters": {"metric": metric}}],
        "vectorizers": [{"name": vectorizer, "kind": "azureOpenAI"}] if vectorizer else [],
    }


KEY = {"name": "id", "type": "Edm.String", "key": True, "searchable": False}


def engine(
    fields: Iterable[Mapping[str, Any]],
    documents: Iterable[Mapping[str, Any]],
    vectorize: Callable[[Mapping[str, Any], str], list[float]] = lambda vectorizer, text: [],
    **definition: Any,
) -> SearchEngine:
    made = SearchEngine({"name": "i", "fields": [KEY, *fields], **definition}, vectorize)
    for document in documents:
        made.put(document["id"], document)
    return made


def texts(*values: str | None, analyzer: str = "standard.lucene") -> SearchEngine:
    documents = [{"id": str(number), "text": value} for number, value in enumerate(values, 1)]
    return engine([text_field("text", analyzer=analyzer)], documents)


def ids(answer: Mapping[str, Any]) -> list[str]:
    return [row["id"] for row in answer["value"]]


def scores(answer: Mapping[str, Any]) -> dict[str, float]:
    return {row["id"]: row["@search.score"] for row in answer["value"]}
