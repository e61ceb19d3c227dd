"""The line that a problem is about, with a caret below its place."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from azsearch_ops.errors import Problem
from azsearch_ops.reporting.problems import in_file_order, render_one
from azsearch_ops.reporting.style import Style, display_width

_SECRET: Final = "AZS801"
_LONGEST: Final = 2_000


def render_with_lines(problems: Sequence[Problem], root: Path, style: Style) -> str:
    """Every problem with the line of its file and a caret; lines that hold a secret are never shown."""
    hidden = {(p.location.path, p.location.line) for p in problems if p.code == _SECRET and p.location}
    files: dict[str, list[str]] = {}
    shown: list[str] = []
    for problem in in_file_order(problems):
        first, *rest = render_one(problem, style)
        shown.append(first)
        place = problem.location
        if place is not None and (place.path, place.line) not in hidden:
            lines = files.setdefault(place.path, _lines(root / place.path))
            if place.line <= len(lines):
                shown += _pointed(lines[place.line - 1], place.line, place.column, style)
        shown += rest
    return "\n".join(shown)


def _pointed(line: str, number: int, column: int, style: Style) -> list[str]:
    """The line, cut around the column where it is too wide, and the caret under the column."""
    text = "".join(character if character.isprintable() else " " for character in line[:_LONGEST])
    margin = f"{number:>5} | "
    room = max(style.width - len(margin), 20)
    at = min(max(column - 1, 0), len(text))
    start = 0
    if display_width(text) > room:
        start = max(0, min(at - room // 3, len(text) - 1))
        text = ("…" if start else "") + text[start:]
        at = at - start + (1 if start else 0)
        while display_width(text) > room:
            text = text[:-1]
        at = min(at, len(text))
    if not text.strip():
        return []
    caret = " " * display_width(text[:at]) + "^"
    return [style.paint(margin, "quiet") + text.rstrip(), " " * (len(margin) - 2) + style.paint("| ", "quiet") + caret]


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text("utf-8-sig", errors="replace").splitlines()
    except OSError:
        return []
