"""Runs on a terminal: where they were measured, then what `evaluate` showed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from azsearch_ops.reporting.evaluations import render_evaluation
from azsearch_ops.reporting.report_wording import embedding, service_name
from azsearch_ops.reporting.style import seen_from

if TYPE_CHECKING:
    from azsearch_ops.gate.outcome import EvaluationOutcome
    from azsearch_ops.reporting.style import Style
    from azsearch_ops.verbs.evaluating.run_files import Run


def runs_text(runs: Sequence[Run], style: Style, here: Path | None = None) -> str:
    """Each run with its name and circumstances in front of its table; pages are named as they are seen from `here`."""
    return "\n\n".join(
        f"{_head(run, style)}\n{render_evaluation(_seen(run, here), style, page=run.folder is not None)}"
        for run in runs
    )


def _seen(run: Run, here: Path | None) -> EvaluationOutcome:
    return run.outcome if here is None else replace(run.outcome, path=seen_from(here, Path(run.outcome.path)))


def _head(run: Run, style: Style) -> str:
    measured = run.measured
    where = f" → {measured.environment}" if measured.environment else ""
    parts = [f"{run.outcome.name}{where}", service_name(measured)]
    if measured.api_version:
        parts.append(measured.api_version)
    if measured.model:
        parts.append(embedding(measured))
    if measured.commit:
        parts.append(f"commit {measured.commit[:12]}")
    if measured.at:
        parts.append(f"{measured.at[:16].replace('T', ' ')} UTC")
    return style.paint(parts[0], "strong") + "".join(f"   {part}" for part in parts[1:])
