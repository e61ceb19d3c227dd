"""The file of the service: transactions, documents in order, vectors as bytes."""

from array import array
from pathlib import Path

import pytest

from azsearch_ops.local.store import Store


@pytest.fixture
def store(tmp_path: Path):
    store = Store(tmp_path / "store.sqlite")
    yield store
    store.close()


def test_a_failed_transaction_leaves_nothing(store: Store):
    with pytest.raises(RuntimeError), store.transaction():
        store.put("index", "a", {"name": "a"}, "1")
        with store.transaction():
            store.write_documents("a", [("k", {"id": "k"})])
        raise RuntimeError
    assert store.get("index", "a") is None
    assert store.document("a", "k") is None
    store.put("index", "a", {"name": "a"}, "1")
    assert store.get("index", "a").etag == "1"


def test_documents_keep_their_place_and_their_values(store: Store):
    rows = [(f"k{n}", {"id": f"k{n}", "text": "é" * n, "v": array("f", [n, 0.1])}) for n in range(1200)]
    store.write_documents("i", rows)
    store.write_documents("i", [("k5", {"id": "k5", "text": "new"}), ("k7", None)])
    store.write_documents("other", [("k5", {"id": "k5"})])
    read = list(store.documents("i"))
    assert [key for key, _ in read] == [f"k{n}" for n in range(1200) if n != 7]
    assert read[5][1] == {"id": "k5", "text": "new"}
    assert read[6][1]["v"] == array("f", [6, 0.1])
    assert store.document_count("i") == 1199
    assert store.size("i")[0] == 1199
    assert store.size("i")[1] > 1199 * 8
    store.drop_documents("i")
    assert (store.document_count("i"), store.document_count("other")) == (0, 1)


def test_children_are_found_by_their_parent(store: Store):
    rows = [(f"{parent}-{n}", {"id": f"{parent}-{n}", "parent_id": parent}) for parent in "abc" for n in range(2)]
    store.write_documents("i", [*rows, ("orphan", {"id": "orphan"})])
    assert store.keys_by("i", "parent_id", ["a", "c", "z"]) == {"a": ["a-0", "a-1"], "c": ["c-0", "c-1"]}
    assert store.keys_by("i", "missing", ["a"]) == {}
    wanted = """index_name = 'i' AND json_extract(body, '$."parent_id"') = 'a'"""
    (plan,) = store._rows(f"EXPLAIN QUERY PLAN SELECT key FROM documents WHERE {wanted}")
    assert "USING INDEX documents_by_" in plan[3], "found without reading every document"


def test_runs_are_newest_first_and_can_be_forgotten(store: Store):
    runs = [store.start_run("x", {"status": "inProgress", "n": n}) for n in range(4)]
    store.write_run(runs[3].id, {"status": "success", "n": 3}, active=False)
    assert [run.body["n"] for run in store.runs("x", 2)] == [3, 2]
    assert [run.body["n"] for run in store.active_runs()] == [0, 1, 2]
    store.forget_runs("x", keep=1)
    assert [run.body["n"] for run in store.runs("x", 9)] == [3]
    store.write_tracking("x", {"blobs": {}})
    assert store.tracking("x") == {"blobs": {}}
    store.wipe()
    assert store.runs("x", 9) == () and store.tracking("x") is None
