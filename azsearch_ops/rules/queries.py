"""AZS70x and AZS71x: query sets, by themselves and against the documents."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Final, Protocol

from azsearch_ops.definitions.document_paths import one_spelling
from azsearch_ops.definitions.environment import MissingDocuments
from azsearch_ops.definitions.near import nearest
from azsearch_ops.definitions.queries import JudgementEntry, QueryEntry, QuerySet
from azsearch_ops.errors import Problem
from azsearch_ops.rules.explanation import Explanation

EXPLANATIONS: Final = (
    Explanation(
        "AZS701",
        "The query set is empty",
        "Without questions nothing can be measured, and nothing can pass the gate.",
        "Write at least one query with its judgement.",
    ),
    Explanation("AZS702", "Two queries have one id", "Results are told apart by id.", "Give one of them another id."),
    Explanation(
        "AZS703",
        "A query that cannot be used",
        "A question needs words, and at least one judgement with a grade above 0.",
        "Add what the message names.",
    ),
    Explanation(
        "AZS704",
        "Nothing is relevant to a query",
        "It is neither asked nor scored: without a relevant judgement every ranking is as good as any other.",
        "Judge a document or an excerpt with a grade above 0, or take the query out.",
    ),
    Explanation(
        "AZS705",
        "A query or a judgement stands twice",
        "It counts once.",
        "Take one of the two out.",
    ),
    Explanation(
        "AZS706",
        "Two judgements of the same words contradict each other",
        "Only one grade can hold, and which one would decide results.",
        "Keep one of the two.",
    ),
    Explanation(
        "AZS707",
        "A question's own setting has no effect on what is measured",
        "An evaluation reads each ranking as deep as its metrics need, and its chunks by the fields that it is told, "
        "whatever a request asks for; a question's `request` changes how results are ranked.",
        "Take it out; how deep is read follows from the metrics (`recall@5`, `recall@2000t`).",
    ),
    Explanation(
        "AZS711",
        "A judged document is not in the source",
        "What is not indexed cannot be found; every index would look worse than it is.",
        "Name the path below the container, with forward slashes. Where an environment has part of the documents only, "
        "`missing_documents: skip` leaves such judgements out (the local one does); below half of the queries there is "
        "no verdict then.",
    ),
    Explanation(
        "AZS712",
        "An excerpt is not in its document",
        "Chunks are recognised by the words of the excerpt. Words that the document does not have are never found.",
        "Copy the words from the document as the indexer extracts them; white space does not matter.",
    ),
    Explanation(
        "AZS713",
        "An occurrence that is not there",
        "occurrence counts, from 1, the places in the document where the words of the excerpt stand.",
        "Lower it, or leave it out.",
    ),
    Explanation(
        "AZS714",
        "The words of an excerpt stand more than once",
        "Each place counts as the answer, although only one of them may answer the question.",
        "Make the excerpt longer, or say which with `occurrence`.",
    ),
    Explanation(
        "AZS715",
        "A document has an excerpt in other words",
        "It was edited since it was judged. The passage that is most like the excerpt takes its place; likeness is the "
        "share of letters in words that both have in order.",
        "Read the passage, and quote it anew if it still answers the question.",
    ),
)

_NOT_HEEDED: Final = ("top", "select", "count", "captions", "answers")
"""What the evaluation sets by itself, or takes out of a request because it moves no ranking."""

_SHOWN: Final = 160
_SHARED_AT_LEAST: Final = 0.4
_NOTHING_NEAR: Final = "nothing in the document comes near"
_WORD = re.compile(r"\w+")


class Likeness(Protocol):
    """A passage that was found for a quote: what it reads, and how alike the two are, from 0 to 1."""

    @property
    def text(self) -> str: ...

    @property
    def score(self) -> float: ...


Nearest = Callable[[str, str], Likeness | None]
"""Finds the passage that an excerpt quotes in a text that was edited since; None where nothing is like it."""


def check_judgements(
    queries: QuerySet,
    texts: Mapping[str, str],
    *,
    missing: MissingDocuments = "fail",
    nearest_passage: Nearest | None = None,
) -> Iterator[Problem]:
    """Judgements that the documents do not bear out. `texts` has the text of each document by its path.

    A document whose text is empty could not be read; nothing is said about its excerpts. With `missing` at `skip`, a
    document that is not there is a note. With `nearest_passage`, an excerpt that the document has in other words is
    a note too, and an error without.
    """
    folded: dict[str, str] = {}
    by_path = {one_spelling(path): text for path, text in texts.items()}
    for entry in queries.entries:
        for judged in entry.relevant:
            path = one_spelling(judged.document)
            if path not in by_path:
                yield _missing(entry, judged, texts, missing)
            elif judged.excerpt is not None and by_path[path].strip():
                if path not in folded:
                    folded[path] = _fold(by_path[path])
                yield from _check_excerpt(entry, judged, folded[path], by_path[path], nearest_passage)


def check_own_requests(queries: QuerySet) -> Iterator[Problem]:
    """What questions say in their own `request` that an evaluation does not heed."""
    for entry in queries.entries:
        if named := [name for name in _NOT_HEEDED if name in entry.request]:
            has = "has" if len(named) == 1 else "have"
            message = f"{entry.label}: request: {', '.join(named)} {has} no effect on what is measured"
            hint = "rankings are read as deep as the metrics need"
            yield Problem("AZS707", message, entry.location, severity="warning", hint=hint)


def _missing(entry: QueryEntry, judged: JudgementEntry, texts: Mapping[str, str], missing: MissingDocuments) -> Problem:
    near = nearest(judged.document, texts)
    message = f"{entry.label}: there is no document {judged.document!r}"
    hint = f"did you mean {near!r}?" if near else "paths are below the container"
    if missing == "fail":
        return Problem("AZS711", message, judged.location, hint=hint)
    return Problem("AZS711", f"{message} here; the judgement is left out", judged.location, severity="note", hint=hint)


def _check_excerpt(
    entry: QueryEntry, judged: JudgementEntry, folded: str, text: str, nearest_passage: Nearest | None
) -> Iterator[Problem]:
    words = _fold(judged.excerpt or "")
    if not words:
        yield Problem("AZS712", f"{entry.label}: the excerpt is blank", judged.location)
        return
    count = folded.count(words)
    if count == 0:
        found = nearest_passage(judged.excerpt or "", text) if nearest_passage else None
        if found is not None and found.score < 1.0:
            message = (
                f"{entry.label}: {judged.document} has the excerpt in other words (likeness {found.score:.2f}); "
                "these are taken for it"
            )
            hint = "" if entry.holdout else f"it reads now: {' '.join(found.text.split())}"
            yield Problem("AZS715", message, judged.location, severity="note", hint=hint)
        elif found is None:
            message = f"{entry.label}: the excerpt is not in {judged.document}"
            hint = "" if entry.holdout else _nearest_passage(judged.excerpt or "", text)
            yield Problem("AZS712", message, judged.location, hint=hint)
    elif judged.occurrence is not None and judged.occurrence > count:
        times = "once" if count == 1 else f"{count} times"
        message = f"{entry.label}: occurrence {judged.occurrence}, and the excerpt stands {times} in the document"
        yield Problem("AZS713", message, judged.location)
    elif judged.occurrence is None and count > 1:
        message = f"{entry.label}: the excerpt stands {count} times in {judged.document}"
        yield Problem("AZS714", message, judged.location, severity="warning", hint="add occurrence, or more words")


def _fold(text: str) -> str:
    """Without white space, in one Unicode form and case: extraction changes those, and alignment ignores them."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def _nearest_passage(excerpt: str, text: str) -> str:
    """A hint with the words of the document that come nearest: as many as the excerpt has, where most are shared."""
    words = Counter(word.casefold() for word in _WORD.findall(excerpt))
    size = words.total()
    found = list(_WORD.finditer(text))
    if not size or not found:
        return _NOTHING_NEAR
    window: Counter[str] = Counter()
    shared = best_shared = best_end = 0
    for place, match in enumerate(found):
        word = match[0].casefold()
        window[word] += 1
        shared += window[word] <= words[word]
        if place >= size:
            left = found[place - size][0].casefold()
            shared -= window[left] <= words[left]
            window[left] -= 1
        if shared > best_shared:
            best_shared, best_end = shared, place
    if best_shared < size * _SHARED_AT_LEAST:
        return _NOTHING_NEAR
    start = found[max(0, best_end - size + 1)].start()
    passage = " ".join(text[start : found[best_end].end()].split())
    return f"the nearest words are: {passage if len(passage) <= _SHOWN else passage[:_SHOWN] + '…'}"
