"""Runs as one JSON document: the verdict, every gated and reported metric, and every query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, Final

from azsearch_ops.evaluation.record import record
from azsearch_ops.gate.record import verdict_to_json
from azsearch_ops.reporting.data import evaluation_data
from azsearch_ops.reporting.envelope import as_json
from azsearch_ops.verbs.evaluating.run_files import EVALUATION

if TYPE_CHECKING:
    from azsearch_ops.verbs.evaluating.run_files import Run

SCHEMA: Final = "azsearch-ops/report/1"


_RANKINGS: Final = "ranking"


def runs_json(runs: Sequence[Run], *, rankings: bool = False) -> str:
    """The document as indented text; with `rankings` every chunk that was read stands in it, which is most of it."""
    return as_json({"schema": SCHEMA, "runs": [run_data(run, rankings=rankings) for run in runs]}) + "\n"


def run_data(run: Run, *, rankings: bool = False) -> dict[str, Any]:
    """One run: what commands say of an evaluation, with where it was measured and the record.

    Without `rankings` each query has its values and ranks on both sides; the file at `record` has the chunks too.
    """
    evaluation = record(run.outcome.evaluation)
    if not rankings:
        evaluation["queries"] = [_without_rankings(query) for query in _listed(evaluation["queries"])]
    return {
        **evaluation_data(run.outcome),
        "run": run.name,
        "measured": asdict(run.measured),
        "changes": [asdict(change) for change in run.changes],
        "gate": verdict_to_json(run.outcome.verdict),
        "record": run.folder / EVALUATION if run.folder else None,
        "evaluation": evaluation,
    }


def _without_rankings(query: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: {key: part for key, part in value.items() if key != _RANKINGS} if isinstance(value, Mapping) else value
        for name, value in query.items()
    }


def _listed(value: object) -> list[Mapping[str, Any]]:
    return value if isinstance(value, list) else []
