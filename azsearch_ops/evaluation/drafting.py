"""Candidates for questions, made of what documents themselves offer: headings, definitions, tables.

They are drafts. A question in the words of its answer favours BM25, and only a person knows what users would ask; so
each is meant to be read, put into a user's words and accepted, or taken out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

Kind = Literal["heading", "definition", "table"]

_HEADING = re.compile(r"^(?P<marks>#{1,6})[ \t]+(?P<title>.+?)[ \t#]*$")
_SENTENCE = re.compile(r".+?(?:[.!?](?=\s|$)|[。！？]|$)", re.DOTALL)
_ARTICLE = r"(?:an?|the|un|una|uno|il|la|lo|ein|eine|der|die|das)"
_DEFINITION = re.compile(
    rf"^(?:[-*] )?(?:{_ARTICLE}\s+)?"
    r"(?P<bold>\*\*)?(?P<term>[^\W\d_][\w./-]*(?: [\w./-]+){0,2}?)(?P<close>\*\*)?"
    r"(?:\s+(?:is an?|means|refers to|è un[ao]?|significa|ist eine?|bedeutet)\s|(?<=\*\*)(?::|\s+[–—-])\s)",
    re.IGNORECASE,
)
_EMPTY = (
    "it this that these those there here he she they we you i what which who such each every in on at by for from of "
    "to with if when as and or not no want one another some any all al alla di da con per chi che ci questo questa "
    "quello esso dies es sie wer was"
)
_NO_TERMS: Final = frozenset(_EMPTY.split())
"""Words that no term is made of; the sentence says something else then."""

_RULE = re.compile(r"^\s*\|?\s*:?-{3,}")
_LEAST_WORDS = 5
_MOST_ROWS = 5
"""Rows of one table that become candidates; more of the same kind tell nothing new."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A question that the words of `excerpt` answer, and what it was made of."""

    kind: Kind
    question: str
    excerpt: str


def candidates(text: str) -> tuple[Candidate, ...]:
    """The candidates of a document, in its order; none whose excerpt stands in it more than once."""
    found: dict[str, Candidate] = {}
    lines = text.replace("\r\n", "\n").split("\n")
    for candidate in (*_from_headings(lines), *_from_definitions(lines), *_from_tables(lines)):
        if text.count(candidate.excerpt) == 1:
            found.setdefault(candidate.question, candidate)
    return tuple(sorted(found.values(), key=lambda candidate: text.index(candidate.excerpt)))


def sentences_of(text: str) -> tuple[str, ...]:
    """The sentences and lines of a text, as they stand there, in order."""
    return tuple(sentence for line in text.split("\n") for sentence in _sentences(line))


def _from_headings(lines: list[str]) -> Iterator[Candidate]:
    titles: list[tuple[int, str]] = []
    levels = [len(found["marks"]) for line in lines if (found := _HEADING.match(line))]
    for number, line in enumerate(lines):
        heading = _HEADING.match(line)
        if heading is None:
            continue
        level = len(heading["marks"])
        titles = [(at, title) for at, title in titles if at < level]
        first = _first_sentence(lines[number + 1 :])
        above = titles[-1][1] if titles else ""
        titles.append((level, _plain(heading["title"])))
        # The title of a whole document says what it is about, which nobody asks
        if first and not (level == 1 and max(levels) > 1):
            title = titles[-1][1]
            yield Candidate("heading", f"{above}: {title}" if above and len(title.split()) < 3 else title, first)


def _from_definitions(lines: list[str]) -> Iterator[Candidate]:
    for line in lines:
        if line.startswith(("#", "|", "    ")):
            continue
        for sentence in _sentences(line):
            found = _DEFINITION.match(sentence)
            if found is None or bool(found["bold"]) != bool(found["close"]):
                continue
            term = found["term"].strip()
            words = term.lower().split()
            if sentence[0].islower() or len(sentence.split()) < _LEAST_WORDS:
                continue
            if not _NO_TERMS.intersection(words):
                yield Candidate("definition", f"What is {term}?", sentence)


def _from_tables(lines: list[str]) -> Iterator[Candidate]:
    for number in range(1, len(lines)):
        if not (_RULE.match(lines[number]) and "|" in lines[number] and "|" in lines[number - 1]):
            continue
        columns = _cells(lines[number - 1])
        for row in lines[number + 1 : number + 1 + _MOST_ROWS]:
            cells = _cells(row)
            if "|" not in row or len(cells) != len(columns) or len(cells) < 2 or not cells[0]:
                break
            column = next((i for i in range(1, len(cells)) if cells[i] and columns[i]), None)
            if column is not None:
                yield Candidate("table", f"{columns[column]}: {cells[0]}?", row.strip())


def _cells(row: str) -> list[str]:
    return [_plain(cell) for cell in row.strip().strip("|").split("|")]


def _first_sentence(lines: list[str]) -> str:
    """The first sentence of running text before the next heading."""
    for line in lines:
        if _HEADING.match(line):
            return ""
        if line.strip() and not line.lstrip().startswith(("|", "- ", "* ", ">", "```", "    ")):
            return next((s for s in _sentences(line) if len(s.split()) >= _LEAST_WORDS), "")
    return ""


def _sentences(line: str) -> Iterator[str]:
    for found in _SENTENCE.finditer(line):
        if sentence := found[0].strip():
            yield sentence


def _plain(text: str) -> str:
    """Without the marks of emphasis, code and links."""
    return " ".join(
        re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", re.sub(r"[*_`]{1,3}(?=\S)|(?<=\S)[*_`]{1,3}", "", text)).split()
    )
