"""AZS70x and AZS71x: query sets, by themselves and against the documents."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Final

from azsearch_ops.definitions.near import nearest
from azsearch_ops.definitions.queries import JudgementEntry, QuerySet
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
        "AZS711",
        "A judged document is not in the source",
        "What is not indexed cannot be found; every index would look worse than it is.",
        "Name the path below the container, with forward slashes.",
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
)

_SHOWN: Final = 80


def check_judgements(queries: QuerySet, texts: Mapping[str, str]) -> Iterator[Problem]:
    """Judgements that the documents do not bear out. `texts` has the text of each document by its path.

    A document whose text is empty could not be read; nothing is said about its excerpts.
    """
    folded: dict[str, str] = {}
    for entry in queries.entries:
        for judged in entry.relevant:
            if judged.document not in texts:
                near = nearest(judged.document, texts)
                message = f"query {entry.id}: there is no document {judged.document!r}"
                hint = f"did you mean {near!r}?" if near else "paths are below the container"
                yield Problem("AZS711", message, judged.location, hint=hint)
            elif judged.excerpt is not None and texts[judged.document].strip():
                if judged.document not in folded:
                    folded[judged.document] = _fold(texts[judged.document])
                yield from _check_excerpt(entry.id, judged, folded[judged.document], texts[judged.document])


def _check_excerpt(query_id: str, judged: JudgementEntry, folded: str, text: str) -> Iterator[Problem]:
    words = _fold(judged.excerpt or "")
    if not words:
        yield Problem("AZS712", f"query {query_id}: the excerpt is blank", judged.location)
        return
    count = folded.count(words)
    if count == 0:
        message = f"query {query_id}: the excerpt is not in {judged.document}"
        yield Problem("AZS712", message, judged.location, hint=_nearest_passage(judged.excerpt or "", text))
    elif judged.occurrence is not None and judged.occurrence > count:
        times = "once" if count == 1 else f"{count} times"
        message = f"query {query_id}: occurrence {judged.occurrence}, and the excerpt stands {times} in the document"
        yield Problem("AZS713", message, judged.location)
    elif judged.occurrence is None and count > 1:
        message = f"query {query_id}: the excerpt stands {count} times in {judged.document}"
        yield Problem("AZS714", message, judged.location, severity="warning", hint="add occurrence, or more words")


def _fold(text: str) -> str:
    """Without white space, in one Unicode form and case: extraction changes those, and alignment ignores them."""
    return "".join(unicodedata.normalize("NFKC", text).casefold().split())


def _nearest_passage(excerpt: str, text: str) -> str:
    """A hint with the line or sentence of the document that comes nearest, or none where nothing does."""
    words = set(re.findall(r"\w+", excerpt.casefold()))
    best, best_score = "", 0.0
    for passage in re.split(r"\n+|(?<=[.!?])\s+", text):
        own = set(re.findall(r"\w+", passage.casefold()))
        if not own or not words:
            continue
        score = 2 * len(words & own) / (len(words) + len(own))
        if score > best_score:
            best, best_score = " ".join(passage.split()), score
    if best_score < 0.3:
        return "nothing in the document comes near"
    return f"the nearest passage reads: {_around(best, excerpt)}"


def _around(passage: str, excerpt: str) -> str:
    """The passage, or the part of it where it matches the excerpt."""
    if len(passage) <= _SHOWN:
        return passage
    match = difflib.SequenceMatcher(None, passage, excerpt, autojunk=False).find_longest_match()
    start = max(0, min(match.a + match.size // 2 - _SHOWN // 2, len(passage) - _SHOWN))
    shown = passage[start : start + _SHOWN]
    return f"{'…' if start else ''}{shown}{'…' if start + _SHOWN < len(passage) else ''}"
