"""Vectors kept on disk by model and text, so that a text is embedded once."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock

import numpy as np

from azsearch_ops.models.embedder import Embedder
from azsearch_ops.models.vectors import Vectors

_LOOKUP = 500
_BATCH = 2048
_SCHEMA = (
    "CREATE TABLE IF NOT EXISTS vectors "
    "(model TEXT NOT NULL, text BLOB NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (model, text)) WITHOUT ROWID"
)


class EmbeddingCache:
    """A SQLite file of float32 vectors under (model name, sha256 of the text).

    Safe for several threads and several processes: writers only ever add what every other writer would add. A file
    that is not readable as a cache is replaced by an empty one.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            self._connection = self._open()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError):
                raise
            for suffix in ("", "-wal", "-shm"):
                path.with_name(path.name + suffix).unlink(missing_ok=True)
            self._connection = self._open()

    def embed(self, embedder: Embedder, texts: Sequence[str]) -> Vectors:
        """What `embedder.embed(texts)` returns; only texts that the cache lacks are embedded, each once."""
        found = np.zeros((len(texts), embedder.dimensions), dtype=np.float32)
        for first in range(0, len(texts), _BATCH):
            batch = texts[first : first + _BATCH]
            found[first : first + len(batch)] = self._embed_batch(embedder, batch)
        return found

    def close(self) -> None:
        """Lets go of the file."""
        with self._lock:
            self._connection.close()

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self._path, timeout=60, check_same_thread=False, isolation_level=None)
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute(_SCHEMA)
        except sqlite3.DatabaseError:
            with suppress(sqlite3.Error):
                connection.close()
            raise
        return connection

    def _embed_batch(self, embedder: Embedder, texts: Sequence[str]) -> Vectors:
        digests = [hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest() for text in texts]
        known = self._read(embedder, digests)
        lacking: dict[bytes, str] = {}
        for digest, text in zip(digests, texts, strict=True):
            if digest not in known:
                lacking.setdefault(digest, text)
        if lacking:
            fresh = embedder.embed(list(lacking.values()))
            known.update(zip(lacking, fresh, strict=True))
            self._write(embedder, lacking, fresh)
        if not digests:
            return np.zeros((0, embedder.dimensions), dtype=np.float32)
        return np.stack([known[digest] for digest in digests])

    def _read(self, embedder: Embedder, digests: Sequence[bytes]) -> dict[bytes, Vectors]:
        known: dict[bytes, Vectors] = {}
        wanted = list(dict.fromkeys(digests))
        size = 4 * embedder.dimensions
        with self._lock:
            for first in range(0, len(wanted), _LOOKUP):
                part = wanted[first : first + _LOOKUP]
                marks = ",".join("?" * len(part))
                rows = self._connection.execute(
                    f"SELECT text, vector FROM vectors WHERE model = ? AND text IN ({marks})", (embedder.name, *part)
                )
                for digest, vector in rows:
                    if len(vector) == size:
                        known[digest] = np.frombuffer(vector, dtype="<f4")
        return known

    def _write(self, embedder: Embedder, lacking: dict[bytes, str], fresh: Vectors) -> None:
        rows = [
            (embedder.name, digest, vector.astype("<f4").tobytes())
            for digest, vector in zip(lacking, fresh, strict=True)
        ]
        with self._lock:
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                self._connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
            except sqlite3.Error:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")
