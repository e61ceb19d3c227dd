"""What a query set is made of, whichever file it stands in."""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from azsearch_ops.definitions.document_paths import one_spelling
from azsearch_ops.errors import Location

HIGHEST_GRADE = 4
"""Grades run from 0, judged and not relevant, to 4, as in Microsoft Foundry's document retrieval."""


@dataclass(frozen=True, slots=True)
class JudgementEntry:
    """A document (path below its container), or a span of it by its words, with a grade (0: judged not relevant)."""

    document: str
    excerpt: str | None
    occurrence: int | None
    grade: int
    location: Location

    @property
    def place(self) -> tuple[str, str, int]:
        """What is judged; two judgements of one place have to agree.

        How a path is spelled does not count, nor does white space in an excerpt, nor how its letters are composed.
        """
        words = unicodedata.normalize("NFC", " ".join((self.excerpt or "").split()))
        return one_spelling(self.document), words, self.occurrence or 1


@dataclass(frozen=True, slots=True)
class QueryEntry:
    """One question. `filter` and `request` are added to the released search request for this question only.

    A `holdout` counts in every metric and is shown nowhere. A `draft` counts nowhere until somebody accepts it.
    `count` is how often a log had the question.
    """

    id: str
    query: str
    relevant: tuple[JudgementEntry, ...]
    tags: tuple[str, ...]
    filter: str | None
    request: Mapping[str, object]
    location: Location
    holdout: bool = False
    draft: bool = False
    count: int | None = None

    @property
    def label(self) -> str:
        """How messages name the question: a held-out one by its place alone."""
        return "a held-out query" if self.holdout else f"query {self.id}"

    @property
    def labelled(self) -> bool:
        """Whether anything is judged relevant."""
        return any(judged.grade > 0 for judged in self.relevant)


@dataclass(frozen=True, slots=True)
class QuerySet:
    """All questions in file order; `digest` is of what they say, not of layout, comments, order or drafts."""

    path: str
    entries: tuple[QueryEntry, ...]
    digest: str = field(default="")

    @property
    def accepted(self) -> tuple[QueryEntry, ...]:
        """The questions that count: all but the drafts."""
        return tuple(entry for entry in self.entries if not entry.draft)

    @property
    def unlabelled(self) -> bool:
        """Whether nothing is judged relevant to any question, so that nothing can be measured against judgements."""
        return not any(entry.labelled for entry in self.accepted)


def stable_id(query: str, filter: str | None = None) -> str:
    """An id made of what is asked; case, white space and the marks at the end do not change it."""
    asked = json.dumps([same_question(query), filter], ensure_ascii=False)
    return f"q-{hashlib.sha256(asked.encode()).hexdigest()[:10]}"


def same_question(query: str) -> str:
    """The question as it is compared with others: one Unicode form and case, single spaces, no marks at the end."""
    text = " ".join(unicodedata.normalize("NFKC", query).casefold().split())
    return re.sub(r"[\s?!.。？！¿¡]+$", "", text) or text


def digest_of(entries: Iterable[QueryEntry]) -> str:
    """SHA-256 of what the accepted questions say, in hexadecimal."""
    content = [
        {
            "id": entry.id,
            "query": entry.query,
            "tags": sorted(entry.tags),
            "filter": entry.filter,
            "request": entry.request,
            "holdout": entry.holdout,
            "relevant": sorted(
                [judged.document, judged.excerpt or "", judged.occurrence or 1, judged.grade]
                for judged in entry.relevant
            ),
        }
        for entry in sorted(entries, key=lambda entry: entry.id)
        if not entry.draft
    ]
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
