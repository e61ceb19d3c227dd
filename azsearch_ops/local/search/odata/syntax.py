"""The parts of a filter or an order after parsing, still without types."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Operator = Literal["eq", "ne", "gt", "lt", "ge", "le"]

FLIPPED: dict[Operator, Operator] = {"eq": "eq", "ne": "ne", "gt": "lt", "lt": "gt", "ge": "le", "le": "ge"}


@dataclass(frozen=True, slots=True)
class Path:
    """A field or range variable, with sub-fields."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal: `edm` is its type, `Null`, `Edm.GeographyPoint` (longitude, latitude) or `Edm.GeographyPolygon`.

    Dates are in ticks, `text` is the literal as written.
    """

    edm: str
    value: object
    text: str


@dataclass(frozen=True, slots=True)
class Call:
    """A function with its arguments."""

    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One of the six comparisons."""

    operator: Operator
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Not:
    """Negation."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class And:
    """All of two or more."""

    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """At least one of two or more."""

    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Lambda:
    """any or all over a collection; without a body, whether it has an element."""

    kind: Literal["any", "all"]
    path: Path
    variable: str
    body: Expression | None


Expression = Path | Constant | Call | Comparison | Not | And | Or | Lambda


@dataclass(frozen=True, slots=True)
class Ordering:
    """One clause of an order: a path, geo.distance or search.score()."""

    key: Path | Call
    descending: bool
