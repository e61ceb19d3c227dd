"""The places of a text where its tokens stand.

Standard follows the word break rules of UAX #29 as Lucene 6 applies them: no dictionary, one token for every ideograph
and hiragana, runs of katakana and of South East Asian letters whole, emoji dropped. Longer tokens than 255 characters
are cut there, in every tokenizer that splits.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final, Protocol

from azsearch_ops.local.search.analysis.characters import characters

MAX_TOKEN_LENGTH = 255

Span = tuple[int, int]


class Tokenizer(Protocol):
    """Where the tokens of a text stand, and, faster, only what they are."""

    def spans(self, text: str) -> list[Span]:
        """Where each token begins and ends, in order."""
        ...

    def surfaces(self, text: str) -> list[str]:
        """The tokens as they stand in the text, in order."""
        ...


@dataclass(frozen=True, slots=True)
class Matching:
    """Tokens are the matches of an expression without groups, which may depend on the text."""

    expression: Callable[[str], re.Pattern[str]]

    def spans(self, text: str) -> list[Span]:
        """First and last + 1 character of each token."""
        found = [match.span() for match in self.expression(text).finditer(text)]
        return [(at, min(at + MAX_TOKEN_LENGTH, end)) for start, end in found for at in _starts(start, end)]

    def surfaces(self, text: str) -> list[str]:
        """The tokens as they stand in the text."""
        found = self.expression(text).findall(text)
        if max(map(len, found), default=0) <= MAX_TOKEN_LENGTH:
            return found
        return [text[start:end] for start, end in self.spans(text)]


def _starts(start: int, end: int) -> range:
    return range(start, end, MAX_TOKEN_LENGTH)


class Whole:
    """The text is one token of any length."""

    def spans(self, text: str) -> list[Span]:
        """From the first to the last character."""
        return [(0, len(text))]

    def surfaces(self, text: str) -> list[str]:
        """The text."""
        return [text]


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
def _letters() -> re.Pattern[str]:
    return re.compile(f"[{characters('AnyLetter')}]+")


def _standard(text: str) -> re.Pattern[str]:
    return _standard_pattern(0x80 if text.isascii() else 0x10000 if max(text) <= "\uffff" else 0x110000)


# What Java calls white space: no no-break space, but the four information separators
_NOT_SPACE = re.compile(r"[^\t-\r\x1c-\x20\u1680\u2000-\u2006\u2008-\u200a\u2028\u2029\u205f\u3000]+")
_ASCII_WORD = re.compile(r"[A-Za-z0-9_]+")

STANDARD: Final = Matching(_standard)
"""Words, numbers with their inner punctuation (123,456), single ideographs."""
LETTER: Final = Matching(lambda text: _letters())
"""Runs of letters."""
WHITESPACE: Final = Matching(lambda text: _NOT_SPACE)
"""What stands between white space."""
PATTERN: Final = Matching(lambda text: _ASCII_WORD)
r"""What stands between matches of Java's `\W+`, the pattern analyzer's default: ASCII letters, digits, _."""
KEYWORD: Final = Whole()
"""The whole text."""
