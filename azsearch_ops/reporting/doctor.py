"""A diagnosis as lines: what is well, what fails, what to grant to whom."""

from __future__ import annotations

from azsearch_ops.reporting.style import Style
from azsearch_ops.verbs.doctoring.doctoring import Diagnosis

MARKS = {"ok": "✓", "fails": "✗", "warning": "!", "not checkable here": "–"}


def render_diagnosis(diagnosis: Diagnosis, style: Style) -> str:
    """One line a check, and under each that fails what to do."""
    width = max((len(line.check) for line in diagnosis.lines), default=0)
    rows = [f"{diagnosis.environment}   {diagnosis.endpoint}   as {diagnosis.identity}"]
    for line in diagnosis.lines:
        state = "" if line.state == "ok" else f"{line.state}: "
        rows.append(f"  {MARKS[line.state]} {line.check.ljust(width)}  {state}{line.detail}")
        if line.grant:
            rows.append(f"    {' ' * width}  → {line.grant}")
    failed = sum(line.state == "fails" for line in diagnosis.lines)
    rows.append(f"{failed} of {len(diagnosis.lines)} checks fail" if failed else "nothing fails")
    return "\n".join(rows)
