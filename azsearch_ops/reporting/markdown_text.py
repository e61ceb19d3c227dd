"""Foreign words inside Markdown: they stay in their cell, and cannot become markup, links or mentions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from azsearch_ops.reporting.style import fit

_ENTITIES = str.maketrans({c: f"&#{ord(c)};" for c in "|`[]*_~\\!$<>"} | {"&": "&amp;"})
_APART = "\u200b"
"""A zero width space. GitHub looks for mentions and references in the finished page, where an entity is a character
again (https://docs.github.com/get-started/writing-on-github), so that only something in between keeps them apart."""

_MENTION = re.compile(r"(?<!\w)@(?=\w)|(?<=\w)@(?=[\w-]+\.\w)")
_REFERENCE = re.compile(r"#(?=\d)|(?i:\bgh-)(?=\d)")
_ADDRESS = re.compile(r"(?i:(?<=\bhttp)|(?<=\bhttps)|(?<=\bftp)|(?<=\bmailto)|(?<=\bxmpp)):|(?i:\bwww)(?=\.)")


def cell(text: str, width: int = 200) -> str:
    """`text` on one line of at most `width` columns, safe in a table, a list or a sentence."""
    line = fit(_printable(text), width)
    for pattern in (_MENTION, _REFERENCE, _ADDRESS):
        line = pattern.sub(lambda found: f"{found[0]}{_APART}", line)
    return line.translate(_ENTITIES)


def code(text: str) -> str:
    """`text` as code, for names and places; what could end the code, or look like our marker, is a `cell` instead."""
    line = fit(_printable(text), 200)
    return cell(line) if not line or any(c in line for c in "`|<>") else f"`{line}`"


def table(head: Sequence[str], sides: str, rows: Sequence[Sequence[str]]) -> list[str]:
    """The lines of a table; `sides` has one letter a column, l or r. Cells are written as they are given."""
    rule = "|".join("--:" if side == "r" else "---" for side in sides)
    return [f"| {' | '.join(head)} |", f"|{rule}|", *(f"| {' | '.join(row)} |" for row in rows)]


def folded(title: str, lines: Sequence[str]) -> list[str]:
    """`lines` behind a title that opens them; `title` is safe already."""
    return [f"<details><summary>{title}</summary>", "", *lines, "", "</details>"]


def _printable(text: str) -> str:
    """`text` without control characters and without marks that turn the direction of what follows."""
    return "".join(" " if c < " " or c == "\x7f" else c for c in text if not "\u202a" <= c <= "\u202e")
