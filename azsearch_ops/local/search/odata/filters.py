"""Filters carried out over the columns of an index: one Boolean for every row at once.

Rules for null, NaN and mixed numbers: https://learn.microsoft.com/azure/search/search-query-odata-comparison-operators.
Strings take the order operators too, by code points: the documentation lists only eq and ne, but reading an index by
ranges of its key is common practice against the service.
"""

from __future__ import annotations

import math
import operator
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from azsearch_ops.local.errors import not_supported_here
from azsearch_ops.local.search.columns import Column, ColumnStore, Table
from azsearch_ops.local.search.odata.fields import field_of, require
from azsearch_ops.local.search.odata.lambdas import check_lambda
from azsearch_ops.local.search.odata.points import distances
from azsearch_ops.local.search.odata.syntax import (
    FLIPPED,
    And,
    Call,
    Comparison,
    Constant,
    Expression,
    Lambda,
    Not,
    Operator,
    Or,
    Path,
)
from azsearch_ops.local.search.odata.tokens import expression_fault
from azsearch_ops.local.search.schema import Schema

Mask = NDArray[np.bool_]

_COMPARE: dict[Operator, Callable[[Any, Any], Any]] = {
    "eq": operator.eq, "ne": operator.ne, "gt": operator.gt,
    "lt": operator.lt, "ge": operator.ge, "le": operator.le,
}  # fmt: skip
_KINDS: dict[Operator, str] = {
    "eq": "Equal", "ne": "NotEqual", "gt": "GreaterThan",
    "lt": "LessThan", "ge": "GreaterThanOrEqual", "le": "LessThanOrEqual",
}  # fmt: skip
_NUMBERS = frozenset(("Edm.Int32", "Edm.Int64", "Edm.Double"))


@dataclass(frozen=True, slots=True)
class _Scope:
    """Where paths begin: the document, or the range variable of the innermost lambda."""

    table: Table
    variable: str = ""
    path: str = ""


class FilterEvaluator:
    """Filters of one index; `parameter` is what the request calls the expression, for messages."""

    def __init__(self, schema: Schema, columns: ColumnStore, parameter: str = "$filter") -> None:
        self._schema = schema
        self._columns = columns
        self._parameter = parameter

    def mask(self, expression: Expression) -> Mask:
        """Which documents the filter lets through; ServiceFault for one that the schema does not allow."""
        return self._truth(expression, _Scope(self._columns.documents))

    def _truth(self, node: Expression, scope: _Scope) -> Mask:
        if isinstance(node, And | Or):
            join = np.logical_and if isinstance(node, And) else np.logical_or
            masks = [self._truth(operand, scope) for operand in node.operands]
            result: Mask = join.reduce(masks)
            return result
        if isinstance(node, Not):
            if isinstance(node.operand, Path):
                self._boolean(node.operand, scope, "Not")
            return ~self._truth(node.operand, scope)
        if isinstance(node, Comparison):
            return self._comparison(node, scope)
        if isinstance(node, Lambda):
            return self._lambda(node, scope)
        if isinstance(node, Call):
            return self._function(node, scope)
        if isinstance(node, Path):
            column = self._boolean(node, scope, "")
            return np.asarray(column.values == 1)
        if node.edm == "Edm.Boolean":
            return np.full(scope.table.size, bool(node.value))
        raise self._fault("The $filter expression must evaluate to a single boolean value.")

    def _comparison(self, node: Comparison, scope: _Scope) -> Mask:
        left, right, how = node.left, node.right, node.operator
        if isinstance(left, Constant) and not isinstance(right, Constant):
            left, right, how = right, left, FLIPPED[how]
        if not isinstance(right, Constant) or isinstance(left, Constant):
            if isinstance(left, Not) and isinstance(left.operand, Path):
                self._boolean(left.operand, scope, "Not")
            raise self._fault("Comparison is only supported between a field or function and a constant.")
        if isinstance(left, Path):
            return self._column(self._column_of(left, scope), how, right)
        if isinstance(left, Call) and left.name == "geo.distance":
            if how in ("eq", "ne"):
                raise self._fault("geo.distance() can only be compared with 'lt', 'le', 'gt' or 'ge'.")
            if right.edm not in _NUMBERS:
                raise self._mixed("Edm.Double", right.edm, how)
            return np.asarray(_COMPARE[how](self._distance(left, scope), right.value))
        if right.edm != "Edm.Boolean" or how not in ("eq", "ne"):
            if isinstance(left, Not) and isinstance(left.operand, Path):
                self._boolean(left.operand, scope, "Not")
            raise self._mixed("Edm.Boolean", right.edm, how)
        truth = self._truth(left, scope)
        return truth if (how == "eq") == bool(right.value) else ~truth

    def _column(self, column: Column, how: Operator, constant: Constant) -> Mask:
        kind = column.field.type
        if constant.edm == "Null":
            if how not in ("eq", "ne"):
                raise self._mixed(kind, "null", how)
            return ~column.present if how == "eq" else column.present.copy()
        numeric = kind in _NUMBERS and constant.edm in _NUMBERS
        if not numeric and kind != constant.edm:
            raise self._mixed(kind, constant.edm, how)
        if kind == "Edm.GeographyPoint" or (kind == "Edm.Boolean" and how not in ("eq", "ne")):
            raise self._mixed(kind, constant.edm, how)
        if kind == "Edm.String":
            return _strings(column, how, str(constant.value))
        value: Any = constant.value
        if kind in ("Edm.Int32", "Edm.Int64") and isinstance(value, float) and not math.isfinite(value):
            raise self._mixed(kind, constant.text, how)
        compared = _COMPARE[how](column.values, float(value) if kind == "Edm.Double" else value)
        return np.asarray(compared | ~column.present if how == "ne" else compared & column.present)

    def _lambda(self, node: Lambda, scope: _Scope) -> Mask:
        names = self._names(node.path, scope)
        field = field_of(self._schema, names, self._parameter, scope.path)
        if not field.collection or field.vector:
            raise self._fault(f"'{node.kind}' can only be applied to a collection, and '{field.path}' is none.")
        if not field.complex:
            require(field, "filterable", self._parameter)
            check_lambda(node, field.type, self._parameter)
        child = self._columns.tables[field.path]
        starts, ends = scope.table.bounds(field.path)
        if node.body is None:
            return ends > starts
        inner = self._truth(node.body, _Scope(child, node.variable, field.path))
        counts = np.concatenate((np.zeros(1, np.int64), np.cumsum(inner, dtype=np.int64)))
        matching = counts[ends] - counts[starts]
        return matching > 0 if node.kind == "any" else matching == ends - starts

    def _function(self, node: Call, scope: _Scope) -> Mask:
        if node.name == "search.in":
            return self._search_in(node, scope)
        if node.name == "geo.distance":
            raise self._fault("The $filter expression must evaluate to a single boolean value.")
        if node.name in ("search.ismatch", "search.ismatchscoring", "geo.intersects"):
            raise not_supported_here(f"the function '{node.name}' in a filter", self._parameter)
        raise self._fault(f"An unknown function with name '{node.name}' was found.")

    def _search_in(self, node: Call, scope: _Scope) -> Mask:
        texts = [a.value for a in node.arguments[1:] if isinstance(a, Constant) and a.edm == "Edm.String"]
        if not node.arguments or not isinstance(node.arguments[0], Path) or len(texts) != len(node.arguments) - 1:
            raise self._fault("The function 'search.in' takes a field or range variable and one or two strings.")
        if len(texts) not in (1, 2):
            raise self._fault("The function 'search.in' takes a field or range variable and one or two strings.")
        column = self._column_of(node.arguments[0], scope)
        if column.field.type != "Edm.String":
            raise self._fault(f"The function 'search.in' needs an 'Edm.String', not '{column.field.type}'.")
        wanted = str(texts[0])
        separators = str(texts[1]) if len(texts) == 2 else " ,"
        for separator in separators:
            wanted = wanted.replace(separator, "\0")
        codes = {column.code(item) for item in wanted.split("\0") if item}
        return np.isin(column.values, np.fromiter(codes, np.int32, len(codes)))

    def _distance(self, node: Call, scope: _Scope) -> NDArray[np.float64]:
        column, point = self.distance_parts(node, scope)
        return distances(column.values, column.latitudes, point)

    def distance_parts(self, node: Call, scope: _Scope | None = None) -> tuple[Column, tuple[float, float]]:
        """The column and the fixed point of a geo.distance."""
        paths = [a for a in node.arguments if isinstance(a, Path)]
        points = [a for a in node.arguments if isinstance(a, Constant) and a.edm == "Edm.GeographyPoint"]
        if len(node.arguments) != 2 or len(paths) != 1 or len(points) != 1:
            raise self._fault("The function 'geo.distance' takes a field and a point.")
        use = "sortable" if scope is None else "filterable"
        column = self._column_of(paths[0], scope or _Scope(self._columns.documents), use)
        if column.field.type != "Edm.GeographyPoint":
            raise self._fault(f"'{column.field.path}' is not of type 'Edm.GeographyPoint'.")
        return column, points[0].value  # type: ignore[return-value]  # its edm says what it is

    def _boolean(self, path: Path, scope: _Scope, kind: str) -> Column:
        column = self._column_of(path, scope)
        if column.field.type != "Edm.Boolean":
            if kind:
                raise self._fault(
                    "A unary operator with an incompatible type was detected. Found operand type "
                    f"'{column.field.type}' for operator kind '{kind}'."
                )
            raise self._fault("The $filter expression must evaluate to a single boolean value.")
        return column

    def _column_of(self, path: Path, scope: _Scope, use: str = "filterable") -> Column:
        field = field_of(self._schema, self._names(path, scope), self._parameter, scope.path)
        if (field.collection and field.path != scope.path) or field.complex:
            raise self._mixed(field.edm, "a single value", "eq")
        require(field, use, self._parameter)
        return self._columns.tables[scope.path].columns[field.path]

    def _names(self, path: Path, scope: _Scope) -> tuple[str, ...]:
        if not scope.variable:
            return path.names
        if path.names[0] != scope.variable:
            raise self._fault(
                f"'{'/'.join(path.names)}' is not bound to the range variable '{scope.variable}'. Only bound field "
                "references are supported inside lambda expressions ('any' or 'all')."
            )
        return (*scope.path.split("/"), *path.names[1:])

    def _mixed(self, left: str, right: str, how: Operator) -> Exception:
        return self._fault(
            f"A binary operator with incompatible types was detected. Found operand types '{left}' and '{right}' for "
            f"operator kind '{_KINDS[how]}'."
        )

    def _fault(self, message: str) -> Exception:
        return expression_fault(message, self._parameter)


def _strings(column: Column, how: Operator, text: str) -> Mask:
    if how in ("eq", "ne"):
        equal = column.values == column.code(text)
        return np.asarray(equal if how == "eq" else ~equal)
    ordered, ranks = column.ranks()
    if not len(ranks):
        return np.zeros(len(column.values), np.bool_)
    own = ranks[column.values]
    if how in ("lt", "ge"):
        bound = bisect_left(ordered, text)
        hit = own < bound if how == "lt" else own >= bound
    else:
        bound = bisect_right(ordered, text)
        hit = own < bound if how == "le" else own >= bound
    return np.asarray(hit & column.present)
