"""How text is drawn: the room there is, and colour where it is wanted."""

from __future__ import annotations

import os
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Final, Literal, TextIO

Role = Literal["good", "bad", "doubt", "quiet", "strong"]

_CODES: Final[Mapping[Role, str]] = {"good": "32", "bad": "31", "doubt": "33", "quiet": "2", "strong": "1"}
_WIDTH: Final = 120
"""Columns where there is no terminal to ask: what a CI log shows without wrapping."""


@dataclass(frozen=True, slots=True)
class Style:
    """The columns there are, whether to use colour, and the folder below which the files of a project are named.

    `root` is written as it is seen from where the command runs; empty where it runs in the project.
    """

    width: int = _WIDTH
    color: bool = False
    root: str = ""

    @classmethod
    def of(cls, stream: TextIO, environ: Mapping[str, str]) -> Style:
        """The style for `stream`: colour on a terminal, unless NO_COLOR (https://no-color.org) or TERM says no."""
        terminal = stream.isatty()
        color = terminal and not environ.get("NO_COLOR") and environ.get("TERM") != "dumb"
        columns = environ.get("COLUMNS", "")
        if columns.isdigit() and int(columns) > 0:
            return cls(int(columns), color)
        return cls(_columns(stream) if terminal else _WIDTH, color)

    def place(self, path: str) -> str:
        """The path of one of the project's files, for whoever runs the command."""
        return str(PurePath(self.root, path))

    def paint(self, text: str, role: Role) -> str:
        """`text` in the colour of `role`, where there is colour."""
        return f"\x1b[{_CODES[role]}m{text}\x1b[0m" if self.color and text else text


def seen_from(here: Path, path: Path) -> str:
    """`path` as it is named in the folder `here`: relative to it where it lies in it, else whole."""
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def display_width(text: str) -> int:
    """The columns that `text` takes on a terminal: East Asian wide characters take two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in ("W", "F") else 1 for c in text
    )


def fit(text: str, width: int) -> str:
    """`text` on one line in at most `width` columns; what does not fit is cut and marked with …"""
    line = " ".join(text.split())
    if display_width(line) <= width:
        return line
    while line and display_width(line) > width - 1:
        line = line[:-1]
    return f"{line.rstrip()}…" if width > 0 else ""


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or _WIDTH
    except (OSError, ValueError):
        return _WIDTH
