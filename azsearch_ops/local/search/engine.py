"""The search engine of one index: documents in, answers out."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import Any

from azsearch_ops.local.search.analyze import analyze
from azsearch_ops.local.search.answer import answer
from azsearch_ops.local.search.completing import completions
from azsearch_ops.local.search.contents import Contents
from azsearch_ops.local.search.passages import Passages, Read
from azsearch_ops.local.search.request import read_request
from azsearch_ops.local.search.schema import Schema
from azsearch_ops.local.search.searching import SynonymRules, Vectorize, field_synonyms, find, query_vectors
from azsearch_ops.local.search.semantic import rerank
from azsearch_ops.local.search.suggest_request import read_completion, read_suggest
from azsearch_ops.local.search.suggesting import suggestions


class SearchEngine:
    """Holds the documents of an index in memory and searches them; safe from any thread.

    Scores, order and statistics are those of a service with one shard. Every fault is a ServiceFault with status 400.

    Args:
        definition: the index as REST JSON, already checked.
        vectorize: (vectorizer of the definition, text) → its embedding; called without the engine's lock.
        synonym_rules: name of a synonym map → its rules, asked at each search without the engine's lock.
        read: what the stand-in semantic ranker embeds passages with; without it semantic ranking is refused.
    """

    def __init__(
        self,
        definition: Mapping[str, Any],
        vectorize: Vectorize,
        read: Read | None = None,
        synonym_rules: SynonymRules = lambda name: "",
    ) -> None:
        self._lock = threading.RLock()
        self._vectorize = vectorize
        self._synonym_rules = synonym_rules
        self._passages = Passages(read) if read is not None else None
        self._contents = Contents(Schema(definition))

    def __len__(self) -> int:
        return len(self._contents)

    def put(self, key: str, document: Mapping[str, Any]) -> None:
        """Takes in a whole stored document in place of the one with the same key, which hands on its place in ties."""
        with self._lock:
            self._contents.put(key, document)

    def remove(self, key: str) -> None:
        """Forgets a document; one that is not there changes nothing."""
        with self._lock:
            self._contents.remove(key)

    def redefine(self, definition: Mapping[str, Any]) -> None:
        """Follows a change of the definition; documents are taken in anew where their layout depends on it."""
        with self._lock:
            schema = Schema(definition)
            if schema.document_layout == self._contents.schema.document_layout:
                self._contents.adopt(schema)
            else:
                self._contents = self._contents.laid_out(schema)

    def search(self, request: Mapping[str, Any], api_version: str) -> dict[str, Any]:
        """The answer to a search request: `value` and, where asked for, count, coverage and the next page."""
        schema = self._contents.schema
        wanted = read_request(request, schema, api_version, ranker=self._passages is not None)
        vectors = query_vectors(wanted, schema, self._vectorize)
        rules = field_synonyms(wanted, schema, self._synonym_rules)  # Without the lock: it asks the store
        with self._lock:
            self._contents = contents = self._contents.settled()
            found = find(wanted, vectors, contents, rules)
            reranking = None
            if self._passages is not None and wanted.semantic is not None and wanted.semantic.text:
                reranking = rerank(wanted.semantic, found.rows.tolist(), contents, self._passages)
                found = found.led_by(list(reranking.results))
            return answer(wanted, found, contents, reranking)

    def suggest(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a request for suggestions: documents that hold what was typed so far."""
        wanted = read_suggest(request, self._contents.schema)
        with self._lock:
            self._contents = contents = self._contents.settled()
            return suggestions(wanted, contents)

    def autocomplete(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The answer to a request for completions: words that what was typed so far may become."""
        wanted = read_completion(request, self._contents.schema)
        with self._lock:
            self._contents = contents = self._contents.settled()
            return completions(wanted, contents)

    def analyze(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The tokens of a text, as Analyze Text gives them."""
        return analyze(request)
