"""Comments that silence a finding: `# azsearch: ignore AZS123 because REASON`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_COMMENT = re.compile(
    r"(?:^|\s)#\s*azsearch:\s*ignore\b[\s:]*(?P<codes>[A-Z]+\d+(?:\s*,\s*[A-Z]+\d+)*)?\s*(?:(?:because|--|:)\s*(?P<reason>.*))?"
)
_ONLY_COMMENT = re.compile(r"\s*#")


@dataclass(frozen=True, slots=True)
class Silence:
    """A comment: its line and column, the codes it names, and its reason (empty when it gives none)."""

    line: int
    column: int
    codes: tuple[str, ...]
    reason: str


def read_silences(text: str) -> Mapping[int, tuple[Silence, ...]]:
    """The comments of a file by the line that they speak for.

    A comment at the end of a line speaks for that line, one that stands alone for the next line that is no comment.
    """
    if "azsearch:" not in text:
        return {}
    found: dict[int, list[Silence]] = {}
    waiting: list[Silence] = []
    for number, line in enumerate(text.splitlines(), start=1):
        match = _COMMENT.search(line)
        alone = _ONLY_COMMENT.match(line) is not None
        if match is not None:
            codes = tuple(code.strip() for code in (match["codes"] or "").split(",") if code.strip())
            silence = Silence(number, line.index("#", match.start()) + 1, codes, (match["reason"] or "").strip())
            waiting.append(silence)
        if not alone and line.strip():
            if waiting:
                found[number] = waiting
            waiting = []
    return {number: tuple(silences) for number, silences in found.items()}
