"""`queries from-log`: an unlabelled query set out of what users asked."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from azsearch_ops.definitions.files import read_text, shown_path
from azsearch_ops.definitions.queries import load_queries
from azsearch_ops.definitions.queries_edit import add_queries
from azsearch_ops.definitions.queries_entries import QueryEntry, same_question, stable_id
from azsearch_ops.errors import DefinitionError, Location, Problem, UsageError
from azsearch_ops.evaluation.log_questions import LoggedQuestion, questions_of

FIELDS: Final = ("query", "question", "search", "searchText", "queryText", "text", "q", "query_text", "search_text")
"""Where the question of a log entry is looked for, in this order; a request body of Azure's has `search`."""


@dataclass(frozen=True, slots=True)
class FromLog:
    """What was made of a log. `masked` counts questions by the kind of personal data that was found in them."""

    path: str
    read: int
    left_out: int
    rare: int
    known: int
    written: tuple[LoggedQuestion, ...]
    masked: dict[str, int]
    problems: tuple[Problem, ...]


def queries_from_log(
    root: Path,
    log: Path,
    out: Path,
    *,
    field: str | None = None,
    least: int = 1,
    limit: int | None = None,
    drop_masked: bool = False,
) -> FromLog:
    """The questions of a log (JSON lines, CSV with a head, or plain lines) added to `out`, without judgements.

    Questions asked fewer than `least` times are left out, and so are those that `out` has already. What looks like
    personal data is masked, or with `drop_masked` the question is left out.

    Raises:
        DefinitionError: the log cannot be read.
        UsageError: nothing in the log has the field.
    """
    problems: list[Problem] = []
    text = read_text(log, root, problems)
    if text is None:
        raise DefinitionError(tuple(problems))
    found = questions_of(_entries(text, log, shown_path(log, root), field, problems))
    before = load_queries(out, root) if out.is_file() else None
    known = {same_question(entry.query) for entry in before.entries} if before else set()
    often = [question for question in found.questions if question.count >= least]
    fresh = [question for question in often if same_question(question.text) not in known]
    kept = [question for question in fresh if not (drop_masked and question.masked)][:limit]
    if kept:
        add_queries(out, root, [_entry(question) for question in kept])
    kinds = sorted({kind for question in kept for kind in question.masked})
    return FromLog(
        path=shown_path(out, root),
        read=found.read,
        left_out=found.left_out,
        rare=len(found.questions) - len(often),
        known=len(often) - len(fresh),
        written=tuple(kept),
        masked={kind: sum(kind in question.masked for question in kept) for kind in kinds},
        problems=tuple(problems),
    )


def _entry(question: LoggedQuestion) -> QueryEntry:
    return QueryEntry(
        id=stable_id(question.text),
        query=question.text,
        relevant=(),
        tags=("masked",) if question.masked else (),
        filter=None,
        request={},
        location=Location(""),
        count=question.count,
    )


def _entries(text: str, log: Path, shown: str, field: str | None, problems: list[Problem]) -> Iterator[str]:
    if log.suffix.lower() in (".jsonl", ".ndjson", ".json") or text.lstrip().startswith("{"):
        yield from _from_json(text, shown, field, problems)
    elif log.suffix.lower() in (".csv", ".tsv"):
        rows = csv.DictReader(io.StringIO(text), delimiter="\t" if log.suffix.lower() == ".tsv" else ",")
        name = _field(rows.fieldnames or (), field, shown)
        yield from (row[name] or "" for row in rows)
    else:
        yield from (line for line in text.splitlines() if line.strip())


def _from_json(text: str, shown: str, field: str | None, problems: list[Problem]) -> Iterator[str]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            problems.append(Problem("AZS002", "malformed JSON, passed over", Location(shown, number), "warning"))
            continue
        if isinstance(row, str):
            yield row
            continue
        name = field or next((n for n in FIELDS if isinstance(row, dict) and isinstance(row.get(n), str)), None)
        value = row.get(name) if isinstance(row, dict) and name else None
        if isinstance(value, str):
            yield value
        else:
            problems.append(
                Problem("AZS009", "no question in this entry, passed over", Location(shown, number), "warning")
            )


def _field(names: Sequence[str], field: str | None, shown: str) -> str:
    listed = list(names)
    chosen = field if field is not None else next((name for name in FIELDS if name in listed), None)
    if chosen is None or chosen not in listed:
        raise UsageError(
            f"{shown} has no column {field or 'that holds a question'}", hint=f"--field, one of: {', '.join(listed)}"
        )
    return chosen
