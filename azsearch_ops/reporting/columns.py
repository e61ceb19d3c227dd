"""Rows of text in columns."""

from __future__ import annotations

from collections.abc import Sequence

from azsearch_ops.reporting.style import display_width

GAP = "  "


def aligned(rows: Sequence[Sequence[str]], sides: str, indent: str = "  ") -> list[str]:
    """`rows` as lines; `sides` has one letter a column, l for flush left and r for flush right."""
    widths = [max((display_width(row[i]) for row in rows), default=0) for i in range(len(sides))]
    lines = []
    for row in rows:
        cells = [_padded(cell, width, side) for cell, width, side in zip(row, widths, sides, strict=True)]
        lines.append(f"{indent}{GAP.join(cells)}".rstrip())
    return lines


def _padded(cell: str, width: int, side: str) -> str:
    padding = " " * (width - display_width(cell))
    return padding + cell if side == "r" else cell + padding
