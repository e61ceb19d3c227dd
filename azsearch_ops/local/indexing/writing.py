"""Writes a batch of documents into the indexes, and takes out what it replaces."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from azsearch_ops.local.indexing.document import Document
from azsearch_ops.local.indexing.io import IndexingIO
from azsearch_ops.local.indexing.mapping import FieldMapping, MappingError
from azsearch_ops.local.indexing.projection import Projections, Selector, project
from azsearch_ops.local.indexing.tree import MissingValueError, Node, Path, Place, fetch, parse_path

_ACTIONS = 1000


@dataclass(frozen=True, slots=True)
class Target:
    """Where documents of a run go: the indexer's own index and the projections of its skillset."""

    index_name: str
    key_field: str
    fields: frozenset[str]
    outputs: tuple[tuple[FieldMapping, Path], ...]
    projections: Projections


def output_paths(mappings: Sequence[FieldMapping]) -> tuple[tuple[FieldMapping, Path], ...]:
    """The output field mappings with their parsed sources. Raises RunRefusedError."""
    return tuple((mapping, parse_path(mapping.source)) for mapping in mappings)


def write_batch(documents: Sequence[Document], target: Target, io: IndexingIO, at: datetime) -> None:
    """Writes what the documents have become, then removes the children of their earlier processing.

    New children come first, so that a document never vanishes from searches. A document of which any part is refused
    fails, and its new children are taken out again: the earlier ones go on standing.
    """
    good = [document for document in documents if not document.failed]
    written: dict[tuple[str, str], dict[str, list[str]]] = {}
    earlier: dict[tuple[str, str], Mapping[str, Sequence[str]]] = {}
    parents = [document.key for document in good]
    for selector in target.projections.selectors:
        if selector.destination not in earlier and good:
            earlier[selector.destination] = io.existing_children(*selector.destination, parents)
        keys = written.setdefault(selector.destination, {})
        _write_children(good, selector, keys, io, at)
    if target.projections.includes_parents:
        _write_parents([document for document in good if not document.failed], target, io)
    for selector in target.projections.selectors:
        if selector.destination not in earlier:
            continue
        before = earlier.pop(selector.destination)
        fresh = written[selector.destination]
        stale: list[str] = []
        for document in good:
            mine = fresh.get(document.key, [])
            stale += mine if document.failed else sorted(set(before.get(document.key, ())).difference(mine))
        _delete(selector, stale, io)


def remove(keys: Sequence[str], target: Target, io: IndexingIO) -> None:
    """Takes the documents with these keys and all their children out of the indexes."""
    done: set[tuple[str, str]] = set()
    for selector in target.projections.selectors:
        if selector.destination not in done:
            done.add(selector.destination)
            children = io.existing_children(*selector.destination, keys)
            _delete(selector, [key for found in children.values() for key in found], io)
    if target.projections.includes_parents:
        for first in range(0, len(keys), _ACTIONS):
            io.write(
                target.index_name,
                [{"@search.action": "delete", target.key_field: key} for key in keys[first : first + _ACTIONS]],
            )


def _write_children(
    documents: Sequence[Document], selector: Selector, keys: dict[str, list[str]], io: IndexingIO, at: datetime
) -> None:
    pending: list[tuple[Document, dict[str, Any]]] = []
    for document in documents:
        if document.failed:
            continue
        mark = hashlib.sha256(f"{document.key}\0{document.blob.md5}\0{at.isoformat()}".encode()).hexdigest()[:12]
        for child in project(document, selector, mark):
            keys.setdefault(document.key, []).append(child[selector.key_field])
            pending.append((document, {"@search.action": "upload", **child}))
            if len(pending) == _ACTIONS:
                _send(selector.index_name, pending, io)
                pending = []
    _send(selector.index_name, pending, io)


def _write_parents(documents: Sequence[Document], target: Target, io: IndexingIO) -> None:
    pending: list[tuple[Document, dict[str, Any]]] = []
    for document in documents:
        body: dict[str, Any] = {
            name: value for name, value in document.fields.items() if name in target.fields and value is not None
        }
        body |= _outputs(document, target)
        body[target.key_field] = document.key
        pending.append((document, {"@search.action": "mergeOrUpload", **body}))
    for first in range(0, len(pending), _ACTIONS):
        _send(target.index_name, pending[first : first + _ACTIONS], io)


def _outputs(document: Document, target: Target) -> dict[str, Any]:
    found: dict[str, Any] = {}
    root = Place(Path(()), document.root, ())
    for mapping, path in target.outputs:
        name = f"Projection.SearchIndex.OutputFieldMapping.{mapping.target}"
        try:
            found[mapping.target] = mapping.apply(fetch(document.root, path, root))
        except MissingValueError as missing:
            document.warn(f"Could not map output field '{mapping.target}' to search index.", name, str(missing))
        except MappingError as error:
            document.fail(
                f"Could not map output field '{mapping.target}' to search index.", name, str(error), status=400
            )
    return found


def _send(index_name: str, pending: Sequence[tuple[Document, dict[str, Any]]], io: IndexingIO) -> None:
    """Writes the actions; each refused one fails its document."""
    if not pending:
        return
    results = io.write(index_name, [action for _, action in pending])
    for (document, _), result in zip(pending, results, strict=True):
        if not result.get("status"):
            status = result.get("statusCode")
            document.fail(
                str(result.get("errorMessage") or "The document was refused."),
                f"Projection.SearchIndex.MergeOrUpload.{index_name}",
                f"Document key: '{result.get('key')}'.",
                status=status if isinstance(status, int) else 400,
            )


def _delete(selector: Selector, keys: Sequence[str], io: IndexingIO) -> None:
    for first in range(0, len(keys), _ACTIONS):
        io.write(
            selector.index_name,
            [{"@search.action": "delete", selector.key_field: key} for key in keys[first : first + _ACTIONS]],
        )


def forget(document: Document) -> None:
    """Lets go of text and vectors, which may be large, once a document is done."""
    document.root = Node()
    document.fields = {}
