"""CSV (RFC 4180) to cells with their places, which the standard library's reader does not keep."""

from __future__ import annotations

from dataclasses import dataclass

from azsearch_ops.errors import Location, Problem


@dataclass(frozen=True, slots=True)
class Cell:
    """A value and where it begins, 1-based."""

    text: str
    line: int
    column: int


def parse_csv(text: str, path: str, problems: list[Problem], *, separator: str = ",") -> list[list[Cell]]:
    """The rows that are not blank; a quote that is not closed, or has text behind it, is a problem."""
    rows: list[list[Cell]] = []
    row: list[Cell] = []
    at, line, start = 0, 1, 0
    while at < len(text):
        cell = Cell("", line, at - start + 1)
        if text[at] == '"':
            value, at = _quoted(text, at)
            if value is None:
                problems.append(Problem("AZS002", "the quote is not closed", Location(path, cell.line, cell.column)))
                return rows
            line += value.count("\n")
            if "\n" in value:
                start = text.rfind("\n", 0, at) + 1
            if at < len(text) and text[at] not in (separator, "\n", "\r"):
                place = Location(path, line, at - start + 1)
                problems.append(Problem("AZS002", "text stands behind a closing quote", place))
                at = _end(text, at, separator)
            row.append(Cell(value, cell.line, cell.column))
        else:
            end = _end(text, at, separator)
            row.append(Cell(text[at:end], cell.line, cell.column))
            at = end
        if at < len(text) and text[at] == separator:
            at += 1
            if at < len(text) and text[at] not in "\r\n":
                continue
            row.append(Cell("", line, at - start + 1))
        at += 2 if text.startswith("\r\n", at) else 1
        line, start = line + 1, at
        if any(c.text for c in row):
            rows.append(row)
        row = []
    return rows


def _quoted(text: str, at: int) -> tuple[str | None, int]:
    """The text between the quote at `at` and the one that closes it, and the offset behind that."""
    parts: list[str] = []
    at += 1
    while True:
        end = text.find('"', at)
        if end < 0:
            return None, len(text)
        parts.append(text[at:end])
        at = end + 1
        if not text.startswith('"', at):
            return "".join(parts), at
        parts.append('"')
        at += 1


def _end(text: str, at: int, separator: str) -> int:
    while at < len(text) and text[at] != separator and text[at] not in "\r\n":
        at += 1
    return at
