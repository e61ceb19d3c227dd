"""AZS404 to AZS408: thresholds, weights and depths of a search request that fail or starve a ranking."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from azsearch_ops.contract import limits, sources
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.tree import step
from azsearch_ops.errors import Location, Problem
from azsearch_ops.rules.explanation import Explanation
from azsearch_ops.rules.finding import is_number, items, member, placed_fields

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
    Explanation(
        "AZS411",
        "A filter of production that no query measures",
        "Filters change what vector search finds, above all with postFilter; queries without one measure something "
        "else than users get.",
        "Give queries the filters that users have (`filter` of a query).",
        sources.VECTOR_QUERY,
    ),
    Explanation(
        "AZS412",
        "A vector query that its field's algorithm or compression does not carry out",
        "exhaustiveKnn fields have no graph to search; oversampling is for compressed fields only.",
        "Leave the setting out, or change the field's profile.",
        sources.VECTOR_INDEX,
    ),
)


def check_ranking(index: IndexDefinition) -> Iterator[Problem]:
    """The problems of the numbers in the retrieval settings."""
    yield from _check_numbers(index)
    yield from _check_threshold(index)
    yield from check_searching(index)


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
    yield from _check_order(index)
    if retrieval.request.get("queryType") != "semantic":
        return
    if retrieval.top > limits.KNN_DEFAULT:
        message = f"the semantic ranker reads {limits.KNN_DEFAULT} results; those after them stay as they were"
        yield Problem("AZS408", message, tree.locate("/retrieval/top"), severity="warning")
    recall = member(retrieval.request.get("hybridSearch"), "maxTextRecallSize")
    k = retrieval.k if retrieval.k is not None else limits.KNN_DEFAULT
    if retrieval.mode == "hybrid" and is_number(recall) and recall + k < limits.KNN_DEFAULT:
        message = f"k {k} and maxTextRecallSize {recall} give the semantic ranker fewer than {limits.KNN_DEFAULT}"
        place = tree.locate("/retrieval/request/hybridSearch/maxTextRecallSize")
        yield Problem("AZS408", message, place, severity="warning")
    if retrieval.request.get("orderby") is not None:
        place = tree.locate("/retrieval/request/orderby")
        yield Problem("AZS408", "orderby with queryType semantic is refused by Azure", place)
    if retrieval.mode != "text" and retrieval.k is not None and retrieval.k < limits.KNN_DEFAULT:
        message = f"k {retrieval.k} gives the semantic ranker fewer than the {limits.KNN_DEFAULT} results it reads"
        yield Problem("AZS408", message, tree.locate("/retrieval/k"), severity="warning")


def check_filters(index: IndexDefinition, asked_with_filter: bool) -> Iterator[Problem]:
    """Filters of production that no question of the query set has."""
    request, tree = index.retrieval.request, index.tree
    if asked_with_filter:
        return
    if request.get("filter") is not None:
        message = "the request filters, and no query of the set has a filter of its own"
        yield Problem("AZS411", message, tree.locate_key("/retrieval/request/filter"), severity="warning")
    elif request.get("vectorFilterMode") is not None:
        message = "vectorFilterMode changes nothing that is measured: neither the request nor a query has a filter"
        yield Problem("AZS411", message, tree.locate_key("/retrieval/request/vectorFilterMode"), severity="warning")


def check_searching(index: IndexDefinition) -> Iterator[Problem]:
    """Vector queries in REST's shape that ask an algorithm or a compression for what it does not do."""
    tree, vector = index.tree, index.index.get("vectorSearch")
    kinds = {str(a.get("name")): a.get("kind") for a, _ in items(member(vector, "algorithms"), "")}
    profiles = {str(p.get("name")): p for p, _ in items(member(vector, "profiles"), "")}
    fields = placed_fields(index)
    for query, at in items(index.retrieval.request.get("vectorQueries"), "/retrieval/request/vectorQueries"):
        for name in str(query.get("fields") or "").split(","):
            field = fields.get(name.strip())
            profile = profiles.get(str(field.body.get("vectorSearchProfile"))) if field is not None else None
            if profile is None:
                continue
            exhaustive = query.get("exhaustive")
            if kinds.get(str(profile.get("algorithm"))) == "exhaustiveKnn" and exhaustive is False:
                message = f"{name.strip()} has no HNSW graph, so the search is exhaustive whatever is asked"
                yield Problem("AZS412", message, tree.locate(step(at, "exhaustive")), severity="warning")
            elif kinds.get(str(profile.get("algorithm"))) == "exhaustiveKnn" and exhaustive is True:
                message = f"{name.strip()} is always searched exhaustively"
                yield Problem("AZS412", message, tree.locate(step(at, "exhaustive")), severity="note")
            if query.get("oversampling") is not None and profile.get("compression") is None:
                message = f"{name.strip()} is not compressed, so oversampling is refused"
                yield Problem("AZS412", message, tree.locate(step(at, "oversampling")))


def _check_order(index: IndexDefinition) -> Iterator[Problem]:
    orderby = index.retrieval.request.get("orderby")
    if not isinstance(orderby, str) or index.retrieval.request.get("queryType") == "semantic":
        return
    first = orderby.split(",")[0].strip()
    place = index.tree.locate("/retrieval/request/orderby")
    if not first.startswith("search.score()"):
        message = f"results come by {first.split(' ')[0]}, so relevance decides nothing"
        yield Problem("AZS408", message, place, severity="warning", hint="search.score() desc, then the field")
    clauses = orderby.count(",") + 1
    if clauses > limits.ORDERBY_CLAUSES:
        message = f"orderby takes {limits.ORDERBY_CLAUSES} clauses at most, not {clauses}"
        yield Problem("AZS407", message, place)


def _check_threshold(index: IndexDefinition) -> Iterator[Problem]:
    retrieval, tree = index.retrieval, index.tree
    stated = retrieval.threshold
    if stated is None or retrieval.mode == "text":
        return
    place = tree.locate("/retrieval/threshold")
    yield from threshold_problems(stated, place, fused=retrieval.mode == "hybrid", cosine=only_cosine(index))


def threshold_problems(stated: object, place: Location, *, fused: bool, cosine: bool) -> Iterator[Problem]:
    """The problems of one threshold: a number, or REST's object; `fused` where other lists join its own."""
    kind = stated.get("kind") if isinstance(stated, Mapping) else "vectorSimilarity"
    value = stated.get("value") if isinstance(stated, Mapping) else stated
    if kind not in ("vectorSimilarity", "searchScore") or not is_number(value):
        message = "threshold is a number, or a kind (vectorSimilarity, searchScore) with a value"
        yield Problem("AZS405", message, place)
        return
    if fused:
        severe = kind == "searchScore"
        what = "on scores that are fused" if severe else "only filters the vector list; what text finds stays"
        yield Problem(
            "AZS404",
            f"a threshold in mode hybrid {'stands ' if severe else ''}{what}",
            place,
            severity="error" if severe else "warning",
            hint="use mode vector, or leave the threshold out",
        )
    if not cosine:
        return
    low, high = (-1.0, 1.0) if kind == "vectorSimilarity" else (1 / 3, 1.0)
    if not low <= value <= high:
        message = f"a {kind} threshold lies between {low:.3g} and {high:g} with cosine, and is {value:g}"
        yield Problem("AZS405", message, place)


def only_cosine(index: IndexDefinition) -> bool:
    """Whether every algorithm of the index measures by cosine, which is the default."""
    for algorithm, _ in items(member(index.index.get("vectorSearch"), "algorithms"), ""):
        for name in ("hnswParameters", "exhaustiveKnnParameters"):
            metric = member(algorithm.get(name), "metric")
            if metric not in (None, "cosine"):
                return False
    return True
