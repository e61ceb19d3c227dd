"""Two bodies of one kind, compared through deepdiff: one difference for each setting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from azsearch_ops.bodies.normal import normal
from azsearch_ops.contract.objects import list_key, properties_of

_KINDS: Final = (
    "values_changed",
    "type_changes",
    "dictionary_item_added",
    "dictionary_item_removed",
    "iterable_item_added",
    "iterable_item_removed",
)

_OF_LISTS: Final = ("vectorSearch",)
"""Objects that are nothing but such lists."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A setting that differs: the steps to it (items of sets by name), and both values, None for absent."""

    path: tuple[str | int, ...]
    before: Any
    after: Any


def differences(kind: str, before: Mapping[str, Any], after: Mapping[str, Any]) -> tuple[Difference, ...]:
    """What differs between two bodies of the contract's object type `kind`, in order of path."""
    old, new = keyed(kind, normal(kind, before)), keyed(kind, normal(kind, after))
    if old == new:
        return ()
    from deepdiff import DeepDiff  # Here, since it takes as long to import as all else, and most bodies are equal

    # The threshold would fold an object with many differences into a single one
    found = DeepDiff(old, new, view="tree", threshold_to_diff_deeper=0)
    result = [
        Difference(tuple(level.path(output_format="list")), _present(level.t1), _present(level.t2))
        for name in _KINDS
        for level in found.get(name, ())
    ]
    return tuple(sorted(result, key=lambda difference: [str(step) for step in difference.path]))


def keyed(kind: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """A normal form with every list that is a set of named items turned into a mapping by name.

    One that is not there is an empty mapping, so that its first item is told like any other.
    """
    rows = properties_of(kind, body)
    result: dict[str, Any] = {name: {} for name, row in rows.items() if row.of and row.order == "named"}
    result |= {name: keyed(name, {}) for name in _OF_LISTS if name in rows}
    for name, value in body.items():
        row = rows.get(name)
        if row is None or row.of is None:
            result[name] = _numbers(value)
        elif isinstance(value, Mapping):
            result[name] = keyed(row.of, value)
        elif isinstance(value, list) and row.order == "named":
            items = [keyed(row.of, item) if isinstance(item, Mapping) else item for item in value]
            names = _distinct(list_key(row, item) or "" for item in value)
            result[name] = dict(zip(names, items, strict=True))
        elif isinstance(value, list):
            result[name] = [keyed(row.of, item) if isinstance(item, Mapping) else item for item in value]
        else:
            result[name] = value
    return result


def _distinct(names: Iterator[str]) -> Iterator[str]:
    """The names; one that comes again gets its count, so that no item is lost."""
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        yield name if seen[name] == 1 else f"{name} ({seen[name]})"


def _numbers(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, Mapping):
        return {name: _numbers(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_numbers(item) for item in value]
    return value


def _present(value: Any) -> Any:
    """deepdiff marks an absent side with an object of its own."""
    return value if isinstance(value, bool | int | float | str | list | dict) else None
