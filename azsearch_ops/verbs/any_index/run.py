"""The run of an index without a project: the files that `report` renders, in the working folder and nowhere else."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from azsearch_ops.evaluation.holdouts import shown
from azsearch_ops.evaluation.types import Query
from azsearch_ops.gate.outcome import EvaluationOutcome
from azsearch_ops.gate.policy import GateLimits
from azsearch_ops.verbs.evaluating.run_files import EVALUATION, Kept, Measured, judged_items, run_record, write_run

OWN_FOLDER: Final = Path(".azsearch")
_LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")


def run_key(told: Mapping[str, Any]) -> str:
    """A digest of what was measured by what, so that two runs of one thing can be told from two things."""
    text = json.dumps(told, sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(text.encode()).hexdigest()


def run_path(out: Path | None, now: datetime, index: str, key: str) -> Path:
    """The record's path: in `out`, else in a folder of its own below the working folder's `.azsearch`."""
    folder = out if out is not None else OWN_FOLDER / "runs" / f"{now:%Y%m%dT%H%M%S}-{index}-{key[:6]}"
    return folder / EVALUATION


def measured_at(
    endpoint: str,
    *,
    api_version: str,
    models: Mapping[str, str],
    chunks: Mapping[str, int],
    searches: Mapping[str, Any],
    policy: Mapping[str, GateLimits],
    queries_given: int,
    query_digest: str,
    now: datetime,
    budget_encoding: str,
    command: str,
) -> Measured:
    """Where and on what an index without a project was measured. `models`, `chunks` and `searches` are by side."""
    return Measured(
        service=endpoint,
        is_local=urlsplit(endpoint).hostname in _LOOPBACK,
        api_version=api_version,
        model=" → ".join(dict.fromkeys(models[side] for side in ("live", "candidate") if models.get(side))),
        chunks=chunks,
        search=searches,
        queries_given=queries_given,
        query_digest=query_digest,
        limits={
            name: {"floor": limits.floor, "max_drop": limits.max_drop, "margin": limits.margin}
            for name, limits in policy.items()
        },
        at=now.isoformat(),
        budget_encoding=budget_encoding,
        command=command,
    )


def write_any_run(
    root: Path, outcome: EvaluationOutcome, measured: Measured, queries: Sequence[Query], kept: Kept
) -> tuple[EvaluationOutcome, str]:
    """Write the files below `root`; the outcome with its path, or without one and why it could not be written."""
    record = root / outcome.path
    try:
        write_run(record.parent, run_record(outcome, measured, judged_items(shown(queries))), kept, shown(queries))
        _keep_out_of_git(root)
    except OSError as error:
        return replace(outcome, path=""), f"no report: {record.parent} cannot be written ({error.strerror})"
    return outcome, ""


def _keep_out_of_git(root: Path) -> None:
    """What was retrieved are the words of documents: a folder without a project has no rule yet that ignores them."""
    ignore = root / OWN_FOLDER / ".gitignore"
    if ignore.parent.is_dir() and not ignore.exists():
        ignore.write_text("*\n", "utf-8")
