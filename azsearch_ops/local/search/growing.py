"""A numpy array that grows at its end."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


class Growing:
    """Values of one type, appended one at a time or many at once.

    `view` is an array of what is there now: no copy, and unchanged by later appends.
    """

    __slots__ = ("_pending", "_size", "_store")

    def __init__(self, dtype: Any) -> None:
        self._store: NDArray[Any] = np.empty(16, dtype)
        self._size = 0
        self._pending: list[Any] = []

    def __len__(self) -> int:
        return self._size + len(self._pending)

    def append(self, value: Any) -> None:
        """Adds one value."""
        self._pending.append(value)
        if len(self._pending) >= 1024:
            self._flush()

    def extend(self, values: Any) -> None:
        """Adds a sequence of values."""
        self._flush()
        self._add(np.asarray(values, self._store.dtype))

    @property
    def view(self) -> NDArray[Any]:
        """All values."""
        self._flush()
        return self._store[: self._size]

    def _flush(self) -> None:
        if self._pending:
            self._add(np.array(self._pending, self._store.dtype))
            self._pending.clear()

    def _add(self, values: NDArray[Any]) -> None:
        end = self._size + len(values)
        if end > len(self._store):
            larger = np.empty(max(end, len(self._store) * 3 // 2), self._store.dtype)
            larger[: self._size] = self._store[: self._size]
            self._store = larger
        self._store[self._size : end] = values
        self._size = end
