"""Text of an OData expression to tokens."""

from __future__ import annotations

import re
from dataclasses import dataclass

from azsearch_ops.local.errors import ServiceFault, invalid_request

_TOKEN = re.compile(
    r"""
      (?P<space>\s+)
    | (?P<geography>geography'(?:[^']|'')*')
    | (?P<string>'(?:[^']|'')*')
    | (?P<date>\d{4}-\d\d-\d\d(?:T[\d:.]+(?:[Zz]|[+-]\d\d:\d\d)?)?)
    | (?P<number>[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])|-INF(?!\w))
    | (?P<name>[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)
    | (?P<mark>[(),/:*])
    """,
    re.VERBOSE | re.ASCII,
)


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of an expression: kind is a group of the pattern above, or `end`; `end` is the offset behind it."""

    kind: str
    text: str
    end: int


def tokenise(text: str) -> list[Token]:
    """The tokens, closed by one of kind `end`; a character that starts none is one of kind `unknown`.

    The parser refuses those where it meets them, so that the first fault from the left is the one that is told.
    """
    found: list[Token] = []
    at = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            quote = text[at] == "'" or text.startswith("geography'", at)
            found.append(Token("unterminated" if quote else "unknown", text[at], at + 1))
            break
        at = match.end()
        if match.lastgroup != "space":
            found.append(Token(str(match.lastgroup), match.group(), at))
    found.append(Token("end", "", len(text)))
    return found


def expression_fault(message: str, parameter: str) -> ServiceFault:
    """400 for an expression that cannot be used; `parameter` is $filter, $orderby or $select."""
    return invalid_request(f"Invalid expression: {message}", "InvalidExpression", parameter)


def syntax_fault(text: str, position: int, parameter: str) -> ServiceFault:
    """400 with the offset behind the first token that does not fit, as recorded."""
    return expression_fault(f"Syntax error at position {position} in '{text}'.", parameter)
