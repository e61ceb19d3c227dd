"""AZS404 to AZS408: thresholds, weights and depths of a search request that fail or starve a ranking."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from azsearch_ops.contract import limits, sources
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.tree import step
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import is_number, items, member

EXPLANATIONS: Final = (
    Explanation(
        "AZS404",
        "A threshold on a hybrid query",
        "Fused scores lie in a narrow band that moves with every change (1/60 at most for each list), so a threshold "
        "on them cuts at random. A similarity threshold only filters the vector list before fusion; what text finds "
        "stays.",
        "Use `mode: vector`, or leave the threshold out.",
        sources.VECTOR_QUERY,
    ),
    Explanation(
        "AZS405",
        "A threshold that the metric cannot give",
        "Cosine similarity lies between -1 and 1, its search score between 0.333 and 1; beyond that everything or "
        "nothing passes.",
        "Choose a value inside.",
        sources.VECTOR_QUERY,
    ),
    Explanation(
        "AZS407",
        "A number that the service or common sense refuses",
        "One page has at most 1,000 results; weights are above 0; a k below top leaves a hybrid ranking short.",
        "Stay within the bounds that the message names.",
        sources.LIMITS,
    ),
    Explanation(
        "AZS408",
        "Semantic ranking asked for in a way that fails or starves it",
        "With orderby the service answers 400. The ranker reads 50 results; a k below 50 gives it fewer.",
        "Leave orderby out, and set k to 50 or more.",
        sources.SEMANTIC,
    ),
)


def check_ranking(index: IndexDefinition) -> Iterator[Problem]:
    """The problems of the numbers in the retrieval settings."""
    yield from _check_numbers(index)
    yield from _check_threshold(index)


def _check_numbers(index: IndexDefinition) -> Iterator[Problem]:
    retrieval, tree = index.retrieval, index.tree
    if retrieval.top > limits.TOP_MAXIMUM:
        message = f"top must be at most {limits.TOP_MAXIMUM}, and is {retrieval.top}"
        yield Problem("AZS407", message, tree.locate("/retrieval/top"))
    weights = [("/retrieval/weight", retrieval.weight)] if retrieval.weight is not None else []
    weights += [(step("/retrieval/weights", name), weight) for name, weight in retrieval.weights.items()]
    for pointer, weight in weights:
        if weight is not None and weight <= 0:
            yield Problem("AZS407", f"a weight must be above 0, and is {weight:g}", tree.locate(pointer))
    if retrieval.mode != "text" and retrieval.k is not None and retrieval.k < retrieval.top:
        message = f"k {retrieval.k} is below top {retrieval.top}, so vectors cannot fill the results"
        yield Problem("AZS407", message, tree.locate("/retrieval/k"), severity="warning")
    if retrieval.request.get("queryType") != "semantic":
        return
    if retrieval.request.get("orderby") is not None:
        place = tree.locate("/retrieval/request/orderby")
        yield Problem("AZS408", "orderby with queryType semantic is refused by Azure", place)
    if retrieval.mode != "text" and retrieval.k is not None and retrieval.k < limits.KNN_DEFAULT:
        message = f"k {retrieval.k} gives the semantic ranker fewer than the {limits.KNN_DEFAULT} results it reads"
        yield Problem("AZS408", message, tree.locate("/retrieval/k"), severity="warning")


def _check_threshold(index: IndexDefinition) -> Iterator[Problem]:
    retrieval, tree = index.retrieval, index.tree
    stated = retrieval.threshold
    if stated is None or retrieval.mode == "text":
        return
    place = tree.locate("/retrieval/threshold")
    kind = stated.get("kind") if isinstance(stated, Mapping) else "vectorSimilarity"
    value = stated.get("value") if isinstance(stated, Mapping) else stated
    if kind not in ("vectorSimilarity", "searchScore") or not is_number(value):
        message = "threshold is a number, or a kind (vectorSimilarity, searchScore) with a value"
        yield Problem("AZS405", message, place)
        return
    if retrieval.mode == "hybrid":
        severe = kind == "searchScore"
        what = "on scores that are fused" if severe else "only filters the vector list; what text finds stays"
        yield Problem(
            "AZS404",
            f"a threshold in mode hybrid {'stands ' if severe else ''}{what}",
            place,
            severity="error" if severe else "warning",
            hint="use mode vector, or leave the threshold out",
        )
    if not _only_cosine(index):
        return
    low, high = (-1.0, 1.0) if kind == "vectorSimilarity" else (1 / 3, 1.0)
    if not low <= value <= high:
        message = f"a {kind} threshold lies between {low:.3g} and {high:g} with cosine, and is {value:g}"
        yield Problem("AZS405", message, place)


def _only_cosine(index: IndexDefinition) -> bool:
    """Whether every algorithm of the index measures by cosine, which is the default."""
    for algorithm, _ in items(member(index.index.get("vectorSearch"), "algorithms"), ""):
        for name in ("hnswParameters", "exhaustiveKnnParameters"):
            metric = member(algorithm.get(name), "metric")
            if metric not in (None, "cosine"):
                return False
    return True
