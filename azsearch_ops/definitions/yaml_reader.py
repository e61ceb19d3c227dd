"""YAML (and so JSON) text to a `Tree`: positions kept, duplicate keys and what JSON cannot say refused.

Reads the parser's events instead of composed nodes, since composing recurses in C without a limit.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import yaml
from yaml.error import MarkedYAMLError
from yaml.reader import ReaderError

from azsearch_ops.definitions.scalars import ScalarError, as_tagged, resolve
from azsearch_ops.definitions.tree import Mark, Tree, step
from azsearch_ops.errors import Location, Problem

DEEPEST: Final = 100
LARGEST: Final = 200_000
"""Nesting and number of values beyond which a file is refused (aliases of aliases grow without bound)."""

_LOADER: Any = getattr(yaml, "CLoader", yaml.Loader)
_CORE: Final = "tag:yaml.org,2002:"
_SURROGATES = re.compile(r"\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})")
_QUOTE_HINT: Final = 'an expression is a quoted string: "{{ … }}"'


class _RefusedError(Exception):
    """The rest of the file cannot be read."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


@dataclass(slots=True)
class _Node:
    """A value with its place; `keys` and `children` run side by side in a mapping."""

    mark: Mark
    value: object
    kind: str
    keys: list[tuple[str, Mark]]
    children: list[_Node]


def parse_yaml(text: str, path: str, problems: list[Problem]) -> Tree | None:
    """The tree of one YAML document; None, with a problem, when the text cannot be read to its end.

    A duplicate key is a problem too, and its first value stays. An empty file has the value None.
    """
    if text.lstrip()[:1] in ("{", "["):
        # JSON writes characters beyond the first plane as two escapes, which YAML refuses
        text = _SURROGATES.sub(_join_surrogates, text)
    reader = _Reader(path, problems)
    try:
        node = reader.document(text)
        if node is None:
            return Tree(path, None, {"": (path, 1, 1)}, {})
        values: dict[str, Mark] = {}
        keys: dict[str, Mark] = {}
        value = _Builder(path, problems).build(node, "", values, keys, 0)
    except _RefusedError as refused:
        problems.append(refused.problem)
        return None
    return Tree(path, value, values, keys)


def _join_surrogates(found: re.Match[str]) -> str:
    high, low = int(found[1], 16), int(found[2], 16)
    return f"\\U{0x10000 + ((high - 0xD800) << 10) + (low - 0xDC00):08X}"


class _Reader:
    """Turns the events of one document into nodes; aliases share the node of their anchor."""

    def __init__(self, path: str, problems: list[Problem]) -> None:
        self._path = path
        self._problems = problems
        self._anchors: dict[str, _Node | None] = {}

    def document(self, text: str) -> _Node | None:
        """The root node, or None when the file is empty."""
        try:
            events = iter(yaml.parse(text, Loader=_LOADER))
            root: _Node | None = None
            for event in events:
                if isinstance(event, yaml.DocumentStartEvent):
                    if root is not None:
                        raise self._refuse("AZS004", "a file holds one YAML document", event)
                    root = self._node(next(events), events, 0)
            return root
        except MarkedYAMLError as error:
            raise _RefusedError(self._malformed(error, text)) from None
        except ReaderError as error:
            position = error.position if isinstance(error.position, int) else 0
            before = text[:position]
            place = Location(self._path, before.count("\n") + 1, position - before.rfind("\n"))
            code_point = error.character if isinstance(error.character, int) else ord(str(error.character)[:1] or " ")
            message = f"the character U+{code_point:04X} may not stand in YAML"
            raise _RefusedError(Problem("AZS002", message, place)) from None

    def _node(self, event: Any, events: Iterator[Any], depth: int) -> _Node:
        mark, kind = self._mark(event), event.__class__
        if depth > DEEPEST:
            raise self._refuse("AZS004", f"nested more than {DEEPEST} levels deep", event)
        if kind is yaml.ScalarEvent and event.anchor is None:  # Nearly all are such
            return _Node(mark, self._scalar(event), "scalar", [], [])
        if kind is yaml.AliasEvent:
            if event.anchor not in self._anchors:
                raise self._refuse("AZS002", f"the alias *{event.anchor} has no anchor", event)
            target = self._anchors[event.anchor]
            if target is None:
                raise self._refuse("AZS004", f"the alias *{event.anchor} stands inside its own anchor", event)
            return _Node(mark, target.value, target.kind, target.keys, target.children)
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        if kind is yaml.ScalarEvent:
            node = _Node(mark, self._scalar(event), "scalar", [], [])
        elif kind is yaml.SequenceStartEvent:
            self._check_tag(event, "seq")
            node = _Node(mark, None, "list", [], [])
            while (item := next(events)).__class__ is not yaml.SequenceEndEvent:
                node.children.append(self._node(item, events, depth + 1))
        else:
            self._check_tag(event, "map")
            node = _Node(mark, None, "mapping", [], [])
            while (key := next(events)).__class__ is not yaml.MappingEndEvent:
                node.keys.append((self._key(key), self._mark(key)))
                node.children.append(self._node(next(events), events, depth + 1))
        if event.anchor is not None:
            self._anchors[event.anchor] = node
        return node

    def _scalar(self, event: Any) -> object:
        plain, _ = event.implicit
        try:
            if event.tag is None or event.tag == "!":
                return resolve(event.value) if plain and event.tag is None else event.value
            if not event.tag.startswith(_CORE):
                raise ScalarError(f"the tag {event.tag} is not taken here")
            return as_tagged(event.tag.removeprefix(_CORE), event.value)
        except ScalarError as error:
            raise self._refuse("AZS004", str(error), event) from None

    def _key(self, event: Any) -> str:
        if event.__class__ is yaml.ScalarEvent and event.anchor is None:
            return str(event.value)
        if isinstance(event, yaml.AliasEvent):
            target = self._anchors.get(str(event.anchor))
            if target is not None and isinstance(target.value, str):
                return target.value
        if not isinstance(event, yaml.ScalarEvent):
            raise self._refuse("AZS004", "a key must be plain text", event, _QUOTE_HINT)
        if event.anchor is not None:
            self._anchors[event.anchor] = _Node(self._mark(event), event.value, "scalar", [], [])
        return str(event.value)

    def _check_tag(self, event: Any, expected: str) -> None:
        if event.tag is not None and event.tag not in ("!", _CORE + expected):
            raise self._refuse("AZS004", f"the tag {event.tag} is not taken here", event)

    def _mark(self, event: Any) -> Mark:
        mark = event.start_mark
        return (self._path, mark.line + 1, mark.column + 1)

    def _refuse(self, code: str, message: str, event: Any, hint: str = "") -> _RefusedError:
        return _RefusedError(Problem(code, message, Location(*self._mark(event)), hint=hint))

    def _malformed(self, error: MarkedYAMLError, text: str) -> Problem:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line, mark.column) if mark else (0, 0)
        lines = text.splitlines()
        here = lines[line] if line < len(lines) else ""
        if here[: len(here) - len(here.lstrip())].find("\t") >= 0:
            place = Location(self._path, line + 1, here.index("\t") + 1)
            return Problem("AZS002", "a tab cannot indent YAML", place, hint="indent with spaces")
        what = ", ".join(part for part in (error.problem, error.context) if part)
        hint = _QUOTE_HINT if "{{" in here else ""
        return Problem("AZS002", f"malformed YAML: {what}", Location(self._path, line + 1, column + 1), hint=hint)


class _Builder:
    """Turns nodes into plain values and notes where each stands; aliases are copied, within limits."""

    def __init__(self, path: str, problems: list[Problem]) -> None:
        self._path = path
        self._problems = problems
        self._count = 0

    def build(self, node: _Node, pointer: str, values: dict[str, Mark], keys: dict[str, Mark], depth: int) -> object:
        """The plain value of a node; fills `values` and `keys` on the way."""
        self._count += 1
        if self._count > LARGEST or depth > DEEPEST:
            where = Location(*node.mark)
            limit = f"{LARGEST} values" if self._count > LARGEST else f"{DEEPEST} levels"
            raise _RefusedError(
                Problem(
                    "AZS004",
                    f"the file grows beyond {limit}",
                    where,
                    hint="use fewer aliases; a query set of this size goes into JSON lines",
                )
            )
        values[pointer] = node.mark
        if node.kind == "scalar":
            return node.value
        if node.kind == "list":
            return [
                self.build(child, step(pointer, i), values, keys, depth + 1) for i, child in enumerate(node.children)
            ]
        built: dict[str, object] = {}
        merged: list[_Node] = []
        for (key, mark), child in zip(node.keys, node.children, strict=True):
            if key == "<<":
                merged.extend(child.children if child.kind == "list" else [child])
                continue
            at = step(pointer, key)
            if key in built:
                message = f"the key {key!r} stands twice in one mapping (first in line {keys[at][1]})"
                self._problems.append(Problem("AZS003", message, Location(*mark, at), hint="keep one of the two"))
                continue
            keys[at] = mark
            built[key] = self.build(child, at, values, keys, depth + 1)
        for source in merged:
            self._merge(source, pointer, built, values, keys, depth)
        return built

    def _merge(
        self,
        source: _Node,
        pointer: str,
        built: dict[str, object],
        values: dict[str, Mark],
        keys: dict[str, Mark],
        depth: int,
    ) -> None:
        """Adds what `<<` brings: keys that the mapping itself, or an earlier merge, does not have."""
        if source.kind != "mapping":
            raise _RefusedError(Problem("AZS004", "<< merges mappings only", Location(*source.mark)))
        scratch_values: dict[str, Mark] = {}
        scratch_keys: dict[str, Mark] = {}
        brought = self.build(source, pointer, scratch_values, scratch_keys, depth + 1)
        assert isinstance(brought, dict)
        fresh = [key for key in brought if key not in built]
        for key in fresh:
            built[key] = brought[key]
        prefixes = tuple(step(pointer, key) for key in fresh)
        for table, scratch in ((values, scratch_values), (keys, scratch_keys)):
            for at, mark in scratch.items():
                if any(at == prefix or at.startswith(prefix + "/") for prefix in prefixes):
                    table[at] = mark
