"""The parts that every family of rules builds its problems from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard, TypeVar

from azsearch_ops.contract.fields import field_defaults
from azsearch_ops.definitions.environment import Environment
from azsearch_ops.definitions.index import IndexDefinition
from azsearch_ops.definitions.skillset import SkillsetDefinition
from azsearch_ops.definitions.tree import step


@dataclass(frozen=True, slots=True)
class Subject:
    """An index definition with the skillset it names (None when that is missing) and its environment."""

    index: IndexDefinition
    skillset: SkillsetDefinition | None
    environment: Environment


@dataclass(frozen=True, slots=True)
class PlacedField:
    """A top-level field of an index with its pointer in the definition."""

    name: str
    body: Mapping[str, Any]
    pointer: str


def items(value: object, pointer: str) -> Iterator[tuple[Mapping[str, Any], str]]:
    """The objects of a list with their pointers; anything else is skipped, its type is another rule's matter."""
    if isinstance(value, list | tuple):
        for place, item in enumerate(value):
            if isinstance(item, Mapping):
                yield item, step(pointer, place)


def member(value: object, name: str) -> Any:
    """A member of an object, or None."""
    return value.get(name) if isinstance(value, Mapping) else None


F = TypeVar("F", bound=Mapping[str, PlacedField])


def _once(find: Callable[[Mapping[str, Any]], F]) -> Callable[[Mapping[str, Any]], F]:
    """`find` that remembers its last answer: all rules ask for the fields of one index before those of the next."""
    last: list[tuple[Mapping[str, Any], F]] = []

    def found(index: Mapping[str, Any]) -> F:
        if not last or last[0][0] is not index:
            last[:] = [(index, find(index))]
        return last[0][1]

    return found


def placed_fields(index: IndexDefinition) -> Mapping[str, PlacedField]:
    """The top-level fields by name."""
    return _placed_fields(index.index)


@_once
def _placed_fields(index: Mapping[str, Any]) -> Mapping[str, PlacedField]:
    found: dict[str, PlacedField] = {}
    for body, pointer in items(index.get("fields"), "/index/fields"):
        name = body.get("name")
        if isinstance(name, str):
            found.setdefault(name, PlacedField(name, body, pointer))
    return found


def every_field(index: Mapping[str, Any]) -> Iterator[tuple[Mapping[str, Any], str]]:
    """All fields of an index body with their pointers in the definition, those inside others included."""
    yield from _fields(index.get("fields"), "/index/fields")


@_once
def fields_by_path(index: Mapping[str, Any]) -> Mapping[str, PlacedField]:
    """All fields by their path (`address/city`)."""
    found: dict[str, PlacedField] = {}

    def add(fields: object, pointer: str, prefix: str) -> None:
        for body, at in items(fields, pointer):
            path = f"{prefix}{body.get('name')}"
            found.setdefault(path, PlacedField(path, body, at))
            add(body.get("fields"), step(at, "fields"), f"{path}/")

    add(index.get("fields"), "/index/fields", "")
    return found


def _fields(fields: object, pointer: str) -> Iterator[tuple[Mapping[str, Any], str]]:
    for body, at in items(fields, pointer):
        yield body, at
        yield from _fields(body.get("fields"), step(at, "fields"))


def flag(field: Mapping[str, Any], name: str) -> bool:
    """A flag of a field with Azure's default for its type."""
    return field_defaults(field).get(name) is True


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether the value is a JSON number."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_integer(value: object) -> TypeGuard[int]:
    """Whether the value is a whole JSON number."""
    return isinstance(value, int) and not isinstance(value, bool)


def quoted(value: object) -> str:
    """A value as messages show it, cut where it is long."""
    text = f"{value!r}" if isinstance(value, str) else f"{value}"
    return text if len(text) <= 60 else text[:57] + "…"
