"""Plain YAML scalars by the core schema of YAML 1.2, so that `no` is a language and 2026-04-01 a string."""

from __future__ import annotations

import math
import re
from typing import Final

_NULL: Final = frozenset(("", "~", "null", "Null", "NULL"))
_BOOLEAN: Final = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_INTEGER = re.compile(r"[-+]?[0-9]+")
_OCTAL = re.compile(r"0o[0-7]+")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")
_NUMBER_START: Final = frozenset("+-.0123456789")
_LONGEST_INTEGER: Final = 4_000


class ScalarError(ValueError):
    """A scalar that has no JSON value: infinite, not a number, or an integer of thousands of digits."""


def resolve(text: str) -> object:
    """The value of a plain scalar: None, a boolean, a number, or the text itself."""
    if text in _NULL:
        return None
    if text in _BOOLEAN:
        return _BOOLEAN[text]
    if text[0] not in _NUMBER_START:
        return text
    if _INTEGER.fullmatch(text):
        return _integer(text, 10)
    if _OCTAL.fullmatch(text):
        return _integer(text[2:], 8)
    if _HEXADECIMAL.fullmatch(text):
        return _integer(text[2:], 16)
    if _FLOAT.fullmatch(text):
        number = float(text)
        if math.isinf(number):
            raise ScalarError(f"{text} is beyond what a number can hold")
        return number
    if _NOT_FINITE.fullmatch(text):
        raise ScalarError(f"{text} has no JSON value")
    return text


def as_tagged(tag: str, text: str) -> object:
    """The value of a scalar with an explicit core tag; ScalarError when the text does not fit the tag."""
    if tag == "str":
        return text
    value = resolve(text)
    fits = {
        "null": value is None,
        "bool": isinstance(value, bool),
        "int": isinstance(value, int) and not isinstance(value, bool),
        "float": isinstance(value, int | float) and not isinstance(value, bool),
    }
    if tag not in fits:
        raise ScalarError(f"the tag !!{tag} is not taken here")
    if not fits[tag]:
        raise ScalarError(f"the text does not fit its tag !!{tag}")
    return float(value) if tag == "float" and isinstance(value, int) else value


def _integer(digits: str, base: int) -> int:
    if len(digits) > _LONGEST_INTEGER:
        raise ScalarError("an integer of thousands of digits")
    return int(digits, base)
