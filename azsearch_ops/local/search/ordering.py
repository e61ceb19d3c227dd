"""The order of results: by score, or by the clauses of a request."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from azsearch_ops.local.search.columns import ColumnStore
from azsearch_ops.local.search.odata.fields import field_of, require
from azsearch_ops.local.search.odata.filters import FilterEvaluator
from azsearch_ops.local.search.odata.points import distances
from azsearch_ops.local.search.odata.syntax import Call, Ordering, Path
from azsearch_ops.local.search.odata.tokens import expression_fault
from azsearch_ops.local.search.schema import Schema

Keys = NDArray[np.float64] | NDArray[np.int64]


def by_score(
    rows: NDArray[np.int32], scores: NDArray[np.float32], age: NDArray[np.int64], first: int | None = None
) -> NDArray[np.int64]:
    """Places in `rows` from the best score on; equal scores in the order of insertion (`age`, by row).

    With `first`, only that many: the rest is not sorted.
    """
    places = np.arange(len(rows))
    if first is not None and 0 < first < len(rows):
        bound = np.partition(scores, len(rows) - first)[len(rows) - first]
        places = np.flatnonzero(scores >= bound)
    sorted_places = places[np.lexsort((age[rows[places]], -scores[places]))]
    return sorted_places if first is None else sorted_places[:first]


def by_clauses(
    clauses: Sequence[Ordering],
    rows: NDArray[np.int32],
    scores: NDArray[np.float32],
    age: NDArray[np.int64],
    schema: Schema,
    columns: ColumnStore,
) -> NDArray[np.int64]:
    """Places in `rows` as the clauses demand; what they leave equal by score, then in the order of insertion."""
    keys: list[Keys] = [_keys(clause, rows, scores, schema, columns) for clause in clauses]
    if not any(isinstance(clause.key, Call) and clause.key.name == "search.score" for clause in clauses):
        keys.append(-scores.astype(np.float64))
    keys.append(age[rows])
    return np.lexsort(keys[::-1])


def _keys(
    clause: Ordering, rows: NDArray[np.int32], scores: NDArray[np.float32], schema: Schema, columns: ColumnStore
) -> Keys:
    keys: Keys
    if isinstance(clause.key, Path):
        field = field_of(schema, clause.key.names, "$orderby")
        require(field, "sortable", "$orderby")
        if field.complex or field.type == "Edm.GeographyPoint":
            raise expression_fault(f"'{field.path}' of type '{field.edm}' cannot be used in $orderby.", "$orderby")
        keys = columns.documents.columns[field.path].sort_keys(rows)
    elif clause.key.name == "search.score" and not clause.key.arguments:
        keys = scores.astype(np.float64)
    elif clause.key.name == "geo.distance":
        column, point = FilterEvaluator(schema, columns, "$orderby").distance_parts(clause.key)
        far = distances(column.values[rows], column.latitudes[rows], point)
        keys = np.where(np.isnan(far), np.inf, far)
    else:
        raise expression_fault(f"The function '{clause.key.name}' cannot be used in $orderby.", "$orderby")
    return -keys if clause.descending else keys
