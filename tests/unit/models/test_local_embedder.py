"""The embedding model in the wheel, its padding and its cache."""

from __future__ import annotations

import multiprocessing
import socket
import sqlite3
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from azsearch_ops.models import embedder
from azsearch_ops.models.cache import EmbeddingCache
from azsearch_ops.models.embedder import EmbedderError, load_embedder
from azsearch_ops.models.vectors import Vectors, pad


class Counting:
    """An embedder of three dimensions that remembers what it was asked."""

    dimensions = 3

    def __init__(self, name: str = "counting") -> None:
        self.name = name
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> Vectors:
        self.asked += texts
        return np.array([[len(text), len(self.name), 1] for text in texts], dtype=np.float32)


def test_vectors_have_unit_length_and_meaning() -> None:
    vectors = load_embedder("wordllama").embed(
        ["How do I ask for holidays?", "Requesting vacation days", "The pump needs oil every month"]
    )
    assert vectors.shape == (3, 256) and vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(3), abs=1e-6)
    assert vectors[0] @ vectors[1] > vectors[0] @ vectors[2] + 0.1


def test_blank_texts_are_zero_vectors() -> None:
    vectors = load_embedder().embed(["", "  \n", "word", "\ud800"])
    assert vectors.any(axis=1).tolist() == [False, False, True, True]
    assert load_embedder().embed([]).shape == (0, 256)


def test_a_vector_does_not_depend_on_its_neighbours() -> None:
    texts = [f"text number {index} " * (index + 1) for index in range(80)]
    together = load_embedder().embed(texts)
    assert all((together[index] == load_embedder().embed([texts[index]])[0]).all() for index in range(0, 80, 7))


def test_the_same_vectors_as_the_library_makes() -> None:
    wordllama = pytest.importorskip("wordllama")
    package = Path(wordllama.__file__).parent
    library = wordllama.WordLlama.load(cache_dir=package, disable_download=True)
    texts = ["One sentence.", "Perché no? " * 40, "日本語 and 😀"]
    assert load_embedder().embed(texts) == pytest.approx(library.embed(texts, norm=True), abs=1e-6)


def test_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    embedder._loaded.cache_clear()
    assert load_embedder("wordllama").embed(["offline"]).any()


def test_an_unknown_model_is_named() -> None:
    with pytest.raises(EmbedderError, match="gpt"):
        load_embedder("gpt")


def test_wider_vectors_are_padded_and_narrower_ones_normalised() -> None:
    vectors = load_embedder().embed(["one text", "another text", ""])
    wide = pad(vectors, 1536)
    assert wide.shape == (3, 1536) and not wide[:, 256:].any()
    assert wide @ wide.T == pytest.approx(vectors @ vectors.T)
    narrow = pad(vectors, 64)
    assert narrow.shape == (3, 64)
    assert np.linalg.norm(narrow, axis=1) == pytest.approx([1, 1, 0], abs=1e-6)
    assert pad(vectors, 256) is vectors


def test_a_text_is_embedded_once_by_model(tmp_path: Path) -> None:
    embedder = Counting()
    first = EmbeddingCache(tmp_path / "cache" / "vectors.sqlite")
    assert first.embed(embedder, ["aa", "b", "aa"]).tolist() == [[2, 8, 1], [1, 8, 1], [2, 8, 1]]
    assert embedder.asked == ["aa", "b"]
    first.close()
    again = EmbeddingCache(tmp_path / "cache" / "vectors.sqlite")
    again.embed(embedder, ["b", "ccc"])
    assert embedder.asked == ["aa", "b", "ccc"]
    other = Counting("another model")
    assert again.embed(other, ["b"]).tolist() == [[1, 13, 1]]
    assert again.embed(embedder, []).shape == (0, 3)
    again.close()


def test_many_texts_in_one_call(tmp_path: Path) -> None:
    cache = EmbeddingCache(tmp_path / "vectors.sqlite")
    texts = ["x" * (index % 2500) for index in range(6000)]
    embedder = Counting()
    assert cache.embed(embedder, texts)[:, 0].tolist() == [len(text) for text in texts]
    # A batch is a bound on memory; what one wrote the next one reads.
    assert len(embedder.asked) == 2500
    cache.close()


def test_a_spoilt_cache_is_begun_anew(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    path.write_bytes(b"this is no database" * 100)
    cache = EmbeddingCache(path)
    assert cache.embed(Counting(), ["a"]).tolist() == [[1, 8, 1]]
    cache.close()
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM vectors").fetchone() == (1,)
    connection.close()


def _fill(path: Path, first: int) -> None:
    cache = EmbeddingCache(path)
    for start in range(first, first + 400, 20):
        cache.embed(Counting(), [f"{number}" for number in range(start, start + 40)])
    cache.close()


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork or spawn of this module")
def test_two_processes_share_a_cache(tmp_path: Path) -> None:
    path = tmp_path / "vectors.sqlite"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_fill, args=(path, first)) for first in (0, 200)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0, 0]
    embedder = Counting()
    cache = EmbeddingCache(path)
    cache.embed(embedder, [f"{number}" for number in range(620)])
    assert embedder.asked == []
    cache.close()
