"""Index projections: one document of the tree to many documents of an index.

https://learn.microsoft.com/azure/search/search-how-to-define-index-projections
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from azsearch_ops.contract.skills import SKIP_PARENTS
from azsearch_ops.local.indexing.document import Document
from azsearch_ops.local.indexing.findings import RunRefusedError
from azsearch_ops.local.indexing.io import IndexingIO
from azsearch_ops.local.indexing.tree import EACH, MissingValueError, Path, Place, fetch, parse_path, places


@dataclass(frozen=True, slots=True)
class Source:
    """What fills a field: a path, or, for a complex field, a context and what fills its members."""

    path: Path
    members: tuple[tuple[str, Source], ...] = ()


@dataclass(frozen=True, slots=True)
class Selector:
    """One projection: which nodes become documents of which index, and what fills their fields."""

    index_name: str
    key_field: str
    parent_field: str
    context: Path
    mappings: tuple[tuple[str, Source], ...]

    @property
    def destination(self) -> tuple[str, str]:
        """Selectors that share it share their children."""
        return self.index_name, self.parent_field


@dataclass(frozen=True, slots=True)
class Projections:
    """All selectors of a skillset, and whether the parents go to the indexer's own index."""

    selectors: tuple[Selector, ...]
    includes_parents: bool


def key_field_of(definition: Mapping[str, Any]) -> str:
    """The name of the index's key field. Raises RunRefusedError when there is none."""
    for field in definition.get("fields") or ():
        if field.get("key"):
            return str(field["name"])
    raise RunRefusedError(f"The index '{definition.get('name')}' has no key field.")


def read_projections(skillset: Mapping[str, Any] | None, io: IndexingIO) -> Projections:
    """The projections of a skillset body; without any, parents alone are indexed. Raises RunRefusedError."""
    body = (skillset or {}).get("indexProjections") or {}
    selectors = tuple(_selector(selector, io) for selector in body.get("selectors") or ())
    mode = (body.get("parameters") or {}).get("projectionMode")
    return Projections(selectors, includes_parents=not selectors or mode != SKIP_PARENTS)


def project(document: Document, selector: Selector, mark: str) -> list[dict[str, Any]]:
    """The child documents, keys and parent keys included. `mark` begins each key: new for each processing."""
    try:
        found = list(places(document.root, selector.context))
    except MissingValueError as missing:
        if not document.warnings:
            document.warn(
                "Could not project the document.", f"Projection.SearchIndex.MergeOrUpload.{selector.index_name}",
                str(missing),
            )  # fmt: skip
        return []
    children: list[dict[str, Any]] = []
    for place in found:
        child: dict[str, Any] = {
            selector.key_field: "_".join((mark, document.key, *place.concrete().parts)),
            selector.parent_field: document.key,
        }
        for name, source in selector.mappings:
            try:
                child[name] = _value(document, source, place)
            except MissingValueError:
                continue  # The field stays null.
        children.append(child)
    return children


def _value(document: Document, source: Source, place: Place) -> Any:
    if not source.members:
        return fetch(document.root, source.path, place)
    inside = [found for found in places(document.root, source.path) if _within(found, place)]
    objects = [_object(document, source, found) for found in inside]
    if source.path.parts.count(EACH) > len(_shared_indexes(source.path, place)):
        return objects
    return objects[0] if objects else None


def _object(document: Document, source: Source, place: Place) -> dict[str, Any]:
    members: dict[str, Any] = {}
    for name, member in source.members:
        try:
            members[name] = _value(document, member, place)
        except MissingValueError:
            continue
    return members


def _shared_indexes(path: Path, place: Place) -> tuple[int, ...]:
    """The indexes that `place` has chosen for the beginning that its path shares with `path`."""
    shared = 0
    for mine, theirs in zip(path.parts, place.path.parts, strict=False):
        if mine != theirs:
            break
        shared += mine == EACH
    return place.indexes[:shared]


def _within(found: Place, place: Place) -> bool:
    chosen = _shared_indexes(found.path, place)
    return found.indexes[: len(chosen)] == chosen


def _selector(body: Mapping[str, Any], io: IndexingIO) -> Selector:
    name = str(body.get("targetIndexName") or "")
    definition = io.index_definition(name)
    if definition is None:
        raise RunRefusedError(f"The index '{name}' that the skillset projects into does not exist.")
    return Selector(
        index_name=name,
        key_field=key_field_of(definition),
        parent_field=str(body.get("parentKeyFieldName") or ""),
        context=parse_path(str(body.get("sourceContext") or "")),
        mappings=_sources(body.get("mappings") or ()),
    )


def _sources(mappings: Sequence[Mapping[str, Any]]) -> tuple[tuple[str, Source], ...]:
    found: list[tuple[str, Source]] = []
    for mapping in mappings:
        if mapping.get("source"):
            source = Source(parse_path(str(mapping["source"])))
        else:
            source = Source(parse_path(str(mapping.get("sourceContext") or "")), _sources(mapping.get("inputs") or ()))
        found.append((str(mapping["name"]), source))
    return tuple(found)
