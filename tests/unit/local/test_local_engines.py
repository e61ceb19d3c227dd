"""Engines are made from the store while others go on writing to it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from azsearch_ops.local.engines import Engines
from azsearch_ops.local.errors import ServiceFault
from azsearch_ops.local.store import Document, Store

INDEX: dict[str, Any] = {
    "name": "i",
    "fields": [
        {"name": "id", "type": "Edm.String", "key": True, "searchable": False, "retrievable": True},
        {"name": "text", "type": "Edm.String", "searchable": True, "retrievable": True},
    ],
}


class Paused(Store):
    """A store that stops in the middle of reading its documents, for a test to write meanwhile."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.reading, self.go_on = threading.Event(), threading.Event()
        self.reads = 0

    def documents(self, index: str) -> Iterator[tuple[str, Document]]:
        self.reads += 1
        for number, item in enumerate(super().documents(index)):
            if number == 1:
                self.reading.set()
                assert self.go_on.wait(20)
            yield item


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Paused]:
    made = Paused(tmp_path / "store.sqlite")
    made.put("index", "i", INDEX, "1")
    made.write_documents("i", [(key, {"id": key, "text": f"word {key}"}) for key in ("a", "b", "c")])
    yield made
    made.close()


def write(store: Store, engines: Engines, changes: dict[str, Document | None]) -> None:
    with store.transaction():
        store.write_documents("i", changes.items())
        engines.write(INDEX, changes)


def words(engines: Engines, query: str) -> list[str]:
    return [row["id"] for row in engines.get(INDEX).search({"search": query}, "2026-04-01")["value"]]


def test_writers_do_not_wait_for_an_engine_and_it_misses_nothing(store: Paused) -> None:
    engines = Engines(store, lambda model, texts, dimensions: [])
    found: list[list[str]] = []
    searches = [threading.Thread(target=lambda: found.append(words(engines, "word"))) for _ in range(2)]
    for thread in searches:
        thread.start()
    assert store.reading.wait(20)
    changes: dict[str, Document | None] = {
        "a": None,
        "b": {"id": "b", "text": "other"},
        "d": {"id": "d", "text": "word d"},
    }
    writer = threading.Thread(target=write, args=(store, engines, changes))
    writer.start()
    writer.join(5)
    assert not writer.is_alive(), "a writer waits for the engine"
    store.go_on.set()
    for thread in searches:
        thread.join(20)
    assert found == [["c", "d"], ["c", "d"]]
    assert store.reads == 1, "two searches make one engine"
    assert words(engines, "other") == ["b"]


def test_a_definition_that_changes_meanwhile_is_the_one_that_counts(store: Paused) -> None:
    engines = Engines(store, lambda model, texts, dimensions: [])
    errors: list[ServiceFault] = []

    def search() -> None:
        try:
            words(engines, "word")
        except ServiceFault as fault:
            errors.append(fault)

    searching = threading.Thread(target=search)
    searching.start()
    assert store.reading.wait(20)
    with store.transaction():
        store.delete("index", "i")
        store.drop_documents("i")
        engines.forget("i")
    store.go_on.set()
    searching.join(20)
    assert [fault.status for fault in errors] == [404]
    store.put("index", "i", INDEX, "2")
    assert words(engines, "word") == []
