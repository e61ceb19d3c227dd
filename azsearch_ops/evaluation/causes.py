"""The door to causes: why one side does worse on a query, as far as the two rankings can tell."""

from __future__ import annotations

from collections.abc import Callable

from azsearch_ops.evaluation.diagnosis.diagnose import cause_of
from azsearch_ops.evaluation.diagnosis.stake import Loss
from azsearch_ops.evaluation.outcome import Cause

Diagnose = Callable[[Loss], Cause]
"""Finds the cause of a changed query; `diagnosis.diagnose.Diagnosis` asks the service for it."""


def cause_of_loss(loss: Loss) -> Cause:
    """Why `loss.loser` does worse than `loss.winner`, without asking anybody."""
    return cause_of(loss, None, None)
