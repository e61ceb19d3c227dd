"""Drift as text and as Markdown."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from azsearch_ops.reporting.figures import NONE
from azsearch_ops.reporting.markdown_text import cell, code, table
from azsearch_ops.reporting.style import Role, Style, fit

if TYPE_CHECKING:
    from azsearch_ops.verbs.shipping.drifting import Drift


def render_drift(drifts: Sequence[Drift], style: Style) -> str:
    """One block a definition: what differs from its release, and what that was."""
    lines: list[str] = []
    for drift in drifts:
        head = f"{drift.name} → {drift.alias}"
        if drift.release is not None:
            head += f"   release {drift.release}, {drift.index}"
        lines.append(head)
        for one in drift.drifted:
            role: Role = "bad" if one.kind == "refresh" else "doubt"
            lines.append(f"  {style.paint('!', role)} {one.told}  {_short(one.released)} → {_short(one.found)}")
        if drift.release is not None and not drift.drifted:
            lines.append(f"  {style.paint('✓', 'good')} as released")
        if drift.note:
            lines.append(f"  {drift.note}")
    return "\n".join(lines)


def drift_markdown(drifts: Sequence[Drift]) -> str:
    """A heading and a table a definition."""
    lines: list[str] = []
    for drift in drifts:
        told = f"{len(drift.drifted)} drifted" if drift.drifted else "as released" if drift.release else "no release"
        lines += [f"### {cell(drift.name)} → {code(drift.alias)}: {told}", ""]
        if drift.drifted:
            rows = [(cell(one.told), cell(_short(one.released)), cell(_short(one.found))) for one in drift.drifted]
            lines += [*table(("what", "released", "found"), "lll", rows), ""]
        if drift.note:
            lines += [cell(drift.note), ""]
    return "\n".join(lines)


def _short(value: object) -> str:
    if value is None:
        return NONE
    return fit(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True), 60)
