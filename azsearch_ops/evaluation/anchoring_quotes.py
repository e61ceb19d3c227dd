"""Where a quoted passage stands in a document, also when the document was edited since it was quoted.

Word for word first, then folded (`folding.py`: white space, case, kinds of quotation marks), then by likeness. The
likeness of two passages is the share of their letters that stand in words which both have, in the same order:
2 x shared / (letters of the one + letters of the other). 1 is the same words; a passage of ten words with one word
exchanged comes to about 0.9. From `LEAST` on a passage is taken for the quoted one; it is always reported.

It is measured from the first to the last word that both have. Where the quote has words beyond these, what stands
there now belongs to the passage too: as many words, within the sentence.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from azsearch_ops.evaluation.anchoring import occurrences
from azsearch_ops.evaluation.folding import is_wide, plain, weight

LEAST = 0.75
"""The least likeness at which a passage counts as the quoted one, edited."""

_SHORTEST = 24
"""Quotes that say less than this (`folding.weight`) are found as they are or not at all: much is like them."""

_COMMON = 64
"""Words that stand more often than this in a document do not help to find a place."""

_PLACES = 8
"""Places that are compared word by word, the most promising first."""

_BREAK = re.compile(r"[.!?:;][\"'»”’)\]]*\s|[。！？；]|\n\s*(?:\n|[-*+#>|]|\d+[.)])")
"""Between two words: a sentence, a paragraph or an item of a list ends."""

_WORD = re.compile(r"\w+")

How = Literal["exact", "normalised", "fuzzy"]


@dataclass(frozen=True, slots=True)
class Quote:
    """A quote found again: how, how alike (0 to 1), where it starts and ends, what stands there, how often."""

    how: How
    score: float
    start: int
    end: int
    text: str
    count: int


def find_quote(excerpt: str, document: DocumentText, occurrence: int | None = None) -> Quote | None:
    """The place of `excerpt` in `document`, or None where nothing comes near enough.

    Of equal places the one that `occurrence` (1-based) counts, else the first; None where there are fewer.
    """
    places = occurrences(excerpt, document.text)
    if places:
        if occurrence is not None and occurrence > len(places):
            return None
        start, end = places[(occurrence or 1) - 1]
        found = document.text[start:end]
        return Quote("exact" if found == excerpt else "normalised", 1.0, start, end, found, len(places))
    return _nearest(excerpt, document)


class DocumentText:
    """The text of a document, its words found once for all quotes."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._words: list[_Word] | None = None
        self._places: dict[str, list[int]] = {}

    @property
    def words(self) -> list[_Word]:
        """The words in order, with where they stand."""
        if self._words is None:
            self._words = list(_words(self.text))
            for number, word in enumerate(self._words):
                self._places.setdefault(word.folded, []).append(number)
        return self._words

    def places(self, folded: str) -> list[int]:
        """The ordinals of a word."""
        return self._places.get(folded, []) if self.words else []


@dataclass(frozen=True, slots=True)
class _Word:
    folded: str
    start: int
    end: int


def _nearest(excerpt: str, document: DocumentText) -> Quote | None:
    wanted = [word.folded for word in _words(excerpt)]
    if sum(map(weight, wanted)) < _SHORTEST:
        return None
    best: Quote | None = None
    for place in _promising(wanted, document):
        found = _compare(wanted, document, place)
        if found is not None and found.score >= LEAST and (best is None or found.score > best.score):
            best = found
    return best


def _promising(wanted: list[str], document: DocumentText) -> list[int]:
    """Ordinals at which the quote may begin: where most of its rarer words agree on one."""
    votes: Counter[int] = Counter()
    step = max(1, len(wanted) // 4)  # Words that were put in or left out shift what follows
    for number, word in enumerate(wanted):
        places = document.places(word)
        if len(places) <= _COMMON:
            for start in {(place - number) // step for place in places}:
                votes[start] += len(word)
                votes[start + 1] += len(word)
    ranked = sorted(votes.items(), key=lambda vote: (-vote[1], vote[0]))
    return [start * step for start, _ in ranked[:_PLACES]]


def _compare(wanted: list[str], document: DocumentText, place: int) -> Quote | None:
    """The passage around `place` that is most like the quote."""
    slack = len(wanted) // 2 + 2
    first = max(0, place - slack)
    window = document.words[first : place + len(wanted) + slack]
    words = [word.folded for word in window]
    blocks = [b for b in difflib.SequenceMatcher(None, wanted, words, autojunk=False).get_matching_blocks() if b.size]
    best: tuple[float, int, int] | None = None
    total = sum(map(len, wanted))
    # A word that happens to recur far from the rest only dilutes the passage: try each run of blocks
    for i in range(len(blocks)):
        shared = 0
        for last, block in enumerate(blocks[i:], start=i):
            shared += sum(len(word) for word in wanted[block.a : block.a + block.size])
            begin, end = blocks[i].b, block.b + block.size
            letters = sum(map(len, words[begin:end]))
            score = 2 * shared / (total + letters)
            if best is None or score > best[0]:
                best = (score, i, last)
    if best is None:
        return None
    score, i, last = best
    begin, end = blocks[i].b, blocks[last].b + blocks[last].size
    before, after = blocks[i].a, len(wanted) - blocks[last].a - blocks[last].size
    start = window[begin - _going_on(window[: begin + 1][::-1], before, document.text)].start
    stop = window[end - 1 + _going_on(window[end - 1 :], after, document.text)].end
    return Quote("fuzzy", score, start, stop, document.text[start:stop], 1)


def _going_on(words: list[_Word], most: int, text: str) -> int:
    """How many of at most `most` words behind the first one are of its sentence; `words` in either direction."""
    for taken, (one, other) in enumerate(pairwise(words[: most + 1])):
        gap = text[one.end : other.start] if one.start < other.start else text[other.end : one.start]
        if _BREAK.search(gap):
            return taken
    return min(most, len(words) - 1)


def _words(text: str) -> Iterator[_Word]:
    """Words, folded; a character of a script that does not separate words is a word of its own."""
    for found in _WORD.finditer(text):
        at = found.start()
        run = at
        for i in range(at, found.end()):
            if is_wide(text[i]):
                if run < i:
                    yield _Word(plain(text[run:i]), run, i)
                yield _Word(plain(text[i]), i, i + 1)
                run = i + 1
        if run < found.end():
            yield _Word(plain(text[run : found.end()]), run, found.end())
