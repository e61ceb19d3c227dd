"""Query sets as CSV: a row a judgement; rows with one id, or with one question where no id is given, are one question.

Columns: id, query, tags (apart by `;`), document, excerpt, occurrence, grade, filter, request (JSON), holdout, draft,
count. Only `query` has to be there. Further rows of a question may leave out everything but its id and the judgement.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Final

from azsearch_ops.definitions.csv_reader import Cell, parse_csv
from azsearch_ops.definitions.near import name_hint
from azsearch_ops.definitions.queries_entries import HIGHEST_GRADE, JudgementEntry, QueryEntry, stable_id
from azsearch_ops.definitions.queries_foreign import foreign_hint
from azsearch_ops.errors import Location, Problem

COLUMNS: Final = (
    "id",
    "query",
    "tags",
    "document",
    "excerpt",
    "occurrence",
    "grade",
    "filter",
    "request",
    "holdout",
    "draft",
    "count",
)
_COMMAS: Final = {
    ";": "columns are separated by commas; some spreadsheets write semicolons",
    "\t": "columns are separated by commas here; with tabs the file is called .tsv",
}
_TRUTH: Final = {"": False, "true": True, "false": False, "1": True, "0": False}


def read_csv(text: str, shown: str, problems: list[Problem], *, separator: str = ",") -> tuple[QueryEntry, ...] | None:
    """The questions of the rows that can be understood; None where the columns cannot."""
    rows = parse_csv(text, shown, problems, separator=separator)
    if not rows:
        return ()
    names = [cell.text.strip() for cell in rows[0]]
    wrong = False
    for cell, name in zip(rows[0], names, strict=True):
        if name not in COLUMNS or names.count(name) > 1:
            what = "stands twice" if name in COLUMNS else "is not known"
            place = Location(shown, cell.line, cell.column)
            separated = next((mark for mark in ";\t" if mark in name and separator == ","), None)
            hint = _COMMAS[separated] if separated else foreign_hint(name) or name_hint(name, COLUMNS)
            problems.append(Problem("AZS008", f"the column {name!r} {what}", place, hint=hint))
            wrong = True
    if "query" not in names:
        problems.append(Problem("AZS009", "the column 'query' is missing", Location(shown)))
        wrong = True
    if wrong:
        return None
    found: dict[str, QueryEntry] = {}
    for cells in rows[1:]:
        _Row(dict(zip(names, cells, strict=False)), cells, shown, problems).add_to(found)
    return tuple(found.values())


def write_csv(entries: Iterable[QueryEntry], *, separator: str = ",") -> str:
    """The questions with all columns; what belongs to the question stands in its first row."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n", delimiter=separator)
    writer.writerow(COLUMNS)
    for entry in entries:
        for number, judged in enumerate(entry.relevant or (None,)):
            writer.writerow(row_of(entry, judged, first=number == 0))
    return out.getvalue()


def row_of(entry: QueryEntry, judged: JudgementEntry | None, *, first: bool) -> list[object]:
    """The row of a judgement, or of a question without one."""
    about: dict[str, object] = {"id": entry.id}
    if first:
        about |= {
            "query": entry.query,
            "tags": ";".join(entry.tags),
            "filter": entry.filter or "",
            "request": json.dumps(entry.request, ensure_ascii=False, sort_keys=True) if entry.request else "",
            "holdout": "true" if entry.holdout else "",
            "draft": "true" if entry.draft else "",
            "count": "" if entry.count is None else entry.count,
        }
    if judged is not None:
        occurrence = "" if judged.occurrence is None else judged.occurrence
        about |= {"document": judged.document, "excerpt": judged.excerpt or ""}
        about |= {"occurrence": occurrence, "grade": judged.grade}
    return [about.get(name, "") for name in COLUMNS]


class _Row:
    """One row by its columns."""

    def __init__(self, cells: Mapping[str, Cell], row: list[Cell], shown: str, problems: list[Problem]) -> None:
        self._cells, self._shown, self._problems = cells, shown, problems
        self._start = row[0]

    def add_to(self, found: dict[str, QueryEntry]) -> None:
        """Adds the row's question, or its judgement to the question that is there already."""
        query, given = self._text("query"), self._text("id").strip()
        name = given or (stable_id(query, self._text("filter") or None) if query else "")
        known = found.get(name)
        if known is None and not query:
            self._fault("query", "the question is missing")
            return
        judged = self._judged()
        entry = self._question(name, query)
        relevant = (judged,) if judged is not None else ()
        if known is None:
            found[name] = replace(entry, relevant=relevant)
            return
        for column in ("query", "filter", "request"):
            if self._text(column).strip() and getattr(entry, column) != getattr(known, column):
                self._fault(column, f"{column} differs from an earlier row of {name} (line {known.location.line})")
        found[name] = replace(
            known,
            relevant=(*known.relevant, *relevant),
            tags=tuple(dict.fromkeys((*known.tags, *entry.tags))),
            holdout=known.holdout or entry.holdout,
            draft=known.draft or entry.draft,
        )

    def _question(self, name: str, query: str) -> QueryEntry:
        place = self._place("id") if self._text("id") else self._place("query")
        return QueryEntry(
            id=name,
            query=query,
            relevant=(),
            tags=tuple(tag.strip() for tag in self._text("tags").split(";") if tag.strip()),
            filter=self._text("filter") or None,
            request=self._request(),
            location=place,
            holdout=self._flag("holdout"),
            draft=self._flag("draft"),
            count=self._number("count", 1, None),
        )

    def _judged(self) -> JudgementEntry | None:
        document, excerpt = self._text("document"), self._text("excerpt") or None
        if not document:
            for name in ("excerpt", "occurrence", "grade"):
                if self._text(name):
                    self._fault("document", f"there is {name} and no document")
                    break
            return None
        grade = self._number("grade", 0, HIGHEST_GRADE)
        return JudgementEntry(
            document,
            excerpt,
            self._number("occurrence", 1, None),
            1 if grade is None else grade,
            self._place("document" if excerpt is None else "excerpt"),
        )

    def _text(self, name: str) -> str:
        cell = self._cells.get(name)
        return cell.text if cell is not None else ""

    def _flag(self, name: str) -> bool:
        value = _TRUTH.get(self._text(name).strip().lower())
        if value is None:
            self._fault(name, f"{name}: takes true or false")
        return bool(value)

    def _number(self, name: str, least: int, most: int | None) -> int | None:
        text = self._text(name).strip()
        if not text:
            return None
        number = int(text) if text.isascii() and text.isdigit() else -1
        if number < least or (most is not None and number > most):
            span = f"from {least} to {most}" if most is not None else f"from {least}"
            self._fault(name, f"{name}: takes a whole number {span}")
            return None
        return number

    def _request(self) -> Mapping[str, Any]:
        text = self._text("request").strip()
        try:
            value = json.loads(text) if text else {}
        except ValueError:
            value = None
        if not isinstance(value, dict):
            self._fault("request", "request: takes a JSON object")
            return {}
        return value

    def _place(self, name: str) -> Location:
        cell = self._cells.get(name, self._start)
        return Location(self._shown, cell.line, cell.column)

    def _fault(self, name: str, message: str) -> None:
        self._problems.append(Problem("AZS010", message, self._place(name)))
