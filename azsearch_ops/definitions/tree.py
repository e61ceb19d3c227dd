"""A parsed file: plain values, and the place of each value and key by its JSON pointer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from azsearch_ops.errors import Location

Mark = tuple[str, int, int]
"""File, 1-based line, 1-based column."""


def step(pointer: str, part: str | int) -> str:
    """The pointer one step further down, escaped as RFC 6901 wants it."""
    text = part if isinstance(part, str) else str(part)
    if "~" in text or "/" in text:
        text = text.replace("~", "~0").replace("/", "~1")
    return f"{pointer}/{text}"


def parts(pointer: str) -> list[str]:
    """The unescaped steps of a pointer."""
    if not pointer:
        return []
    return [part.replace("~1", "/").replace("~0", "~") for part in pointer[1:].split("/")]


def parent(pointer: str) -> str:
    """The pointer one step up; that of the whole is its own parent."""
    return pointer.rpartition("/")[0]


@dataclass(frozen=True, slots=True)
class Tree:
    """The value of a file, where each value stands and where each key stands.

    Values that a template produced, or that stand in another file, are found at the nearest value around them.
    """

    path: str
    value: object
    values: Mapping[str, Mark]
    keys: Mapping[str, Mark]

    def locate(self, pointer: str) -> Location:
        """Where the value at `pointer` stands, or the nearest value around it."""
        at = pointer
        while at and at not in self.values:
            at = parent(at)
        path, line, column = self.values.get(at, (self.path, 1, 1))
        return Location(path, line, column, pointer)

    def locate_key(self, pointer: str) -> Location:
        """Where the key at `pointer` stands; for list items and missing keys the value's own place."""
        mark = self.keys.get(pointer)
        if mark is None:
            return self.locate(pointer)
        return Location(*mark, pointer)

    def at(self, pointer: str) -> object:
        """The value at `pointer`, or None where there is none."""
        here = self.value
        for part in parts(pointer):
            if isinstance(here, Mapping):
                here = here.get(part)
            elif isinstance(here, list) and part.isdigit() and int(part) < len(here):
                here = here[int(part)]
            else:
                return None
        return here
