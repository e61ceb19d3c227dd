"""An evaluation together with its verdict: what promote asks for and what reports show."""

from __future__ import annotations

from dataclasses import dataclass

from azsearch_ops.evaluation.outcome import Evaluation
from azsearch_ops.gate.verdict import Verdict


@dataclass(frozen=True, slots=True)
class EvaluationOutcome:
    """A candidate judged against live.

    `key` names the record in the ledger, `path` the file with every query. With `settings_only` candidate and live
    are one index under two search requests. `tainted` says what changed on the service during the evaluation, empty
    when nothing did. `scored` of `queries` could be scored.
    """

    name: str
    alias: str
    candidate: str
    live: str | None
    settings_only: bool
    evaluation: Evaluation
    verdict: Verdict
    key: str
    path: str
    tainted: str
    seconds: float
