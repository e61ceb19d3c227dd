"""Everything the service keeps, in one SQLite file that survives `kill -9`.

Write-ahead logging with one transaction a change: a change is in the file, whole, before it is acknowledged. The log
is handed to the operating system and not to the disk on every commit, so a killed process loses nothing; a power cut
may lose the last changes but never leaves half of one.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import threading
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Document = dict[str, Any]

_SCHEMA = """
CREATE TABLE IF NOT EXISTS objects (
    kind TEXT NOT NULL, name TEXT NOT NULL, etag TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (kind, name)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS documents (
    position INTEGER PRIMARY KEY AUTOINCREMENT, index_name TEXT NOT NULL, key TEXT NOT NULL, size INTEGER NOT NULL,
    body TEXT NOT NULL, vectors BLOB NOT NULL, UNIQUE (index_name, key)
);
CREATE TABLE IF NOT EXISTS runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT, indexer TEXT NOT NULL, active INTEGER NOT NULL, body TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS runs_by_indexer ON runs (indexer, id);
CREATE TABLE IF NOT EXISTS tracking (indexer TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
"""
_PAGE = 500


@dataclass(frozen=True, slots=True)
class Stored:
    """A named object as it was last written: `body` in its full form, without `@odata` members."""

    name: str
    etag: str
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Run:
    """One execution of an indexer; `body` has the form of Azure's execution result."""

    id: int
    indexer: str
    active: bool
    body: Mapping[str, Any]


class Store:
    """Objects, documents and runs. Every method is safe from any thread; `transaction` makes several calls one."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.RLock()
        self._depth = 0
        self._indexed: set[str] = set()
        self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("PRAGMA synchronous=NORMAL")
        self._connection.executescript(_SCHEMA)

    def close(self) -> None:
        """Folds the log into the file and lets go of it."""
        with self._lock:
            self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing, with every other thread kept out; may be nested."""
        with self._lock:
            if self._depth == 0:
                self._connection.execute("BEGIN IMMEDIATE")
            self._depth += 1
            try:
                yield
            except BaseException:
                self._depth -= 1
                if self._depth == 0:
                    self._roll_back()
                raise
            self._depth -= 1
            if self._depth == 0:
                try:
                    self._connection.execute("COMMIT")
                except sqlite3.Error:  # a full disk leaves it open, and nothing could begin any more
                    self._roll_back()
                    raise

    def _roll_back(self) -> None:
        if self._connection.in_transaction:  # SQLite may have done so by itself
            self._connection.execute("ROLLBACK")

    def wipe(self) -> None:
        """Removes everything."""
        with self.transaction():
            for table in ("objects", "documents", "runs", "tracking"):
                self._connection.execute(f"DELETE FROM {table}")

    # Named objects

    def get(self, kind: str, name: str) -> Stored | None:
        """The object of that kind and name."""
        rows = self._rows("SELECT name, etag, body FROM objects WHERE kind = ? AND name = ?", kind, name)
        return _stored(rows[0]) if rows else None

    def all(self, kind: str) -> tuple[Stored, ...]:
        """Every object of a kind, by name."""
        return tuple(_stored(r) for r in self._rows("SELECT name, etag, body FROM objects WHERE kind = ?", kind))

    def count(self, kind: str) -> int:
        """How many objects of a kind there are."""
        return int(self._rows("SELECT count(*) FROM objects WHERE kind = ?", kind)[0][0])

    def put(self, kind: str, name: str, body: Mapping[str, Any], etag: str) -> Stored:
        """Writes an object, new or not."""
        with self.transaction():
            self._connection.execute(
                "INSERT OR REPLACE INTO objects (kind, name, etag, body) VALUES (?, ?, ?, ?)",
                (kind, name, etag, json.dumps(body, ensure_ascii=False)),
            )
        return Stored(name, etag, body)

    def delete(self, kind: str, name: str) -> bool:
        """Removes an object; False when there was none."""
        with self.transaction():
            return (
                self._connection.execute("DELETE FROM objects WHERE kind = ? AND name = ?", (kind, name)).rowcount > 0
            )

    # Documents

    def document(self, index: str, key: str) -> Document | None:
        """The stored document with that key."""
        query = "SELECT body, vectors FROM documents WHERE index_name = ? AND key = ?"
        rows = self._rows(query, index, key)
        return _unpacked(*rows[0]) if rows else None

    def documents(self, index: str) -> Iterator[tuple[str, Document]]:
        """All documents with their keys, oldest first; a document keeps its place when it is written again."""
        query = (
            "SELECT position, key, body, vectors FROM documents WHERE index_name = ? AND position > ? "
            f"ORDER BY position LIMIT {_PAGE}"
        )
        position = 0
        while rows := self._rows(query, index, position):
            for position, key, body, vectors in rows:  # noqa: B007 - the last one is where the next page starts
                yield key, _unpacked(body, vectors)

    def keys_by(self, index: str, field: str, values: Sequence[str]) -> dict[str, list[str]]:
        """Document keys by the value of a top-level string field, for those of `values` that occur; oldest first."""
        value_of = f"""json_extract(body, '$."{field.replace("'", "''")}"')"""
        self._index_by(value_of)
        query = (
            f"SELECT {value_of}, key FROM documents WHERE index_name = ? "
            f"AND {value_of} IN (SELECT value FROM json_each(?)) ORDER BY position"
        )
        found: dict[str, list[str]] = {}
        for value, key in self._rows(query, index, json.dumps(list(values))):
            found.setdefault(value, []).append(key)
        return found

    def _index_by(self, value_of: str) -> None:
        """Makes SQLite keep an index of an expression over documents: there are as many as fields with parent keys."""
        if value_of in self._indexed:
            return
        name = f"documents_by_{hashlib.sha256(value_of.encode()).hexdigest()[:12]}"
        with self.transaction():
            self._connection.execute(f"CREATE INDEX IF NOT EXISTS {name} ON documents (index_name, {value_of})")
        self._indexed.add(value_of)

    def write_documents(self, index: str, changes: Iterable[tuple[str, Document | None]]) -> None:
        """Stores documents by key; None removes. One transaction."""
        with self.transaction():
            for key, document in changes:
                if document is None:
                    self._connection.execute("DELETE FROM documents WHERE index_name = ? AND key = ?", (index, key))
                    continue
                body, vectors = _packed(document)
                self._connection.execute(
                    "INSERT INTO documents (index_name, key, size, body, vectors) VALUES (?, ?, ?, ?, ?) "
                    "ON CONFLICT (index_name, key) DO UPDATE SET "
                    "size = excluded.size, body = excluded.body, vectors = excluded.vectors",
                    (index, key, len(body) + len(vectors), body, vectors),
                )

    def drop_documents(self, index: str) -> None:
        """Removes every document of an index."""
        with self.transaction():
            self._connection.execute("DELETE FROM documents WHERE index_name = ?", (index,))

    def document_count(self, index: str) -> int:
        """How many documents an index has; answered from the key index alone."""
        return int(self._rows("SELECT count(*) FROM documents WHERE index_name = ?", index)[0][0])

    def size(self, index: str) -> tuple[int, int]:
        """(documents, bytes) of an index."""
        query = "SELECT count(*), coalesce(sum(size), 0) FROM documents WHERE index_name = ?"
        count, size = self._rows(query, index)[0]
        return int(count), int(size)

    # Indexer runs

    def start_run(self, indexer: str, body: Mapping[str, Any]) -> Run:
        """Enters a run that is on its way."""
        with self.transaction():
            cursor = self._connection.execute(
                "INSERT INTO runs (indexer, active, body) VALUES (?, 1, ?)", (indexer, json.dumps(body))
            )
            return Run(int(cursor.lastrowid or 0), indexer, True, body)

    def write_run(self, run: int, body: Mapping[str, Any], *, active: bool) -> None:
        """Replaces the entry of a run."""
        with self.transaction():
            self._connection.execute(
                "UPDATE runs SET body = ?, active = ? WHERE id = ?", (json.dumps(body, ensure_ascii=False), active, run)
            )

    def runs(self, indexer: str, limit: int) -> tuple[Run, ...]:
        """The newest runs of an indexer, newest first."""
        query = "SELECT id, indexer, active, body FROM runs WHERE indexer = ? ORDER BY id DESC LIMIT ?"
        return tuple(_run(row) for row in self._rows(query, indexer, limit))

    def active_runs(self) -> tuple[Run, ...]:
        """Runs that have started and not ended."""
        return tuple(_run(r) for r in self._rows("SELECT id, indexer, active, body FROM runs WHERE active = 1"))

    def forget_runs(self, indexer: str, keep: int = 0) -> None:
        """Removes all runs of an indexer but the newest `keep`."""
        with self.transaction():
            self._connection.execute(
                "DELETE FROM runs WHERE indexer = ? AND id NOT IN "
                "(SELECT id FROM runs WHERE indexer = ? ORDER BY id DESC LIMIT ?)",
                (indexer, indexer, keep),
            )

    def tracking(self, indexer: str) -> Mapping[str, Any] | None:
        """What the indexer remembers of its source since the last reset."""
        rows = self._rows("SELECT body FROM tracking WHERE indexer = ?", indexer)
        return dict(json.loads(rows[0][0])) if rows else None

    def write_tracking(self, indexer: str, body: Mapping[str, Any] | None) -> None:
        """Replaces what the indexer remembers; None is a reset."""
        with self.transaction():
            if body is None:
                self._connection.execute("DELETE FROM tracking WHERE indexer = ?", (indexer,))
            else:
                self._connection.execute(
                    "INSERT OR REPLACE INTO tracking (indexer, body) VALUES (?, ?)", (indexer, json.dumps(body))
                )

    def _rows(self, query: str, *values: object) -> list[Any]:
        with self._lock:
            return self._connection.execute(query, values).fetchall()


def _stored(row: Any) -> Stored:
    return Stored(row[0], row[1], json.loads(row[2]))


def _run(row: Any) -> Run:
    return Run(row[0], row[1], bool(row[2]), json.loads(row[3]))


def _packed(document: Document) -> tuple[str, bytes]:
    """JSON without the vectors of singles, and these as bytes: a fifth of their JSON, and much faster to read."""
    body: Document = {}
    vectors = bytearray()
    for name, value in document.items():
        if isinstance(value, array):
            body[name] = {"$singles": [len(vectors), len(value)]}
            vectors += value.tobytes()
        else:
            body[name] = value
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")), bytes(vectors)


def _unpacked(body: str, vectors: bytes) -> Document:
    document: Document = json.loads(body)
    if vectors:
        for name, value in document.items():
            if isinstance(value, dict) and "$singles" in value:
                start, length = value["$singles"]
                singles = array("f")
                singles.frombytes(vectors[start : start + length * singles.itemsize])
                document[name] = singles
    return document
