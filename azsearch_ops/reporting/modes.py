"""Modes of retrieval side by side, and whether the questions favour one of them."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from azsearch_ops.reporting import figures
from azsearch_ops.reporting.columns import aligned
from azsearch_ops.reporting.style import Style

if TYPE_CHECKING:
    from azsearch_ops.evaluation.side_by_side import ModeValues, SideBySide
    from azsearch_ops.evaluation.wording import LexicalOverlap

_STAND_IN = "ranked by the stand-in semantic ranker of the local service: no forecast of Azure's, and never gated"


def render_modes(table: SideBySide, style: Style) -> str:
    """One row a metric, one column a mode (live → candidate where both were measured), refusals below."""
    shown = [mode for mode in table.modes if mode.candidate is not None or mode.live is not None]
    head = ["metric", *(f"{mode.mode} *" if mode.mode == table.own else mode.mode for mode in shown)]
    rows = [head, *([metric, *(_cell(mode, metric) for mode in shown)] for metric in table.metrics)]
    lines = [
        f"modes     {figures.counted(table.queries, 'query', 'queries')} in each mode (* as applications ask)",
        "",
        *aligned(rows, "l" + "r" * len(shown)),
    ]
    if table.stand_in:
        lines += _wrapped(f"semantic: {_STAND_IN}", style)
    for mode in table.modes:
        lines += _wrapped(f"{mode.mode}: {mode.refused}", style) if mode.refused else []
    lines += [f"  {line}" for line in overlap_lines(table)]
    return "\n".join(lines)


def _wrapped(text: str, style: Style) -> list[str]:
    return textwrap.wrap(text, style.width, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)


def overlap_lines(table: SideBySide) -> list[str]:
    """How many of a question's words its excerpts repeat, and what that means for the comparison."""
    overlap = table.overlap
    if overlap is None:
        return []
    share = figures.percent(overlap.share)
    if overlap.high:
        return [
            f"questions repeat {share} of their content words from their excerpts: such questions favour BM25",
            "users ask in other words; add paraphrased questions before the weights are set by this table",
        ]
    high = [f"{tag} {figures.percent(o.share)}" for tag, o in table.overlap_by_tag.items() if o.high]
    told = f"questions repeat {share} of their content words from their excerpts"
    return [told, *([f"under some tags more, in favour of BM25: {', '.join(high)}"] if high else [])]


def modes_data(table: SideBySide) -> dict[str, Any]:
    """The table as plain values."""
    return {
        "own": table.own,
        "queries": table.queries,
        "semantic_ranker": "stand-in" if table.stand_in else None,
        "modes": {m.mode: {"live": m.live, "candidate": m.candidate, "refused": m.refused} for m in table.modes},
        "lexical_overlap": _overlap_data(table.overlap),
        "lexical_overlap_by_tag": {tag: _overlap_data(o) for tag, o in table.overlap_by_tag.items()},
    }


def _overlap_data(overlap: LexicalOverlap | None) -> dict[str, Any] | None:
    return None if overlap is None else {"share": overlap.share, "queries": overlap.queries, "high": overlap.high}


def _cell(mode: ModeValues, metric: str) -> str:
    candidate = figures.value(mode.candidate[metric] if mode.candidate else None)
    return f"{figures.value(mode.live[metric])} → {candidate}" if mode.live else candidate
