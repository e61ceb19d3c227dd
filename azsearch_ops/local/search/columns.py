"""Field values as arrays, for filters, orders, facets and scoring functions.

The documents are one table; every collection is a table of its own, whose rows are the elements of all documents and
whose parent table knows where the elements of each of its rows end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from azsearch_ops.local.search.growing import Growing
from azsearch_ops.local.search.schema import Field, Schema
from azsearch_ops.local.search.values import double, ticks

_DTYPES: dict[str, Any] = {
    "Edm.String": np.int32,
    "Edm.Boolean": np.int8,
    "Edm.Int32": np.int64,
    "Edm.Int64": np.int64,
    "Edm.Double": np.float64,
    "Edm.DateTimeOffset": np.int64,
    "Edm.GeographyPoint": np.float64,
}


class Column:
    """The values of one simple field over the rows of its table.

    `values` holds numbers, booleans as 0 and 1, dates in ticks, strings as codes (see `code` and `ranks`), points as
    longitude with `latitudes` beside it; `present` is False where the field is null.
    """

    def __init__(self, field: Field) -> None:
        self.field = field
        self._values = Growing(_DTYPES[field.type])
        self._present = Growing(np.bool_)
        self._latitudes = Growing(np.float64)
        self._codes: dict[str, int] = {}
        self._ranks: NDArray[np.int32] = np.empty(0, np.int32)
        self._sorted: list[str] = []

    def add(self, value: Any) -> None:
        """Appends the value of the next row; None is null."""
        self._present.append(value is not None)
        kind = self.field.type
        if kind == "Edm.GeographyPoint":
            longitude, latitude = value["coordinates"][:2] if value is not None else (np.nan, np.nan)
            self._values.append(longitude)
            self._latitudes.append(latitude)
        elif value is None:
            self._values.append(-1)
        elif kind == "Edm.String":
            self._values.append(self._codes.setdefault(value, len(self._codes)))
        elif kind == "Edm.DateTimeOffset":
            self._values.append(ticks(value))
        else:
            self._values.append(double(value) if kind == "Edm.Double" else value)

    @property
    def values(self) -> NDArray[Any]:
        """One number a row; undefined where not present."""
        return self._values.view

    @property
    def present(self) -> NDArray[np.bool_]:
        """False where null."""
        return self._present.view

    @property
    def latitudes(self) -> NDArray[np.float64]:
        """Of points; NaN where null."""
        return self._latitudes.view

    def code(self, text: str) -> int:
        """The number of a string value, -2 for one that no row has."""
        return self._codes.get(text, -2)

    @property
    def strings(self) -> list[str]:
        """The strings by their codes."""
        return list(self._codes)

    def ranks(self) -> tuple[list[str], NDArray[np.int32]]:
        """All strings in code point order, and the place of each code in that order."""
        if len(self._sorted) != len(self._codes):
            self._sorted = sorted(self._codes)
            order = np.fromiter((self._codes[text] for text in self._sorted), np.int32, len(self._sorted))
            self._ranks = np.empty(len(order), np.int32)
            self._ranks[order] = np.arange(len(order), dtype=np.int32)
        return self._sorted, self._ranks

    def sort_keys(self, rows: NDArray[np.int32]) -> NDArray[np.int64]:
        """Numbers that order these rows ascending, nulls first."""
        if self.field.type == "Edm.String":
            _, ranks = self.ranks()
            keys = ranks[self.values[rows]] if len(ranks) else np.zeros(len(rows), np.int32)
        else:
            _, keys = np.unique(self.values[rows], return_inverse=True)
        return np.where(self.present[rows], keys, -1).astype(np.int64)


class Table:
    """The rows of one scope: the documents ("") or the elements of a collection."""

    def __init__(self, scope: str) -> None:
        self.scope = scope
        self.size = 0
        self.columns: dict[str, Column] = {}
        self.children: dict[str, Table] = {}
        self._ends: dict[str, Growing] = {}

    def attach(self, child: Table) -> None:
        """Makes `child` a collection of this table's rows."""
        self.children[child.scope] = child
        self._ends[child.scope] = Growing(np.int64)

    def close_row(self) -> None:
        """Ends a row whose columns and elements have been added."""
        self.size += 1
        for scope, child in self.children.items():
            self._ends[scope].append(child.size)

    def bounds(self, scope: str) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """First and last + 1 element of each row in a child collection."""
        ends = self._ends[scope].view
        return np.concatenate((np.zeros(1, np.int64), ends[:-1])) if len(ends) else ends, ends

    def owners(self, scope: str) -> NDArray[np.int64]:
        """The row of this table that each element of a child collection belongs to."""
        starts, ends = self.bounds(scope)
        return np.repeat(np.arange(self.size, dtype=np.int64), ends - starts)


class ColumnStore:
    """All tables of an index; documents are appended, never changed."""

    def __init__(self, schema: Schema) -> None:
        self._fields = schema.fields
        self.tables = {"": Table("")}
        self._outer: dict[str, str] = {}
        for field in schema.collections:
            self.tables[field.path] = table = Table(field.path)
            self._outer[field.path] = _outer(field, schema)
            self.tables[self._outer[field.path]].attach(table)
        for field in schema.columns:
            self.tables[field.scope].columns[field.path] = Column(field)

    @property
    def documents(self) -> Table:
        """The table of the documents."""
        return self.tables[""]

    def add(self, document: Mapping[str, Any]) -> None:
        """Appends a document as the next row."""
        self._fill(self.documents, self._fields, document)
        self.documents.close_row()

    def owners(self, scope: str) -> NDArray[np.int64]:
        """The document row of each row of a table."""
        chain = [scope]
        while chain[-1]:
            chain.append(self._outer[chain[-1]])
        found = np.arange(self.documents.size, dtype=np.int64)
        for outer, inner in zip(chain[:0:-1], chain[-2::-1], strict=True):
            found = found[self.tables[outer].owners(inner)]
        return found

    def _fill(self, table: Table, fields: Sequence[Field], value: Mapping[str, Any] | None) -> None:
        for field in fields:
            own = None if value is None else value.get(field.name)
            if field.vector:
                continue
            if field.collection:
                elements = self.tables[field.path]
                for element in own or ():
                    if field.complex:
                        self._fill(elements, field.children, element)
                    elif field.path in elements.columns:
                        elements.columns[field.path].add(element)
                    elements.close_row()
            elif field.complex:
                self._fill(table, field.children, own)
            elif field.path in table.columns:
                table.columns[field.path].add(own)


def _outer(field: Field, schema: Schema) -> str:
    """The scope that a collection stands in."""
    parent = field.path.rpartition("/")[0]
    return schema.by_path[parent].scope if parent else ""
