"""An evaluation together with its verdict: what promote asks for and what reports show."""

from __future__ import annotations

from dataclasses import dataclass, replace

from azsearch_ops.evaluation.outcome import Evaluation, MetricResult
from azsearch_ops.gate.verdict import Outcome, Verdict


@dataclass(frozen=True, slots=True)
class YardstickOutcome:
    """What measured, and whether the change moved it.

    `base` names the revision that the change builds on, empty where there is none, and then `note` says why. `changed`
    names what differs between its yardstick and the one of now. Where anything does, `own` is the verdict under the
    yardstick of now and `under_base` the one under the base's, with its `metrics`. `accepted` is the reason for which
    the new yardstick alone counts.
    """

    base: str = ""
    note: str = ""
    changed: tuple[str, ...] = ()
    own: Verdict | None = None
    under_base: Verdict | None = None
    metrics: tuple[MetricResult, ...] = ()
    accepted: str | None = None


def worse_counts(own: Verdict, under_base: Verdict, base: str) -> Verdict:
    """`own`, or where the verdict under the base's yardstick is worse, that one's outcome and reasons."""
    order: dict[Outcome, int] = {"pass": 0, "undecided": 1, "fail": 2}
    if order[under_base.outcome] <= order[own.outcome]:
        return own
    reasons = tuple(f"under the yardstick of {base}: {reason}" for reason in under_base.reasons)
    return replace(own, outcome=under_base.outcome, reasons=reasons)


@dataclass(frozen=True, slots=True)
class EvaluationOutcome:
    """A candidate judged against live.

    `key` names the record in the ledger, `path` the file with every query. With `settings_only` candidate and live
    are one index under two search requests. `tainted` says what changed on the service during the evaluation, empty
    when nothing did. `yardstick` tells of the yardsticks that were applied, None in records that hold nothing of it.
    `notes` say in words what a reader of the figures has to know: how judgements were checked, what is not measured.
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
    yardstick: YardstickOutcome | None = None
    notes: tuple[str, ...] = ()
