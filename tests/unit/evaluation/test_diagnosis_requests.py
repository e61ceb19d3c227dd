"""How a side is asked again: requests, subscores, modes, and fields that nobody described."""

from __future__ import annotations

from typing import Any

import pytest

from azsearch_ops.errors import UsageError
from azsearch_ops.evaluation.diagnosis.instruments import Variation
from azsearch_ops.evaluation.types import Query
from azsearch_ops.verbs.any_index.found_fields import find_fields
from azsearch_ops.verbs.any_index.policy import floors_of
from azsearch_ops.verbs.evaluating.chunk_fields import ChunkFields
from azsearch_ops.verbs.evaluating.diagnosing import varied
from azsearch_ops.verbs.evaluating.legs import subscores
from azsearch_ops.verbs.evaluating.modes import mode_of, request_in
from azsearch_ops.verbs.evaluating.sides import MeasuredSide

FIELDS = ChunkFields("id", "path", "chunk")
VECTOR = {
    "kind": "text",
    "text": "{{query}}",
    "fields": "v",
    "k": 50,
    "threshold": {"kind": "vectorSimilarity", "value": 0.6},
}
HYBRID: dict[str, Any] = {"search": "{{query}}", "vectorQueries": [VECTOR], "filter": "a eq 1", "top": 5}
ASKED = Query("q", "how long?", (), filter="b eq 2")


def test_a_query_asked_again_keeps_everything_but_what_is_lifted() -> None:
    plain = varied(HYBRID, ASKED, 20, FIELDS, Variation(explained=False))
    assert plain["search"] == "how long?"
    assert plain["filter"] == "(a eq 1) and (b eq 2)"
    assert plain["vectorQueries"] == [{**VECTOR, "text": "how long?"}]
    assert (plain["top"], "debug" in plain) == (20, False)
    assert varied(HYBRID, ASKED, 20, FIELDS, Variation())["debug"] == "all"
    assert "filter" not in varied(HYBRID, ASKED, 20, FIELDS, Variation(without_filter=True))
    free = varied(HYBRID, ASKED, 20, FIELDS, Variation(without_threshold=True))["vectorQueries"][0]
    assert ("threshold" in free, free["k"]) == (False, 50)
    deep = varied(HYBRID, ASKED, 1000, FIELDS, Variation(deep=True))["vectorQueries"][0]
    assert ("threshold" in deep, deep["k"]) == (False, 1000)


def row(text: object, *vectors: dict[str, object]) -> dict[str, Any]:
    told = {"text": text, "vectors": list(vectors), "documentBoost": 1.0}
    return {"@search.score": 0.03, "@search.documentDebugInfo": {"vectors": {"subscores": told}}}


def test_subscores_are_told_by_leg_and_a_leg_that_misses_is_left_out() -> None:
    both = row({"searchScore": 4.5}, {"v": {"searchScore": 0.6, "vectorSimilarity": 0.33}})
    assert subscores(both, HYBRID) == {"BM25": 4.5, "vector": 0.33}
    assert subscores(row(None, {"v": {}}), HYBRID) == {}
    two = row(None, {"v": {"vectorSimilarity": 0.3}}, {"w": {"vectorSimilarity": 0.2}})
    assert subscores(two, HYBRID) == {"vector v": 0.3, "vector w": 0.2}
    assert subscores({"@search.score": 7.5}, {"search": "how long?"}) == {"BM25": 7.5}
    assert subscores({"@search.score": 1.0}, {"search": "*"}) == {}
    listed = {"@search.documentDebugInfo": [both["@search.documentDebugInfo"]]}
    assert subscores(listed, HYBRID) == {"BM25": 4.5, "vector": 0.33}


def asked(mode: str, **values: Any) -> Any:
    given = {"settings": HYBRID, **values}
    return request_in(mode, MeasuredSide(service=None, index="i", fields=FIELDS, **given))  # type: ignore[arg-type]


def test_a_request_turned_into_every_mode() -> None:
    assert mode_of(HYBRID) == "hybrid"
    assert mode_of(asked("text")) == "text"
    assert mode_of(asked("vector")) == "vector"
    assert asked("vector")["filter"] == "a eq 1"
    assert asked("hybrid") == HYBRID
    assert asked("semantic") == "no semantic configuration is known"
    semantic = asked("semantic", semantic="s")
    assert (semantic["queryType"], semantic["semanticConfiguration"]) == ("semantic", "s")
    assert asked("text", settings=semantic) == {k: v for k, v in HYBRID.items() if k != "vectorQueries"}
    text = {"search": "{{query}}"}
    assert asked("vector", settings=text) == "no vector field is known"
    assert mode_of(asked("vector", settings=text, vector_fields=("v",))) == "vector"


ROWS = [
    {
        "@search.score": 1.0,
        "uid": f"k{i}",
        "sourcefile": f"{i}.pdf",
        "sourcepage": f"{i}.pdf#page=1",
        "content": "w " * 90,
    }
    for i in range(4)
]


def test_fields_are_found_in_an_answer_and_said() -> None:
    found = find_fields(
        ROWS, ["docs/2.pdf", "1.pdf"], lambda name, value: name == "uid", key=None, document=None, text=None
    )
    assert found.fields == ChunkFields("uid", "sourcefile", "content")
    assert found.found == (
        "documents are told apart by 'sourcefile' (1 of 4 results name a judged document)",
        "the text is in 'content' (the longest: 180 characters)",
        "the key is 'uid' (a look-up by it finds the document)",
    )


def test_fields_that_cannot_be_found_are_asked_for() -> None:
    def never(name: str, value: str) -> bool:
        return False

    with pytest.raises(UsageError, match="which field is the key") as no_key:
        find_fields(ROWS, ["1.pdf"], never, key=None, document=None, text=None)
    assert "--key-field" in no_key.value.hint
    with pytest.raises(UsageError, match="what document") as no_document:
        find_fields([{"a": "x", "b": "y" * 60}], ["1.pdf"], never, key="a", document=None, text=None)
    assert "--document-field; fields of the results: a, b" in no_document.value.hint
    with pytest.raises(UsageError, match="no field is long enough"):
        find_fields([{"a": "x", "path": "1.pdf"}], ["1.pdf"], never, key="a", document=None, text=None)
    with pytest.raises(UsageError, match=r"no result has a field 'chunk' \(--text-field\)"):
        find_fields(ROWS, ["1.pdf"], never, key=None, document=None, text="chunk")


def test_floors_are_a_metric_and_a_value() -> None:
    assert floors_of(["recall@2000t=0.8", "mrr@10=0"]) == {"recall@2000t": 0.8, "mrr@10": 0.0}
    for wrong in ("recall@5", "recall@5=high", "recall@5=2"):
        with pytest.raises(UsageError):
            floors_of([wrong])
