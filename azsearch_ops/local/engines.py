"""The search engines of the indexes: made from the stored documents when first needed, and fed by every write.

An engine is made without keeping anybody out: what is written meanwhile is noted, and put in at the end.
"""

from __future__ import annotations

import threading
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from azsearch_ops.local.documents.schema import Field, schema_of
from azsearch_ops.local.documents.values import completed
from azsearch_ops.local.objects.kinds import KINDS, index_not_found
from azsearch_ops.local.store import Document, Store
from azsearch_ops.models.names import local_model

if TYPE_CHECKING:
    from azsearch_ops.local.search.engine import SearchEngine
    from azsearch_ops.local.search.passages import Read

Embed = Callable[[str, Sequence[str], int | None], list[list[float]]]
"""(id of a local model, texts, dimensions) → one vector a text."""


class Engines:
    """One engine an index. Writes reach an engine inside the transaction that stores them, so both see one order."""

    def __init__(self, store: Store, embed: Embed, read: Read | None = None) -> None:
        self._store = store
        self._embed = embed
        self._read = read
        self._engines: dict[str, SearchEngine] = {}
        # By index whose engine is being made: what was written since the making began
        self._missed: dict[str, list[tuple[str, Document | None]]] = {}
        self._making: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def get(self, index: Mapping[str, Any]) -> SearchEngine:
        """The engine of an index, holding every stored document.

        Raises:
            ServiceFault: 404, when the index has just been deleted.
        """
        name = index["name"]
        engine = self._engines.get(name)
        if engine is not None:
            return engine
        with self._lock:
            making = self._making.setdefault(name, threading.Lock())
        with making:
            while (engine := self._engines.get(name)) is None:
                self._make(name)
        return engine

    def _make(self, name: str) -> None:
        """Puts the engine of an index in place, unless its definition has changed or gone while it was made."""
        # The store's lock comes first everywhere: a writer holds it while it calls `write`.
        with self._store.transaction(), self._lock:
            stored = self._store.get("index", name)
            if stored is None:
                raise index_not_found(name)
            missed: list[tuple[str, Document | None]] = []
            self._missed[name] = missed
        engine = self._made(stored.body)
        fields = schema_of(stored.body).fields
        for key, document in self._store.documents(name):
            engine.put(key, searchable(document, fields))
        with self._store.transaction(), self._lock:
            if self._missed.get(name) is missed:
                del self._missed[name]
                _follow(engine, fields, missed)
                self._engines[name] = engine

    def empty(self, index: Mapping[str, Any]) -> SearchEngine:
        """An engine of the definition without documents, for what only needs its analyzers."""
        engine = self._engines.get(index["name"])
        return self._made(index) if engine is None else engine

    def write(self, index: Mapping[str, Any], changes: Mapping[str, Document | None]) -> None:
        """Follows a write; an engine that does not exist yet will read it from the store."""
        name = index["name"]
        engine = self._engines.get(name)
        if engine is not None:
            _follow(engine, schema_of(index).fields, changes.items())
        elif (missed := self._missed.get(name)) is not None:
            missed += changes.items()

    def redefine(self, old: Mapping[str, Any], new: Mapping[str, Any]) -> None:
        """Follows a change of a definition. With new fields the next search builds the engine anew from the store."""
        engine = self._engines.get(new["name"])
        if engine is None:
            self.forget(new["name"])  # One that is being made is made again
        elif [field["name"] for field in old["fields"]] == [field["name"] for field in new["fields"]]:
            engine.redefine(new)
        else:
            self.forget(new["name"])

    def forget(self, name: str) -> None:
        """Lets go of the engine of an index."""
        with self._lock:
            self._engines.pop(name, None)
            self._missed.pop(name, None)

    def clear(self) -> None:
        """Lets go of all engines."""
        with self._lock:
            self._engines.clear()
            self._missed.clear()

    def _made(self, index: Mapping[str, Any]) -> SearchEngine:
        from azsearch_ops.local.search.engine import SearchEngine  # numpy: only when something is searched

        return SearchEngine(index, self._vectorizer(index), self._read, self._synonym_rules)

    def _synonym_rules(self, name: str) -> str:
        stored = self._store.get("synonymMap", name)
        if stored is None:
            raise KINDS["synonymmaps"].missing(name)
        return str(stored.body["synonyms"] or "")

    def _vectorizer(self, index: Mapping[str, Any]) -> Callable[[Mapping[str, Any], str], list[float]]:
        profiles = {p["name"]: p for p in (index.get("vectorSearch") or {}).get("profiles", [])}

        def vectorize(vectorizer: Mapping[str, Any], text: str) -> list[float]:
            """A vector as long as the fields that use the vectorizer (the model's own length if they differ)."""
            lengths = {
                field["dimensions"]
                for field in index["fields"]
                if field.get("vectorSearchProfile")
                and profiles[field["vectorSearchProfile"]].get("vectorizer") == vectorizer.get("name")
            }
            parameters = vectorizer.get("azureOpenAIParameters") or {}
            model = local_model(parameters.get("deploymentId"), parameters.get("modelName"))
            return self._embed(model, [text], lengths.pop() if len(lengths) == 1 else None)[0]

        return vectorize


def _follow(engine: SearchEngine, fields: Mapping[str, Field], changes: Iterable[tuple[str, Document | None]]) -> None:
    for key, document in changes:
        if document is None:
            engine.remove(key)
        else:
            engine.put(key, searchable(document, fields))


def searchable(document: Document, fields: Mapping[str, Field]) -> Document:
    """The full document as plain JSON: vectors are lists, and one that is not set has no entry."""
    return {
        name: value.tolist() if isinstance(value, array) else value
        for name, value in completed(document, fields).items()
        if not (fields[name].vector and not value)
    }
