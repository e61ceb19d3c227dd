"""Judgements and questions put into a query set's file, everything else in it left as it stands."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from azsearch_ops.definitions.csv_reader import parse_csv
from azsearch_ops.definitions.queries import form_of, read_queries
from azsearch_ops.definitions.queries_csv import COLUMNS, row_of
from azsearch_ops.definitions.queries_entries import JudgementEntry, QueryEntry
from azsearch_ops.definitions.queries_foundry import TRUTH, write_foundry
from azsearch_ops.definitions.queries_jsonl import write_jsonl
from azsearch_ops.definitions.queries_trec import qrel, qrels_beside, write_qrels, write_topics
from azsearch_ops.definitions.queries_typed import plain_judgement
from azsearch_ops.definitions.queries_yaml_edit import (
    add_judgements_to_yaml,
    add_queries_to_yaml,
    without_drafts_in_yaml,
)
from azsearch_ops.errors import EvaluationError

Judged = Mapping[str, Sequence[JudgementEntry]]
"""New judgements by the id of their query."""


def add_judgements(path: Path, root: Path, judged: Judged, qrels: Path | None = None) -> None:
    """Writes judgements into the file: comments, order and layout of what is there stay.

    The result is read back before it replaces the file.

    Raises:
        EvaluationError: a query is not in the file, or the file would not say what it should; it is left as it was.
    """
    judged = {name: tuple(found) for name, found in judged.items() if found}
    before, _ = read_queries(path, root, qrels)
    known = {entry.id: entry for entry in before.entries} if before else {}
    if strangers := sorted(set(judged) - set(known)):
        raise EvaluationError(f"{path.name} has no query {', '.join(strangers)}", code="query-set")
    form = form_of(path, qrels)
    target = path if form != "trec" else qrels or qrels_beside(path) or path.with_suffix(".qrels")
    text = _text(target)
    match form:
        case "yaml":
            plain = {_ordinal(known[name]): [plain_judgement(j) for j in found] for name, found in judged.items()}
            text = add_judgements_to_yaml(text, plain)
        case "jsonl" | "foundry":
            text = _into_lines(text, known, judged, foundry=form == "foundry")
        case "csv" | "tsv":
            text = _into_rows(text, known, judged, "," if form == "csv" else "\t")
        case "trec":
            lines = [qrel(name, j.document, j.grade) for name, found in judged.items() for j in found]
            text = _ended(text) + "".join(lines)
    wanted = {name: _said((*entry.relevant, *judged.get(name, ()))) for name, entry in known.items()}
    if form in ("trec", "foundry"):
        wanted = {name: {place[:1] + place[3:] for place in said} for name, said in wanted.items()}
    _replace(target, text, path, root, qrels, wanted)


def add_queries(path: Path, root: Path, entries: Sequence[QueryEntry], qrels: Path | None = None) -> None:
    """Writes questions at the end of the file, which is made where there is none.

    Raises:
        EvaluationError: the file would not say what it should; it is left as it was.
    """
    before = read_queries(path, root, qrels)[0] if path.is_file() else None
    known = before.entries if before else ()
    form = form_of(path, qrels)
    text = _text(path)
    match form:
        case "yaml":
            text = add_queries_to_yaml(text, entries)
        case "jsonl":
            text = _ended(text) + write_jsonl(entries)
        case "foundry":
            text = _ended(text) + write_foundry(entries)
        case "csv" | "tsv":
            separator = "," if form == "csv" else "\t"
            names = _columns(text, separator) or list(COLUMNS)
            head = "" if text.strip() else _row(dict(zip(COLUMNS, COLUMNS, strict=True)), names, separator)
            rows = "".join(
                _row(dict(zip(COLUMNS, row_of(e, j, first=n == 0), strict=True)), names, separator)
                for e in entries
                for n, j in enumerate(e.relevant or (None,))
            )
            text = _ended(text) + head + rows
        case "trec":
            target = qrels or qrels_beside(path) or path.with_suffix(".qrels")
            target.write_text(_ended(_text(target)) + write_qrels(entries), encoding="utf-8", newline="")
            text = _ended(text) + write_topics(entries)
    wanted = {entry.id: None for entry in (*known, *entries)}
    _replace(path, text, path, root, qrels, wanted)


def accept_queries(path: Path, root: Path, names: Sequence[str]) -> None:
    """Takes the mark `draft` from questions of the file; everything else in it stays as it stands.

    Raises:
        EvaluationError: one is not there or no draft, or the file would not say what it should; it is left as it was.
    """
    before, _ = read_queries(path, root)
    known = {entry.id: entry for entry in before.entries} if before else {}
    if strangers := [name for name in names if name not in known or not known[name].draft]:
        raise EvaluationError(f"{path.name} has no draft {', '.join(strangers)}", code="query-set")
    form = form_of(path)
    text = _text(path)
    match form:
        case "yaml":
            text = without_drafts_in_yaml(text, [_ordinal(known[name]) for name in names])
        case "jsonl":
            text = _accepted_lines(text, [known[name].location.line - 1 for name in names])
        case "csv" | "tsv":
            text = _accepted_rows(text, set(names), known, "," if form == "csv" else "\t")
        case _:
            raise EvaluationError(f"{path.name} cannot mark drafts", code="query-set")
    drafts = {name for name, entry in known.items() if entry.draft} - set(names)
    _replace(path, text, path, root, None, {n: _said(e.relevant) for n, e in known.items()}, drafts)


def _accepted_lines(text: str, places: Iterable[int]) -> str:
    lines = text.split("\n")
    for at in places:
        row = json.loads(lines[at])
        row.pop("draft", None)
        lines[at] = json.dumps(row, ensure_ascii=False) + ("\r" if lines[at].endswith("\r") else "")
    return "\n".join(lines)


def _accepted_rows(text: str, names: set[str], known: Mapping[str, QueryEntry], separator: str) -> str:
    """The rows of these questions with an empty draft column."""
    starts = [0]
    starts += [at + 1 for at, letter in enumerate(text) if letter == "\n"]
    head, *rows = parse_csv(text.lstrip("\ufeff"), "", [], separator=separator)
    shift = len(text) - len(text.lstrip("\ufeff"))
    columns = [cell.text.strip() for cell in head]
    by_question = {entry.query: name for name, entry in known.items()}
    for row in reversed(rows):
        cells = dict(zip(columns, row, strict=False))
        given = cells["id"].text.strip() if "id" in cells else ""
        name = given or by_question.get(cells["query"].text, "")
        mark = cells.get("draft")
        if name in names and mark is not None and mark.text:
            at = starts[mark.line - 1] + mark.column - 1 + (shift if mark.line == 1 else 0)
            quotes = 2 if text[at] == '"' else 0
            text = text[:at] + text[at + len(mark.text) + quotes :]
    return text


def _ordinal(entry: QueryEntry) -> int:
    return int(entry.location.pointer.split("/")[2])


def _into_lines(text: str, known: Mapping[str, QueryEntry], judged: Judged, *, foundry: bool) -> str:
    lines = text.split("\n")
    for name, found in judged.items():
        at = known[name].location.line - 1
        row = json.loads(lines[at])
        if foundry:
            truth = [{"document_id": j.document, "query_relevance_label": j.grade} for j in found]
            row.setdefault(TRUTH, []).extend(truth)
        else:
            row.setdefault("relevant", []).extend(plain_judgement(j) for j in found)
        end = "\r" if lines[at].endswith("\r") else ""
        lines[at] = json.dumps(row, ensure_ascii=False) + end
    return "\n".join(lines)


def _into_rows(text: str, known: Mapping[str, QueryEntry], judged: Judged, separator: str) -> str:
    names = _columns(text, separator)
    rows: list[str] = []
    for name, found in judged.items():
        entry = known[name]
        for j in found:
            about = dict(zip(COLUMNS, row_of(entry, j, first="id" not in names), strict=True))
            rows.append(_row(about, names, separator))
            if lost := [c for c in ("excerpt", "occurrence", "grade") if about[c] not in ("", 1) and c not in names]:
                raise EvaluationError(f"the file has no column {', '.join(lost)}", hint="add it to the first row")
    return _ended(text) + "".join(rows)


def _columns(text: str, separator: str) -> list[str]:
    return [
        name.strip().strip('"') for name in text.lstrip("\ufeff").split("\n", 1)[0].split(separator) if name.strip()
    ]


def _row(about: Mapping[str, object], names: Sequence[str], separator: str) -> str:
    cells = [str(about[name]) for name in names]
    quoted = [
        f'"{c.replace(chr(34), chr(34) * 2)}"' if any(m in c for m in (separator, '"', "\n", "\r")) else c
        for c in cells
    ]
    return separator.join(quoted) + "\n"


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8") if path.is_file() else ""


def _said(relevant: Iterable[JudgementEntry]) -> set[tuple[object, ...]]:
    return {(*judged.place, judged.grade) for judged in relevant}


def _replace(
    target: Path,
    text: str,
    path: Path,
    root: Path,
    qrels: Path | None,
    wanted: Mapping[str, set[tuple[object, ...]] | None],
    drafts: set[str] | None = None,
) -> None:
    """Writes `text` to `target`, and puts back what was there where the query set does not say what is wanted.

    `drafts` are the ids of all questions that are drafts then, where that is to be looked at.
    """
    old = target.read_bytes() if target.is_file() else None
    target.parent.mkdir(parents=True, exist_ok=True)
    beside = target.with_name(f"{target.name}.new")
    beside.write_bytes(text.encode("utf-8"))
    beside.replace(target)
    found, problems = read_queries(path, root, qrels)
    errors = [problem for problem in problems if problem.severity == "error"]
    has = {entry.id: entry for entry in found.entries} if found else {}
    good = not errors and set(has) == set(wanted)
    good = good and drafts in (None, {name for name, entry in has.items() if entry.draft})
    for name, said in wanted.items():
        if good and said is not None:
            full = _said(has[name].relevant)
            good = said in (full, {place[:1] + place[3:] for place in full})
    if good:
        return
    if old is None:
        target.unlink()
    else:
        target.write_bytes(old)
    why = str(errors[0]) if errors else "it would not be read back as wanted"
    raise EvaluationError(f"{target.name} was left as it was: {why}", code="query-set", hint="edit it by hand")
