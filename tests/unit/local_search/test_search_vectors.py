"""Exact vector search, thresholds, fusion."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from search_indexes import PREVIEW, STABLE, engine, ids, scores, text_field, vector_field, vector_search

from azsearch_ops.local.errors import ServiceFault
from azsearch_ops.local.search.fusion import RankedList, fused
from azsearch_ops.local.search.vectors import VectorField, scores_of

DOCUMENTS = [
    {"id": "1", "text": "red bike", "v": [1.0, 0.0], "n": 1},
    {"id": "2", "text": "red", "v": [1.0, 1.0], "n": 2},
    {"id": "3", "text": "blue", "v": [0.0, 2.0], "n": 3},
    {"id": "4", "text": "blue bike", "v": None, "n": 4},
]
FIELDS = [text_field("text"), vector_field("v", 2), {"name": "n", "type": "Edm.Int32"}]


def made(metric="cosine", **more):
    return engine(FIELDS, DOCUMENTS, vectorSearch=vector_search(metric), **more)


def query(*vector, **more):
    return {"kind": "vector", "vector": list(vector), "fields": "v", **more}


def search(request, api_version=STABLE, metric="cosine"):
    return made(metric).search(request, api_version)


def test_cosine_scores():
    found = scores(search({"vectorQueries": [query(2.0, 0.0)]}))
    assert found == {"1": 1.0, "2": pytest.approx(1 / (2 - math.sqrt(0.5)), rel=1e-6), "3": 0.5}


def test_recorded_cosines():
    shown = scores_of(np.array([0.4861909, 0.3406183]), "cosine")
    assert shown.tolist() == pytest.approx([0.6605852246, 0.6026340723], rel=1e-6)


def test_dot_product_and_distance():
    assert scores(search({"vectorQueries": [query(0.5, 0.0)]}, metric="dotProduct")) == {
        "1": pytest.approx(1 / 1.5, rel=1e-6), "2": pytest.approx(1 / 1.5, rel=1e-6), "3": 0.5,
    }  # fmt: skip
    assert scores(search({"vectorQueries": [query(1.0, 0.0)]}, metric="euclidean")) == {
        "1": 1.0, "2": 0.5, "3": pytest.approx(1 / (1 + math.sqrt(5)), rel=1e-6),
    }  # fmt: skip


def test_k_and_count_and_top():
    found = search({"vectorQueries": [query(1.0, 0.0, k=2)], "count": True, "top": 1})
    assert (ids(found), found["@odata.count"]) == (["1"], 2)


def test_filters_go_first_unless_asked_otherwise():
    request = {"vectorQueries": [query(1.0, 0.0, k=2)], "filter": "n ge 2"}
    assert ids(search(request)) == ["2", "3"]
    assert ids(search({**request, "vectorFilterMode": "postFilter"})) == ["2"]
    assert ids(search({**request, "vectorFilterMode": "strictPostFilter"})) == ["2"]


def test_filter_override_replaces_the_filter_of_one_query():
    request = {"vectorQueries": [query(1.0, 0.0, filterOverride="n eq 1")], "filter": "n ge 2"}
    assert ids(search(request)) == ["1"]


@pytest.mark.parametrize(
    ("metric", "kind", "value", "expected"),
    [
        ("cosine", "vectorSimilarity", 0.7, ["1", "2"]),
        ("cosine", "vectorSimilarity", 0.71, ["1"]),
        ("cosine", "searchScore", 0.7, ["1", "2"]),
        ("cosine", "searchScore", 0.78, ["1"]),
        ("euclidean", "vectorSimilarity", 1.0, ["1", "2"]),
        ("euclidean", "searchScore", 0.6, ["1"]),
        ("dotProduct", "vectorSimilarity", 1.0, ["1", "2"]),
    ],
)
def test_thresholds(metric, kind, value, expected):
    request = {"vectorQueries": [query(1.0, 0.0, threshold={"kind": kind, "value": value})]}
    assert ids(search(request, metric=metric)) == expected
    assert ids(search(request, PREVIEW, metric)) == expected


def test_a_threshold_is_unknown_to_versions_that_never_had_it():
    request = {"vectorQueries": [query(1.0, 0.0, threshold={"kind": "searchScore", "value": 0.5})]}
    with pytest.raises(ServiceFault, match="'threshold'"):
        search(request, "2024-07-01")


def test_published_fusion_scores():
    """Scores printed by the service's documentation, for ranks counted from 0."""
    published = {(0, 2): 0.03279569745063782, (1, 1): 0.032786883413791656, (1, 2): 0.032522473484277725,
                 (1, 3): 0.03226646035909653, (3, 3): 0.0317460335791111}  # fmt: skip
    for (first, second), score in published.items():
        lists = [
            RankedList(np.roll(np.arange(4, dtype=np.int32), at), np.ones(4, np.float32)) for at in (first, second)
        ]
        rows, found = fused(lists, 4)
        assert float(found[rows.tolist().index(0)]) == score


def test_hybrid_joins_both_lists():
    found = search({"search": "red bike", "vectorQueries": [query(0.0, 1.0, k=2)], "count": True})
    # Text: 1 (both words), then 2 and 4, one word each; 2 is shorter. Vectors: 3, 2.
    assert scores(found) == {
        "2": float(np.float32(1 / 61) + np.float32(1 / 61)),
        "1": float(np.float32(1 / 60)),
        "3": float(np.float32(1 / 60)),
        "4": float(np.float32(1 / 62)),
    }
    assert ids(found) == ["2", "1", "3", "4"]
    assert found["@odata.count"] == 4


def test_weights_multiply_the_reciprocal_rank():
    found = search({"search": "bike", "vectorQueries": [query(0.0, 1.0, k=1, weight=3.0)]})
    assert scores(found)["3"] == float(np.float32(3) * (np.float32(1) / np.float32(60)))


def test_each_field_of_a_query_is_a_list_of_its_own():
    fields = [vector_field("v", 2), vector_field("w", 2)]
    documents = [{"id": "1", "v": [1.0, 0.0], "w": [0.0, 1.0]}, {"id": "2", "v": [0.0, 1.0], "w": [0.0, 1.0]}]
    both = engine(fields, documents, vectorSearch=vector_search())
    found = scores(both.search({"vectorQueries": [query(1.0, 0.0, fields="v,w")]}, STABLE))
    assert found == {"1": float(np.float32(2 / 60)), "2": float(np.float32(1 / 61) + np.float32(1 / 61))}


def test_recall_limits_the_text_list_and_the_count_on_demand():
    request = {"search": "red bike blue", "vectorQueries": [query(0.0, 1.0, k=1)], "count": True}
    limited = {**request, "hybridSearch": {"maxTextRecallSize": 1}}
    found = search(limited, PREVIEW)
    assert (sorted(ids(found)), found["@odata.count"]) == (["1", "3"], 4)
    limited["hybridSearch"]["countAndFacetMode"] = "countRetrievableResults"
    assert search(limited, PREVIEW)["@odata.count"] == 2
    with pytest.raises(ServiceFault, match="hybridSearch"):
        search(limited, STABLE)


def test_texts_are_vectorised_once_for_each_vectorizer():
    calls = []

    def vectorize(vectorizer, text):
        calls.append((vectorizer["name"], text))
        return [1.0, 0.0]

    wanted = engine(FIELDS, DOCUMENTS, vectorize, vectorSearch=vector_search(vectorizer="model"))
    query_text = {"kind": "text", "text": "anything", "fields": "v"}
    assert ids(wanted.search({"vectorQueries": [query_text, {**query_text, "k": 1}]}, STABLE))[0] == "1"
    assert calls == [("model", "anything")]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"vectorQueries": [query(1.0)]}, "expects a length of '2'. However, the provided vector has a length of '1'"),
        ({"vectorQueries": [query(1.0, "x")]}, "array of numbers"),
        ({"vectorQueries": [query(1.0, 0.0, fields="text")]}, "Unknown field 'text' in vector field list"),
        ({"vectorQueries": [query(1.0, 0.0, fields="")]}, "must name its fields"),
        ({"vectorQueries": [query(1.0, 0.0, k=0)]}, "'k'"),
        ({"vectorQueries": [query(1.0, 0.0, weight=0)]}, "weight"),
        ({"vectorQueries": [query(1.0, 0.0, oversampling=2)]}, "oversampling"),
        ({"vectorQueries": [query(1.0, 0.0, kk=2)]}, "'kk'"),
        ({"vectorQueries": [{"kind": "text", "text": "x", "fields": "v"}]}, "does not have a vectorizer"),
        ({"vectorQueries": [{"kind": "imageUrl", "url": "x", "fields": "v"}]}, "imageUrl"),
        ({"vectorQueries": [query(1.0, 0.0)] * 11}, "more than 10"),
        ({"vectorQueries": [query(1.0, 0.0, threshold={"kind": "x", "value": 1})]}, "'kind'"),
    ],
)  # fmt: skip
def test_refused_vector_queries(body, message):
    with pytest.raises(ServiceFault, match=message):
        search(body)


def test_debug_tells_the_scores_before_fusion():
    found = search({"search": "red", "vectorQueries": [query(1.0, 0.0, k=1)], "debug": "vector"})
    first, second = (row["@search.documentDebugInfo"]["vectors"]["subscores"] for row in found["value"])
    alone = scores(search({"search": "red"}))
    assert first["vectors"] == [{"v": {"searchScore": 1.0, "vectorSimilarity": 1.0}}]
    assert first["text"] == {"searchScore": alone["1"]}
    assert second == {"text": {"searchScore": alone["2"]}, "vectors": [{"v": {}}], "documentBoost": 1.0}


def test_vectors_come_back_as_they_were_given():
    documents = [{"id": "1", "v": [0.1, -3.4e-05]}]
    found = engine([vector_field("v", 2)], documents, vectorSearch=vector_search()).search({"search": "*"}, STABLE)
    assert found["value"][0]["v"] == [0.1, -3.4e-05]


@given(
    st.lists(st.lists(st.sampled_from([-1.0, 0.0, 0.5, 2.0]), min_size=3, max_size=3), min_size=1, max_size=40),
    st.integers(1, 12),
    st.sampled_from(["cosine", "dotProduct", "euclidean"]),
)
def test_the_k_nearest_with_ties_in_the_order_of_insertion(vectors, k, metric):
    index = engine(
        [vector_field("v", 3)],
        [{"id": str(n), "v": vector} for n, vector in enumerate(vectors)],
        vectorSearch=vector_search(metric),
    )
    wanted = np.array([1.0, 0.5, -1.0])
    found = ids(index.search({"vectorQueries": [query(*wanted, k=k)], "top": 100}, STABLE))

    def similarity(vector):
        if metric == "euclidean":
            return -float(np.linalg.norm(np.array(vector) - wanted))
        product = float(np.dot(vector, wanted))
        length = float(np.linalg.norm(vector) * np.linalg.norm(wanted))
        return product if metric == "dotProduct" else (product / length if length else 0.0)

    order = sorted(range(len(vectors)), key=lambda n: (-round(similarity(vectors[n]), 6), n))
    assert found == [str(n) for n in order[:k]]


def test_equal_vectors_tie_exactly_wherever_they_lie():
    generator = np.random.default_rng(7)
    field = VectorField(37, "cosine")
    twin = generator.normal(size=37)
    rows = {5, 777, 4096, 5003, 8191}
    for row in range(8200):
        field.add(row, twin if row in rows else generator.normal(size=37))
    found, similarities = field.nearest(generator.normal(size=37) + twin, np.ones(8200, np.bool_), 5)
    best = found[similarities == similarities.max()]
    assert set(best.tolist()) == rows
