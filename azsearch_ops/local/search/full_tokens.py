"""Text of a full query to tokens, with the character classes of Lucene's classic parser.

`+`, `-` and `!` are operators only before a term: inside one they are text. A field is a path before a colon.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_ESCAPED = r"\\."
_START = rf'(?:[^ \t\n\r\u3000+\-!():^\[\]"{{}}~*?\\/]|{_ESCAPED})'
_INSIDE = rf"(?:{_START}|[+\-])"
_TOKEN = re.compile(
    rf"""
      (?P<space>[ \t\n\r\u3000]+)
    | (?P<and>AND(?!{_INSIDE}|[*?])|&&)
    | (?P<or>OR(?!{_INSIDE}|[*?])|\|\|)
    | (?P<not>NOT(?!{_INSIDE}|[*?])|!(?![ \t\n\r\u3000]))
    | (?P<bare>[+\-!][ \t\n\r\u3000])
    | (?P<field>[A-Za-z_]\w*(?:/[A-Za-z_]\w*)*:)
    | (?P<sign>[+\-()])
    | (?P<quoted>"(?:[^"\\]|{_ESCAPED})*")
    | (?P<regex>/(?:[^/\\]|\\.)*/)
    | (?P<range>[\[{{])
    | ~(?P<fuzzy>\d+(?:\.\d+)?|)
    | \^(?P<boost>\d+(?:\.\d+)?)
    | (?P<term>(?:{_START}|[*?])(?:{_INSIDE}|[*?])*)
    """,
    re.VERBOSE | re.DOTALL,
)
_UNICODE = re.compile(r"\\u([0-9a-fA-F]{4})|\\(.)", re.DOTALL)
_PLAIN_STAR = re.compile(r"(?:\\.|[^\\*?])*[*?]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a query and the 1-based column where it begins; `wild` terms have an unescaped * or ?."""

    kind: str
    text: str
    column: int
    wild: bool = False


def full_tokens(text: str) -> list[Token]:
    """The tokens, closed by one of kind `end`, or of kind `unknown` where nothing fits any more."""
    found: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            # A quote or slash without its partner is noticed at the end of the text
            column = len(text) + 1 if text[at] in '"/' else at + 1
            return [*found, Token("unknown", text[at], column)]
        kind = str(match.lastgroup)
        column, piece = at + 1, match.group(kind)
        at = match.end()
        if kind == "sign":
            found.append(Token(piece, piece, column))
        elif kind == "field":
            found.append(Token("field", piece[:-1], column))
        elif kind == "fuzzy":
            found.append(Token("~", piece, column))
        elif kind == "boost":
            found.append(Token("^", piece, column))
        elif kind == "term":
            found.append(Token("term", piece, column, _PLAIN_STAR.match(piece) is not None))
        elif kind not in ("space", "bare"):
            found.append(Token(kind, piece, column))
    return [*found, Token("end", "", len(text) + 1)]


def unescaped(text: str) -> str:
    """The text that an escaped one stands for: `\\+` is +, `\\u0041` is A."""
    return _UNICODE.sub(lambda match: chr(int(match.group(1), 16)) if match.group(1) else match.group(2), text)
