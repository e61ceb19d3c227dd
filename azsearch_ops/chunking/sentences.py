"""Where sentences end, for the languages that Text Split knows.

The service does not publish its rules. These are the ones that its documentation names (sentence-ending punctuation,
dependent on the language), with the usual exceptions: abbreviations, initials, numbered items, and a full stop that a
small letter follows. A blank line, or a line that opens a heading, a list item or a table row, ends a sentence without
any punctuation, because extracted text is full of such lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_CLOSERS = "\"'”’»)\\]}*_"
_SPACED = ".!?…"
_UNSPACED = "。！？｡।॥؟۔"

# Marks in a row are taken from the first one only: trying at each of them is quadratic in their number.
# The first item is a plain character class so that the engine can skip to the next candidate at once.
_CANDIDATE = re.compile(
    rf"[{_SPACED}{_UNSPACED}\n\u2029]"
    rf"(?:(?<=[{_SPACED}])(?<![{_SPACED}]{{2}})[{_SPACED}]*+[{_CLOSERS}]*+(?=\s)"
    rf"|(?<=[{_UNSPACED}])[{_UNSPACED}{_SPACED}]*[{_CLOSERS}」』）]*"
    r"|(?<=[\n\u2029])(?=[^\S\n]*(?:\n|\r|[#>|•·*+\-–][ \t#>|*+\-–]|\d{1,3}[.)]\s)))"
)
_SPACE = re.compile(r"\s*")
_ELISION = re.compile("['’]")
_WORD_BEFORE = 16
_SAMPLE = 2048

_ABBREVIATIONS = {
    "en": (
        "mr mrs ms dr prof sr jr st vs etc inc ltd co corp no fig figs eq sec ch vol pp p ed eds e.g i.e cf al "
        "approx dept est gen gov hon jan feb mar apr jun jul aug sep sept oct nov dec rev sen rep u.s u.k a.m p.m"
    ),
    "it": "sig sigg dott dottssa prof ing avv arch geom rag art artt n nn pag pagg cap es cfr fig ecc tel ss gen feb "
    "mar apr mag giu lug ago set ott nov dic s.p.a s.r.l",
    "de": "dr prof nr str z.b d.h u.a usw bzw ca vgl abs art bd evtl ggf inkl s jan feb aug sept okt nov dez hr fr",
    "fr": "m mm mme mlle dr pr art cf env etc fig janv févr juil sept oct nov déc no p ex",
    "es": "sr sra srta dr dra d dña ud uds art etc fig núm pág p.ej ee.uu aprox av",
    "pt": "sr sra dr dra prof art etc fig núm pág p.ex av",
    "nl": "dhr mevr dr prof nr art bijv d.w.z enz blz o.a ca",
}
_KNOWN = {language: frozenset(words.split()) for language, words in _ABBREVIATIONS.items()}
_NUMBERED_DATES = frozenset({"de", "da", "nb", "no", "fi", "cs", "sk", "sl", "hr", "bs", "hu", "et", "lv", "pl"})


@dataclass(frozen=True, slots=True)
class SentenceBreaks:
    """Two parallel lists: where each sentence's last character ends, and where the next sentence starts.

    Offsets count code points. Between `ends[i]` and `starts[i]` there is white space only. The end of the text is not
    listed.
    """

    ends: tuple[int, ...]
    starts: tuple[int, ...]


def sentence_breaks(text: str, language: str = "en") -> SentenceBreaks:
    """The breaks between the sentences of `text`, in order; unknown languages get the rules that all share."""
    family = language.lower().partition("-")[0]
    abbreviations = _KNOWN.get(family, frozenset())
    numbered_dates = family in _NUMBERED_DATES
    capitals = _has_capitals(text)
    ends: list[int] = []
    starts: list[int] = []
    size = len(text)
    for match in _CANDIDATE.finditer(text):
        first, end = match.span()
        if starts and first < starts[-1]:
            continue  # Within white space that a break has passed already.
        mark = text[first]
        found = _SPACE.match(text, end)
        following = found.end() if found else end
        if following >= size:
            break
        if mark in "\n\u2029":
            end = first
        elif mark in _SPACED and _continues(text, first, end, following, abbreviations, numbered_dates, capitals):
            continue
        ends.append(end)
        starts.append(following)
    return SentenceBreaks(tuple(ends), tuple(starts))


def _has_capitals(text: str) -> bool:
    """Whether the text has capital letters at all; in lower-cased text a small letter says nothing about sentences."""
    sample = text[:: len(text) // _SAMPLE + 1]
    return sum(map(str.isupper, sample)) * 200 >= sum(map(str.islower, sample))


def _continues(
    text: str,
    first: int,
    end: int,
    following: int,
    abbreviations: frozenset[str],
    numbered_dates: bool,
    capitals: bool,
) -> bool:
    """Whether the sentence goes on behind the mark at `first`."""
    upcoming = text[following]
    gap = text[end:following]
    if gap.count("\n") > 1 or "\u2029" in gap:
        return False
    if upcoming in _SPACED or (capitals and upcoming.islower()):
        return True
    if text[first] != "." or end - first > 1:
        return False
    before = text[max(0, first - _WORD_BEFORE) : first]
    words = before.split()
    if not words or before[-1].isspace():
        return bool(words) and words[-1] == "."  # A row of dots leads to a page number.
    word = _ELISION.split(words[-1].lstrip("(\"'“‘[«*_"))[-1]
    if word.isdigit():
        opens_line = before.rpartition("\n")[2].strip() == word and ("\n" in before or first <= _WORD_BEFORE)
        return numbered_dates or opens_line
    if len(word) == 1:
        return word.isupper() or word.lower() in abbreviations
    return word.lower() in abbreviations
