"""Which part of a judged span a chunk holds, found by the chunk's own text.

This works on every index, since it needs neither offsets nor chunk ids. Both texts are folded (`folding.py`),
so spelling, case and white space do not matter. A chunk can hold the span whole, its beginning (the chunk ends
inside the span), its end (the chunk begins inside the span), both, or a piece from its middle. A beginning
counts only at the chunk's end, and an end only at its start or where the body starts after context that was put
in front; so a phrase that merely recurs elsewhere is not taken for the span. What is shared has to say at least
as much as `LEAST` letters; less than that is chance ("the", "of the").

Words that stand more than once in a document read the same in each place, and a chunk with any of them counts,
unless the judgement brings the words around the place that it means: then the chunk has to agree with those too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from azsearch_ops.evaluation.folding import fold, fold_with_offsets, is_wide, plain, weight

LEAST = 12
"""The least weight (`folding.weight`) of a shared piece that is not the whole span."""

_LINE_LEAST = 24
"""The least weight of a shared piece after context that ends with a line break."""

_INLINE_LEAST = 48
"""The least weight of a shared piece after context that no line break separates from the body."""

_CONTEXT = 600
"""How far into a chunk, in folded characters, context in front of the body may reach."""

_SHORT = 24
"""Spans below this weight have to stand as words of their own: `5 days` is not part of `15 days`."""

_AROUND = 100
"""How many folded characters around a place have to agree, where the chunk and the judgement have as many."""

Interval = tuple[int, int]
"""Characters of the span's source text, half-open."""


@dataclass(frozen=True, slots=True)
class Span:
    """A judged excerpt made ready for comparison. `length` is the number of characters of its source text.

    `before` and `after` are the folded words around it, empty where any place will do; `excerpt` is the source text
    and `occurrence` (1-based) which one is meant where it repeats.
    """

    text: str
    length: int
    starts: tuple[int, ...]
    head: int
    tail: int
    before: str = ""
    after: str = ""
    excerpt: str = ""
    occurrence: int | None = None

    @classmethod
    def of(cls, excerpt: str, before: str = "", after: str = "", occurrence: int | None = None) -> Span:
        """The span that reads `excerpt` and stands between `before` and `after`."""
        folded = fold_with_offsets(excerpt)
        head, tail = _enough(folded.text), _enough(folded.text[::-1])
        around = fold(before)[-_AROUND:], fold(after)[:_AROUND]
        return cls(folded.text, len(excerpt), folded.starts, head, tail, *around, excerpt, occurrence)

    def source(self, start: int, end: int) -> Interval:
        """The source characters behind the folded characters from `start` to `end`."""
        return self.starts[start], self.starts[end]


@dataclass(frozen=True, slots=True)
class Passage:
    """A chunk's text made ready for comparison; `raw` is kept for questions about its words and lines."""

    raw: str
    text: str

    @classmethod
    def of(cls, raw: str) -> Passage:
        """The passage that reads `raw`."""
        return cls(raw, fold(raw))


def align(span: Span, passage: Passage) -> tuple[Interval, ...]:
    """The parts of `span` that `passage` holds, in characters of the excerpt, in order and apart; () for none."""
    if not span.text or not passage.text:
        return ()
    if _holds_whole(span, passage):
        return ((0, span.length),)
    if len(passage.text) < len(span.text) and weight(passage.text) >= LEAST:
        at = span.text.find(passage.text)
        if at >= 0:
            return (span.source(at, at + len(passage.text)),)
    beginning = _beginning(span, passage)
    end = _end(span, passage)
    found = [(0, beginning)] if beginning else []
    if end < len(span.text):
        found.append((end, len(span.text)))
    elif not found:
        found.extend(_middle(span, passage))
    return tuple(span.source(start, stop) for start, stop in merge(found))


def body_starts(passage: Passage) -> Iterator[int]:
    """Folded offsets at which the body of `passage` may start: its beginning, then behind each line of context."""
    yield 0
    for line in _line_starts(passage.raw)[1:]:
        if 0 < line < len(passage.text) and weight(passage.text[line:]) >= _LINE_LEAST:
            yield line


def stands_alone(span: Span, passage: Passage, at: int) -> bool:
    """Whether `span`, which `passage` reads like from `at`, is there by itself: `5 days` is not part of `15 days`."""
    return _sound(passage, (at, at + len(span.text)), weight(span.text) < _SHORT)


def merge(intervals: list[Interval]) -> list[Interval]:
    """The union of `intervals`, in order, with what touches or overlaps joined."""
    joined: list[Interval] = []
    for start, end in sorted(intervals):
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _enough(text: str) -> int:
    """The length of the shortest beginning of `text` that weighs `LEAST`; longer than `text` where none does."""
    total = 0
    for count, character in enumerate(text, start=1):
        total += 3 if is_wide(character) else 1
        if total >= LEAST:
            return count
    return len(text) + 1


def _holds_whole(span: Span, passage: Passage) -> bool:
    at = passage.text.find(span.text)
    short = weight(span.text) < _SHORT
    while at >= 0:
        stop = at + len(span.text)
        if _sound(passage, (at, stop), short) and _follows(span, passage, at) and _precedes(span, passage, stop):
            return True
        at = passage.text.find(span.text, at + 1)
    return False


def _sound(passage: Passage, edges: tuple[int, ...], short: bool) -> bool:
    """Whether a match with these `edges` does not begin or end inside a number nor, if `short`, inside a word."""
    text = passage.text
    doubtful = [edge for edge in edges if 0 < edge < len(text) and _runs_on(text[edge - 1], text[edge], short)]
    # Folding took the white space, so ask the words: an edge is sound where a word begins or ends at it.
    return not doubtful or _word_edges(passage.raw).issuperset(doubtful)


def _follows(span: Span, passage: Passage, at: int) -> bool:
    """Whether what stands in front of `at` is what stands in front of the span, or context before the body."""
    wanted = min(at, len(span.before))
    agreeing = 0
    while agreeing < wanted and passage.text[at - agreeing - 1] == span.before[-agreeing - 1]:
        agreeing += 1
    return agreeing == wanted or any(
        at - agreeing <= line <= at for line in _line_starts(passage.raw)[1:] if at - agreeing <= _CONTEXT
    )


def _precedes(span: Span, passage: Passage, stop: int) -> bool:
    """Whether what stands behind `stop` is what stands behind the span."""
    wanted = min(len(passage.text) - stop, len(span.after))
    return passage.text[stop : stop + wanted] == span.after[:wanted]


def _runs_on(before: str, after: str, short: bool) -> bool:
    if before.isdigit() and after.isdigit():
        return True
    return short and before.isalnum() and after.isalnum() and not (is_wide(before) or is_wide(after))


@lru_cache(maxsize=16)  # Of a whole document, which is asked about for each of its judgements
def _word_edges(raw: str) -> frozenset[int]:
    """Folded offsets at which a run of non-white characters begins."""
    edges: set[int] = set()
    at = 0
    words = plain(raw).split()
    for word, following in zip(words, [*words[1:], ""], strict=True):
        edges.add(at)
        # A dash that ends a word is kept by the digit that begins the next one.
        kept = len(re.sub(r"-(?![0-9])", "", word + following[:1])) - len(re.sub(r"-(?![0-9])", "", following[:1]))
        at += kept
    edges.add(at)
    return frozenset(edges)


def _beginning(span: Span, passage: Passage) -> int:
    """How many characters of the span's beginning are the end of the passage; 0 below the least."""
    text = passage.text
    seed = span.text[: span.head]
    at = text.find(seed, max(0, len(text) - len(span.text) + 1)) if span.head <= len(span.text) else -1
    while at >= 0:
        if span.text.startswith(text[at:]) and _sound(passage, (at,), short=False) and _follows(span, passage, at):
            return len(text) - at
        at = text.find(seed, at + 1)
    return 0


def _end(span: Span, passage: Passage) -> int:
    """Where in the span the part begins that starts the passage's body; the span's length where there is none."""
    size, text = len(span.text), passage.text
    if span.tail > size:
        return size
    seed = span.text[size - span.tail :]
    reach = _CONTEXT + size
    longest = 0
    at = text.find(seed, 0, reach)
    while at >= 0:
        stop = at + span.tail
        begins = 0 if stop < size and span.text.endswith(text[:stop]) else _body_start(span, passage, stop)
        if (
            begins is not None
            and stop - begins < size
            and _sound(passage, (stop,), short=False)
            and _precedes(span, passage, stop)
        ):
            longest = max(longest, stop - begins)
        at = text.find(seed, at + 1, reach)
    return size - longest


def _body_start(span: Span, passage: Passage, stop: int) -> int | None:
    """Where the body starts if `passage.text[..stop]` is context followed by an end of the span."""
    text, size = passage.text, len(span.text)
    shared = 0
    while shared < min(stop, size) and text[stop - shared - 1] == span.text[size - shared - 1]:
        shared += 1
    longest = stop - shared
    if longest > _CONTEXT:
        return None
    for line in _line_starts(passage.raw):
        if longest <= line < stop and weight(text[line:stop]) >= _LINE_LEAST:
            return line
    return longest if weight(text[longest:stop]) >= _INLINE_LEAST else None


def _middle(span: Span, passage: Passage) -> list[Interval]:
    """A piece from the span's middle that is the passage's whole body, after context in front."""
    text = passage.text
    if len(text) > len(span.text) + _CONTEXT or text[-(LEAST // 3) :] not in span.text:
        return []
    for line in _line_starts(passage.raw):
        body = text[line:]
        if line > 0 and len(body) < len(span.text) and weight(body) >= LEAST:
            at = span.text.find(body)
            if at >= 0:
                return [(at, at + len(body))]
    return []


def _line_starts(raw: str) -> list[int]:
    """Folded offsets, within the reach of context, at which a line of `raw` starts."""
    starts: list[int] = []
    at = 0
    for line in raw.split("\n"):
        if at > _CONTEXT:
            break
        starts.append(at)
        at += len(fold(line))
    return starts
