"""The places of a text where its tokens stand.

Standard follows the word break rules of UAX #29 as Lucene 6 applies them: no dictionary, one token for every ideograph
and hiragana, runs of katakana and of South East Asian letters whole, emoji dropped. Longer tokens than 255 characters
are cut there, in every tokenizer that splits.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

from azsearch_ops.local.search.analysis.characters import characters

MAX_TOKEN_LENGTH = 255

Span = tuple[int, int]
Tokenizer = Callable[[str], list[Span]]


def _word_pattern(
    letter: str, number: str, in_word: str, in_number: str, join: str, extend: str, katakana: str, hebrew: str
) -> str:
    """A run of letters, digits or katakana; `extend` characters belong to the one before them."""
    more = f"[{extend}]*" if extend else ""
    joined = f"[{join}][{join}{extend}]*"
    quoted = f'|(?<=[{hebrew}])"{more}(?=[{hebrew}])' if hebrew else ""
    letters = f"[{letter}][{letter}{extend}]*(?:(?:{joined}|[{in_word}]{more}{quoted})[{letter}][{letter}{extend}]*)*"
    if hebrew:
        letters += f"(?:(?<=[{hebrew}])'{more})?"
    numbers = f"[{number}][{number}{extend}]*(?:(?:{joined}|[{in_number}]{more})[{number}][{number}{extend}]*)*"
    word = f"(?:{letters}|{numbers})+"
    if katakana:
        run = f"[{katakana}][{katakana}{extend}]*"
        word = f"(?:{run}(?:{joined}{run})*|{word})"
    return f"(?:{joined})?{word}(?:{joined}{word})*(?:{joined})?"


@cache
def _standard_pattern(below: int) -> re.Pattern[str]:
    """The tokens of texts whose code points are all below 0x80, 0x10000 or 0x110000."""
    if below == 0x80:
        return re.compile(_word_pattern("A-Za-z", "0-9", ":.'", ",;.'", "_", "", "", ""))
    names = ("Letter", "Numeric", "MidLetter", "MidNumber", "Connector", "Extender", "Katakana", "Hebrew")
    word = _word_pattern(*(characters(name, below) for name in names))
    extend = characters("Extender", below)
    asian = characters("SoutheastAsian", below)
    single = f"[{characters('Ideograph', below)}{characters('Hiragana', below)}][{extend}]*"
    return re.compile(f"{word}|[{asian}][{asian}{extend}]*|{single}")


@cache
def _letter_pattern() -> re.Pattern[str]:
    return re.compile(f"[{characters('AnyLetter')}]+")


# What Java calls white space: no no-break space, but the four information separators
_NOT_SPACE = re.compile(r"[^\t-\r\x1c-\x20\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]+")
_ASCII_WORD = re.compile(r"[A-Za-z0-9_]+")


def standard(text: str) -> list[Span]:
    """Words, numbers with their inner punctuation (123,456), single ideographs."""
    below = 0x80 if text.isascii() else 0x10000 if max(text) <= "\uffff" else 0x110000
    return _cut(_standard_pattern(below), text)


def letter(text: str) -> list[Span]:
    """Runs of letters."""
    return _cut(_letter_pattern(), text)


def whitespace(text: str) -> list[Span]:
    """What stands between white space."""
    return _cut(_NOT_SPACE, text)


def pattern(text: str) -> list[Span]:
    r"""What stands between matches of Java's `\W+`, the pattern analyzer's default: ASCII letters, digits, _."""
    return [match.span() for match in _ASCII_WORD.finditer(text)]


def keyword(text: str) -> list[Span]:
    """The whole text."""
    return [(0, len(text))]


def _cut(compiled: re.Pattern[str], text: str) -> list[Span]:
    spans = [match.span() for match in compiled.finditer(text)]
    if any(end - start > MAX_TOKEN_LENGTH for start, end in spans):
        return [
            (at, min(at + MAX_TOKEN_LENGTH, end)) for start, end in spans for at in range(start, end, MAX_TOKEN_LENGTH)
        ]
    return spans
