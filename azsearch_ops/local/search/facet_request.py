"""The facets of a request, read: `field[,name:value]*`, at most one of count and sort, values, or interval."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass

from azsearch_ops.local.errors import ServiceFault, invalid_request, not_supported_here
from azsearch_ops.local.search.odata.fields import field_of, require
from azsearch_ops.local.search.schema import Field, Schema
from azsearch_ops.local.search.values import ticks

DEFAULT_COUNT = 10
DATE_INTERVALS = ("minute", "hour", "day", "month", "quarter", "year")
_SORTS = ("count", "-count", "value", "-value")
_NUMBERS = ("Edm.Int32", "Edm.Int64", "Edm.Double")
_OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)?")


@dataclass(frozen=True, slots=True)
class Facet:
    """One facet. `name` is the path as written; `count` 0 is no limit; bounds of dates are in ticks."""

    name: str
    field: Field
    count: int = DEFAULT_COUNT
    sort: str = "count"
    bounds: tuple[float, ...] = ()
    interval: str = ""
    offset_minutes: int = 0


def read_facets(texts: tuple[str, ...], schema: Schema) -> tuple[Facet, ...]:
    """The facets; ServiceFault 400 for the first that cannot be carried out."""
    return tuple(_read(text, schema) for text in texts)


def _read(text: str, schema: Schema) -> Facet:
    name, *parts = (part.strip() for part in text.split(","))
    if "(" in text or ">" in name:
        raise not_supported_here(f"the facet hierarchy '{text}'", "facets")
    field = field_of(schema, tuple(name.split("/")), "facets", scope=name)
    if field.complex or field.vector:
        raise _fault(f"'{name}' of type '{field.edm}' cannot be a facet.")
    require(field, "facetable", "facets")
    given: dict[str, str] = {}
    for part in parts:
        key, colon, value = part.partition(":")
        if key in ("metric", "default", "includeTermFilter", "excludeTermFilter"):
            raise not_supported_here(f"the facet parameter '{key}'", "facets")
        if not colon or key not in ("count", "sort", "values", "interval", "timeoffset") or key in given:
            raise _fault(f"'{part}' in the facet '{text}' is not a parameter of a facet.")
        given[key] = value.strip()
    alone = [key for key in ("values", "interval") if key in given]
    if len(alone) > 1 or (alone and ("count" in given or "sort" in given)):
        raise _fault(f"'{alone[0]}' in the facet '{text}' cannot be combined with the other parameters.")
    return Facet(
        name=name,
        field=field,
        count=_count(given.get("count"), text),
        sort=_sort(given.get("sort", "count"), text),
        bounds=_bounds(given.get("values"), field, text),
        interval=_interval(given.get("interval"), field, text),
        offset_minutes=_offset(given, field, text),
    )


def _count(value: str | None, text: str) -> int:
    if value is None:
        return DEFAULT_COUNT
    if not value.isdecimal():
        raise _fault(f"The count of the facet '{text}' must be a whole number.")
    return int(value)


def _sort(value: str, text: str) -> str:
    if value not in _SORTS:
        raise _fault(f"The sort of the facet '{text}' must be one of {', '.join(_SORTS)}.")
    return value


def _bounds(value: str | None, field: Field, text: str) -> tuple[float, ...]:
    if value is None:
        return ()
    try:
        if field.type == "Edm.DateTimeOffset":
            found: tuple[float, ...] = tuple(ticks(part.strip()) for part in value.split("|"))
        elif field.type in _NUMBERS:
            number = float if field.type == "Edm.Double" else int
            found = tuple(number(part) for part in value.split("|"))
        else:
            raise _fault(f"'values' in the facet '{text}' needs numbers or dates.")
    except ValueError:
        raise _fault(f"The values of the facet '{text}' do not fit the type '{field.type}'.") from None
    if any(b <= a for a, b in itertools.pairwise(found)):
        raise _fault(f"The values of the facet '{text}' must ascend.")
    return found


def _interval(value: str | None, field: Field, text: str) -> str:
    if value is None:
        return ""
    if field.type == "Edm.DateTimeOffset":
        if value == "week":
            raise not_supported_here("the facet interval 'week'", "facets")
        if value not in DATE_INTERVALS:
            raise _fault(f"The interval of the facet '{text}' must be one of {', '.join(DATE_INTERVALS)} or week.")
    elif field.type not in _NUMBERS or not value.isdecimal() or int(value) == 0:
        raise _fault(f"The interval of the facet '{text}' must be a whole number above 0, on a field of numbers.")
    return value


def _offset(given: dict[str, str], field: Field, text: str) -> int:
    value = given.get("timeoffset")
    if value is None:
        return 0
    match = _OFFSET.fullmatch(value)
    if match is None or "interval" not in given or field.type != "Edm.DateTimeOffset":
        raise _fault(f"'timeoffset' in the facet '{text}' must be [+-]hh:mm, with an interval of dates.")
    minutes = int(match.group(2)) * 60 + int(match.group(3) or 0)
    return -minutes if match.group(1) == "-" else minutes


def _fault(message: str) -> ServiceFault:
    return invalid_request(message, "InvalidFacet", "facets")
