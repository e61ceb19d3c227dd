"""The scores of each leg of a search, as the service tells them with `debug`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

EXPLAINED: Final = "all"
"""The value of `debug` that brings the subscores of every leg."""

TEXT_LEG: Final = "BM25"
VECTOR_LEG: Final = "vector"


RERANKER: Final = "reranker"
STAND_IN: Final = "stand-in semantic ranker"


def subscores(row: Mapping[str, Any], request: Mapping[str, Any], *, stand_in: bool = False) -> dict[str, float]:
    """Leg → score of a row: `BM25`, the similarity in each vector leg, `reranker`; a leg without the row is left out.

    With `stand_in` the reranker is called what it is. With text alone there is one leg, and its score is the row's.
    """
    found: dict[str, float] = {}
    told = _told(row)
    text = (told.get("text") or {}).get("searchScore")
    has_text = request.get("search") not in (None, "", "*")
    if text is None and has_text and not request.get("vectorQueries"):
        text = row.get("@search.score")
    if text is not None and has_text:
        found[TEXT_LEG] = float(text)
    vectors = [(field, scores) for leg in told.get("vectors") or () for field, scores in leg.items()]
    names = [field for field, _ in vectors]
    for number, (field, scores) in enumerate(vectors):
        similarity = (scores or {}).get("vectorSimilarity")
        if similarity is not None:
            found[_vector_leg(names, number, field)] = float(similarity)
    reranked = row.get("@search.rerankerScore")
    if reranked is not None:
        found[STAND_IN if stand_in else RERANKER] = float(reranked)
    return found


def _told(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The subscores of a row; previews of the service wrapped them in a list."""
    debug: Any = row.get("@search.documentDebugInfo") or {}
    if isinstance(debug, list):
        debug = debug[0] if debug else {}
    return ((debug.get("vectors") or {}).get("subscores")) or {}


def _vector_leg(names: list[str], number: int, field: str) -> str:
    if len(names) == 1:
        return VECTOR_LEG
    again = names[:number].count(field)
    return f"{VECTOR_LEG} {field}{f' {again + 1}' if again else ''}"
