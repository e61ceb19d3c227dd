"""Questions out of a log: one spelling each, counted, and what looks like personal data masked.

Only data with a form can be recognised: addresses of mail and machines, telephone, card and account numbers, long
numbers. Names of people cannot; somebody has to read a set before it is shared.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_SHORTEST = 3
_LONGEST = 1000
"""Longer entries are pasted texts, not questions."""

_IBAN = re.compile(r"\b[A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,4})?\b")
_CARD = re.compile(r"\b[0-9](?:[ -]?[0-9]){12,18}\b")
_FORMS: Final = (
    ("email", re.compile(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+")),
    ("url with user", re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s/@]+:[^\s/@]+@\S+", re.IGNORECASE)),
    (
        "ip address",
        re.compile(r"\b(?:[0-9]{1,3}\.){3}[0-9]{1,3}\b|\b(?:[0-9a-f]{1,4}:){7}[0-9a-f]{1,4}\b", re.IGNORECASE),
    ),
    ("phone", re.compile(r"(?<![\w/.-])(?:\+|00)[1-9][0-9]{0,2}(?:[ ./()-]{0,2}[0-9]){6,12}(?!\w)")),
    ("phone", re.compile(r"(?<![\w/.-])\(?0[0-9]{1,4}\)?[ /-](?:[ -]?[0-9]){5,10}(?!\w)")),
    ("number", re.compile(r"(?<![\w.-])[0-9]{9,}(?![\w-])")),
)


@dataclass(frozen=True, slots=True)
class LoggedQuestion:
    """A question, how often it was asked, and the kinds of personal data that were masked in it."""

    text: str
    count: int
    masked: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LoggedQuestions:
    """The questions, the most frequent first; `read` entries in all, `left_out` of them too short or too long."""

    questions: tuple[LoggedQuestion, ...]
    read: int
    left_out: int


def questions_of(entries: Iterable[str]) -> LoggedQuestions:
    """The questions of a log. Spellings that differ in case, white space or the mark at the end are one question."""
    spellings: dict[str, Counter[str]] = {}
    kinds: dict[str, tuple[str, ...]] = {}
    read = left_out = 0
    for entry in entries:
        read += 1
        text = " ".join(unicodedata.normalize("NFKC", entry).split())
        text = "".join(c for c in text if unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Cn"))
        if not _SHORTEST <= len(text) <= _LONGEST or not any(c.isalpha() for c in text):
            left_out += 1
            continue
        text, masked = mask(text)
        key = text.casefold().rstrip(" ?!.。？！")
        spellings.setdefault(key, Counter())[text] += 1
        kinds[key] = tuple(sorted({*kinds.get(key, ()), *masked}))
    found = [
        LoggedQuestion(min(counts, key=lambda text: (-counts[text], text)), counts.total(), kinds[key])
        for key, counts in spellings.items()
    ]
    found.sort(key=lambda question: (-question.count, question.text))
    return LoggedQuestions(tuple(found), read, left_out)


def mask(text: str) -> tuple[str, tuple[str, ...]]:
    """`text` with what looks like personal data replaced by its kind in angle brackets, and these kinds."""
    kinds: list[str] = []

    def replaced(kind: str) -> str:
        kinds.append(kind)
        return f"<{kind}>"

    text = _IBAN.sub(lambda m: replaced("account") if _is_iban(m[0]) else m[0], text)
    text = _CARD.sub(lambda m: replaced("card") if _is_card(m[0]) else m[0], text)
    for kind, form in _FORMS:
        text, found = form.subn(f"<{kind}>", text)
        kinds += [kind] if found else []
    return text, tuple(dict.fromkeys(kinds))


def _is_card(text: str) -> bool:
    """Whether the check digit is right (Luhn, ISO/IEC 7812-1)."""
    digits = [int(c) for c in text if c.isdigit()]
    doubled = [sum(divmod(2 * d, 10)) for d in digits[-2::-2]]
    return (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def _is_iban(text: str) -> bool:
    """Whether the check digits are right (ISO 13616: 97 divides the rearranged number with rest 1)."""
    plain = text.replace(" ", "")
    moved = plain[4:] + plain[:4]
    return int("".join(str(int(c, 36)) for c in moved)) % 97 == 1
