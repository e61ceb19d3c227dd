"""AZS70x and AZS71x: query sets, by themselves and against the documents."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
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

_SHOWN: Final = 160
_SHARED_AT_LEAST: Final = 0.4
_NOTHING_NEAR: Final = "nothing in the document comes near"
_WORD = re.compile(r"\w+")


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
