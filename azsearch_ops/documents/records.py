"""Blobs that hold entities, one or many each: JSON, JSON arrays, JSON lines, delimited text.

https://learn.microsoft.com/azure/search/search-how-to-index-azure-blob-json and …-blob-csv
"""

from __future__ import annotations

import codecs
import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO
from typing import Any, NoReturn

from azsearch_ops.documents.cracked import CrackError
from azsearch_ops.documents.plain import decode

# A cell may be as long as its document: what is too long for the service is the service's to say.
csv.field_size_limit(2**31 - 1)


@dataclass(frozen=True, slots=True)
class Record:
    """One entity: its number in the blob, from 1, and its properties; `fault` says why it has none."""

    number: int
    fields: Mapping[str, Any] = field(default_factory=dict)
    fault: str = ""


def json_object(data: bytes) -> Record:
    """The blob as one object. Raises CrackError when it is none."""
    return Record(1, _object(_parsed(decode(data)[0])))


def json_array(data: bytes, root: str = "") -> Iterator[Record]:
    """The elements of the array at `root` (`/level1/level2`; empty: the blob itself). Raises CrackError without one."""
    value = _parsed(decode(data)[0])
    for name in root.strip("/").split("/") if root.strip("/") else ():
        value = value.get(name) if isinstance(value, dict) else None
    if not isinstance(value, list):
        where = f"at the document root '{root}'" if root else "at its root"
        raise CrackError(f"Document could not be parsed as JSON: it has no array {where}.", "corrupt")
    for number, element in enumerate(value, 1):
        yield _record(number, element)


def json_lines(data: bytes) -> Iterator[Record]:
    """An entity a line; blank lines are none. A line that is no object is a record with a fault: the others stand."""
    number = 0
    for line in decode(data)[0].split("\n"):
        if not line or line.isspace():
            continue
        number += 1
        try:
            yield _record(number, _parsed(line))
        except CrackError as error:
            yield Record(number, fault=error.message)


def delimited(data: bytes, *, headers: Sequence[str] = (), delimiter: str = ",") -> Iterator[Record]:
    """A row a line, its cells as strings; without `headers` the first line that is not blank names the columns.

    Blanks behind a delimiter and around names do not count. A row with more cells than names is a record with a
    fault; one with fewer lacks the last properties. Raises CrackError for anything but UTF-8.
    """
    try:
        text = data.removeprefix(codecs.BOM_UTF8).decode("utf-8")
    except UnicodeDecodeError as error:
        raise CrackError(
            f"Document could not be parsed as delimited text: {error.reason} (not UTF-8).", "corrupt"
        ) from error
    names = [name.strip() for name in headers]
    number = 0
    rows = csv.reader(StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    while True:
        try:
            row = next(rows, None)
        except csv.Error as error:
            raise CrackError(f"Document could not be parsed as delimited text: {error}.", "corrupt") from error
        if row is None:
            return
        if not any(cell.strip() for cell in row):
            continue
        if not names:
            names = [name.strip() for name in row]
            continue
        number += 1
        if len(row) > len(names):
            yield Record(number, fault=f"The row has {len(row)} cells, and there are {len(names)} columns.")
        else:
            yield Record(number, dict(zip(names, row, strict=False)))


def _record(number: int, value: object) -> Record:
    try:
        return Record(number, _object(value))
    except CrackError as error:
        return Record(number, fault=error.message)


def _object(value: object) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        kind = {list: "an array", str: "a string", bool: "a Boolean", type(None): "null"}.get(type(value), "a number")
        raise CrackError(f"Document could not be parsed as JSON: an object was expected, and it is {kind}.", "corrupt")
    return value


def _parsed(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise CrackError(f"Document could not be parsed as JSON: {error}.", "corrupt") from error


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")
