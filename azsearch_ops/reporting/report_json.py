"""Runs as one JSON document: the verdict, every gated and reported metric, and every query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from azsearch_ops.evaluation.record import record
from azsearch_ops.gate.record import verdict_to_json
from azsearch_ops.reporting.data import evaluation_data
from azsearch_ops.reporting.envelope import as_json

if TYPE_CHECKING:
    from azsearch_ops.verbs.run_files import Run

SCHEMA: Final = "azsearch-ops/report/1"


def runs_json(runs: Sequence[Run]) -> str:
    """The document as indented text."""
    return as_json({"schema": SCHEMA, "runs": [run_data(run) for run in runs]}) + "\n"


def run_data(run: Run) -> dict[str, Any]:
    """One run: what commands say of an evaluation, with where it was measured and the whole record."""
    return {
        **evaluation_data(run.outcome),
        "run": run.name,
        "measured": asdict(run.measured),
        "changes": [asdict(change) for change in run.changes],
        "gate": verdict_to_json(run.outcome.verdict),
        "evaluation": record(run.outcome.evaluation),
    }
