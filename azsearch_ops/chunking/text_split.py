"""Text Split (`#Microsoft.Skills.Text.SplitSkill`): a text into pages or sentences.

What is documented holds: a page never exceeds `maximumPageLength`; it ends with a sentence where it can and so may be
shorter; it starts with the last `pageOverlapLength` units of the page before; a sentence that is longer than a page is
cut by length. Where the documentation is silent (https://learn.microsoft.com/azure/search/cognitive-search-skill-textsplit)
the choice here is: white space stays at the end of the page before; a long sentence is cut at a line break, else at a
blank, in the second half of the page, else between two characters; the overlap begins with a whole word.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from azsearch_ops.chunking.rulers import Ruler, Tokens, utf16_ruler
from azsearch_ops.chunking.sentences import SentenceBreaks, sentence_breaks

_WORD_REACH = 64
_CLUSTER_REACH = 32
_FLAG_REACH = 1000


@dataclass(frozen=True, slots=True)
class TextSplit:
    """The options of the skill; lengths are in `unit`, and 0 pages to take means all."""

    mode: Literal["pages", "sentences"]
    maximum_page_length: int
    page_overlap_length: int = 0
    maximum_pages_to_take: int = 0
    unit: Literal["characters", "azureOpenAITokens"] = "characters"
    encoder: str = "cl100k_base"
    language: str = "en"

    @staticmethod
    def from_skill(skill: Mapping[str, Any]) -> TextSplit:
        """The options of a REST skill body; what is absent or null takes the service's default."""
        parameters = skill.get("azureOpenAITokenizerParameters") or {}
        return TextSplit(
            mode=cast(Literal["pages", "sentences"], skill.get("textSplitMode") or "pages"),
            maximum_page_length=int(skill.get("maximumPageLength") or 5000),
            page_overlap_length=int(skill.get("pageOverlapLength") or 0),
            maximum_pages_to_take=int(skill.get("maximumPagesToTake") or 0),
            unit=cast(Literal["characters", "azureOpenAITokens"], skill.get("unit") or "characters"),
            encoder=str(parameters.get("encoderModelName") or "cl100k_base"),
            language=str(skill.get("defaultLanguageCode") or "en"),
        )


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of a text: code point offsets, half open."""

    start: int
    end: int


def split(
    text: str, options: TextSplit, token_starts: Callable[[str], Sequence[int]] | None = None
) -> tuple[Span, ...]:
    """The spans of the pages or sentences of `text`, in order.

    None is blank, and what no span covers is white space. Blank text has no spans, any other at least one. Counting
    tokens needs `token_starts`: the code point offset where each token of a text starts; it is called once.
    Raises ValueError when it is missing, or for an overlap that is not below half of the page.
    """
    if not text or text.isspace():
        return ()
    breaks = sentence_breaks(text, options.language)
    if options.mode == "sentences":
        return _sentences(text, breaks)
    if not 0 <= 2 * options.page_overlap_length < options.maximum_page_length:
        raise ValueError("pageOverlapLength must be less than half of maximumPageLength")
    ruler: Ruler
    if options.unit == "azureOpenAITokens":
        if token_starts is None:
            raise ValueError("pages measured in tokens need a tokenizer")
        ruler = Tokens(len(text), token_starts(text))
    else:
        ruler = utf16_ruler(text)
    return _Pages(text, options, ruler, breaks).spans()


def _sentences(text: str, breaks: SentenceBreaks) -> tuple[Span, ...]:
    starts = (len(text) - len(text.lstrip()), *breaks.starts)
    ends = (*breaks.ends, len(text.rstrip()))
    return tuple(Span(start, end) for start, end in zip(starts, ends, strict=True) if start < end)


class _Pages:
    """One pass over one text."""

    def __init__(self, text: str, options: TextSplit, ruler: Ruler, breaks: SentenceBreaks) -> None:
        self._text = text
        self._limit = options.maximum_page_length
        self._overlap = options.page_overlap_length
        self._take = options.maximum_pages_to_take
        self._ruler = ruler
        self._breaks = breaks
        self._content_end = len(text.rstrip())

    def spans(self) -> tuple[Span, ...]:
        text, spans = self._text, list[Span]()
        start = covered = 0
        while covered < self._content_end:
            furthest = max(self._ruler.forward(start, self._limit), covered + 1)
            end = len(text) if furthest >= len(text) else self._end(start, covered, furthest)
            if not text[covered:end].isspace():
                spans.append(Span(start, end))
                if len(spans) == self._take:
                    break
            covered = end
            start = self._next_start(end) if self._overlap else end
        return tuple(spans)

    def _end(self, start: int, covered: int, furthest: int) -> int:
        """Where the page from `start` ends: beyond `covered`, at most at `furthest`."""
        half = max(covered, start + (furthest - start) // 2)
        index = bisect_right(self._breaks.ends, furthest) - 1
        if index >= 0:
            # White space behind the sentence belongs to it as far as it fits.
            end = self._ruler.align(min(self._breaks.starts[index], furthest))
            if end > half or (end > covered and self._fits_next_page(index)):
                return end
        return self._cut_by_length(half, covered, furthest)

    def _fits_next_page(self, index: int) -> bool:
        """Whether the sentence behind break `index` has room on the page that repeats the overlap first."""
        ends = self._breaks.ends
        end = ends[index + 1] if index + 1 < len(ends) else self._content_end
        return self._ruler.forward(self._breaks.starts[index], self._limit - self._overlap) >= end

    def _cut_by_length(self, half: int, covered: int, furthest: int) -> int:
        text = self._text
        line = self._ruler.align(text.rfind("\n", half, furthest) + 1)
        if line > half:
            return line
        if text[furthest].isspace() or text[furthest - 1].isspace():
            return furthest
        blank = max(text.rfind(mark, half, furthest) for mark in " \t\u3000")
        if blank >= 0:
            blank = self._ruler.align(blank + 1)
            if blank > half:
                return blank
        return _whole_character(text, furthest, max(covered + 1, furthest - _CLUSTER_REACH))

    def _next_start(self, end: int) -> int:
        """Where the page behind `end` starts: with the first whole word of the overlap."""
        text, align = self._text, self._ruler.align
        start = self._ruler.backward(end, self._overlap)
        if start >= end or start == 0 or text[start - 1].isspace():
            return start
        reach = min(end, start + _WORD_REACH, start + max(1, (end - start) // 2))
        for position in range(start, reach):
            if text[position].isspace():
                # Tokens begin with the blank before their word, characters with the word.
                return position + 1 if align(position + 1) == position + 1 else max(start, align(position))
        return start if start == 0 else _not_inside_character(text, start, end)


def _whole_character(text: str, position: int, lowest: int) -> int:
    """The last place in `lowest`..`position` that does not divide what a reader sees as one character."""
    place = position
    while place >= lowest:
        if not _divides(text, place):
            return place
        place -= 1
    return position


def _not_inside_character(text: str, position: int, end: int) -> int:
    for place in range(position, min(end, position + _CLUSTER_REACH)):
        if not _divides(text, place):
            return place
    return position


def _divides(text: str, place: int) -> bool:
    after, before = text[place], text[place - 1]
    if after < "\u0300":
        return after == "\n" and before == "\r"
    if before == "\u200d" or after == "\u200d" or "\U0001f3fb" <= after <= "\U0001f3ff":
        return True
    if "\U0001f1e6" <= after <= "\U0001f1ff":
        run = place
        while run > max(0, place - _FLAG_REACH) and "\U0001f1e6" <= text[run - 1] <= "\U0001f1ff":
            run -= 1
        return (place - run) % 2 == 1
    return unicodedata.category(after)[0] == "M"
