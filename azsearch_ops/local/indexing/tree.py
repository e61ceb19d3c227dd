"""The enriched document: a tree whose nodes have a value, and children that skills add beneath it.

Paths as in https://learn.microsoft.com/azure/search/cognitive-search-skill-annotation-language: `/document/pages/*`
names each page, `/document/pages/0` one of them, `~0 ~1 ~2` stand for `~ / #` in names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from azsearch_ops.local.indexing.findings import RunRefusedError

EACH = "*"


class MissingValueError(Exception):
    """A path leads nowhere in this document; `str()` is Azure's text for it."""


@dataclass(slots=True)
class Node:
    """A value, or an array of nodes, with named children."""

    value: Any = None
    items: list[Node] | None = None
    children: dict[str, Node] = field(default_factory=dict)

    def plain(self) -> Any:
        """The JSON of this node: its array, its value, or its children as an object."""
        if self.items is not None:
            return [item.plain() for item in self.items]
        if self.value is None and self.children:
            return {name: child.plain() for name, child in self.children.items()}
        return self.value


@dataclass(frozen=True, slots=True)
class Path:
    """A parsed path, without the leading `document`."""

    parts: tuple[str, ...]

    def __str__(self) -> str:
        return "/".join(("/document", *(_escaped(part) for part in self.parts)))

    def child(self, name: str) -> Path:
        """The path of a child."""
        return Path((*self.parts, name))

    def covers(self, other: Path) -> bool:
        """Whether `other` is this path or lies below it."""
        return other.parts[: len(self.parts)] == self.parts


@dataclass(frozen=True, slots=True)
class Place:
    """One node that a context names: the node, and the index chosen for each `*` of the path."""

    path: Path
    node: Node
    indexes: tuple[int, ...]

    def concrete(self) -> Path:
        """The path with the chosen indexes."""
        chosen = iter(self.indexes)
        return Path(tuple(str(next(chosen)) if part == EACH else part for part in self.path.parts))


def parse_path(text: str) -> Path:
    """The path that `text` writes. Raises RunRefusedError for expressions and other forms."""
    if not text.startswith("/document"):
        raise RunRefusedError(f"The local service does not support the source or context '{text}'.")
    parts = text.split("/")[2:] if text != "/document" else []
    if "#" in parts or (text != "/document" and not text.startswith("/document/")) or "" in parts:
        raise RunRefusedError(f"The local service does not support the source or context '{text}'.")
    return Path(tuple(part.replace("~1", "/").replace("~2", "#").replace("~0", "~") for part in parts))


def grow(value: Any) -> Node:
    """The node of a JSON value. Vectors, which nobody looks into, stay one value."""
    if isinstance(value, Mapping):
        return Node(children={str(name): grow(child) for name, child in value.items()})
    if isinstance(value, (list, tuple)) and not (value and isinstance(value[0], float)):
        return Node(items=[grow(item) for item in value])
    return Node(value=value)


def places(root: Node, context: Path) -> Iterator[Place]:
    """Every node that `context` names, in document order. Raises MissingValueError when an array is not there."""
    yield from _places(root, context, 0, ())


def _places(node: Node, context: Path, depth: int, indexes: tuple[int, ...]) -> Iterator[Place]:
    for position in range(depth, len(context.parts)):
        part = context.parts[position]
        if part == EACH:
            for index, item in enumerate(_items(node, context, position)):
                yield from _places(item, context, position + 1, (*indexes, index))
            return
        node = _step(node, part, context, position)
    yield Place(context, node, indexes)


def fetch(root: Node, source: Path, place: Place) -> Any:
    """The value of `source` as seen from `place`: a `*` that the place has chosen is that one, others make a list.

    Raises MissingValueError.
    """
    shared = 0
    for mine, theirs in zip(source.parts, place.path.parts, strict=False):
        if mine != theirs:
            break
        shared += 1
    chosen = place.indexes[: source.parts[:shared].count(EACH)]
    return _fetch(root, source, 0, shared, list(chosen))


def _fetch(node: Node, source: Path, depth: int, shared: int, chosen: list[int]) -> Any:
    for position in range(depth, len(source.parts)):
        part = source.parts[position]
        if part != EACH:
            node = _step(node, part, source, position)
            continue
        items = _items(node, source, position)
        if position < shared:
            node = items[chosen.pop(0)]
            continue
        found: list[Any] = []
        for item in items:
            try:
                value = _fetch(item, source, position + 1, shared, chosen)
            except MissingValueError:
                continue  # Flattening takes what is there.
            found.extend(value) if EACH in source.parts[position + 1 :] else found.append(value)
        return found
    value = node.plain()
    if value is None:
        raise MissingValueError(f"Missing value '{source}'.")
    return value


def _items(node: Node, path: Path, position: int) -> list[Node]:
    if node.items is not None:
        return node.items
    if isinstance(node.value, list):
        return [Node(value=item) for item in node.value]
    raise MissingValueError(f"Unable to iterate over non-array '{Path(path.parts[:position])}'.")


def _step(node: Node, part: str, path: Path, position: int) -> Node:
    child = node.children.get(part)
    if child is None and node.items is not None and part.isdecimal() and int(part) < len(node.items):
        child = node.items[int(part)]
    if child is None:
        raise MissingValueError(f"Missing value '{Path(path.parts[: position + 1])}'.")
    return child


def _escaped(part: str) -> str:
    return part.replace("~", "~0").replace("/", "~1").replace("#", "~2")
