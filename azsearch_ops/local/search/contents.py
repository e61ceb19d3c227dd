"""The documents of an index, row by row: their text, terms, columns and vectors.

A document that is written again gets a new row and keeps its age, which is what equal scores are ordered by; the old
row is dead. When most rows are dead, everything is laid out anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from azsearch_ops.local.search.analysis.analyzers import DEFAULT_ANALYZER, analyzer, known_analyzer
from azsearch_ops.local.search.columns import ColumnStore
from azsearch_ops.local.search.growing import Growing
from azsearch_ops.local.search.leaves import TextIndex
from azsearch_ops.local.search.postings import FieldPostings
from azsearch_ops.local.search.schema import Schema
from azsearch_ops.local.search.vectors import VectorField

_SPARE = 1000  # dead rows that are not worth the work of moving the others


class Contents:
    """Rows of one index. Reads after writes see everything; nothing here locks."""

    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.columns = ColumnStore(schema)
        # A field whose analyzer only the cloud has is left out here and refused when it is searched
        self.postings = {f.path: FieldPostings(a) for f in schema.searchable if (a := known_analyzer(f.index_analyzer))}
        # What suggesters look at: the words of the text, which are what the standard analyzer indexes
        plain = analyzer(DEFAULT_ANALYZER)
        own = {f.path for f in schema.searchable if f.index_analyzer in (DEFAULT_ANALYZER, "standard")}
        self._surfaces = {path: FieldPostings(plain) for path in schema.suggested - own}
        self.words = {path: self._surfaces.get(path) or self.postings[path] for path in schema.suggested}
        self.vectors = {f.path: VectorField(f.dimensions, schema.metric(f)) for f in schema.vectors}
        self._bodies: list[bytes | None] = []
        self._rows: dict[str, int] = {}
        self._age = Growing(np.int64)
        self._next_age = 0
        self._alive = Growing(np.bool_)
        self._text: TextIndex | None = None

    def __len__(self) -> int:
        return len(self._rows)

    def put(self, key: str, document: Mapping[str, Any]) -> None:
        """Takes in a document in place of the one with the same key."""
        old = self._rows.pop(key, None)
        age = self._next_age
        if old is None:
            self._next_age += 1
        else:
            age = int(self._age.view[old])
            self._bury(old)
        self._append(key, document, age)

    def remove(self, key: str) -> None:
        """Forgets a document; one that is not there is none."""
        row = self._rows.pop(key, None)
        if row is not None:
            self._bury(row)

    def settled(self) -> Contents:
        """Itself, or a new layout where the dead outnumber the living."""
        dead = len(self._bodies) - len(self._rows)
        return self.laid_out(self.schema) if dead > max(len(self._rows), _SPARE) else self

    def laid_out(self, schema: Schema) -> Contents:
        """The same documents in the same order under a schema, which may have more fields."""
        fresh = Contents(schema)
        ages = self._age.view
        for key, row in sorted(self._rows.items(), key=lambda item: ages[item[1]]):
            fresh.put(key, self.document(row, vectors=tuple(self.vectors)))
        return fresh

    def adopt(self, schema: Schema) -> None:
        """Takes a schema that lays documents out in the same way."""
        self.schema = schema
        self._text = None
        for field in schema.vectors:
            self.vectors[field.path].metric = schema.metric(field)

    @property
    def alive(self) -> NDArray[np.bool_]:
        """Which rows hold a document."""
        return self._alive.view

    @property
    def age(self) -> NDArray[np.int64]:
        """When the document of each row came first: a counter."""
        return self._age.view

    @property
    def text(self) -> TextIndex:
        """The searchable fields as they are now."""
        if self._text is None:
            self._text = TextIndex(self.postings, self.alive, self.schema.k1, self.schema.b)
        return self._text

    def document(self, row: int, vectors: tuple[str, ...] = ()) -> dict[str, Any]:
        """The document of a living row, with the vectors of those fields and no others."""
        body = self._bodies[row]
        assert body is not None
        found: dict[str, Any] = json.loads(body)
        for path in vectors:
            vector = self.vectors[path].vector(row)
            *outer, name = path.split("/")
            holder: Any = found
            for part in outer:
                holder = holder.get(part) if isinstance(holder, dict) else None
            if isinstance(holder, dict):
                # The shortest decimals that give the same single-precision number back, as the service prints them
                holder[name] = [] if vector is None else [float(str(value)) for value in vector]
        return found

    def _append(self, key: str, document: Mapping[str, Any], age: int) -> None:
        row = len(self._bodies)
        body = dict(document)
        for field in self.schema.vectors:
            vector = body.pop(field.path, None)
            if vector:
                self.vectors[field.path].add(row, vector)
        for path, postings in self.postings.items():
            postings.add(row, texts_of(path, document))
        for path, postings in self._surfaces.items():
            postings.add(row, texts_of(path, document))
        self.columns.add(document)
        self._bodies.append(json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode())
        self._age.append(age)
        self._alive.append(True)
        self._rows[key] = row
        self._text = None

    def _bury(self, row: int) -> None:
        self._bodies[row] = None
        self._alive.view[row] = False
        self._text = None


def texts_of(path: str, document: Mapping[str, Any]) -> Iterator[str]:
    """The strings at a path of a document, through all collections on the way."""
    yield from _texts(document, path.split("/"))


def _texts(value: Any, path: list[str]) -> Iterator[str]:
    if value is None:
        return
    if isinstance(value, list | tuple):
        for element in value:
            yield from _texts(element, path)
    elif path:
        yield from _texts(value.get(path[0]), path[1:])
    else:
        yield value
