"""Query sets as TREC has them: topics in one file, judgements (qrels) in another.

Topics are `id<TAB>question` lines, TREC's `<top>` blocks (`<num>`, `<title>`; description and narrative are passed
over), or XML `<topic number="…">` with a title, or with the question alone. Qrels are lines of
`topic iteration document grade`, apart by white space (https://trec.nist.gov/data/qrels_eng/). White space and `%` in
a document's path are percent-encoded.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from html import unescape
from pathlib import Path

from azsearch_ops.definitions.queries_entries import HIGHEST_GRADE, JudgementEntry, QueryEntry
from azsearch_ops.errors import Location, Problem

_BLOCK = re.compile(r"<(?:top|topic|query)\b([^>]*)>(.*?)</(?:top|topic|query)>", re.DOTALL | re.IGNORECASE)
_NUMBER_ATTRIBUTE = re.compile(r"\b(?:number|id|num)\s*=\s*[\"']([^\"']+)[\"']", re.IGNORECASE)
_NUMBER = re.compile(r"<num>\s*(?:Number\s*:)?\s*([^\s<]+)", re.IGNORECASE)
_TITLE = re.compile(r"<(title|query|question)>\s*(?:Topic\s*:)?(.*?)(?=</\1>|<|$)", re.DOTALL | re.IGNORECASE)
_ENCODED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_SPACE_OR_PERCENT = re.compile(r"[%\s]")


def qrels_beside(topics: Path) -> Path | None:
    """The file of judgements by the name of the topics: `X.qrels` for `X.topics`, `qrels.X` for `topics.X`."""
    names = {
        topics.name.replace("topics", "qrels"),
        f"{topics.stem.removesuffix('.topics')}.qrels",
        f"{topics.stem.removesuffix('.topics')}.qrels.txt",
    }
    found = sorted(topics.with_name(name) for name in names - {topics.name})
    return next((path for path in found if path.is_file()), None)


def read_topics(text: str, shown: str, problems: list[Problem]) -> tuple[QueryEntry, ...]:
    """The questions, with nothing judged yet."""
    if "<" in text and (blocks := list(_BLOCK.finditer(text))):
        found = [_from_block(block, text, shown, problems) for block in blocks]
    else:
        found = [
            _from_line(line.removesuffix("\r"), number, shown, problems)
            for number, line in enumerate(text.split("\n"), start=1)
            if line.strip()
        ]
    return tuple(entry for entry in found if entry is not None)


def read_qrels(text: str, shown: str, topics: Iterable[QueryEntry], problems: list[Problem]) -> tuple[QueryEntry, ...]:
    """The questions with what is judged; a line that is no judgement, or judges an unknown topic, is a problem.

    Grades below 0 (spam, in some tracks) are read as 0.
    """
    entries = {entry.id: entry for entry in topics}
    judged: dict[str, list[JudgementEntry]] = {}
    strangers: dict[str, Location] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        parts = line.split()
        if not parts:
            continue
        place = Location(shown, number, line.index(parts[0]) + 1)
        if len(parts) != 4:
            message = f"a judgement is `topic iteration document grade`; this line has {len(parts)} parts"
            problems.append(Problem("AZS002", message, place))
            continue
        name, _, document, grade = parts
        topic = _decoded(name)
        if not re.fullmatch(r"-?[0-9]+", grade) or int(grade) > HIGHEST_GRADE:
            column = line.rindex(grade) + 1
            message = f"grade: takes a whole number up to {HIGHEST_GRADE}"
            problems.append(Problem("AZS010", message, replace(place, column=column)))
        elif topic not in entries:
            strangers.setdefault(topic, place)
        else:
            at = replace(place, column=line.index(document, line.index(name) + len(name)) + 1)
            judged.setdefault(topic, []).append(JudgementEntry(_decoded(document), None, None, max(0, int(grade)), at))
    for topic, place in strangers.items():
        problems.append(Problem("AZS702", f"the topic {topic!r} is judged and not asked", place, severity="warning"))
    return tuple(replace(entry, relevant=tuple(judged.get(name, ()))) for name, entry in entries.items())


def write_topics(entries: Iterable[QueryEntry]) -> str:
    """`id<TAB>question` lines."""
    return "".join(f"{_encoded(entry.id)}\t{' '.join(entry.query.split())}\n" for entry in entries)


def write_qrels(entries: Iterable[QueryEntry]) -> str:
    """One line for each judged document, with the highest of its grades."""
    lines: list[str] = []
    for entry in entries:
        grades: dict[str, int] = {}
        for judged in entry.relevant:
            grades[judged.document] = max(judged.grade, grades.get(judged.document, 0))
        lines.extend(qrel(entry.id, document, grade) for document, grade in grades.items())
    return "".join(lines)


def qrel(topic: str, document: str, grade: int) -> str:
    """One line of qrels."""
    return f"{_encoded(topic)} 0 {_encoded(document)} {grade}\n"


def _from_block(found: re.Match[str], text: str, shown: str, problems: list[Problem]) -> QueryEntry | None:
    at = found.start()
    place = Location(shown, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at))
    number = _NUMBER_ATTRIBUTE.search(found[1]) or _NUMBER.search(found[2])
    title = _TITLE.search(found[2])
    words = title[2] if title else "" if "<" in found[2] else found[2]
    question = " ".join(unescape(words).split())
    if number is None or not question:
        problems.append(Problem("AZS703", "a topic needs a number and a title", place))
        return None
    return _entry(_decoded(unescape(number[1])), question, place)


def _from_line(line: str, number: int, shown: str, problems: list[Problem]) -> QueryEntry | None:
    name, tab, question = line.partition("\t")
    place = Location(shown, number, 1)
    if not tab or not name.strip() or not question.strip():
        problems.append(Problem("AZS703", "a topic is `id<TAB>question`", place))
        return None
    return _entry(_decoded(name.strip()), question.strip(), place)


def _entry(name: str, question: str, place: Location) -> QueryEntry:
    return QueryEntry(id=name, query=question, relevant=(), tags=(), filter=None, request={}, location=place)


def _encoded(text: str) -> str:
    return _SPACE_OR_PERCENT.sub(lambda c: _percent(c[0]), text)


def _decoded(text: str) -> str:
    """The text with white space and `%` as themselves; other encoded characters may be part of a name and stay."""

    def plain(run: re.Match[str]) -> str:
        try:
            characters = bytes.fromhex(run[0].replace("%", "")).decode()
        except UnicodeDecodeError:
            return run[0]
        return "".join(c if _SPACE_OR_PERCENT.fullmatch(c) else _percent(c) for c in characters)

    return _ENCODED.sub(plain, text)


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode())
