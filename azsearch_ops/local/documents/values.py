"""JSON values held against the type of their field, and brought to the form in which Azure gives them back.

Dates become UTC with at most milliseconds, points get their coordinate system, unset parts of an object become null
and unset collections empty (recordings net2020-IndexingTests-RoundtripBoundaryValues, net2020-GetDocumentTests-*).
"""

from __future__ import annotations

import math
import re
import struct
from array import array
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from azsearch_ops.contract.limits import COMPLEX_ELEMENTS, TERM_BYTES
from azsearch_ops.local.documents.schema import Field, Schema

_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,12}))?)?([Zz]|[+-]\d{2}:\d{2})")
_CRS = {"type": "name", "properties": {"name": "EPSG:4326"}}
_WHOLE = {"Edm.Int32": 32, "Edm.Int64": 64, "Edm.Int16": 16, "Edm.SByte": 8}


class ValueFault(Exception):
    """A document does not fit its index. `code` and `detail` are Azure's codes where they are known."""

    def __init__(self, message: str, code: str = "", detail: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.detail = detail


def typed(document: Mapping[str, Any], schema: Schema) -> dict[str, Any]:
    """The values that a document gives, checked; fields it leaves out stay out. `@search.action` is passed over.

    Vectors of singles become `array("f")`.

    Raises:
        ValueFault: a property that the index does not have, or a value that its field cannot hold.
    """
    found: dict[str, Any] = {}
    for name, value in document.items():
        if name == "@search.action":
            continue
        field = schema.fields.get(name)
        if field is None:
            raise _unknown_property(name, "search.documentFields")
        found[name] = _value(value, field)
    return found


def completed(values: Mapping[str, Any], fields: Mapping[str, Field]) -> dict[str, Any]:
    """The document with every field: null, or an empty collection, for what was never given."""
    found: dict[str, Any] = {}
    for name, field in fields.items():
        value = values.get(name)
        if value is None:
            found[name] = [] if field.many else None
        elif field.complex and field.many:
            found[name] = [completed(item, field.fields) for item in value]
        elif field.complex:
            found[name] = completed(value, field.fields)
        else:
            found[name] = value
    return found


def merged(old: Mapping[str, Any], new: Mapping[str, Any], fields: Mapping[str, Field]) -> dict[str, Any]:
    """`old` with the values of `new`: objects are merged member by member, collections are replaced."""
    found = dict(old)
    for name, value in new.items():
        field = fields[name]
        before = old.get(name)
        if field.complex and not field.many and isinstance(value, Mapping) and isinstance(before, Mapping):
            found[name] = merged(before, value, field.fields)
        else:
            found[name] = value
    return found


def shortest_singles(values: array[float]) -> list[float]:
    """The shortest decimals that are still the same singles; JSON of a plain conversion is twice as long."""
    found: list[float] = []
    for value in values:
        for digits in (6, 7, 8, 9):
            short = float(f"{value:.{digits}g}")
            if struct.unpack("<f", struct.pack("<f", short))[0] == value:
                break
        found.append(short)
    return found


def _value(value: Any, field: Field) -> Any:
    if value is None:
        return None
    if field.vector:
        return _vector(value, field)
    if not field.many:
        return _object(value, field) if field.complex else _SIMPLE[field.item](value, field)
    if not isinstance(value, list):
        raise ValueFault(
            f"A value of the collection '{field.name}' of type '{field.type}' must be a JSON array, "
            f"and is {_literal(value)}."
        )
    if field.complex:
        if len(value) > COMPLEX_ELEMENTS:
            raise ValueFault(
                f"The complex collection '{field.name}' has {len(value)} elements, more than the {COMPLEX_ELEMENTS} "
                "that a document may have."
            )
        return [_object(item, field) for item in value]
    return [_SIMPLE[field.item](item, field) for item in value]


def _object(value: Any, field: Field) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        raise ValueFault(
            f"A value of the complex field '{field.name}' must be a JSON object, and is {_literal(value)}."
        )
    found: dict[str, Any] = {}
    for name, item in value.items():
        if name == "@odata.type":
            continue
        inner = field.fields.get(name)
        if inner is None:
            raise _unknown_property(name, f"search.complex.{field.name}")
        found[name] = _value(item, inner)
    return found


def _string(value: Any, field: Field) -> str:
    if not isinstance(value, str):
        raise _conversion(value, field)
    return value


def _boolean(value: Any, field: Field) -> bool:
    if not isinstance(value, bool):
        raise _conversion(value, field)
    return value


def _whole(value: Any, field: Field) -> int:
    bits = _WHOLE[field.item]
    if not isinstance(value, int) or isinstance(value, bool) or not -(2 ** (bits - 1)) <= value < 2 ** (bits - 1):
        raise _conversion(value, field)
    return value


def _double(value: Any, field: Field) -> float | str:
    if isinstance(value, str) and value in ("NaN", "INF", "-INF"):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise _conversion(value, field)
    try:
        number = float(value)
    except OverflowError as error:  # a whole number beyond every double
        raise _conversion(value, field) from error
    if not math.isfinite(number):
        raise _conversion(value, field)
    return number


def _date(value: Any, field: Field) -> str:
    """In UTC; fractions are cut to milliseconds, as the recorded 9999-12-31T23:59:59.9999999 shows."""
    match = _DATE.fullmatch(value) if isinstance(value, str) else None
    if match is None:
        raise _conversion(value, field)
    year, month, day, hour, minute = (int(part) for part in match.group(1, 2, 3, 4, 5))
    try:
        moment = datetime(
            year,
            month,
            day,
            hour,
            minute,
            int(match[6] or 0),
            int((match[7] or "0").ljust(6, "0")[:6]) // 1000 * 1000,
            tzinfo=_zone(match[8]),
        ).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise _conversion(value, field) from error
    fraction = f".{moment.microsecond // 1000:03d}".rstrip("0") if moment.microsecond else ""
    return f"{moment.year:04d}-{moment.month:02d}-{moment.day:02d}T{moment:%H:%M:%S}{fraction}Z"


def _zone(text: str) -> timezone:
    if text in "Zz":
        return UTC
    offset = timedelta(hours=int(text[1:3]), minutes=int(text[4:6]))
    return timezone(-offset if text[0] == "-" else offset)


def _point(value: Any, field: Field) -> dict[str, Any]:
    coordinates = value.get("coordinates") if isinstance(value, Mapping) and value.get("type") == "Point" else None
    if (
        not isinstance(coordinates, list)
        or len(coordinates) != 2
        or not all(isinstance(c, int | float) and not isinstance(c, bool) for c in coordinates)
        or not (-180 <= coordinates[0] <= 180 and -90 <= coordinates[1] <= 90)
    ):
        raise _conversion(value, field)
    return {"type": "Point", "coordinates": [float(c) for c in coordinates], "crs": _CRS}


_SIMPLE: Mapping[str, Callable[[Any, Field], Any]] = {
    "Edm.String": _string,
    "Edm.Boolean": _boolean,
    "Edm.Int32": _whole,
    "Edm.Int64": _whole,
    "Edm.Double": _double,
    "Edm.DateTimeOffset": _date,
    "Edm.GeographyPoint": _point,
}


def _vector(value: Any, field: Field) -> Any:
    if not isinstance(value, list):
        raise _conversion(value, field)
    if not value:  # an empty vector is no vector
        return None
    if len(value) != field.dimensions:
        raise ValueFault(
            f"There's a mismatch in vector dimensions. The vector field '{field.name}', with dimension of "
            f"'{field.dimensions}', expects a length of '{field.dimensions}'. However, the provided vector has a "
            f"length of '{len(value)}'. Please ensure that the vector length matches the expected length of the vector "
            "field. Read the following documentation for more details: https://aka.ms/vectordimensions.",
            "OperationNotAllowed",
        )
    if field.item in ("Edm.Single", "Edm.Half"):
        return _singles(value, field)
    low, high = (0, 255) if field.item == "Edm.Byte" else (-(2 ** (_WHOLE[field.item] - 1)), None)
    high = high if high is not None else -low - 1
    for item in value:
        if not isinstance(item, int) or isinstance(item, bool) or not low <= item <= high:
            raise _conversion(item, field)
    return value


def _singles(value: list[Any], field: Field) -> array[float]:
    try:
        singles = array("f", value)
    except (TypeError, OverflowError) as error:
        raise _conversion(value, field) from error
    if bool in {type(item) for item in value} or not all(map(math.isfinite, singles)):
        raise _conversion(value, field)
    return singles


def check_terms(document: Mapping[str, Any], index: Mapping[str, Any]) -> str | None:
    """Why a document cannot be indexed: a filterable, sortable or facetable string is one term, which has a limit.

    The answer is the message of the document's result, not a fault of the request.
    """
    for field in index["fields"]:
        value = document.get(field["name"])
        single = field.get("filterable") or field.get("sortable") or field.get("facetable")
        if isinstance(value, str) and single and len(value) > TERM_BYTES // 4 and len(value.encode()) > TERM_BYTES:
            return (
                f"Field '{field['name']}' contains a term that is too large to process. The max length for UTF-8 "
                f"encoded terms is {TERM_BYTES} bytes. The most likely cause of this error is that filtering, sorting, "
                "and/or faceting are enabled on this field, which causes the entire field value to be indexed as a "
                "single term. Please avoid the use of these options for large fields."
            )
    return None


def _literal(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 80 else f"{text[:77]}..."


def _conversion(value: Any, field: Field) -> ValueFault:
    text = value if isinstance(value, str) else str(value)
    short = text if len(text) <= 80 else f"{text[:77]}..."
    kind = field.item if not field.vector else field.type
    return ValueFault(f"Cannot convert the literal '{short}' to the expected type '{kind}' of field '{field.name}'.")


def _unknown_property(name: str, of: str) -> ValueFault:
    return ValueFault(
        f"The property '{name}' does not exist on type '{of}'. "
        "Make sure to only use property names that are defined by the type."
    )
