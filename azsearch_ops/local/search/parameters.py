"""Members of a request body by name and type; null and empty lists are the same as absent."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from azsearch_ops.local.errors import ServiceFault, invalid_request


def api_date(api_version: str) -> str:
    """The date of an API version, which orders them."""
    return api_version[:10]


def is_preview(api_version: str) -> bool:
    """Whether an API version is a preview."""
    return api_version.lower().endswith("-preview")


class Parameters:
    """Reads a body; ServiceFault 400 for an unknown member or a value of the wrong kind."""

    def __init__(self, body: Mapping[str, Any], operation: str, known: frozenset[str]) -> None:
        self._body = body
        self._operation = operation
        for name in body:
            if name not in known:
                raise self.unknown(name)

    def unknown(self, name: str) -> ServiceFault:
        """The refusal of a member that does not exist, in Azure's words."""
        return invalid_request(
            f"The request is invalid. Details: parameters : The parameter '{name}' in the request payload is not a "
            f"valid parameter for the operation '{self._operation}'.\r\n",
            "InvalidParameter",
        )

    def given(self, name: str) -> bool:
        """Whether the member says anything."""
        return self._body.get(name) not in (None, [], "")

    def string(self, name: str) -> str | None:
        """Text."""
        value = self._body.get(name)
        if value is not None and not isinstance(value, str):
            raise self._wrong(name, "a string")
        return value

    def boolean(self, name: str) -> bool | None:
        """True or false."""
        value = self._body.get(name)
        if value is not None and not isinstance(value, bool):
            raise self._wrong(name, "a boolean")
        return value

    def number(self, name: str, low: float = -math.inf, high: float = math.inf) -> float | None:
        """A number in a range."""
        value = self._body.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
            raise self._wrong(name, f"a number from {low} to {high}" if math.isfinite(high) else f"at least {low}")
        return float(value)

    def integer(self, name: str, low: int, high: int = 2**31 - 1) -> int | None:
        """A whole number in a range."""
        value = self._body.get(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self._wrong(name, f"a whole number from {low} to {high}")
        return value

    def choice(self, name: str, choices: Sequence[str], default: str) -> str:
        """One of some words."""
        value = self.string(name)
        if value is None:
            return default
        if value not in choices:
            raise self._wrong(name, f"one of {', '.join(choices)}")
        return value

    def mapping(self, name: str) -> Mapping[str, Any] | None:
        """An object."""
        value = self._body.get(name)
        if value is not None and not isinstance(value, Mapping):
            raise self._wrong(name, "an object")
        return value

    def list(self, name: str) -> Sequence[Any]:
        """An array, empty when absent."""
        value = self._body.get(name)
        if value is None:
            return ()
        if isinstance(value, str) or not isinstance(value, Sequence):
            raise self._wrong(name, "an array")
        return value

    def strings(self, name: str) -> tuple[str, ...]:
        """An array of strings."""
        values = self.list(name)
        if not all(isinstance(value, str) for value in values):
            raise self._wrong(name, "an array of strings")
        return tuple(values)

    def _wrong(self, name: str, wanted: str) -> ServiceFault:
        return invalid_request(
            f"The value of '{name}' must be {wanted}, and is {self._body[name]!r:.100}.", "InvalidParameter", name
        )
